/* Warps of 64 or 128 threads on back ends whose warps have 32.
 *
 * A warp of the front end has slices of 32 lanes, each a warp of a back end; lane 0 is lane 0 of
 * the first.  Its lanes are wider in one of two ways:
 *
 *   in time    One SM executes the slices of an instruction one after the other, one a cycle at
 *              most.  Slice s of warp w is its warp w * slices + s.  An instruction keeps its entry
 *              of the issue queue, and is collected, written back and resolved with its last slice
 *              (docs/models/sm_wide.md).
 *   in space   Two SMs have a half each.  Both halves of warp w are warps w, and pass through
 *              registers, collectors and pipelines of their own, always in the same cycles; what
 *              crosses takes the delay of the shape.  The lower SM has front end and load-store
 * unit for both (docs/models/sm_sides.md, wide warps). */
#ifndef TANDEM_SM_LANES_H
#define TANDEM_SM_LANES_H

#include "csim/sm/sm.h"

struct sm_lanes;

/* Creates lanes in space of two SMs, or in time, with 2 or 4 slices, of one if `high` is NULL.  The
 * SMs stay the caller's.  NULL with *err if there is no memory. */
struct sm_lanes *sm_lanes_create(struct sm *low, struct sm *high, struct tandem_error *err);
void sm_lanes_destroy(struct sm_lanes *l); /* NULL allowed */

/* Replaces sm_set_shape and sm_begin of both halves for a launch.  shape->pair is set. */
void sm_lanes_begin(struct sm_lanes *l, const struct grid *grid, const struct sm_shape *shape);

/* Replaces sm_cta_ready and sm_cta_launch: both halves take the CTA in the same slot and warps. */
bool sm_lanes_ready(const struct sm_lanes *l);
void sm_lanes_cta(struct sm_lanes *l, const uint32_t ctaid[3]);

/* Replaces sm_step.  Masks of `fe` and `in` have 64 lanes; in time the ports are those of a
 * sm_frontend_wide.  sm_mem_step was called for the lower SM; the memory side of the upper one
 * stays idle.  The lower SM's statistics count instructions, branches and barriers of whole warps;
 * in space live warps and CTAs, too.  Faults are those of the lower SM; warps that it names are
 * slices. */
uint64_t sm_lanes_step(struct sm_lanes *l, uint64_t cycle, const struct sm_frontend_out *fe,
                       struct sm_frontend_in *in);

/* Replace sm_idle and sm_waiting.  sm_skip is called for each SM. */
bool sm_lanes_idle(const struct sm_lanes *l);
bool sm_lanes_waiting(const struct sm_lanes *l);

#endif
