/* The state of wider lanes, and the functions that their files share. */
#ifndef TANDEM_SM_LANES_LOCAL_H
#define TANDEM_SM_LANES_LOCAL_H

#include "csim/sm/lanes/lanes.h"
#include "csim/sm/sm_local.h"

enum {
  LANES_HALVES = 2,
  LANES_PIPES = 3,   /* SP, SFU, MEM: enum isa_pipe */
  LANES_ENTRIES = 8, /* most entries of an issue queue */
  LANES_TARGETS = 48 /* registers, then predicates */
};

/* An instruction in an issue queue. */
struct lanes_entry {
  uint8_t next;                     /* next slice; the number of slices: the entry can be freed */
  bool due;                         /* no slice of the entry is in the back end's queue */
  struct sm_inst *slice[SM_SLICES]; /* NULL: no active lane; the slice takes its cycle */
};

struct lanes_queue {
  uint8_t n;
  uint8_t queued;                /* slices in the back end's queue */
  uint8_t order[LANES_ENTRIES];  /* entries, the oldest first */
  uint8_t inside[LANES_ENTRIES]; /* entries with a slice in the back end's queue, likewise */
  struct lanes_entry entry[LANES_ENTRIES];
};

/* A warp of the front end. */
struct lanes_warp {
  uint8_t present;    /* slices that exist, a bit each; 0: not live */
  uint8_t unresolved; /* slices of the open branch or exit; 0: none is open */
  bool branch;        /* it is a branch */
  uint32_t active[SM_SLICES], taken[SM_SLICES]; /* its lanes */
  /* In time. */
  uint8_t uncollected;           /* instructions that the front end counts as uncollected */
  uint8_t behind[SM_SLICES];     /* uncollected instructions of each slice */
  uint8_t writes[LANES_TARGETS]; /* slices that have not written the target of an instruction */
};

struct sm_lanes {
  struct sm *sm[LANES_HALVES]; /* NULL: no upper half */
  const char *name;            /* of such a warp, in messages */
  unsigned sms, slices;
  unsigned each;                           /* slices in an SM */
  struct sm_frontend_out fe[LANES_HALVES]; /* what each back end sees of the front end */
  struct sm_frontend_in in[LANES_HALVES];  /* what it returns */
  uint8_t started;                         /* slices of the warp that is launched */
  uint32_t launch[SM_SLICES];              /* their lanes */
  struct lanes_warp warp[SM_WARPS];
  /* In time. */
  uint32_t collected; /* warps of which the front end counts too many uncollected instructions */
  struct lanes_queue queue[LANES_PIPES];
};

/* Raises a fault of a warp of the front end.  Returns false. */
bool lanes_fail(struct sm_lanes *l, enum sm_fault_kind kind, unsigned warp, uint16_t pc,
                const char *format, ...) __attribute__((cold, format(printf, 5, 6)));

/* in_time.c: queues an instruction, of which slice[] has those with active lanes. */
void lanes_queue(struct sm_lanes *l, unsigned warp, const struct isa_uop *u, uint16_t pc,
                 struct sm_inst *const slice[SM_SLICES]);

/* Makes write-backs and collections of slices those of warps. */
void lanes_gather(struct sm_lanes *l, struct sm_frontend_in *in);

/* Steps the queues: slices enter those of the back end, and the front end gets its credits. */
void lanes_advance(struct sm_lanes *l, struct sm_frontend_in *in);

/* Returns whether the queues are empty; whether nothing in them can move. */
bool lanes_empty(const struct sm_lanes *l);
bool lanes_still(const struct sm_lanes *l);

/* in_space.c: hands the oldest MEM instruction over, which must be the same in both halves. */
void lanes_enter_memory(struct sm_lanes *l, uint64_t cycle);

/* Writes a result of memory in both halves, and compares what they return. */
void lanes_meet(struct sm_lanes *l);

#endif
