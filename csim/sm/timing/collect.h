/* Issue queues and operand collectors: each cycle they grant register banks to operands.
 *
 * This is timing without values: the back end copies the planes that are granted here.  One object
 * serves the ALU classes, SP and SFU, which compete for the banks by age; another one serves MEM.
 */
#ifndef TANDEM_SM_COLLECT_H
#define TANDEM_SM_COLLECT_H

#include "csim/isa/core/isa.h"

enum {
  SM_CLASSES = 2,         /* classes of one object */
  SM_QUEUE_MAX = 12,      /* entries of an issue queue */
  SM_QUEUE_RING = 16,     /* entries of its ring, a power of two */
  SM_COLLECTORS_MAX = 16, /* collectors of a class */
  SM_SLOTS = SM_CLASSES * (SM_QUEUE_MAX + SM_COLLECTORS_MAX),
  SM_PLANES = 8 /* operand planes: two of src 1, four of src 2, two of src 3 */
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
  uint32_t seq;           /* instructions so far */
  uint32_t age[SM_SLOTS]; /* order of issue, modulo 2^32 */
  struct sm_queue queue[SM_CLASSES];
  struct sm_list collecting;
  struct sm_list full[SM_CLASSES]; /* collected and reported, not dispatched */
  uint8_t used[SM_CLASSES];        /* collectors */
  uint8_t collectors[SM_CLASSES], queue_max[SM_CLASSES];
  uint8_t rate[SM_CLASSES]; /* collections reported, and collectors taken, in a cycle */
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

void sm_collect_reset(struct sm_collect *c, const uint8_t collectors[SM_CLASSES],
                      const uint8_t queue_max[SM_CLASSES], const uint8_t rate[SM_CLASSES],
                      unsigned banks);

/* Steps one cycle: collects operands, oldest instruction first, from the banks that are not in
 * *busy, to which it adds them, then moves instructions from the queues to free collectors. */
void sm_collect_step(struct sm_collect *c, uint32_t *busy, struct sm_collected *out);

/* Steps both sides of an SM (timing/sides.h), whose ages are one count.  Their reports share ports:
 * those of side 1 take ports of a later cycle, or of this one if `later` is `now`.  now[] has the
 * ports of this cycle that side 1 has taken before, and is cleared; later[] gets the new ones. */
void sm_collect_sides(struct sm_collect c[2], uint32_t busy[2], uint8_t now[SM_CLASSES],
                      uint8_t later[SM_CLASSES], struct sm_collected out[2]);

/* Adds an entry to a class's queue; the caller fills it, except cls.  NULL if the queue is full. */
struct sm_op *sm_collect_push(struct sm_collect *c, unsigned cls);

/* Takes the i-th collected instruction of a class and frees its collector. */
struct sm_op *sm_collect_take(struct sm_collect *c, unsigned cls, unsigned i);

/* Returns whether the same collectors read the same planes and are reported. */
bool sm_collect_same(const struct sm_collected *a, const struct sm_collected *b);

/* Returns whether slot a is older than slot b. */
static inline bool sm_collect_older(const struct sm_collect *c, unsigned a, unsigned b) {
  return (int32_t)(c->age[a] - c->age[b]) < 0;
}

/* Returns the number of instructions of a class in its queue and collectors. */
static inline unsigned sm_collect_held(const struct sm_collect *c, unsigned cls) {
  return (unsigned)(c->queue[cls].n + c->used[cls]);
}

static inline bool sm_collect_empty(const struct sm_collect *c) {
  return c->free == (UINT64_C(1) << SM_SLOTS) - 1;
}

#endif
