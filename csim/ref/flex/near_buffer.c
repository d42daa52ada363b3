/* Reference of rtl/flex/near_buffer.sv. */
#include "csim/ref/flex/near_buffer.h"

#include <string.h>

#include "csim/isa/core/isa.h"

void near_buffer_ref_reset(struct near_buffer_ref *b) { memset(b, 0, sizeof *b); }

/* Brings the sets in step with a row. */
static void near_buffer_refresh(struct near_buffer_ref *b, unsigned warp) {
  const bool has = b->row[warp].count > 0;
  const unsigned pipe = near_buffer_ref_head(b, warp) >> 25 & 3;
  warpset_put(&b->valid, warp, has);
  warpset_put(&b->second, warp, b->row[warp].count > 1);
  warpset_put(&b->sfu, warp, has && pipe == ISA_PIPE_SFU);
  warpset_put(&b->mem, warp, has && pipe == ISA_PIPE_MEM);
  warpset_put(&b->none, warp, has && pipe == ISA_PIPE_NONE);
}

void near_buffer_ref_write(struct near_buffer_ref *b, unsigned warp, uint64_t first,
                           const uint64_t *second) {
  b->row[warp] = (struct near_buffer_row){.opnd = {first}, .count = 1};
  if (second != NULL) {
    b->row[warp].opnd[1] = *second;
    b->row[warp].count = 2;
  }
  near_buffer_refresh(b, warp);
}

void near_buffer_ref_pop(struct near_buffer_ref *b, unsigned warp) {
  b->row[warp].count--;
  b->row[warp].next++;
  near_buffer_refresh(b, warp);
}

void near_buffer_ref_flush(struct near_buffer_ref *b, unsigned warp) {
  b->row[warp].count = 0;
  near_buffer_refresh(b, warp);
}

/* A head that comes to be, and a request to the row of a pop. */
struct near_popped {
  uint64_t next_valid, next, own, far, row, b, ctl;
};

static struct near_popped near_buffer_popped(const struct near_buffer_ref *b, uint64_t valid,
                                             uint64_t warp) {
  const unsigned w = (unsigned)warp;
  if (valid == 0)
    return (struct near_popped){0};
  return (struct near_popped){.next_valid = b->row[w].count > 1,
                              .next = b->row[w].opnd[1],
                              .own = !near_is_far(w),
                              .far = near_is_far(w),
                              .row = near_row_of(w),
                              .b = near_buffer_ref_b(b, w),
                              .ctl = near_ctl(near_buffer_ref_head(b, w))};
}

void near_buffer_ref_eval(const struct near_buffer_ref *b, const struct near_buffer_in *in,
                          struct near_buffer_out *out) {
  const struct near_popped even = near_buffer_popped(b, in->pop0_valid, in->pop0_warp);
  const struct near_popped odd = near_buffer_popped(b, in->pop1_valid, in->pop1_warp);
  const unsigned wr = (unsigned)in->wr_warp;
  *out = (struct near_buffer_out){.valid = b->valid,
                                  .sfu = b->sfu,
                                  .mem = b->mem,
                                  .none = b->none,
                                  .second = b->second,
                                  .nh0_valid = in->wr_valid,
                                  .nh0_warp = in->wr_warp,
                                  .nh0_opnd = in->wr_opnd0,
                                  .nh1_valid = even.next_valid,
                                  .nh1_warp = in->pop0_warp,
                                  .nh1_opnd = even.next,
                                  .nh2_valid = odd.next_valid,
                                  .nh2_warp = in->pop1_warp,
                                  .nh2_opnd = odd.next,
                                  .own_wr = in->wr_valid && !near_is_far(wr),
                                  .far_wr = in->wr_valid && near_is_far(wr),
                                  .wr_row = near_row_of(wr),
                                  .own_rd0 = even.own,
                                  .far_rd0 = even.far,
                                  .rd0_row = even.row,
                                  .rd0_b = even.b,
                                  .rd0_ctl = even.ctl,
                                  .own_rd1 = odd.own,
                                  .far_rd1 = odd.far,
                                  .rd1_row = odd.row,
                                  .rd1_b = odd.b,
                                  .rd1_ctl = odd.ctl};
}

void near_buffer_ref_step(struct near_buffer_ref *b, const struct near_buffer_in *in) {
  if (in->kernel_start) {
    near_buffer_ref_reset(b);
    return;
  }
  if (in->pop0_valid)
    near_buffer_ref_pop(b, (unsigned)in->pop0_warp);
  if (in->pop1_valid)
    near_buffer_ref_pop(b, (unsigned)in->pop1_warp);
  if (in->flush_valid)
    near_buffer_ref_flush(b, (unsigned)in->flush_warp);
  if (in->wr_valid)
    near_buffer_ref_write(b, (unsigned)in->wr_warp, in->wr_opnd0,
                          in->wr_two ? &in->wr_opnd1 : NULL);
}

void near_buffer_ref_view(const struct near_buffer_ref *b, struct near_buffer_view *view) {
  *view = (struct near_buffer_view){.valid = {b->valid}, .second = {b->second}};
  for (unsigned w = 0; w < WARPS; w++)
    view->b[0] |= (uint64_t)near_buffer_ref_b(b, w) << w;
}
