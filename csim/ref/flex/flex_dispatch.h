/* Reference of rtl/flex/flex_dispatch.sv (docs/hardware/flex.md, flex_dispatch). */
#ifndef TANDEM_REF_FLEX_DISPATCH_H
#define TANDEM_REF_FLEX_DISPATCH_H

#include <stdbool.h>

#include "csim/ports/units.h"

enum { FLEX_PLANES = 3, FLEX_WAY = 8 };

/* An instruction with its operands, on its way to the pipeline. */
struct flex_operands {
  bool far;
  unsigned planes, beats; /* that it has; cycles in which they are sent */
  unsigned come;          /* planes that have been sent */
  uint64_t plane[FLEX_PLANES];
  uint64_t first; /* the cycle in which it was sent first */
};

struct flex_dispatch_ref {
  unsigned stages, link;
  uint64_t now; /* the cycle */
  unsigned under_way;
  struct flex_operands way[FLEX_WAY]; /* in the order in which they came */
};

/* Resets the dispatch of a pipeline with so many stages and planes of the link a cycle. */
void flex_dispatch_ref_reset(struct flex_dispatch_ref *d, unsigned stages, unsigned link);
void flex_dispatch_ref_eval(const struct flex_dispatch_ref *d, const struct flex_dispatch_in *in,
                            struct flex_dispatch_out *out);
void flex_dispatch_ref_step(struct flex_dispatch_ref *d, const struct flex_dispatch_in *in);
void flex_dispatch_ref_view(const struct flex_dispatch_ref *d, struct flex_dispatch_view *view);

#endif
