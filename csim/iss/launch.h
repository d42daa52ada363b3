/* The part of the checks that all SMs of a GPU share in a launch: which CTAs have run, and the
 * memory.
 *
 * CTAs are handed over in the serial part of a cycle; everything else may be called by the threads
 * of several SMs, each with its own SM's check.  Results do not depend on their order.
 */
#ifndef TANDEM_ISS_LAUNCH_H
#define TANDEM_ISS_LAUNCH_H

#include "csim/iss/iss.h"

struct iss_launch;

/* For so many SMs at most.  NULL: err tells. */
struct iss_launch *iss_launch_create(unsigned sms, struct tandem_error *err);
void iss_launch_destroy(struct iss_launch *l);

/* Before the first launch: the check of an SM becomes part of it. */
void iss_launch_join(struct iss_launch *l, struct iss *iss);

/* Global memory: its bytes from address 0, and the ranges of them that may be accessed. */
struct iss_range {
  uint32_t address;
  uint64_t bytes;
};
struct iss_image {
  const uint8_t *bytes;
  const struct iss_range *range;
  size_t ranges;
};

/* A launch begins, before iss_begin of its SMs.  The bytes of the image stay where they are until
 * its end; it is NULL, or the grid has 2^31 threads: memory is not checked.  0 or -ENOMEM. */
int iss_launch_begin(struct iss_launch *l, const struct grid *grid, const struct iss_image *image,
                     struct tandem_error *err);

/* Something that is no SM writes global memory. */
void iss_launch_written(struct iss_launch *l, uint32_t address, uint32_t bytes);

/* At its end, when memory is idle, after iss_finish of all SMs: each CTA of the grid has run once,
 * and memory holds what it must.  False: *sm is the SM whose check has the mismatch. */
bool iss_launch_finish(struct iss_launch *l, unsigned *sm);

/* Words of shared memory that two threads accessed, one to write, without a barrier between; words
 * of global memory that several threads of a launch wrote.  Of all launches. */
uint64_t iss_shared_races(const struct iss_launch *l);
uint64_t iss_global_races(const struct iss_launch *l);

/* The paths of all warps (iss_paths). */
uint64_t iss_launch_paths(const struct iss_launch *l);

/* Lists races, of all launches, by pairs of PCs; with several host threads the list depends on
 * their order.  Returns how many there are; fills at most max. */
void iss_list_races(struct iss_launch *l);
size_t iss_races(const struct iss_launch *l, struct iss_race *races, size_t max);

#endif
