/* Reference of rtl/sm/scoreboard.sv, with its pending_writes and pending_reads. */
#include "csim/ref/sm/scoreboard.h"

#include <string.h>

#include "csim/ports/pipeline_rows.h"
#include "csim/ref/sm/decode.h"

enum { PREDICATES = 32, OPND_DEC = 25 };

void scoreboard_ref_reset(struct scoreboard_ref *s) { memset(s, 0, sizeof *s); }

/* The registers that a field names: one, an aligned pair or an aligned quad. */
static regset registers(unsigned field, unsigned n) {
  static const struct {
    uint8_t set, first; /* the registers from 0 on, the numbers that the lowest can have */
  } by[] = {[ISA_N_NONE] = {0, 0},
            [ISA_N_ONE] = {1, 0x1f},
            [ISA_N_PAIR] = {3, 0x1e},
            [ISA_N_QUAD] = {15, 0x1c}};
  return (regset)by[n].set << (field & by[n].first);
}

static regset predicate(unsigned field) { return UINT64_C(1) << (PREDICATES + (field & 15)); }

/* Predicate 15 always holds, so that its readers wait for no writer. */
static regset source(unsigned field) { return (field & 15) == ISA_PT ? 0 : predicate(field); }

void scoreboard_ref_release(struct scoreboard_ref *s, unsigned warp, unsigned reg, unsigned size,
                            bool pred) {
  s->warp[warp].written &= ~(pred ? predicate(reg) : registers(reg, size));
  s->touched |= warpset_of(warp);
}

void scoreboard_ref_collect(struct scoreboard_ref *s, unsigned warp) {
  struct scoreboard_warp *w = &s->warp[warp];
  w->uncollected--;
  if (w->uncollected == 0)
    w->read = 0;
  s->touched |= warpset_of(warp);
}

static void drop_head(struct scoreboard_ref *s, unsigned warp) {
  s->has_head &= ~warpset_of(warp);
  s->touched |= warpset_of(warp);
}

void scoreboard_ref_issue(struct scoreboard_ref *s, unsigned warp) {
  struct scoreboard_warp *w = &s->warp[warp];
  w->written |= w->head.writes;
  if (w->head.collects) {
    w->read |= w->head.reads;
    w->uncollected++;
  }
  drop_head(s, warp);
}

void scoreboard_ref_flush(struct scoreboard_ref *s, unsigned warp) { drop_head(s, warp); }

void scoreboard_ref_head(struct scoreboard_ref *s, unsigned warp, uint64_t opnd) {
  unsigned dec = (unsigned)(opnd >> OPND_DEC);
  struct isa_inst f = isa_unpack(opnd);
  struct scoreboard_head head = {.collects = decode_pipe(dec) != ISA_PIPE_NONE,
                                 .exits = decode_ctl(dec) == DECODE_CTL_EXIT};
  head.writes = registers(f.dst, decode_d_n(dec));
  if (decode_d_p(dec))
    head.writes |= predicate(f.dst);
  head.reads = source(f.guard) | registers(f.src1, decode_s1_n(dec)) |
               registers(f.src2, decode_s2_n(dec)) | registers(f.src3, decode_s3_n(dec));
  if (decode_p2(dec))
    head.reads |= source(f.src2);
  if (decode_p3(dec))
    head.reads |= source(f.src3);
  s->warp[warp].head = head;
  s->has_head |= warpset_of(warp);
  s->touched |= warpset_of(warp);
}

/* May the head not issue yet? */
static bool must_wait(const struct scoreboard_warp *w) {
  const struct scoreboard_head *h = &w->head;
  bool raw_or_waw = ((h->reads | h->writes) & w->written) != 0;
  bool war = (h->writes & w->read) != 0;
  bool drain = h->exits && (w->written != 0 || w->uncollected != 0);
  return raw_or_waw || war || drain;
}

void scoreboard_ref_close(struct scoreboard_ref *s) {
  warpset wait = 0;
  for (warpset left = s->touched & s->has_head; left != 0; left &= left - 1) {
    unsigned w = warpset_first(left);
    wait |= warpset_if(must_wait(&s->warp[w]), w);
  }
  s->hazard = (s->hazard & ~s->touched) | wait;
  s->touched = 0;
}

bool scoreboard_ref_idle(const struct scoreboard_ref *s) {
  for (unsigned i = 0; i < WARPS; i++)
    if (s->warp[i].written != 0 || s->warp[i].uncollected != 0)
      return false;
  return true;
}

void scoreboard_ref_eval(const struct scoreboard_ref *s, const struct scoreboard_in *in,
                         struct scoreboard_out *out) {
  (void)in;
  *out = (struct scoreboard_out){.hazard = s->hazard, .idle = scoreboard_ref_idle(s)};
}

void scoreboard_ref_step(struct scoreboard_ref *s, const struct scoreboard_in *in) {
  if (in->kernel_start) {
    scoreboard_ref_reset(s);
    return;
  }
#define WARP_EVENT(port, function)                                                                 \
  if (in->port##_valid)                                                                            \
  scoreboard_ref_##function(s, (unsigned)in->port##_warp)
#define HEAD(port, of)                                                                             \
  if (in->port##_valid)                                                                            \
  scoreboard_ref_head(s, (unsigned)in->of##_warp, in->port##_opnd)

  for (unsigned k = 0; in->wb_valid >> k != 0; k++)
    if (row_bit(in->wb_valid, k)) { /* a monitor may report for each of its members */
      const struct row_write w = ROWS_WRITE(in, k);
      scoreboard_ref_release(s, w.warp, w.reg, w.size, w.pred);
    }
  for (unsigned k = 0; in->col_valid >> k != 0; k++)
    if (row_bit(in->col_valid, k))
      scoreboard_ref_collect(s, ROWS_COLLECTED(in, k));
  WARP_EVENT(iss0, issue);
  WARP_EVENT(iss1, issue);
  WARP_EVENT(flush, flush);
  HEAD(nh0, nh0);
  HEAD(nh1, iss0);
  HEAD(nh2, iss1);
  scoreboard_ref_close(s);
#undef WARP_EVENT
#undef HEAD
}

void scoreboard_ref_view(const struct scoreboard_ref *s, struct scoreboard_view *view) {
  *view = (struct scoreboard_view){.hazard = {s->hazard}};
  for (unsigned i = 0; i < WARPS; i++) {
    view->wpend[i] = s->warp[i].written;
    view->rpend[i] = s->warp[i].read;
    view->uncol[i] = s->warp[i].uncollected;
  }
}
