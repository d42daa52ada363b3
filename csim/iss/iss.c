/* The check of one SM: its CTAs, warps and barriers, and each retired instruction. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "csim/iss/launch_local.h"
#include "csim/iss/mismatch.h"
#include "csim/util/pages.h"

static const char *const reg_name[ISA_REGS] = {
    "r0",  "r1",  "r2",  "r3",  "r4",  "r5",  "r6",  "r7",  "r8",  "r9",  "r10",
    "r11", "r12", "r13", "r14", "r15", "r16", "r17", "r18", "r19", "r20", "r21",
    "r22", "r23", "r24", "r25", "r26", "r27", "r28", "r29", "r30", "r31"};
static const char *const pred_name[ISS_PREDS] = {"p0",  "p1",  "p2",  "p3", "p4",  "p5",
                                                 "p6",  "p7",  "p8",  "p9", "p10", "p11",
                                                 "p12", "p13", "p14", "pT"};

struct iss *iss_create(unsigned sm_index, struct pages *pages, struct tandem_error *err) {
  struct iss *iss = pages_take(pages, sizeof *iss);
  if (iss == NULL) {
    (void)tandem_fail(err, -ENOMEM, "no memory for the check of SM %u", sm_index);
    return NULL;
  }
  iss->sm = sm_index;
  return iss;
}

void iss_begin(struct iss *iss, const struct grid *grid) {
  iss->grid = grid;
  iss->launches++;
  for (unsigned w = 0; w < ISS_WARPS; w++) {
    iss->warp[w].started = false;
    iss->warp[w].stack.n = 0;
  }
  iss->due_at = iss->dues = 0;
  iss->released = (struct iss_set){{0}};
  memset(iss->cta, 0, sizeof iss->cta);
  if (iss->launch != NULL && !iss_memory_begin(iss))
    (void)iss_fails(iss, (struct iss_mismatch){.what = "host memory", .pc = grid->kernel->entry},
                    "the host has no memory for the check of memory");
}

void iss_cta(struct iss *iss, uint64_t number, bool of_grid) {
  const struct iss_mismatch bad = {
      .what = "CTA", .pc = iss->grid->kernel->entry, .got = number, .of = "number", .at = number};
  if (number >= iss->grid->ctas)
    (void)iss_fails(iss, bad, "CTA %" PRIu64 " was dispatched, but the grid's last is %" PRIu64,
                    number, iss->grid->ctas - 1);
  else if (iss->dues == ISS_CTAS)
    (void)iss_fails(iss, bad,
                    "CTA %" PRIu64 " was dispatched while %u CTAs have warps that have not started",
                    number, ISS_CTAS);
  else if (of_grid && iss->launch != NULL && !iss_launch_ran(iss->launch, number, iss->sm))
    (void)iss_fails(iss, bad, "CTA %" PRIu64 " was dispatched twice", number);
  else
    iss->due[(iss->due_at + iss->dues++) % ISS_CTAS] = (struct iss_due){number, 0, of_grid};
}

void iss_set_full(struct iss *iss, bool full) { iss->full = full; }
const struct iss_mismatch *iss_mismatch(const struct iss *iss) { return &iss->bad; }
uint64_t iss_checked(const struct iss *iss) { return iss->checked; }

/* Reports the first lane of the mask in which `got` is not expected + offset; true if there is
 * none. */
__attribute__((cold)) static bool lanes_differ(struct iss *iss, const struct sm_inst *inst,
                                               const char *what, const uint32_t *expected,
                                               uint32_t offset, const uint32_t *got,
                                               uint32_t mask) {
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
    if ((mask >> l & 1) != 0 && expected[l] + offset != got[l])
      return iss_differs(iss, inst, what, l, expected[l] + offset, got[l]);
  return true;
}

/* Compares n planes with the registers from reg on. */
static bool same_registers(struct iss *iss, const struct sm_inst *inst, const struct iss_warp *w,
                           unsigned reg, unsigned n, const uint32_t *got, uint32_t mask,
                           const char *what) {
  if (n == 0 || iss_differ(w->regs[reg], got, mask, n) == 0)
    return true;
  for (unsigned k = 0; k < n; k++)
    if (!lanes_differ(iss, inst, what, w->regs[reg + k], 0, got + (size_t)k * ISA_WARP_SIZE, mask))
      return false;
  return true;
}

/* Checks that a load of less than a register extends its value as the instruction says. */
static bool extended(struct iss *iss, const struct sm_inst *inst, const struct isa_uop *u,
                     uint32_t exec) {
  unsigned bits = u->mem_size * 8U;
  for (unsigned k = 0; k < u->mem_elems; k++)
    for (uint32_t left = exec; left != 0; left &= left - 1) {
      unsigned l = (unsigned)__builtin_ctz(left);
      uint32_t value = inst->d[k][l], low = value & ((1U << bits) - 1);
      uint32_t want = (u->f.mods & 4) != 0 && low >> (bits - 1) != 0 ? low | ~0U << bits : low;
      if (value != want)
        return iss_differs(iss, inst, "extension of the loaded value", l, want, value);
    }
  return true;
}

static bool check_address(struct iss *iss, const struct sm_inst *inst, const struct iss_warp *w,
                          const struct isa_uop *u, uint32_t exec) {
  static const uint32_t zeros[ISA_WARP_SIZE];
  const uint32_t *base = u->o.s1 != ISA_N_NONE ? w->regs[u->f.src1] : zeros;
  if (iss_differ_offset(inst->addr, base, u->imm32, exec) != 0)
    return lanes_differ(iss, inst, "address", base, u->imm32, inst->addr, exec);
  return u->o.s1 != ISA_N_PAIR || same_registers(iss, inst, w, u->f.src1 + 1U, 1, inst->a[1], exec,
                                                 "upper half of the address");
}

static bool check_memory(struct iss *iss, const struct sm_inst *inst, struct iss_warp *w,
                         const struct isa_uop *u, uint32_t exec) {
  unsigned n = isa_n_regs(u->o.d);
  if (!check_address(iss, inst, w, u, exec) ||
      !same_registers(iss, inst, w, u->f.src2, isa_n_regs(u->o.s2), inst->b[0], exec,
                      "store data") ||
      !same_registers(iss, inst, w, u->f.src3, isa_n_regs(u->o.s3), inst->c[0], exec, "swap data"))
    return false;
  if (!iss_memory_access(iss, w, u, inst, exec))
    return false;
  if (n == 0)
    return true;
  (void)iss_differ_write(w->regs[u->f.dst], inst->d[0], inst->d[0], exec, n);
  return u->mem_size >= 4 || extended(iss, inst, u, exec);
}

/* A block synchronisation writes 0 in its lanes. */
static bool check_sync(struct iss *iss, const struct sm_inst *inst, struct iss_warp *w,
                       const struct isa_uop *u, uint32_t exec) {
  static const uint32_t zeros[ISA_WARP_SIZE];
  return iss_differ_write(w->regs[u->f.dst], zeros, inst->d[0], exec, 1) == 0 ||
         lanes_differ(iss, inst, reg_name[u->f.dst], zeros, 0, inst->d[0], exec);
}

static bool check_value(struct iss *iss, const struct sm_inst *inst, struct iss_warp *w,
                        const struct isa_uop *u, uint32_t exec) {
  struct iss_result r;
  r.exec = exec;
  unsigned n = isa_n_regs(u->o.d);
  if (!iss_compute(iss, w, u, inst, &r)) {
    (void)iss_differ_write(w->regs[u->f.dst], inst->d[0], inst->d[0], exec, n);
    return true;
  }
  if (u->o.dp) {
    if (((r.pred ^ inst->pred) & exec) != 0)
      return iss_differs(iss, inst, pred_name[u->f.dst & 15], 0, r.pred & exec, inst->pred & exec);
    if (u->f.dst != ISA_PT)
      w->preds[u->f.dst] = (w->preds[u->f.dst] & ~exec) | (r.pred & exec);
  }
  if (n == 0 || iss_differ_write(w->regs[u->f.dst], r.d[0], inst->d[0], exec, n) == 0)
    return true;
  for (unsigned k = 0; k < n; k++)
    if (!lanes_differ(iss, inst, reg_name[(u->f.dst + k) % ISA_REGS], r.d[k], 0, inst->d[k], exec))
      return false;
  return true;
}

/* Releases the warps of a CTA when all of its live warps are at the barrier, or none lives. */
static bool look_at_barrier(struct iss *iss, unsigned slot) {
  struct iss_cta *c = &iss->cta[slot];
  if (c->missing != 0 || !iss_set_same(&c->waiting, &c->live))
    return true;
  for (unsigned i = 0; i < ISS_SETS; i++)
    iss->released.word[i] |= c->waiting.word[i];
  c->waiting = (struct iss_set){{0}};
  return iss_epoch_end(iss, slot);
}

static bool barrier(struct iss *iss, unsigned warp) {
  const unsigned slot = iss->warp[warp].place.cta_slot;
  iss_set_add(&iss->cta[slot].waiting, warp);
  return look_at_barrier(iss, slot);
}

static bool warp_ends(struct iss *iss, unsigned warp) {
  const unsigned slot = iss->warp[warp].place.cta_slot;
  if (iss->cta[slot].of_grid)
    iss->paths += iss_path(iss->warp[warp].path, 0);
  iss_set_remove(&iss->cta[slot].live, warp);
  return look_at_barrier(iss, slot);
}

bool iss_waits(const struct iss *iss, unsigned warp) {
  return iss_set_has(&iss->cta[iss->warp[warp].place.cta_slot].waiting, warp);
}

uint64_t iss_released(struct iss *iss, unsigned from) {
  uint64_t *set = &iss->released.word[from / 64];
  const uint64_t warps = *set;
  *set = 0;
  return warps;
}

/* Checks a branch or an exit: it takes the lanes whose guard holds. */
static bool check_control(struct iss *iss, const struct sm_inst *inst, struct iss_warp *w,
                          const struct isa_uop *u, uint32_t exec) {
  if (inst->pred != exec)
    return iss_differs(iss, inst,
                       u->id == ISA_BRA ? "mask of taken lanes" : "mask of exiting lanes", 0, exec,
                       inst->pred);
  if (u->id == ISA_EXIT) {
    iss_stack_exit(&w->stack, exec);
    return w->stack.n != 0 || warp_ends(iss, inst->number);
  }
  return iss_stack_branch(&w->stack, exec, u->f.imm, u->rpc) ||
         iss_differs(iss, inst, "depth of divergence", 0, ISS_FRAMES, ISS_FRAMES + 1);
}

/* 1. The warp must be at this instruction, with these lanes;
 * 2. the guard must let the same lanes execute;
 * 3. by kind: address and data, branch outcome, or result;
 * 4. the check's own registers and stack advance. */
bool iss_check(struct iss *iss, const struct sm_inst *inst) {
  if (iss->bad.any)
    return false;
  struct iss_warp *w = &iss->warp[inst->number];
  if (!w->started || w->stack.n == 0)
    return iss_fails(iss,
                     (struct iss_mismatch){.warp = inst->number,
                                           .pc = inst->pc,
                                           .word = inst->uop->word,
                                           .cycle = inst->issued,
                                           .what = "warp"},
                     "the warp executes an instruction %s",
                     w->started ? "after its end" : "before its start");
  uint16_t pc = iss_stack_pc(&w->stack);
  uint32_t mask = iss_stack_mask(&w->stack);
  if (inst->pc != pc)
    return iss_differs(iss, inst, "pc", 0, pc, inst->pc);
  if (!grid_has_pc(iss->grid, pc))
    return iss_fails(iss,
                     (struct iss_mismatch){.warp = inst->number,
                                           .pc = pc,
                                           .word = inst->uop->word,
                                           .cycle = inst->issued,
                                           .what = "pc",
                                           .expected = iss->grid->kernel->end - 1U,
                                           .got = pc},
                     "the warp runs beyond the kernel's last instruction, at PC %u",
                     iss->grid->kernel->end - 1U);
  const struct isa_uop *u = &iss->grid->uops[pc];
  if (inst->uop->word != iss->grid->code[pc])
    return iss_differs(iss, inst, "instruction word", 0, iss->grid->code[pc], inst->uop->word);
  if (inst->active != mask)
    return iss_differs(iss, inst, "active mask", 0, mask, inst->active);
  uint32_t exec = mask & iss_pred(w, u->f.guard);
  if (inst->exec != exec)
    return iss_differs(iss, inst, "mask of executing lanes", 0, exec, inst->exec);
  iss->checked++;
  w->path = iss_path(w->path + pc, (uint64_t)mask << 32 | exec);
  if (u->id == ISA_BRA || u->id == ISA_EXIT)
    return check_control(iss, inst, w, u, exec);
  bool same = true;
  if (u->id == ISA_BSYNC)
    same = check_sync(iss, inst, w, u, exec);
  else if (u->pipe == ISA_PIPE_MEM)
    same = check_memory(iss, inst, w, u, exec);
  else if (u->pipe != ISA_PIPE_NONE)
    same = check_value(iss, inst, w, u, exec);
  if (!same)
    return false;
  iss_stack_advance(&w->stack);
  return u->id != ISA_BAR || barrier(iss, inst->number);
}

unsigned iss_groups(const struct iss *iss, unsigned warp, bool runs, struct iss_group *groups,
                    unsigned max) {
  const struct iss_stack *s = &iss->warp[warp].stack;
  if (!iss->warp[warp].started || s->n == 0)
    return 0;
  uint32_t above = runs ? iss_stack_mask(s) : 0;
  unsigned n = 0;
  for (unsigned i = s->n - runs; i-- > 0 && n < max;) {
    const uint32_t lanes = s->frame[i].mask & s->live & ~above;
    above |= lanes;
    if (lanes != 0)
      groups[n++] = (struct iss_group){.lanes = lanes, .pc = s->frame[i].pc};
  }
  return n;
}

static bool ended(struct iss *iss, unsigned warp) {
  const struct iss_warp *w = &iss->warp[warp];
  return !w->started || w->stack.n == 0 ||
         iss_fails(iss,
                   (struct iss_mismatch){.what = "end of the warp",
                                         .warp = (uint8_t)warp,
                                         .pc = iss_stack_pc(&w->stack),
                                         .expected = w->stack.live},
                   "the machine has ended the warp, but lanes 0x%x have not executed exit",
                   w->stack.live);
}

/* Returns the first PC of a warp: the kernel's, but for warps of virtual interface units. */
static uint16_t entry_of(const struct grid *g, const struct warp_place *place) {
  const bool viu = g->spu != NULL && g->spu->viu_end != 0 &&
                   (place->entry == g->spu->spill || place->entry == g->spu->restore);
  return viu ? place->entry : g->kernel->entry;
}

bool iss_start(struct iss *iss, unsigned warp, const struct warp_place *place) {
  struct iss_warp *w = &iss->warp[warp];
  struct warp_place derived;
  if (iss->bad.any || !ended(iss, warp) || !iss_place(iss, warp, place, &derived))
    return false;
  memset(w->regs, 0, sizeof w->regs);
  memset(w->preds, 0, sizeof w->preds);
  w->preds[ISA_PT] = ~0U;
  w->place = derived;
  w->started = true;
  w->path =
      iss_path(iss->launches, (uint64_t)derived.first << 32 ^ iss->cta[derived.cta_slot].number);
  iss_stack_start(&w->stack, entry_of(iss->grid, place), derived.mask);
  iss_memory_warp(iss, warp);
  return true;
}

bool iss_finish(struct iss *iss) {
  for (unsigned warp = 0; warp < ISS_WARPS && !iss->bad.any; warp++)
    (void)ended(iss, warp);
  return !iss->bad.any &&
         (iss->dues == 0 ||
          iss_fails(iss, (struct iss_mismatch){.what = "CTA", .pc = iss->grid->kernel->entry},
                    "warps of CTA %" PRIu64 ", which was dispatched, never started",
                    iss->due[iss->due_at].number));
}
