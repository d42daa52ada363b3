/* The check's SIMT stack. */
#include "csim/iss/stack.h"

#include "csim/isa/core/isa.h"

static void drop_finished(struct iss_stack *s) {
  while (s->n != 0) {
    const struct iss_frame *f = &s->frame[s->n - 1];
    if ((f->mask & s->live) != 0 && f->pc != f->rpc)
      return;
    s->n--;
  }
}

/* A frame that would be over at once is not made. */
static void push(struct iss_stack *s, uint16_t pc, uint16_t rpc, uint32_t mask) {
  if (pc != rpc)
    s->frame[s->n++] = (struct iss_frame){.mask = mask, .pc = pc, .rpc = rpc};
}

void iss_stack_start(struct iss_stack *s, uint16_t pc, uint32_t lanes) {
  s->live = lanes;
  s->n = 0;
  push(s, pc, ISA_NO_RPC, lanes);
}

void iss_stack_advance(struct iss_stack *s) {
  s->frame[s->n - 1].pc++;
  drop_finished(s);
}

bool iss_stack_branch(struct iss_stack *s, uint32_t taken, uint16_t target, uint16_t rpc) {
  struct iss_frame top = s->frame[s->n - 1];
  uint32_t lanes = top.mask & s->live;
  uint16_t fall = (uint16_t)(top.pc + 1);
  taken &= lanes;
  if (taken == 0 || taken == lanes || target == fall) {
    s->frame[s->n - 1].pc = taken == 0 ? fall : target;
    drop_finished(s);
    return true;
  }
  if (s->n + 2 > ISS_FRAMES)
    return false;
  s->n--;
  push(s, rpc, top.rpc, lanes);
  push(s, fall, rpc, lanes & ~taken);
  push(s, target, rpc, taken);
  return true;
}

void iss_stack_exit(struct iss_stack *s, uint32_t taken) {
  s->live &= ~(taken & iss_stack_mask(s));
  iss_stack_advance(s);
}
