/* Reference of rtl/sm/ibuffer.sv. */
#include "csim/ref/sm/ibuffer.h"

#include "csim/ref/sm/decode.h"

void ibuffer_ref_reset(struct ibuffer_ref *b) {
  const struct ibuffer_ref empty = {.more = b->more, .no_words = b->no_words};
  *b = empty;
}

/* Brings the sets in step with a warp's queue. */
static void refresh(struct ibuffer_ref *b, unsigned warp) {
  const struct ibuffer_queue *q = &b->queue[warp];
  bool has = q->length > 0;
  unsigned pipe = decode_pipe(q->dec[q->first]);
  warpset_put(&b->valid, warp, has);
  warpset_put(&b->second, warp, q->length > 1);
  warpset_put(&b->from_b, warp, b->more == 0 && has && q->first != 0);
  warpset_put(&b->full, warp, q->length > b->more || (has && q->ends));
  warpset_put(&b->sfu, warp, has && pipe == ISA_PIPE_SFU);
  warpset_put(&b->mem, warp, has && pipe == ISA_PIPE_MEM);
  warpset_put(&b->none, warp, has && pipe == ISA_PIPE_NONE);
}

unsigned ibuffer_ref_select(struct ibuffer_ref *b, unsigned warp) {
  b->stale &= ~warpset_of(warp);
  return b->queue[warp].length;
}

bool ibuffer_ref_takes(const struct ibuffer_ref *b, unsigned warp) {
  return !warpset_has(b->stale, warp);
}

static inline void append(struct ibuffer_queue *q, struct ibuffer_entry e) {
  const unsigned ctl = decode_ctl(e.dec);
  const unsigned place = (q->first + q->length) % IBUFFER_MOST;
  q->word[place] = e.word;
  q->dec[place] = e.dec;
  q->ends = ctl == DECODE_CTL_BRA || ctl == DECODE_CTL_EXIT;
  q->length++;
}

void ibuffer_ref_write(struct ibuffer_ref *b, unsigned warp, struct ibuffer_entry first,
                       const struct ibuffer_entry *second) {
  if (b->queue[warp].length == 0)
    b->queue[warp].first = 0;
  append(&b->queue[warp], first);
  if (second != NULL)
    append(&b->queue[warp], *second);
  refresh(b, warp);
}

void ibuffer_ref_pop(struct ibuffer_ref *b, unsigned warp) {
  struct ibuffer_queue *q = &b->queue[warp];
  q->length--;
  q->first = (uint8_t)((q->first + 1U) % IBUFFER_MOST);
  refresh(b, warp);
}

void ibuffer_ref_flush(struct ibuffer_ref *b, unsigned warp) {
  b->queue[warp].length = 0;
  if (b->more != 0) /* else nothing is on the way */
    b->stale |= warpset_of(warp);
  refresh(b, warp);
}

warpset ibuffer_ref_loads(const struct ibuffer_ref *b, warpset of) {
  warpset loads = 0;
  for (warpset left = b->mem & of; left != 0; left &= left - 1) {
    unsigned w = warpset_first(left);
    loads |= decode_d_n(ibuffer_ref_head(b, w).dec) != 0 ? warpset_of(w) : 0;
  }
  return loads;
}

/* Returns whether this cycle's write, of the warp, is taken. */
static bool takes_write(const struct ibuffer_ref *b, const struct ibuffer_in *in, uint64_t warp) {
  const bool flushed = in->flush_valid && in->flush_warp == warp;
  return in->wr_valid && in->wr_warp == warp && !flushed && ibuffer_ref_takes(b, (unsigned)warp);
}

static uint64_t written_opnd(const struct ibuffer_in *in) {
  return ibuffer_ref_opnd((struct ibuffer_entry){in->wr_inst0, (uint16_t)in->wr_dec0});
}

/* The head that a pop leaves, if it leaves one: the next entry, or what is written now. */
static bool head_after_pop(const struct ibuffer_ref *b, const struct ibuffer_in *in, uint64_t valid,
                           uint64_t warp, uint64_t *opnd) {
  if (!valid)
    return false;
  const struct ibuffer_queue *q = &b->queue[warp];
  if (q->length > 1) {
    const unsigned next = (q->first + 1U) % IBUFFER_MOST;
    *opnd = ibuffer_ref_opnd((struct ibuffer_entry){q->word[next], q->dec[next]});
    return true;
  }
  *opnd = written_opnd(in);
  return takes_write(b, in, warp);
}

/* The head that a pop takes. */
struct popped {
  uint64_t inst, dec, from_b;
};

static struct popped popped(const struct ibuffer_ref *b, uint64_t valid, uint64_t warp) {
  if (!valid)
    return (struct popped){0};
  const struct ibuffer_entry head = ibuffer_ref_head(b, (unsigned)warp);
  const bool from_b = warpset_has(b->from_b, (unsigned)warp);
  if (b->no_words)
    return (struct popped){0, head.dec & 3 << 2, from_b};
  return (struct popped){head.word, head.dec, from_b};
}

void ibuffer_ref_eval(const struct ibuffer_ref *b, const struct ibuffer_in *in,
                      struct ibuffer_out *out) {
  const struct popped even = popped(b, in->pop0_valid, in->pop0_warp);
  const struct popped odd = popped(b, in->pop1_valid, in->pop1_warp);
  *out = (struct ibuffer_out){.rd0_valid = in->pop0_valid,
                              .rd0_inst = even.inst,
                              .rd0_dec = even.dec,
                              .rd0_b = even.from_b,
                              .rd1_valid = in->pop1_valid,
                              .rd1_inst = odd.inst,
                              .rd1_dec = odd.dec,
                              .rd1_b = odd.from_b,
                              .valid = b->valid,
                              .sfu = b->sfu,
                              .mem = b->mem,
                              .none = b->none,
                              .second = b->second,
                              .load = ibuffer_ref_loads(b, ~UINT64_C(0)),
                              .full = b->full};
  if (b->more != 0 && in->fetch_valid)
    out->fetch_held = b->queue[in->fetch_warp].length < 2 ? b->queue[in->fetch_warp].length : 2;
  out->nh0_opnd = written_opnd(in);
  out->nh0_valid =
      in->wr_valid && takes_write(b, in, in->wr_warp) && b->queue[in->wr_warp].length == 0;
  out->nh1_valid = head_after_pop(b, in, in->pop0_valid, in->pop0_warp, &out->nh1_opnd);
  out->nh2_valid = head_after_pop(b, in, in->pop1_valid, in->pop1_warp, &out->nh2_opnd);
}

void ibuffer_ref_step(struct ibuffer_ref *b, const struct ibuffer_in *in) {
  if (in->kernel_start) {
    ibuffer_ref_reset(b);
    return;
  }
  const bool takes = takes_write(b, in, in->wr_warp);
  if (in->fetch_valid)
    (void)ibuffer_ref_select(b, (unsigned)in->fetch_warp);
  if (in->pop0_valid)
    ibuffer_ref_pop(b, (unsigned)in->pop0_warp);
  if (in->pop1_valid)
    ibuffer_ref_pop(b, (unsigned)in->pop1_warp);
  if (in->flush_valid)
    ibuffer_ref_flush(b, (unsigned)in->flush_warp);
  if (takes) {
    struct ibuffer_entry second = {in->wr_inst1, (uint16_t)in->wr_dec1};
    ibuffer_ref_write(b, (unsigned)in->wr_warp,
                      (struct ibuffer_entry){in->wr_inst0, (uint16_t)in->wr_dec0},
                      in->wr_two ? &second : NULL);
  }
}

void ibuffer_ref_view(const struct ibuffer_ref *b, struct ibuffer_view *view) {
  *view = (struct ibuffer_view){.valid = {b->valid}, .second = {b->second}, .from_b = {b->from_b}};
}
