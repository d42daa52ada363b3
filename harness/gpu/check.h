/* The architectural check: of a launch as a whole, and the wire between a back end and the check of
 * its SM. */
#ifndef TANDEM_CHECK_H
#define TANDEM_CHECK_H

#include "csim/iss/iss.h"
#include "csim/sm/sm.h"

struct tandem;

/* A launch begins: 0 or a negative errno. */
int check_begin(struct tandem *t, struct tandem_error *err);
/* It has ended; false: *sm has the mismatch. */
bool check_finish(struct tandem *t, unsigned *sm);

/* Starts the warps that were launched, and checks and takes the instructions that have retired,
 * since the last call.  Instructions behind a barrier stay until the check has seen all of its
 * CTA's warps there, so that it runs from barrier to barrier, as the program says, whatever the
 * front end does.  Returns false once something differs. */
static inline bool check_retired(struct iss *iss, struct sm *sm) {
  if (iss_mismatch(iss)->any)
    return false;
  for (uint64_t left = sm_launched_warps(sm); left != 0; left &= left - 1) {
    unsigned warp = (unsigned)__builtin_ctzll(left);
    if (!iss_start(iss, warp, sm_place(sm, warp)))
      return false;
  }
  for (uint64_t left = sm_retired_warps(sm); left != 0; left |= iss_released(iss)) {
    unsigned warp = (unsigned)__builtin_ctzll(left);
    left &= left - 1;
    for (struct sm_inst *inst = sm_oldest(sm, warp);
         inst != NULL && inst->retired && !iss_waits(iss, warp); inst = sm_oldest(sm, warp)) {
      if (!iss_check(iss, inst))
        return false;
      sm_take(sm, warp);
    }
  }
  return true;
}

/* Races listed (config.races).  Returns how many there are; fills at most max. */
size_t gpu_races(const struct tandem *t, struct iss_race *races, size_t max);
/* A digest of the PCs and lanes of each warp of all launches, in the order of its instructions
 * (csim/iss/iss.h): the same wherever and whenever CTAs ran.  0 without the architectural check. */
uint64_t gpu_paths(const struct tandem *t);

#endif
