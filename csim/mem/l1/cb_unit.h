/* The part of the load-store unit for communication buffers: private to csim/mem. */
#ifndef TANDEM_MEM_CB_UNIT_H
#define TANDEM_MEM_CB_UNIT_H

#include "csim/isa/core/inst.h"
#include "csim/mem/cb_port.h"

struct lsu_lanes;

enum { CB_FLIGHTS = 4 /* a power of two: data come two cycles after their pass */, CB_SLOTS = 8 };

/* The words that a request, or one of its passes, moves: bit i is word i % words of lane
 * at + i / words. */
struct cb_words {
  uint32_t set;
  uint8_t at, words;
};

/* A read whose data have not come. */
struct cb_flight {
  struct sm_inst *inst;
  struct cb_words of;
};

struct cb_unit {
  uint32_t bytes, latency;
  const uint32_t *role[CB_SLOTS]; /* enum block_role */
  struct cb_record record;
  uint64_t words[CB_SLOTS]
                [2]; /* words that CTAs in the slot loaded from, stored to global memory */

  /* The head instruction. */
  uint32_t lanes[CB_SIDES];    /* lanes whose requests have not begun */
  uint32_t off[ISA_WARP_SIZE]; /* byte within the buffer */
  struct cb_words left;        /* rest of the current request */
  uint8_t side;                /* its buffer */
  bool again;                  /* the request has had a pass */

  struct cb_flight flight[CB_FLIGHTS]; /* ring */
  uint32_t flight_head, flight_tail;
  struct {
    struct sm_inst *first, *last;
  } sync[CB_SLOTS]; /* open bsyncs of the CTA in the slot, by arrival */
};

/* Moves the lanes of a shared access that address buffers from lanes->mask[] to lanes->buffers, and
 * records the faults of those that may not. */
void cb_sort(struct sm_mem *s, const struct sm_inst *inst, struct lsu_lanes *lanes, bool wide);

/* Makes one pass of the head instruction; s->cb_todo is true if more are to be made. */
void cb_pass(struct sm_mem *s, struct sm_inst *inst);

/* Records the arrival of the head instruction, a bsync. */
void cb_arrive(struct sm_mem *s, struct sm_inst *inst);

/* Empties the record for a cycle. */
static inline void cb_clear(struct cb_unit *u, uint64_t cycle) {
  u->record.cycle = cycle;
  u->record.pass.banks = 0;
  u->record.arrival.dirs = 0;
}

/* Returns whether the record has something. */
static inline bool cb_recorded(const struct cb_unit *u) {
  return u->record.pass.banks != 0 || u->record.arrival.dirs != 0;
}
void cb_free(struct cb_unit *u);

#endif
