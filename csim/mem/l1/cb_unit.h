/* The part of the load-store unit for communication buffers: private to csim/mem. */
#ifndef TANDEM_MEM_CB_UNIT_H
#define TANDEM_MEM_CB_UNIT_H

#include "csim/isa/core/inst.h"
#include "csim/mem/cb_port.h"

struct lsu_lanes;

enum { CB_FLIGHTS = 4 /* a power of two: data come two cycles after their pass */, CB_SLOTS = 8 };

/* The words that a request, or a pass of it, moves: bit i is word i % words of lane
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
  uint64_t words[CB_SLOTS][2]; /* loaded from, stored to global memory by CTAs in the slot */

  /* Of the head instruction. */
  uint32_t lanes[CB_SIDES];    /* those whose requests have not begun */
  uint32_t off[ISA_WARP_SIZE]; /* byte within the buffer */
  struct cb_words left;        /* of the current request */
  uint8_t side;                /* its buffer */
  bool again;                  /* the request has had a pass */

  struct cb_flight flight[CB_FLIGHTS]; /* ring */
  uint32_t flight_head, flight_tail;
  struct {
    struct sm_inst *first, *last;
  } sync[CB_SLOTS]; /* open bsyncs of the CTA in the slot, by arrival */
};

/* Takes the lanes of shared accesses that address buffers out of lanes->mask[]; those that may be
 * served are in lanes->buffers, faults of the others are recorded. */
void cb_sort(struct sm_mem *s, const struct sm_inst *inst, struct lsu_lanes *lanes, bool wide);
/* One pass of the head instruction; s->cb_todo shows whether there is more to do. */
void cb_pass(struct sm_mem *s, struct sm_inst *inst);
/* The head is a bsync: leaves its arrival. */
void cb_arrive(struct sm_mem *s, struct sm_inst *inst);
/* The record of a cycle: nothing in it; whether there is something. */
static inline void cb_clear(struct cb_unit *u, uint64_t cycle) {
  u->record.cycle = cycle;
  u->record.pass.banks = 0;
  u->record.arrival.dirs = 0;
}
static inline bool cb_recorded(const struct cb_unit *u) {
  return u->record.pass.banks != 0 || u->record.arrival.dirs != 0;
}
void cb_free(struct cb_unit *u);

#endif
