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

/* A launch begins, before iss_begin of its SMs.  0 or -ENOMEM. */
int iss_launch_begin(struct iss_launch *l, const struct grid *grid, struct tandem_error *err);

/* At its end, after iss_finish of all SMs: each CTA of the grid has run once.  False: *sm is the SM
 * whose check has the mismatch. */
bool iss_launch_finish(struct iss_launch *l, unsigned *sm);

#endif
