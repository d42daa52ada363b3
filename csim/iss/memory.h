/* The check of memory: an order of the launch's stores must explain the value of every load, and
 * every store must be in memory in the end, as far as the program has no race
 * (docs/models/trust.md). */
#ifndef TANDEM_ISS_MEMORY_H
#define TANDEM_ISS_MEMORY_H

#include "csim/iss/atomics.h"
#include "csim/iss/iss.h"
#include "csim/iss/launch.h"
#include "csim/iss/shadow.h"

enum { MEMORY_SLOTS = 8, MEMORY_RACES = 32 };

/* A loaded byte that only a store which the check has not seen yet can explain. */
struct iss_pending_load {
  uint32_t address, thread;
  uint8_t expected, got, warp, lane;
  uint16_t pc;
  uint64_t word, cycle;
};
struct iss_pending_loads {
  struct iss_pending_load *load;
  size_t n, room;
};

/* The memory side of one SM's check; empty if all bytes are zero. */
struct iss_memory {
  struct iss_pending_loads pending; /* from global memory, until the end of the launch */
  struct iss_atomics atomics;       /* on global memory */
  struct {
    struct iss_shadow shadow;
    struct iss_pending_loads pending; /* until the end of the epoch */
    struct iss_atomics atomics;
  } slot[MEMORY_SLOTS]; /* shared memory by CTA slot */
  uint32_t shared_bytes, local_bytes;
  uint8_t *local, *known; /* [warp][lane][byte]: value, and whether the thread has written it */
  size_t local_room;
  uint64_t shared_races; /* words that two threads accessed between two barriers, one to write */
  struct iss_race race[MEMORY_RACES];
  unsigned races;
};

struct iss;
struct iss_warp;

/* Prepares the memory of the SM for a launch.  False if the host has no memory. */
bool iss_memory_begin(struct iss *iss);
void iss_memory_free(struct iss_memory *m);

/* Forgets the contents of a slot's shared memory, as a CTA starts in it. */
void iss_memory_cta(struct iss *iss, unsigned slot);

/* Forgets the contents of a warp's local memory, as the warp starts. */
void iss_memory_warp(struct iss *iss, unsigned warp);

/* Checks the data of a load, store or atomic whose addresses and operands are right.  The caller
 * has not written the result to the check's registers yet.  False, with a mismatch, if it is wrong.
 */
bool iss_memory_access(struct iss *iss, const struct iss_warp *w, const struct isa_uop *u,
                       const struct sm_inst *inst, uint32_t exec);

/* pending_loads.c: keeps a copy of the load for iss_pending_unexplained. */
void iss_pending_add(struct iss_pending_loads *l, const struct iss_pending_load *load);

/* Returns the first load that the shadow does not explain at the end of the epoch, or NULL. */
const struct iss_pending_load *iss_pending_unexplained(const struct iss_pending_loads *l,
                                                       const struct iss_shadow *s);

#endif
