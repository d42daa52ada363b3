/* Which lanes of a warp run where: the reconvergence rules of the instruction set, as the check
 * understands them.
 *
 * A frame is a set of lanes that run together from pc until they reach rpc; the lanes of the top
 * frame run.  A frame that has reached its rpc, or has no live lane, is over and goes away.
 */
#ifndef TANDEM_ISS_STACK_H
#define TANDEM_ISS_STACK_H

#include <stdbool.h>
#include <stdint.h>

enum { ISS_FRAMES = 64 };

struct iss_frame {
  uint32_t mask;
  uint16_t pc, rpc;
};

struct iss_stack {
  uint32_t live;
  unsigned n; /* 0: no lane lives */
  struct iss_frame frame[ISS_FRAMES];
};

void iss_stack_start(struct iss_stack *s, uint16_t pc, uint32_t lanes);

/* Where the running lanes are, and who they are; the stack is not over. */
static inline uint16_t iss_stack_pc(const struct iss_stack *s) { return s->frame[s->n - 1].pc; }
static inline uint32_t iss_stack_mask(const struct iss_stack *s) {
  return s->frame[s->n - 1].mask & s->live;
}

/* The running lanes have executed an instruction that is neither branch nor exit. */
void iss_stack_advance(struct iss_stack *s);
/* A branch: `taken` of the running lanes go to target; all meet at rpc.  False: too deep. */
bool iss_stack_branch(struct iss_stack *s, uint32_t taken, uint16_t target, uint16_t rpc);
/* `taken` of the running lanes end. */
void iss_stack_exit(struct iss_stack *s, uint32_t taken);

#endif
