/* Reference of rtl/flex/flex_edge.sv (docs/hardware/flex.md, flex_edge). */
#ifndef TANDEM_REF_FLEX_EDGE_H
#define TANDEM_REF_FLEX_EDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "csim/ports/units.h"

enum { FLEX_EDGE_STAGES = 4 }; /* at most */

/* Values on their way, the oldest first. */
struct flex_edge_ref {
  unsigned stages;
  unsigned inside;
  struct {
    uint64_t data;
    unsigned left; /* cycles until it is at the output */
  } value[FLEX_EDGE_STAGES];
};

/* Resets an edge of 1 to FLEX_EDGE_STAGES stages. */
void flex_edge_ref_reset(struct flex_edge_ref *e, unsigned stages);
void flex_edge_ref_eval(const struct flex_edge_ref *e, const struct flex_edge_in *in,
                        struct flex_edge_out *out);
void flex_edge_ref_step(struct flex_edge_ref *e, const struct flex_edge_in *in);
void flex_edge_ref_view(const struct flex_edge_ref *e, struct flex_edge_view *view);

#endif
