/* The reference: one C file per RTL unit, written from docs/hardware/frontend.md,
 * docs/hardware/buddy.md and docs/hardware/spu_units.md.
 *
 * For a unit X (state struct X_ref):
 *   void X_ref_reset(struct X_ref *);                 reset state
 *   void X_ref_eval(const struct X_ref *, const struct X_in *, struct X_out *);
 *       outputs for this state and these inputs (combinational outputs included)
 *   void X_ref_step(struct X_ref *, const struct X_in *);    the state after a clock edge
 *   void X_ref_view(const struct X_ref *, struct X_view *);
 * decode has no state: its functions ignore it.  warp_scheduler's reset takes the parity,
 * those of a cluster's units their parameters.
 * The whole front end: struct frontend_ref, opaque.
 */
#ifndef TANDEM_REF_H
#define TANDEM_REF_H

#include "csim/ports/units.h"
#include "csim/ref/sm/lanes.h"

struct frontend_ref;
/* A front end in reset state; NULL if there is no memory. */
struct frontend_ref *frontend_ref_create(void);
struct frontend_ref *frontend_ref_create_with(unsigned warps); /* only the lowest of them */
/* In reset state: with the queues of a member of a buddy cluster (docs/models/sm_cluster.md). */
void frontend_ref_as_member(struct frontend_ref *f);
/* In reset state: with instruction buffers of 2 (as without a call), 3 or 4 entries. */
void frontend_ref_ibuffer(struct frontend_ref *f, unsigned entries);
void frontend_ref_destroy(struct frontend_ref *f);
void frontend_ref_out(const struct frontend_ref *f, struct sm_frontend_out *out);
/* The same without a copy; it changes with each step. */
const struct sm_frontend_out *frontend_ref_peek(const struct frontend_ref *f);
/* A clock edge.  While the output quiet is high and the inputs are idle (no valid, credit or
 * kernel_start), it changes nothing and need not be called. */
void frontend_ref_step(struct frontend_ref *f, const struct sm_frontend_in *in);
void frontend_ref_state(struct frontend_ref *f, struct sm_frontend_state *state);
/* Lanes that the state has no room for. */
void frontend_ref_view_wide(const struct frontend_ref *f, struct sm_frontend_wide_view *view);

#endif
