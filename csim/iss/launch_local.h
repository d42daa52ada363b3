/* The state of a launch's check. */
#ifndef TANDEM_ISS_LAUNCH_LOCAL_H
#define TANDEM_ISS_LAUNCH_LOCAL_H

#include "csim/iss/iss_local.h"

struct iss_launch {
  const struct grid *grid;
  unsigned sms;
  struct iss **iss; /* by SM; NULL: the SM has no check */
  uint8_t *run;     /* by CTA: the SM that it ran on, plus one; 0: it has not run */
  uint64_t ran;     /* number of CTAs that have run */

  bool memory;              /* memory is checked in this launch */
  bool races;               /* races are listed */
  struct iss_shadow shadow; /* writers of global memory */
  const uint8_t *bytes;     /* global memory from address 0 */
  struct iss_range *range;
  size_t ranges;
  uint64_t global_races;      /* words that several threads wrote, in all launches */
  struct iss_atomics atomics; /* sums over all SMs, at the end */
};

/* Notes that a CTA runs on an SM.  False if it has run before. */
bool iss_launch_ran(struct iss_launch *l, uint64_t number, unsigned sm);

/* global_memory.c: makes the shadow equal to global memory.  False if the host has no memory. */
bool iss_global_begin(struct iss_launch *l);

/* Checks pending loads, atomics and every byte at the end of a launch.  False, with a mismatch in
 * the check of *sm. */
bool iss_global_finish(struct iss_launch *l, unsigned *sm);

/* races.c: notes that two threads at two PCs access a word without a barrier between them, and that
 * the first one writes it. */
void iss_race_seen(struct iss *iss, bool shared, uint32_t address, uint32_t first,
                   uint16_t first_pc, uint32_t second, uint16_t second_pc);

#endif
