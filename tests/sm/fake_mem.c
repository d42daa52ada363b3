/* A memory side that completes instructions in order after a fixed time. */
#include "tests/sm/fake_mem.h"
#include "csim/isa/lanes/lanes.h"

bool sm_mem_ready(const struct sm_mem *s) { return !s->busy; }

void sm_mem_accept(struct sm_mem *s, struct sm_inst *inst) {
  unsigned at = (s->first + s->count++) % FAKE_QUEUE;
  s->queue[at].inst = inst;
  s->queue[at].due = s->cycle + s->latency;
  for (struct sm_inst *half = inst; half != NULL; half = half->mem.other)
    for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
      half->addr[l] = (half->uop->o.s1 != ISA_N_NONE ? half->a[0][l] : 0) + half->uop->imm32;
  unsigned lane = inst->exec != 0 ? (unsigned)__builtin_ctz(inst->exec) : 0;
  unsigned n = s->accepted++ % FAKE_QUEUE;
  s->log[n].cycle = s->cycle;
  s->log[n].addr0 = inst->addr[lane];
  s->log[n].pc = inst->pc;
  s->log[n].warp = inst->warp;
  s->log[n].wide = inst->mem.other != NULL;
}

struct sm_inst *sm_mem_completed(struct sm_mem *s) {
  if (s->count == 0 || s->queue[s->first].due > s->cycle)
    return NULL;
  struct sm_inst *inst = s->queue[s->first].inst;
  s->first = (s->first + 1) % FAKE_QUEUE;
  s->count--;
  unsigned first = 0;
  for (struct sm_inst *half = inst; half != NULL; half = half->mem.other, first += ISA_WARP_SIZE)
    for (unsigned k = 0; k < isa_n_regs(inst->uop->o.d); k++)
      for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
        half->d[k][l] = inst->uop->id == ISA_BSYNC ? 0 : s->value + first + l;
  return inst;
}

void sm_mem_ifetch(struct sm_mem *s, uint16_t line) { s->asked = line; }

bool sm_mem_fill(struct sm_mem *s, struct mem_fill *fill) {
  if (!s->fill)
    return false;
  *fill = s->beat;
  s->fill = false;
  return true;
}

void sm_mem_cta(struct sm_mem *s, unsigned cta_slot) { s->ctas |= 1U << cta_slot; }

void sm_mem_warp(struct sm_mem *s, unsigned warp, const struct warp_place *place) {
  (void)warp;
  (void)place;
  s->warps++;
}

bool sm_mem_idle(const struct sm_mem *s) { return s->count == 0 && !s->fill; }

int sm_mem_cb(struct sm_mem *s, uint32_t bytes, uint32_t latency, struct tandem_error *err) {
  (void)err;
  s->cb_bytes = bytes;
  s->cb_latency = latency;
  return 0;
}

void sm_mem_no_shared(struct sm_mem *s) { s->no_shared = true; }

void sm_mem_acknowledged(struct sm_mem *s) { (void)s; }

bool sm_mem_may_step(const struct sm_mem *s, uint64_t cycle) {
  (void)cycle;
  return !s->behind;
}

uint64_t sm_mem_writing(const struct sm_mem *s) { return s->writing; }

uint64_t sm_mem_changed(struct sm_mem *s, uint64_t *cycle) {
  const uint64_t changed = s->changed;
  *cycle = s->changed_in;
  s->changed = 0;
  return changed;
}

uint32_t sm_mem_stores(const struct sm_mem *s, unsigned warp) { return s->stores[warp]; }

void sm_mem_role(struct sm_mem *s, unsigned cta_slot, const uint32_t *role) {
  s->role[cta_slot] = role;
}
