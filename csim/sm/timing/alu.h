/* Timing of the instructions that do not use the MEM pipeline: queues, collectors, SP and SFU
 * pipelines, write-back slots, and the two links of an SM with two sides, whose pipelines and
 * report ports are common.
 *
 * Its only inputs are the instructions issued to it.  The back end steps one as the hardware and,
 * in windows, a second one to check that nothing else has influenced the first (alu_replay.c).
 */
#ifndef TANDEM_SM_ALU_H
#define TANDEM_SM_ALU_H

#include "csim/sm/timing/collect.h"

enum {
  SM_ALU_SP, /* classes */
  SM_ALU_SFU,
  SM_ALU_PIPES = 3,   /* SP 0, SP 1, SFU; each has a write-back port */
  SM_ALU_RING = 1024, /* a latency is less */
  SM_SP_PLACES = 12   /* entries of a deep SP queue */
};

struct sm_alu_slot {
  uint32_t banks;
  uint16_t id;
  uint8_t side;
};

struct sm_alu {
  struct sm_collect oc[SM_SIDES];
  uint64_t free_at[SM_ALU_PIPES], link_at; /* cycles in which pipes and operand link are free */
  uint32_t in_pipes;
  uint32_t ring_mask, sp_pipes;
  uint16_t latency[ISA_LATS], interval[ISA_LATS];
  uint8_t link_planes;
  /* By cycle, modulo the ring: the result of each pipe that is due, id 0: none; and a mark if the
   * result link is taken. */
  struct sm_alu_slot ring[SM_ALU_RING][SM_ALU_PIPES + 1];
};

/* The events of a cycle, in this order. */
struct sm_alu_events {
  uint16_t wb[SM_ALU_PIPES]; /* ids written back, 0: none */
  uint8_t ndispatched;
  uint16_t dispatched[SM_ALU_PIPES];
  bool waited; /* an instruction of side 1 waited for a link */
  struct sm_collected oc[SM_SIDES];
};

/* The configuration has been checked (sm_create). */
void sm_alu_reset(struct sm_alu *t, const struct sm_config *config, const struct sm_shape *shape);

/* Steps one cycle.  busy[] has the banks of each side that others took before (none in right
 * hardware); the step adds the banks of its write-backs and reads. */
void sm_alu_step(struct sm_alu *t, uint64_t cycle, uint32_t busy[SM_SIDES],
                 struct sm_alu_events *ev);

/* Copies the sides and the part of the ring that are used, which is cheaper than an assignment. */
void sm_alu_copy(struct sm_alu *to, const struct sm_alu *from);

/* Returns whether two cycles have the same events. */
bool sm_alu_same(const struct sm_alu_events *a, const struct sm_alu_events *b, unsigned sides);

static inline bool sm_alu_empty(const struct sm_alu *t) {
  return t->in_pipes == 0 && sm_collect_empty(&t->oc[0]) &&
         (t->oc[0].sides == 1 || sm_collect_empty(&t->oc[1]));
}

/* Returns the cycles that a link of `width` planes takes for so many planes, at least 1. */
static inline unsigned sm_link_cycles(unsigned planes, unsigned width) {
  return planes <= width ? 1 : (planes + width - 1) / width;
}

#endif
