/* The reference of a front end of large warps (docs/hardware/frontend.md, large warps): as
 * frontend_ref of csim/ref/sm/ref.h. */
#ifndef TANDEM_REF_WIDE_H
#define TANDEM_REF_WIDE_H

#include "csim/ports/units.h"

struct frontend_wide;
/* One of so many warps (24 of 64 threads, 12 of 128), in reset state; NULL if there is no memory.
 */
struct frontend_wide *frontend_wide_create_with(unsigned warps);
void frontend_wide_ibuffer(struct frontend_wide *f, unsigned entries);
void frontend_wide_destroy(struct frontend_wide *f);
void frontend_wide_out(const struct frontend_wide *f, struct sm_frontend_wide_out *out);
void frontend_wide_step(struct frontend_wide *f, const struct sm_frontend_wide_in *in);
/* All but the upper lanes; these. */
void frontend_wide_state(const struct frontend_wide *f, struct sm_frontend_state *state);
void frontend_wide_view_wide(const struct frontend_wide *f, struct sm_frontend_wide_view *view);

#endif
