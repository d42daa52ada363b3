/* Issue queues and operand collectors: each cycle they grant register banks to operands.
 *
 * This is timing without values: the back end copies the planes that are granted here.  One object
 * serves the ALU classes, SP and SFU, which compete for the banks by age; another one serves MEM.
 * An SM that borrows a neighbour's collectors has two sides, an array of two objects: the ages of
 * both are one count, kept in the first, and their reports share ports.
 */
#ifndef TANDEM_SM_COLLECT_H
#define TANDEM_SM_COLLECT_H

#include "csim/sm/shape.h"

enum {
  SM_CLASSES = 2,         /* classes of one object */
  SM_QUEUE_MAX = 12,      /* entries of an issue queue */
  SM_QUEUE_RING = 16,     /* entries of its ring, a power of two */
  SM_COLLECTORS_MAX = 16, /* collectors of a class */
  SM_SLOTS = SM_CLASSES * (SM_QUEUE_MAX + SM_COLLECTORS_MAX),
  SM_PLANES = 8, /* operand planes: two of src 1, four of src 2, two of src 3 */
  SM_SIDES = 2,
  SM_LAG = 4 /* cycles of a ring for what side 1 reports up to SM_DELAY_MOST cycles later */
};

/* An instruction from issue to dispatch. */
struct sm_op {
  uint32_t written; /* banks of its result */
  uint32_t need;    /* banks of the pending planes */
  uint16_t id;      /* number of its record in the back end's pool, not 0 */
  uint8_t cls;      /* class within its object */
  uint8_t lat;      /* enum isa_lat */
  uint8_t warp;
  uint8_t pending; /* planes still to be read */
  uint8_t reads;   /* planes in all */
  bool apart;      /* no two planes are in one bank */
  bool ends;       /* no pipeline executes it: it leaves its collector when it is collected */
  uint8_t reg[SM_PLANES];
};

/* Slots in order of age, oldest first. */
struct sm_list {
  uint8_t n;
  uint8_t at[SM_SLOTS];
};

/* A queue of slots, a ring. */
struct sm_queue {
  uint8_t at, n; /* the oldest, how many */
  uint8_t slot[SM_QUEUE_RING];
};

struct sm_collect {
  uint64_t free; /* slots */
  uint32_t bank_mask;
  uint8_t sides,
      delay;    /* in the first: of the array; cycles by which reports of side 1 are later */
  uint32_t seq; /* instructions so far, of all sides */
  uint32_t age[SM_SLOTS]; /* order of issue, modulo 2^32 */
  struct sm_queue queue[SM_CLASSES];
  struct sm_list collecting;
  struct sm_list full[SM_CLASSES]; /* collected and reported, not dispatched */
  uint8_t used[SM_CLASSES];        /* collectors */
  uint8_t collectors[SM_CLASSES], queue_max[SM_CLASSES];
  uint8_t rate[SM_CLASSES];          /* collections reported, and collectors taken, in a cycle */
  uint8_t later[SM_LAG][SM_CLASSES]; /* reports of side 1, by the cycle whose ports they take */
  struct sm_op op[SM_SLOTS];
};

struct sm_grant {
  uint16_t id;
  uint8_t planes; /* read in this cycle */
  uint8_t cls;
  bool done; /* collection is complete and reported */
};

/* The events of collection in a cycle. */
struct sm_collected {
  unsigned n;
  struct sm_grant grant[SM_CLASSES * SM_COLLECTORS_MAX];
  uint8_t credit[SM_CLASSES];                        /* queue entries given back */
  uint8_t short_of[SM_CLASSES];                      /* 1: an instruction waited for a collector */
  unsigned conflicts;                                /* collectors that a busy bank kept waiting */
  uint16_t kept[SM_CLASSES * SM_COLLECTORS_MAX + 1]; /* the instructions in these */
};

/* Resets the sides of a shape; `collectors`, `queue_max` and `banks` are those of a whole side. */
void sm_collect_reset(struct sm_collect *c, const struct sm_shape *shape,
                      const uint8_t collectors[SM_CLASSES], const uint8_t queue_max[SM_CLASSES],
                      const uint8_t rate[SM_CLASSES], unsigned banks);

/* Steps one cycle of all sides: collects operands, oldest instruction first, from the banks of each
 * side that are not in busy[], to which it adds them, then moves instructions from the queues to
 * free collectors.  A report of side 1 takes a port of `delay` cycles later. */
void sm_collect_step(struct sm_collect *c, uint64_t cycle, uint32_t *busy,
                     struct sm_collected *out);

/* Adds an entry to a class's queue of a side; the caller fills it, except cls.  NULL if the queue
 * is full. */
struct sm_op *sm_collect_push(struct sm_collect *c, unsigned side, unsigned cls);

/* Takes the i-th collected instruction of a class and frees its collector. */
struct sm_op *sm_collect_take(struct sm_collect *c, unsigned cls, unsigned i);

/* Returns whether the same collectors read the same planes and are reported. */
bool sm_collect_same(const struct sm_collected *a, const struct sm_collected *b);

/* Returns whether an age is that of an older instruction. */
static inline bool sm_age_before(uint32_t a, uint32_t b) { return (int32_t)(a - b) < 0; }

/* Returns the side with the oldest slot of list[side] from at[side] on; `sides`: none is left. */
static inline unsigned sm_collect_oldest(const struct sm_collect *c, unsigned sides,
                                         const struct sm_list *const list[SM_SIDES],
                                         const unsigned at[SM_SIDES]) {
  if (sides == 1 || at[1] == list[1]->n)
    return at[0] < list[0]->n ? 0 : sides;
  return at[0] < list[0]->n &&
                 sm_age_before(c[0].age[list[0]->at[at[0]]], c[1].age[list[1]->at[at[1]]])
             ? 0
             : 1;
}

/* Returns the number of instructions of a class in its queue and collectors. */
static inline unsigned sm_collect_held(const struct sm_collect *c, unsigned cls) {
  return (unsigned)(c->queue[cls].n + c->used[cls]);
}

static inline bool sm_collect_empty(const struct sm_collect *c) {
  return c->free == (UINT64_C(1) << SM_SLOTS) - 1;
}

#endif
