/* Speed of the bare front end: the inputs of a run against a trivial environment are recorded, and
 * played back into a fresh model while the clock runs. */
#include <stdlib.h>
#include <time.h>

#include "csim/ports/pipeline_rows.h"
#include "harness/cli/cli.h"
#include "harness/shim/models/models.h"

enum { CYCLES = 6000, WARM_UP = 1000, WARPS = 48, LOOP = 64, LINE = 16, BEATS = 8, REPEATS = 10 };
enum { COLLECT = 1, WRITE_BACK = 6, RESOLVE = 3, FILL = 20 }; /* cycles after what causes it */

static uint64_t word(unsigned unit, unsigned op, unsigned imm, unsigned mods, unsigned low) {
  return (uint64_t)unit << 54 | (uint64_t)op << 48 | (uint64_t)imm << 32 | (uint64_t)mods << 25 |
         UINT64_C(15) << 20 | low;
}

static unsigned warp_of(uint64_t inst) { return (unsigned)(inst >> 58); }

/* Busy: a loop of independent adds.  Stalled: a load and an add that needs it. */
static uint64_t instruction(bool busy, unsigned pc) {
  const unsigned n = pc % LOOP, d = 1 + n % 24;
  if (busy && n == LOOP - 1)
    return word(0, 1, pc - n, 0, 0xffff); /* bra to the loop's head */
  if (busy)
    return word(1, 3, 0, 0, d | ((d + 3) % 28) << 5 | ((d + 5) % 28) << 10);
  if (n == 0)
    return word(13, 0, 0, 2, 1 | 2 << 5); /* ld.global.32 r1, [r2] */
  return word(1, 3, 0, 0, 3 | 1 << 5 | 1 << 10);
}

/* Instructions, or lines, that are due in the order in which they were put. */
struct queue {
  struct {
    unsigned when;
    uint64_t value;
  } entry[2 * CYCLES];
  unsigned first, end;
};

static void put(struct queue *q, unsigned when, uint64_t value) {
  q->entry[q->end].when = when;
  q->entry[q->end++].value = value;
}

static bool due(const struct queue *q, unsigned now) {
  return q->first < q->end && q->entry[q->first].when <= now;
}

static uint64_t take(struct queue *q) { return q->entry[q->first++].value; }

struct environment {
  bool busy;
  struct queue collect, write_back, resolve, fill;
  unsigned beat;
};

static void issued(struct environment *e, unsigned now, uint64_t inst) {
  const unsigned unit = inst >> 54 & 15;
  put(&e->collect, now + COLLECT, inst);
  if (unit == 1)
    put(&e->write_back, now + WRITE_BACK, inst);
  if (unit == 0)
    put(&e->resolve, now + RESOLVE, inst);
}

static void fill(struct environment *e, struct sm_frontend_in *in) {
  in->fill_valid = 1;
  in->fill_line = e->fill.entry[e->fill.first].value;
  in->fill_beat = e->beat;
  in->fill_data0 = instruction(e->busy, (unsigned)in->fill_line * LINE + 2 * e->beat);
  in->fill_data1 = instruction(e->busy, (unsigned)in->fill_line * LINE + 2 * e->beat + 1);
  if (++e->beat == BEATS) {
    e->beat = 0;
    (void)take(&e->fill);
  }
}

static void collect(struct environment *e, unsigned now, struct sm_frontend_in *in) {
  for (unsigned i = 0; i < 2 && due(&e->collect, now); i++) {
    const uint64_t inst = take(&e->collect);
    if ((inst >> 54 & 15) == 13) {
      rows_put_collected(in, ROW_MEM, warp_of(inst));
      in->mem_credit = 1;
      return;
    }
    rows_put_collected(in, i != 0 ? ROW_SP1 : ROW_SP0, warp_of(inst));
    in->sp_credit++;
  }
}

static struct sm_frontend_in inputs(struct environment *e, unsigned now,
                                    const struct sm_frontend_out *o) {
  struct sm_frontend_in in = {.kernel_start = now == 0};
  if (o->iss0_valid)
    issued(e, now, o->iss0_inst);
  if (o->iss1_valid)
    issued(e, now, o->iss1_inst);
  if (o->imiss_valid)
    put(&e->fill, now + FILL, o->imiss_line);
  if (now >= 1 && now <= WARPS) {
    in.launch_valid = 1;
    in.launch_warp = now - 1;
    in.launch_cta = (now - 1) / 6;
    in.launch_last = now % 6 == 0;
    in.launch_mask = 0xffffffff;
  }
  collect(e, now, &in);
  for (unsigned i = 0; i < 2 && due(&e->write_back, now); i++) {
    const uint64_t inst = take(&e->write_back);
    rows_put_write(&in, i != 0 ? ROW_SP1 : ROW_SP0,
                   (struct row_write){warp_of(inst), (unsigned)(inst & 31), 1, false});
  }
  if (due(&e->resolve, now)) {
    in.resolve_valid = 1;
    in.resolve_warp = warp_of(take(&e->resolve));
    in.resolve_taken = 0xffffffff;
  }
  if (due(&e->fill, now))
    fill(e, &in);
  return in;
}

static double nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* The inputs of all cycles; returns the instructions issued a cycle after the warm-up. */
static double record(const struct rtl_type *type, struct environment *e,
                     struct sm_frontend_in script[CYCLES]) {
  struct rtl_model *f = rtl_create(type, 1);
  unsigned count = 0;
  for (unsigned t = 0; t < CYCLES; t++) {
    struct sm_frontend_out o;
    rtl_out(f, &o);
    if (t >= WARM_UP)
      count += (unsigned)(o.iss0_valid + o.iss1_valid);
    script[t] = inputs(e, t, &o);
    rtl_step(f, &script[t]);
  }
  rtl_destroy(f);
  return (double)count / (CYCLES - WARM_UP);
}

static double play(const struct rtl_type *type, const struct sm_frontend_in script[CYCLES]) {
  double best = 0;
  for (unsigned repeat = 0; repeat < REPEATS; repeat++) {
    struct rtl_model *f = rtl_create(type, 1);
    for (unsigned t = 0; t < WARM_UP; t++)
      rtl_step(f, &script[t]);
    const double start = nanoseconds();
    for (unsigned t = WARM_UP; t < CYCLES; t++)
      rtl_step(f, &script[t]);
    const double ns = (nanoseconds() - start) / (CYCLES - WARM_UP);
    rtl_destroy(f);
    if (repeat == 0 || ns < best)
      best = ns;
  }
  return best;
}

bool bench_frontend(bool busy, double *ns, double *ipc, struct tandem_error *err) {
  const struct rtl_spec spec = {.unit = "sm_frontend", .parameters = "WarpSize=32"};
  const struct rtl_type *type = models_get(&spec, err);
  struct environment *e = calloc(1, sizeof *e);
  struct sm_frontend_in *script = calloc(CYCLES, sizeof *script);
  const bool good = type != NULL && e != NULL && script != NULL;
  if (type != NULL && !good)
    tandem_fail(err, 0, "out of memory");
  if (good) {
    e->busy = busy;
    const double rate = record(type, e, script);
    if (ipc != NULL)
      *ipc = rate;
    *ns = play(type, script);
  }
  free(e);
  free(script);
  return good;
}
