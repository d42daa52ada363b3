/* Reference of rtl/sm/fetch.sv. */
#include "csim/ref/sm/fetch.h"

void fetch_ref_reset(struct fetch_ref *f) { *f = (struct fetch_ref){.last = WARPS - 1}; }

void fetch_ref_eval(const struct fetch_ref *f, const struct fetch_in *in, struct fetch_out *out) {
  unsigned warp = fetch_ref_select(f, in->fetchable, in->ib_valid);
  *out = (struct fetch_out){.sel_valid = warp != NO_WARP,
                            .sel_warp = warp != NO_WARP ? warp : 0,
                            .req_valid = f->req_valid,
                            .req_warp = f->req_warp,
                            .req_pc = f->req_pc};
}

void fetch_ref_step(struct fetch_ref *f, const struct fetch_in *in) {
  if (in->kernel_start) {
    fetch_ref_reset(f);
    return;
  }
  fetch_ref_clock(f, fetch_ref_select(f, in->fetchable, in->ib_valid), (uint16_t)in->sel_pc,
                  in->wake | warpset_if(in->deliver_valid, in->deliver_warp));
}

void fetch_ref_view(const struct fetch_ref *f, struct fetch_view *view) {
  *view = (struct fetch_view){.outstanding = {f->outstanding}, .last = {f->last}};
}
