/* Addresses of a memory instruction: values, spaces, and faults. */
#include <string.h>

#include "csim/mem/l1/sm_mem.h"

static void addresses(struct sm_inst *inst) {
  const struct isa_uop *u = inst->uop;
  bool absolute = u->f.unit == ISA_U_MEM && (u->f.mods & ISA_MOD_ABS) != 0;
  uint32_t keep = absolute ? 0 : UINT32_MAX;
  uint32_t offset = u->imm32;
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
    inst->addr[l] = (inst->a[0][l] & keep) + offset;
}

static bool wide_address(const struct isa_uop *u) {
  return (u->f.mods & ISA_MOD_A64) != 0 &&
         (u->f.unit == ISA_U_ATOM || (u->f.mods & ISA_MOD_ABS) == 0);
}

/* Returns the space that the instruction names; GENERIC if the space follows from the address. */
static enum isa_space space_of(const struct isa_uop *u) {
  static const uint8_t table[] = {
      [ISA_LDG] = ISA_SPACE_GLOBAL,   [ISA_LDS] = ISA_SPACE_SHARED,    [ISA_LDL] = ISA_SPACE_LOCAL,
      [ISA_LDC] = ISA_SPACE_CONST,    [ISA_LDGEN] = ISA_SPACE_GENERIC, [ISA_LDP] = ISA_SPACE_PARAM,
      [ISA_STG] = ISA_SPACE_GLOBAL,   [ISA_STS] = ISA_SPACE_SHARED,    [ISA_STL] = ISA_SPACE_LOCAL,
      [ISA_STGEN] = ISA_SPACE_GENERIC};
  if (u->f.unit == ISA_U_ATOM)
    return (u->f.mods & 1) != 0 ? ISA_SPACE_SHARED : ISA_SPACE_GLOBAL;
  return (enum isa_space)table[u->id];
}

static bool within(const struct sm_mem *s, enum isa_space space, uint32_t off, uint32_t bytes) {
  switch (space) {
  case ISA_SPACE_SHARED:
    return (uint64_t)off + bytes <= s->shared_limit;
  case ISA_SPACE_LOCAL:
    return (uint64_t)off + bytes <= s->local_words * 4U;
  case ISA_SPACE_PARAM:
    return (uint64_t)off + bytes <= s->grid->kernel->param_bytes;
  default:
    return store_valid(s->store, off, bytes);
  }
}

/* Returns a range that may be accessed: in global memory the allocation of the first lane. */
static struct store_range whole(struct sm_mem *s, enum isa_space space, uint32_t first) {
  switch (space) {
  case ISA_SPACE_SHARED:
    return (struct store_range){0, s->shared_limit};
  case ISA_SPACE_LOCAL:
    return (struct store_range){0, s->local_words * 4U};
  case ISA_SPACE_PARAM:
    return (struct store_range){0, s->grid->kernel->param_bytes};
  default:
    if (first < s->range.first || first >= s->range.end)
      s->range = store_range(s->store, first);
    return s->range;
  }
}

/* Returns whether all lanes of the mask have aligned 32-bit addresses within the range, in one pass
 * without branches. */
static bool all_good(const struct sm_inst *inst, const uint32_t *off, uint32_t mask, uint32_t bytes,
                     bool wide, struct store_range r) {
  if (r.end - r.first < bytes)
    return false;
  uint32_t first = (uint32_t)r.first;
  uint32_t span = (uint32_t)(r.end - r.first - bytes);
  uint32_t bad = 0;
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++) {
    uint32_t on = lane_on(mask, l);
    uint32_t outside = off[l] - first > span ? UINT32_MAX : 0;
    bad |= ((off[l] & (bytes - 1)) | outside) & on;
  }
  if (wide)
    for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
      bad |= inst->a[1][l] & lane_on(mask, l);
  return bad == 0;
}

static bool is_trap(const struct isa_uop *u) {
  return u->id == ISA_STG && (u->f.mods & ISA_MOD_ABS) != 0 && u->imm32 == ISA_TRAP_ADDRESS;
}

/* Returns the lanes of the mask that may access the space, and records the faults of the others. */
static uint32_t allowed(struct sm_mem *s, const struct sm_inst *inst, enum isa_space space,
                        const uint32_t *off, uint32_t mask) {
  if (mask == 0)
    return 0;
  uint32_t bytes = (uint32_t)inst->uop->mem_size * inst->uop->mem_elems;
  bool wide = wide_address(inst->uop);
  struct store_range r = whole(s, space, off[__builtin_ctz(mask)]);
  if (all_good(inst, off, mask, bytes, wide, r))
    return mask;
  uint32_t good = 0;
  for (uint32_t todo = mask; todo != 0; todo &= todo - 1) {
    unsigned l = (unsigned)__builtin_ctz(todo);
    if (wide && inst->a[1][l] != 0)
      lsu_fault(s, inst, INST_FAULT_UPPER, l, space, bytes);
    else if (is_trap(inst->uop))
      lsu_fault(s, inst, INST_FAULT_TRAP, l, space, bytes);
    else if ((off[l] & (bytes - 1)) != 0)
      lsu_fault(s, inst, INST_FAULT_ALIGN, l, space, bytes);
    else if (!within(s, space, off[l], bytes))
      lsu_fault(s, inst, INST_FAULT_BOUNDS, l, space, bytes);
    else
      good |= 1U << l;
  }
  return good;
}

/* Sorts the lanes of a generic access by the windows of the address space.  A wide address whose
 * upper half is not 0 is a fault wherever its lower half points. */
static void sort_generic(const struct sm_inst *inst, struct lsu_lanes *lanes) {
  uint32_t shared = 0;
  uint32_t local = 0;
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++) {
    uint32_t a = inst->addr[l];
    shared |= (uint32_t)(a >= ISA_SHARED_WINDOW && a < ISA_LOCAL_WINDOW) << l;
    local |= (uint32_t)(a >= ISA_LOCAL_WINDOW) << l;
  }
  lanes->mask[ISA_SPACE_GLOBAL] = inst->exec & ~shared & ~local;
  lanes->mask[ISA_SPACE_SHARED] = inst->exec & shared;
  lanes->mask[ISA_SPACE_LOCAL] = inst->exec & local;
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
    if ((local >> l & 1) != 0)
      lanes->off[l] -= ISA_LOCAL_WINDOW;
    else if ((shared >> l & 1) != 0)
      lanes->off[l] -= ISA_SHARED_WINDOW;
}

void lsu_resolve(struct sm_mem *s, struct sm_inst *inst, struct lsu_lanes *lanes) {
  addresses(inst);
  enum isa_space space = space_of(inst->uop);
  inst->mem.space = (uint8_t)space;
  memcpy(lanes->off, inst->addr, sizeof lanes->off);
  memset(lanes->mask, 0, sizeof lanes->mask);
  lanes->buffers = 0;
  if (space == ISA_SPACE_GENERIC) {
    sort_generic(inst, lanes);
    if (s->cb != NULL)
      cb_sort(s, inst, lanes, wide_address(inst->uop));
    for (unsigned i = 0; i < 3; i++)
      lanes->mask[i] = allowed(s, inst, (enum isa_space)i, lanes->off, lanes->mask[i]);
    for (unsigned i = 0; i < 3; i++) /* all lanes in one space: that is the instruction's */
      if (lanes->mask[i] != 0 && lanes->buffers == 0 &&
          (lanes->mask[0] | lanes->mask[1] | lanes->mask[2]) == lanes->mask[i])
        inst->mem.space = (uint8_t)i;
    return;
  }
  unsigned i = space == ISA_SPACE_SHARED || space == ISA_SPACE_LOCAL ? space : ISA_SPACE_GLOBAL;
  lanes->mask[i] = inst->exec;
  if (i == ISA_SPACE_SHARED && s->cb != NULL)
    cb_sort(s, inst, lanes, wide_address(inst->uop));
  lanes->mask[i] = allowed(s, inst, space, lanes->off, lanes->mask[i]);
}
