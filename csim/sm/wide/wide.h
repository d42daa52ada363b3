/* Large warps: the adapter between a front end whose warps have 64 or 128 threads and the back end,
 * whose warps have 32.
 *
 * The slices of warp w of the front end are warps w * slices to w * slices + slices - 1 of the back
 * end; lane 0 of the first is lane 0.  An instruction keeps its entry of the issue queue while its
 * slices issue one after the other, one a cycle at most.  It is collected, written back and
 * resolved when its last slice is (docs/models/sm.md, large warps).
 */
#ifndef TANDEM_SM_WIDE_H
#define TANDEM_SM_WIDE_H

#include "csim/sm/sm.h"

struct sm_wide;

/* Creates the adapter of an SM with 2 or 4 slices, which stays the caller's.  NULL with *err if
 * there is no memory. */
struct sm_wide *sm_wide_create(struct sm *sm, struct tandem_error *err);
void sm_wide_destroy(struct sm_wide *w); /* NULL allowed */

/* Replaces sm_step.  The SM's statistics count instructions, branches and barriers of large warps;
 * warps that the SM names are slices. */
void sm_wide_step(struct sm_wide *w, uint64_t cycle, const struct sm_frontend_wide_out *fe,
                  struct sm_frontend_wide_in *in);

/* Replaces sm_idle. */
bool sm_wide_idle(const struct sm_wide *w);

/* Replaces sm_waiting. */
bool sm_wide_waiting(const struct sm_wide *w);

#endif
