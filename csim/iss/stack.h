/* The SIMT stack of the check, written from the reconvergence rules of docs/reference/isa.md.
 *
 * A frame is a set of lanes that run together from pc until they reach rpc.  The lanes of the top
 * frame run.  A frame that has reached its rpc, or has no live lane, is removed.
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

/* Starts the lanes at pc. */
void iss_stack_start(struct iss_stack *s, uint16_t pc, uint32_t lanes);

/* Returns the PC of the running lanes; a lane lives. */
static inline uint16_t iss_stack_pc(const struct iss_stack *s) { return s->frame[s->n - 1].pc; }

/* Returns the running lanes; a lane lives. */
static inline uint32_t iss_stack_mask(const struct iss_stack *s) {
  return s->frame[s->n - 1].mask & s->live;
}

/* Moves the running lanes to the next instruction. */
void iss_stack_advance(struct iss_stack *s);

/* Branches: `taken` of the running lanes go to target, and all meet at rpc.  False if the stack is
 * full. */
bool iss_stack_branch(struct iss_stack *s, uint32_t taken, uint16_t target, uint16_t rpc);

/* Ends `taken` of the running lanes. */
void iss_stack_exit(struct iss_stack *s, uint32_t taken);

#endif
