/* Timing of SP and SFU instructions on two sides, as timing/alu.h for one: each side has queues,
 * collectors and banks; pipelines, report ports and the two links between the sides are common.
 *
 * Its only inputs are the instructions issued to it. */
#ifndef TANDEM_SM_SIDES_H
#define TANDEM_SM_SIDES_H

#include "csim/sm/shape.h"
#include "csim/sm/timing/alu.h"

enum {
  SM_SIDES = 2,
  SM_LAG = 4 /* cycles of a ring for what comes SM_DELAY_MOST cycles later */
};

struct sm_sides_slot {
  uint32_t banks;
  uint16_t id;
  uint8_t side;
};

struct sm_sides {
  struct sm_collect oc[SM_SIDES];
  uint32_t seq; /* instructions so far, of both sides */
  uint8_t delay, link_planes;
  uint8_t planes[SM_SLOTS];                /* operand planes of the instructions of side 1 */
  uint8_t reports[SM_LAG][SM_CLASSES];     /* of side 1, by the cycle whose port they take */
  uint64_t free_at[SM_ALU_PIPES], link_at; /* cycles in which pipes and operand link are free */
  uint32_t in_pipes, ring_mask, sp_pipes;
  uint16_t latency[ISA_LATS], interval[ISA_LATS];
  /* By cycle: the result of each pipe that is due, and a mark if the result link is taken. */
  struct sm_sides_slot ring[SM_ALU_RING][SM_ALU_PIPES + 1];
};

/* The events of a cycle, in this order. */
struct sm_sides_events {
  uint16_t wb[SM_ALU_PIPES]; /* ids written back, 0: none */
  uint8_t ndispatched;
  uint16_t dispatched[SM_ALU_PIPES];
  bool waited; /* an instruction of side 1 waited for a link */
  struct sm_collected oc[SM_SIDES];
};

/* The shape has a side 1. */
void sm_sides_reset(struct sm_sides *t, const struct sm_config *config,
                    const struct sm_shape *shape);

/* Adds an entry to a queue of a side, for an instruction with so many operand planes.  The caller
 * fills it, except cls.  NULL if the queue is full. */
struct sm_op *sm_sides_push(struct sm_sides *t, unsigned side, unsigned cls, unsigned planes);

/* Steps one cycle; busy[] has the banks that others took before, as in sm_alu_step. */
void sm_sides_step(struct sm_sides *t, uint64_t cycle, uint32_t busy[SM_SIDES],
                   struct sm_sides_events *ev);

/* Copies the state with the used part of the ring alone. */
void sm_sides_copy(struct sm_sides *to, const struct sm_sides *from);

/* Returns whether two cycles have the same events. */
bool sm_sides_same(const struct sm_sides_events *a, const struct sm_sides_events *b);

static inline bool sm_sides_empty(const struct sm_sides *t) {
  return t->in_pipes == 0 && sm_collect_empty(&t->oc[0]) && sm_collect_empty(&t->oc[1]);
}

/* Returns the cycles that a link of `width` planes takes for so many planes, at least 1. */
static inline unsigned sm_link_cycles(unsigned planes, unsigned width) {
  return planes <= width ? 1 : (planes + width - 1) / width;
}

#endif
