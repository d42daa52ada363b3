/* The part of the check that all SMs of a GPU share in a launch: the CTAs that have run, and global
 * memory.
 *
 * iss_cta is called in the serial part of a cycle.  Threads of several SMs may call everything
 * else, each with its own SM's check.  Results do not depend on their order.
 */
#ifndef TANDEM_ISS_LAUNCH_H
#define TANDEM_ISS_LAUNCH_H

#include "csim/iss/iss.h"

struct iss_launch;

/* Creates the check for at most `sms` SMs.  NULL with *err if there is no memory. */
struct iss_launch *iss_launch_create(unsigned sms, struct tandem_error *err);
void iss_launch_destroy(struct iss_launch *l);

/* Makes the check of an SM a part of l, before the first launch. */
void iss_launch_join(struct iss_launch *l, struct iss *iss);

struct iss_range {
  uint32_t address;
  uint64_t bytes;
};
/* Global memory: its bytes from address 0, and the ranges that programs may access. */
struct iss_global_memory {
  const uint8_t *bytes;
  const struct iss_range *range;
  size_t ranges;
};

/* Begins a launch, before iss_begin of its SMs.  The bytes of `memory` stay at their place until
 * the end of the launch.  Memory is not checked if `memory` is NULL or the grid has 2^31 threads.
 * Returns 0, or -ENOMEM with *err. */
int iss_launch_begin(struct iss_launch *l, const struct grid *grid,
                     const struct iss_global_memory *memory, struct tandem_error *err);

/* Notes that a device which is no SM has written global memory. */
void iss_launch_written(struct iss_launch *l, uint32_t address, uint32_t bytes);

/* Checks at the end of a launch that each CTA of the grid has run once and that memory holds the
 * right bytes.  Memory is idle, and iss_finish was called for all SMs.  False with *sm, the SM
 * whose check has the mismatch. */
bool iss_launch_finish(struct iss_launch *l, unsigned *sm);

/* Returns the number of words of shared memory, in all launches, that two threads accessed without
 * a barrier between them, one of them to write. */
uint64_t iss_shared_races(const struct iss_launch *l);

/* Returns the number of words of global memory that several threads of a launch wrote, in all
 * launches. */
uint64_t iss_global_races(const struct iss_launch *l);

/* Returns a digest of the paths of all warps of the grids that have ended: for each warp the PCs of
 * its instructions with active and executing lanes, in order, with the launch, the CTA and the
 * warp's place in it.  The digest depends neither on when the warps ran nor on where. */
uint64_t iss_launch_paths(const struct iss_launch *l);

/* Starts to list races.  With several host threads the list depends on their order. */
void iss_list_races(struct iss_launch *l);

/* Copies at most `max` races of all launches, one for each pair of PCs.  Returns their number. */
size_t iss_races(const struct iss_launch *l, struct iss_race *races, size_t max);

#endif
