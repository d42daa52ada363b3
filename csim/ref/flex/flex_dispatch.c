/* Reference of rtl/flex/flex_dispatch.sv. */
#include "csim/ref/flex/flex_dispatch.h"

#include <string.h>

void flex_dispatch_ref_reset(struct flex_dispatch_ref *d, unsigned stages, unsigned link) {
  *d = (struct flex_dispatch_ref){.stages = stages, .link = link};
}

/* The instruction whose last planes are at the output in this cycle; NULL: none. */
static const struct flex_operands *operands_at_output(const struct flex_dispatch_ref *d) {
  for (unsigned i = 0; i < d->under_way; i++) {
    const struct flex_operands *o = &d->way[i];
    if (o->first + o->beats - 1 + d->stages == d->now)
      return o;
  }
  return NULL;
}

void flex_dispatch_ref_eval(const struct flex_dispatch_ref *d, const struct flex_dispatch_in *in,
                            struct flex_dispatch_out *out) {
  const struct flex_operands *o = operands_at_output(d);
  *out = (struct flex_dispatch_out){0};
  if (in->bypass)
    *out = (struct flex_dispatch_out){.valid = in->own_valid,
                                      .planes = in->own_planes,
                                      .data0 = in->own_data0,
                                      .data1 = in->own_data1,
                                      .data2 = in->own_data2};
  else if (o != NULL)
    *out = (struct flex_dispatch_out){.valid = 1,
                                      .side = o->far,
                                      .planes = o->planes,
                                      .data0 = o->plane[0],
                                      .data1 = o->plane[1],
                                      .data2 = o->plane[2]};
}

static struct flex_operands *operands_new(struct flex_dispatch_ref *d, unsigned planes) {
  struct flex_operands *o = &d->way[d->under_way++];
  *o = (struct flex_operands){.planes = planes, .beats = 1, .first = d->now};
  return o;
}

/* Sends planes of borrowed registers: of the instruction that still has some, or of a new one. */
static void send_far(struct flex_dispatch_ref *d, const struct flex_dispatch_in *in) {
  const uint64_t data[FLEX_PLANES] = {in->far_data0, in->far_data1, in->far_data2};
  struct flex_operands *o = NULL;
  for (unsigned i = 0; i < d->under_way; i++)
    if (d->way[i].far && d->way[i].come < d->way[i].planes)
      o = &d->way[i];
  if (o == NULL) {
    o = operands_new(d, (unsigned)in->far_planes);
    o->far = true;
    if (o->planes > 0)
      o->beats = (o->planes + d->link - 1) / d->link;
  }
  for (unsigned i = 0; i < d->link && o->come < o->planes; i++)
    o->plane[o->come++] = data[i];
}

void flex_dispatch_ref_step(struct flex_dispatch_ref *d, const struct flex_dispatch_in *in) {
  const struct flex_operands *gone = operands_at_output(d);
  if (gone != NULL) {
    const size_t at = (size_t)(gone - d->way);
    memmove(&d->way[at], &d->way[at + 1], (--d->under_way - at) * sizeof *gone);
  }
  if (in->own_valid && !in->bypass) {
    struct flex_operands *o = operands_new(d, (unsigned)in->own_planes);
    o->plane[0] = in->own_data0;
    o->plane[1] = in->own_data1;
    o->plane[2] = in->own_data2;
  }
  if (in->far_valid && !in->bypass)
    send_far(d, in);
  d->now++;
}

void flex_dispatch_ref_view(const struct flex_dispatch_ref *d, struct flex_dispatch_view *view) {
  *view = (struct flex_dispatch_view){0};
  for (unsigned i = 0; i < d->under_way; i++) {
    const struct flex_operands *o = &d->way[i];
    if (o->far && d->now > o->first + d->stages)
      view->come[0] = (d->now - o->first - d->stages) * d->link;
  }
}
