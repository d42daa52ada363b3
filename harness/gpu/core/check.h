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
  for (uint64_t left = sm_retired_warps(sm); left != 0; left |= iss_released(iss, 0)) {
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

/* Starts a warp of each half that has started it, the lower half first. */
static inline bool check_started_pair(struct iss *iss, struct sm *const half[2]) {
  const uint64_t started[2] = {sm_launched_warps(half[0]), sm_launched_warps(half[1])};
  for (uint64_t left = started[0] | started[1]; left != 0; left &= left - 1) {
    const unsigned warp = (unsigned)__builtin_ctzll(left);
    for (unsigned h = 0; h < 2; h++)
      if ((started[h] >> warp & 1) != 0 && !iss_start(iss, 2 * warp + h, sm_place(half[h], warp)))
        return false;
  }
  return true;
}

/* Adds the warps that have passed a barrier to those to be checked in each half. */
static inline void check_released_pair(struct iss *iss, uint64_t left[2]) {
  for (unsigned from = 0; from < 128; from += 64)
    for (uint64_t set = iss_released(iss, from); set != 0; set &= set - 1) {
      const unsigned number = from + (unsigned)__builtin_ctzll(set);
      left[number % 2] |= UINT64_C(1) << number / 2;
    }
}

/* Replaces check_retired for two SMs with the halves of wide warps, which one check sees: warp w of
 * the lower SM is its warp 2 w, that of the upper one 2 w + 1. */
static inline bool check_retired_pair(struct iss *iss, struct sm *low, struct sm *high) {
  struct sm *const half[2] = {low, high};
  if (iss_mismatch(iss)->any || !check_started_pair(iss, half))
    return false;
  uint64_t left[2] = {sm_retired_warps(low), sm_retired_warps(high)};
  while ((left[0] | left[1]) != 0) {
    const unsigned h = left[0] == 0, warp = (unsigned)__builtin_ctzll(left[h]);
    left[h] &= left[h] - 1;
    for (struct sm_inst *inst = sm_oldest(half[h], warp);
         inst != NULL && inst->retired && !iss_waits(iss, 2 * warp + h);
         inst = sm_oldest(half[h], warp)) {
      if (!iss_check(iss, inst))
        return false;
      sm_take(half[h], warp);
    }
    check_released_pair(iss, left);
  }
  return true;
}

/* Races listed (config.races).  Returns how many there are; fills at most max. */
size_t gpu_races(const struct tandem *t, struct iss_race *races, size_t max);
/* A digest of the PCs and lanes of each warp of all launches, in the order of its instructions
 * (csim/iss/iss.h): the same wherever and whenever CTAs ran.  0 without the architectural check. */
uint64_t gpu_paths(const struct tandem *t);

#endif
