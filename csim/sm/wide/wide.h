/* Large warps on 32 lanes: between a front end whose warps have 64 or 128 threads and the back end,
 * which knows warps of 32.
 *
 * Warp w of the front end is warps w * slices to w * slices + slices - 1 of the back end, its
 * slices, lane 0 of the first being lane 0.  An instruction keeps the entry of its issue queue
 * while its slices go one after the other, a cycle each at least, and is collected, written back
 * and resolved when its last slice is (docs/model_sm.md, large warps).
 */
#ifndef TANDEM_SM_WIDE_H
#define TANDEM_SM_WIDE_H

#include "csim/sm/sm.h"

struct sm_wide;

/* For an SM whose configuration has 2 or 4 slices; it is not owned. */
struct sm_wide *sm_wide_create(struct sm *sm, struct tandem_error *err);
void sm_wide_destroy(struct sm_wide *w); /* NULL allowed */

/* As sm_step, sm_idle, sm_quiescent, in their place.  Everything else comes from the SM: its
 * statistics count warp instructions, branches and barriers of large warps; warps that it names are
 * slices. */
void sm_wide_step(struct sm_wide *w, uint64_t cycle, const struct sm_frontend_wide_out *fe,
                  struct sm_frontend_wide_in *in);
bool sm_wide_idle(const struct sm_wide *w);
bool sm_wide_quiescent(const struct sm_wide *w);

#endif
