/* Reference of rtl/sm/ibuffer.sv. */
#include "csim/ref/sm/ibuffer.h"

#include <string.h>

#include "csim/ref/sm/decode.h"

void ibuffer_ref_reset(struct ibuffer_ref *b) { memset(b, 0, sizeof *b); }

/* Brings the sets in step with a warp's queue. */
static void refresh(struct ibuffer_ref *b, unsigned warp) {
  const struct ibuffer_queue *q = &b->queue[warp];
  bool has = q->length > 0;
  unsigned pipe = decode_pipe(q->dec[0]);
  warpset_put(&b->valid, warp, has);
  warpset_put(&b->second, warp, q->length > 1);
  warpset_put(&b->sfu, warp, has && pipe == ISA_PIPE_SFU);
  warpset_put(&b->mem, warp, has && pipe == ISA_PIPE_MEM);
  warpset_put(&b->none, warp, has && pipe == ISA_PIPE_NONE);
}

void ibuffer_ref_write(struct ibuffer_ref *b, unsigned warp, struct ibuffer_entry first,
                       const struct ibuffer_entry *second) {
  struct ibuffer_queue *q = &b->queue[warp];
  q->word[0] = first.word;
  q->dec[0] = first.dec;
  q->length = 1;
  if (second != NULL) {
    q->word[1] = second->word;
    q->dec[1] = second->dec;
    q->length = 2;
  }
  refresh(b, warp);
}

void ibuffer_ref_pop(struct ibuffer_ref *b, unsigned warp) {
  struct ibuffer_queue *q = &b->queue[warp];
  q->word[0] = q->word[1];
  q->dec[0] = q->dec[1];
  q->length--;
  refresh(b, warp);
}

void ibuffer_ref_flush(struct ibuffer_ref *b, unsigned warp) {
  b->queue[warp].length = 0;
  refresh(b, warp);
}

warpset ibuffer_ref_loads(const struct ibuffer_ref *b, warpset of) {
  warpset loads = 0;
  for (warpset left = b->mem & of; left != 0; left &= left - 1) {
    unsigned w = warpset_first(left);
    loads |= decode_d_n(b->queue[w].dec[0]) != 0 ? warpset_of(w) : 0;
  }
  return loads;
}

/* The head that a pop leaves, if it leaves one. */
static bool head_after_pop(const struct ibuffer_ref *b, uint64_t valid, uint64_t warp,
                           uint64_t *opnd) {
  const struct ibuffer_queue *q = &b->queue[warp];
  if (!valid || q->length < 2)
    return false;
  *opnd = ibuffer_ref_opnd((struct ibuffer_entry){q->word[1], q->dec[1]});
  return true;
}

void ibuffer_ref_eval(const struct ibuffer_ref *b, const struct ibuffer_in *in,
                      struct ibuffer_out *out) {
  const struct ibuffer_queue *q0 = &b->queue[in->rd0_warp], *q1 = &b->queue[in->rd1_warp];
  *out = (struct ibuffer_out){.rd0_inst = q0->word[0],
                              .rd0_dec = q0->dec[0],
                              .rd0_has = q0->length > 0,
                              .rd1_inst = q1->word[0],
                              .rd1_dec = q1->dec[0],
                              .rd1_has = q1->length > 0,
                              .valid = b->valid,
                              .sfu = b->sfu,
                              .mem = b->mem,
                              .none = b->none,
                              .second = b->second,
                              .load = ibuffer_ref_loads(b, ~UINT64_C(0)),
                              .nh0_valid = in->wr_valid,
                              .nh0_warp = in->wr_warp,
                              .nh1_warp = in->pop0_warp,
                              .nh2_warp = in->pop1_warp};
  out->nh0_opnd = ibuffer_ref_opnd((struct ibuffer_entry){in->wr_inst0, (uint16_t)in->wr_dec0});
  out->nh1_valid = head_after_pop(b, in->pop0_valid, in->pop0_warp, &out->nh1_opnd);
  out->nh2_valid = head_after_pop(b, in->pop1_valid, in->pop1_warp, &out->nh2_opnd);
}

void ibuffer_ref_step(struct ibuffer_ref *b, const struct ibuffer_in *in) {
  if (in->kernel_start) {
    ibuffer_ref_reset(b);
    return;
  }
  if (in->pop0_valid)
    ibuffer_ref_pop(b, (unsigned)in->pop0_warp);
  if (in->pop1_valid)
    ibuffer_ref_pop(b, (unsigned)in->pop1_warp);
  if (in->flush_valid)
    ibuffer_ref_flush(b, (unsigned)in->flush_warp);
  if (in->wr_valid) {
    struct ibuffer_entry second = {in->wr_inst1, (uint16_t)in->wr_dec1};
    ibuffer_ref_write(b, (unsigned)in->wr_warp,
                      (struct ibuffer_entry){in->wr_inst0, (uint16_t)in->wr_dec0},
                      in->wr_two ? &second : NULL);
  }
}

void ibuffer_ref_view(const struct ibuffer_ref *b, struct ibuffer_view *view) {
  *view = (struct ibuffer_view){.valid = {b->valid}, .second = {b->second}};
}
