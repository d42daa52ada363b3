/* Two SMs as one with warps of 64 threads: lanes 0 to 31 of a wide warp are the warp of that number
 * in the lower SM, lanes 32 to 63 that in the upper one.
 *
 * Both halves pass through their own registers, collectors and pipelines, always in the same
 * cycles; what crosses between the SMs takes `delay` cycles.  The lower SM has the front end and
 * the load-store unit for both (docs/models/sm_sides.md, wide warps). */
#ifndef TANDEM_SM_PAIR_H
#define TANDEM_SM_PAIR_H

#include "csim/sm/sm.h"

struct sm_pair;

/* Creates the pair of two SMs, which stay the caller's.  NULL with *err if there is no memory. */
struct sm_pair *sm_pair_create(struct sm *low, struct sm *high, struct tandem_error *err);
void sm_pair_destroy(struct sm_pair *p); /* NULL allowed */

/* Replaces sm_set_shape and sm_begin of both SMs for a launch.  shape->pair is set. */
void sm_pair_begin(struct sm_pair *p, const struct grid *grid, const struct sm_shape *shape);

/* Replaces sm_cta_ready and sm_cta_launch: both halves take the CTA in the same slot and warps. */
bool sm_pair_ready(const struct sm_pair *p);
void sm_pair_cta(struct sm_pair *p, const uint32_t ctaid[3]);

/* Replaces sm_step.  Masks of lanes in `fe` and `in` have 64 bits.  sm_mem_step was called for the
 * lower SM; the memory side of the upper one stays idle.  The lower SM's statistics count
 * instructions, branches, barriers, live warps and CTAs of wide warps; the others are of both SMs.
 * Faults are those of the lower SM. */
uint64_t sm_pair_step(struct sm_pair *p, uint64_t cycle, const struct sm_frontend_out *fe,
                      struct sm_frontend_in *in);

/* Replace sm_idle and sm_waiting.  sm_skip is called for each SM. */
bool sm_pair_idle(const struct sm_pair *p);
bool sm_pair_waiting(const struct sm_pair *p);

#endif
