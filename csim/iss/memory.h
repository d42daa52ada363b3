/* The check of memory: every load returns a value that some order of the launch's stores explains,
 * and every store is in memory in the end, as far as the program has no race (docs/trust.md). */
#ifndef TANDEM_ISS_MEMORY_H
#define TANDEM_ISS_MEMORY_H

#include "csim/iss/atomics.h"
#include "csim/iss/iss.h"
#include "csim/iss/launch.h"
#include "csim/iss/shadow.h"

enum { MEMORY_SLOTS = 8, MEMORY_RACES = 32 };

/* A byte that was read, and that only a store the check has not seen can explain. */
struct memory_late {
  uint32_t address, thread;
  uint8_t expected, got, warp, lane;
  uint16_t pc;
  uint64_t word, cycle;
};
struct memory_lates {
  struct memory_late *late;
  size_t n, room;
};

/* The memory side of one SM's check.  Zeroed: nothing. */
struct iss_memory {
  struct memory_lates late; /* of global memory, to the end of the launch */
  struct atomics atomics;   /* on it */
  struct {
    struct shadow shadow;
    struct memory_lates late; /* to the end of the epoch */
    struct atomics atomics;
  } slot[MEMORY_SLOTS]; /* shared memory of each CTA slot */
  uint32_t shared_bytes, local_bytes;
  uint8_t *local, *known; /* [warp][lane][byte]: value, and whether the thread has written it */
  size_t local_room;
  uint64_t shared_races; /* words that two threads accessed between two barriers, one to write */
  struct iss_race race[MEMORY_RACES];
  unsigned races;
};

struct iss;
struct iss_warp;

/* The memory of the SM for a launch; false: no memory of the host's. */
bool memory_begin(struct iss *iss);
void memory_free(struct iss_memory *m);

/* A CTA or a warp starts: nothing is known of what its memory holds. */
void memory_cta(struct iss *iss, unsigned slot);
void memory_warp(struct iss *iss, unsigned warp);

/* A load, store or atomic whose addresses and data are checked; before its result is in the check's
 * registers.  False, with a mismatch, if it cannot be. */
bool memory_access(struct iss *iss, const struct iss_warp *w, const struct isa_uop *u,
                   const struct sm_inst *inst, uint32_t exec);

/* All warps of the CTA have come to a barrier, or the CTA ends. */
bool memory_epoch(struct iss *iss, unsigned slot);

/* late.c: remembers the byte; the first that the shadow does not explain in the end, NULL: none. */
void memory_later(struct memory_lates *l, const struct memory_late *late);
const struct memory_late *memory_unexplained(const struct memory_lates *l, const struct shadow *s);
bool memory_differs(struct iss *iss, const struct memory_late *late, const char *what);
/* Two threads and their PCs, of which one writes. */
void memory_race(struct iss *iss, bool shared, uint32_t address, uint32_t first, uint16_t first_pc,
                 uint32_t second, uint16_t second_pc);

#endif
