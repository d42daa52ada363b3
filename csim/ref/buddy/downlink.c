/* Reference of rtl/buddy/downlink.sv. */
#include "csim/ref/buddy/downlink.h"

void downlink_ref_reset(struct downlink_ref *d, unsigned hops) { flight_reset(&d->flight, hops); }

void downlink_ref_eval(const struct downlink_ref *d, const struct downlink_in *in,
                       struct downlink_out *out) {
  const struct flits *f = flight_arriving(&d->flight);
  (void)in;
  *out = (struct downlink_out){
      .d0_valid = f->valid[0], .d0 = f->packet[0], .d1_valid = f->valid[1], .d1 = f->packet[1]};
}

void downlink_ref_step(struct downlink_ref *d, const struct downlink_in *in) {
  downlink_ref_send(d, &(struct flits){.valid = {in->p0_valid != 0, in->p1_valid != 0},
                                       .packet = {in->p0, in->p1}});
}

void downlink_ref_view(const struct downlink_ref *d, struct downlink_view *view) {
  (void)d;
  *view = (struct downlink_view){0};
}
