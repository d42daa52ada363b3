/* Reference of rtl/spu/spill_chan.sv (docs/hardware/spu_units.md, spill_chan). */
#ifndef TANDEM_REF_SPILL_CHAN_H
#define TANDEM_REF_SPILL_CHAN_H

#include "csim/ports/units.h"
#include "csim/ref/spu/way.h"

struct spill_chan_ref {
  unsigned count; /* spilled tiles that the restoring side knows of */
  bool want, got;
  struct way puts;
};

void spill_chan_ref_reset(struct spill_chan_ref *s);
void spill_chan_ref_eval(const struct spill_chan_ref *s, const struct spill_chan_in *in,
                         struct spill_chan_out *out);
void spill_chan_ref_step(struct spill_chan_ref *s, const struct spill_chan_in *in);
void spill_chan_ref_view(const struct spill_chan_ref *s, struct spill_chan_view *view);

#endif
