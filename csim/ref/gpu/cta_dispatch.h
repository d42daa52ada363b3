/* Reference of rtl/gpu/cta_dispatch.sv (docs/hardware/dispatch.md). */
#ifndef TANDEM_REF_CTA_DISPATCH_H
#define TANDEM_REF_CTA_DISPATCH_H

#include <stdbool.h>

#include "csim/ports/units.h"

struct cta_dispatch_ref {
  uint32_t next; /* next CTA */
  uint32_t ctas; /* CTAs of the grid */
  bool asked;    /* the split was requested in this kernel */
  unsigned form; /* CTAs for which the last cluster is formed; 0: it is whole */
};

void cta_dispatch_ref_reset(struct cta_dispatch_ref *d);
void cta_dispatch_ref_eval(const struct cta_dispatch_ref *d, const struct cta_dispatch_in *in,
                           struct cta_dispatch_out *out);
void cta_dispatch_ref_step(struct cta_dispatch_ref *d, const struct cta_dispatch_in *in);
void cta_dispatch_ref_view(const struct cta_dispatch_ref *d, struct cta_dispatch_view *view);

#endif
