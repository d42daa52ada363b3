/* Reference of rtl/flex/flex_edge.sv. */
#include "csim/ref/flex/flex_edge.h"

#include <string.h>

void flex_edge_ref_reset(struct flex_edge_ref *e, unsigned stages) {
  *e = (struct flex_edge_ref){.stages = stages};
}

void flex_edge_ref_eval(const struct flex_edge_ref *e, const struct flex_edge_in *in,
                        struct flex_edge_out *out) {
  *out = (struct flex_edge_out){0};
  if (in->bypass)
    *out = (struct flex_edge_out){.valid = in->valid, .data = in->data};
  else if (e->inside > 0 && e->value[0].left == 0)
    *out = (struct flex_edge_out){.valid = 1, .data = e->value[0].data};
}

void flex_edge_ref_step(struct flex_edge_ref *e, const struct flex_edge_in *in) {
  if (e->inside > 0 && e->value[0].left == 0) {
    e->inside--;
    memmove(e->value, e->value + 1, e->inside * sizeof *e->value);
  }
  for (unsigned i = 0; i < e->inside; i++)
    e->value[i].left--;
  if (in->valid && !in->bypass) {
    e->value[e->inside].data = in->data;
    e->value[e->inside].left = e->stages - 1;
    e->inside++;
  }
}

void flex_edge_ref_view(const struct flex_edge_ref *e, struct flex_edge_view *view) {
  *view = (struct flex_edge_view){0};
  for (unsigned i = 0; i < e->inside; i++)
    view->stages[0] |= UINT64_C(1) << (e->stages - 1 - e->value[i].left);
}
