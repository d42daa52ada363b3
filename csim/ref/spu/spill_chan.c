/* Reference of rtl/spu/spill_chan.sv. */
#include "csim/ref/spu/spill_chan.h"

void spill_chan_ref_reset(struct spill_chan_ref *s) { *s = (struct spill_chan_ref){.count = 0}; }

void spill_chan_ref_eval(const struct spill_chan_ref *s, const struct spill_chan_in *in,
                         struct spill_chan_out *out) {
  (void)in;
  *out = (struct spill_chan_out){.got = s->got,
                                 .quiet = !s->got && s->puts.n == 0 && (!s->want || s->count == 0)};
}

void spill_chan_ref_step(struct spill_chan_ref *s, const struct spill_chan_in *in) {
  if (in->kernel_start) {
    spill_chan_ref_reset(s);
    return;
  }
  s->want = s->want || in->get;
  s->got = s->want && s->count > 0;
  if (s->got) {
    s->count--;
    s->want = false;
  }
  s->count += way_step(&s->puts, in->put != 0, (unsigned)in->hops - 1);
}

void spill_chan_ref_view(const struct spill_chan_ref *s, struct spill_chan_view *view) {
  *view = (struct spill_chan_view){
      .count = {s->count}, .want = {s->want}, .line = {way_bits(&s->puts)}};
}
