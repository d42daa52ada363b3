/* Instructions of wide warps: both halves in the load-store unit of the lower one's SM. */
#include "csim/mem/l1/sm_mem.h"

enum { HALVES = 2 };

struct halves {
  struct sm_inst *inst[HALVES]; /* lower, upper */
  struct lsu_lanes lanes[HALVES];
};

static uint32_t lanes_in(const struct halves *p, unsigned half, unsigned space) {
  return p->lanes[half].mask[space];
}

/* Requests of up to four bytes span both halves; wider ones have 16 or 8 lanes of one half. */
static void coalesce(struct sm_mem *s, const struct halves *p) {
  const struct isa_uop *u = p->inst[0]->uop;
  const uint32_t bytes = (uint32_t)u->mem_size * u->mem_elems, first = s->count;
  const uint32_t *const off[HALVES] = {p->lanes[0].off, p->lanes[1].off};
  const uint32_t mask[HALVES] = {lanes_in(p, 0, ISA_SPACE_GLOBAL),
                                 lanes_in(p, 1, ISA_SPACE_GLOBAL)};
  if (!s->shape.joint || coalesce_request(bytes) < ISA_WARP_SIZE) {
    for (unsigned h = 0; h < HALVES; h++)
      if (mask[h] != 0)
        coalesce_global(s, p->inst[h], off[h], mask[h]);
    return;
  }
  for (unsigned h = 0; h < HALVES; h++)
    coalesce_lanes(s, first, coalesce_kind(u), off[h], mask[h], bytes);
  if (u->f.unit == ISA_U_ATOM)
    coalesce_costs(s, off, mask, HALVES);
}

static void start_const(struct sm_mem *s, const struct halves *p) {
  uint32_t seen[HALVES * ISA_WARP_SIZE], n = 0;
  for (unsigned h = 0; h < HALVES; h++) {
    const uint32_t mask = lanes_in(p, h, ISA_SPACE_GLOBAL);
    if (mask == 0)
      continue;
    lsu_read_const(s, p->inst[h], &p->lanes[h]);
    coalesce_const(s, p->lanes[h].off, mask,
                   p->inst[h]->mem.space == ISA_SPACE_PARAM ? s->grid->param_address : 0, seen, &n);
  }
  s->stats.const_accesses++;
}

static void start_global(struct sm_mem *s, const struct halves *p) {
  coalesce(s, p);
  for (unsigned h = 0; h < HALVES; h++)
    if (lanes_in(p, h, ISA_SPACE_GLOBAL) != 0)
      lsu_read_global(s, p->inst[h], &p->lanes[h]);
  if (!lsu_count_global(s, p->inst[0]))
    return;
  for (unsigned h = 0; h < HALVES; h++)
    if (lanes_in(p, h, ISA_SPACE_GLOBAL) != 0)
      log_write(s, p->inst[h], lanes_in(p, h, ISA_SPACE_GLOBAL));
}

static void start_shared(struct sm_mem *s, const struct halves *p) {
  for (unsigned h = 0; h < HALVES; h++)
    if (lanes_in(p, h, ISA_SPACE_SHARED) != 0)
      lsu_start_shared(s, p->inst[h], &p->lanes[h]);
  s->stats.shared_accesses++;
}

static void start_local(struct sm_mem *s, const struct halves *p) {
  for (unsigned h = 0; h < HALVES; h++)
    if (lanes_in(p, h, ISA_SPACE_LOCAL) != 0)
      lsu_start_local(s, h == 0 ? s : s->gpu->sm[p->inst[h]->sm], p->inst[h], &p->lanes[h]);
  s->stats.local_accesses++;
}

static bool any(const struct halves *p, unsigned space) {
  return (lanes_in(p, 0, space) | lanes_in(p, 1, space)) != 0;
}

/* The halves are processed in the order of their lanes, all in this cycle. */
void pair_start(struct sm_mem *s, struct sm_inst *low) {
  struct halves p = {.inst = {low, low->mem.other}};
  for (unsigned h = 0; h < HALVES; h++)
    lsu_lanes_of(s, p.inst[h], &p.lanes[h]);
  if (any(&p, ISA_SPACE_SHARED))
    start_shared(s, &p);
  if (any(&p, ISA_SPACE_GLOBAL)) {
    const unsigned half = lanes_in(&p, 0, ISA_SPACE_GLOBAL) == 0;
    const uint8_t space = p.inst[half]->mem.space;
    if (space == ISA_SPACE_CONST || space == ISA_SPACE_PARAM) {
      start_const(s, &p);
    } else {
      start_global(s, &p);
      MEM_COUNT(s, low, transactions, s->count);
    }
  }
  if (any(&p, ISA_SPACE_LOCAL)) {
    const uint32_t before = s->count;
    start_local(s, &p);
    MEM_COUNT(s, low, transactions, s->count - before);
  }
  s->second = s->shape.joint && s->count != 0 && p.inst[0]->exec != 0 && p.inst[1]->exec != 0;
}
