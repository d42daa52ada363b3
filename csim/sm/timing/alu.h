/* Timing of the instructions that do not use the MEM pipeline: queues, collectors, SP and SFU
 * pipelines, write-back slots.
 *
 * Its only inputs are the instructions issued to it.  The back end steps one as the hardware and,
 * in windows, a second one to check that nothing else has influenced the first (alu_replay.c).
 */
#ifndef TANDEM_SM_ALU_H
#define TANDEM_SM_ALU_H

#include "csim/sm/sm_config.h"
#include "csim/sm/timing/collect.h"

enum {
  SM_ALU_SP, /* classes */
  SM_ALU_SFU,
  SM_ALU_PIPES = 3,   /* SP 0, SP 1, SFU; each has a write-back port */
  SM_ALU_RING = 1024, /* a latency is less */
  SM_SP_PLACES = 12   /* entries of the SP queue of a cluster member */
};

struct sm_alu_slot {
  uint32_t id, banks;
};

struct sm_alu {
  struct sm_collect oc;
  uint64_t free_at[SM_ALU_PIPES]; /* cycle in which the pipe takes its next instruction */
  uint32_t in_pipes;
  uint32_t ring_mask, sp_pipes;
  uint16_t latency[ISA_LATS], interval[ISA_LATS];
  /* The result of each pipe that is due in a cycle (modulo the ring); id 0: none. */
  struct sm_alu_slot ring[SM_ALU_RING][SM_ALU_PIPES + 1];
};

/* The events of a cycle, in this order. */
struct sm_alu_events {
  uint16_t wb[SM_ALU_PIPES]; /* ids written back, 0: none */
  uint8_t ndispatched;
  uint16_t dispatched[SM_ALU_PIPES];
  struct sm_collected oc;
};

/* The configuration has been checked (sm_create).  A deep SP queue is that of a cluster's member.
 */
void sm_alu_reset(struct sm_alu *t, const struct sm_config *config, bool deep);

/* Steps one cycle.  *busy has the banks that others took before (none in right hardware); the step
 * adds the banks of its write-backs and reads. */
void sm_alu_step(struct sm_alu *t, uint64_t cycle, uint32_t *busy, struct sm_alu_events *ev);

/* Copies the state with the used part of the ring alone, which is cheaper than an assignment. */
void sm_alu_copy(struct sm_alu *to, const struct sm_alu *from);

/* Returns whether two cycles have the same events. */
bool sm_alu_same(const struct sm_alu_events *a, const struct sm_alu_events *b);

static inline bool sm_alu_empty(const struct sm_alu *t) {
  return t->in_pipes == 0 && sm_collect_empty(&t->oc);
}

#endif
