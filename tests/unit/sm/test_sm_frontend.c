/* The whole front end, of warps of 32, 64 or 128 lanes (--parameters), or its netlist, against the
 * reference, in a random environment that keeps the contract; and what a simulator relies on: steps
 * may be left out while the front end is quiet. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "csim/ports/parts.h"
#include "csim/ref/sm/issue.h"
#include "csim/ref/sm/ref.h"
#include "csim/ref/sm/ref_wide.h"
#include "tests/unit/device.h"
#include "tests/unit/differ.h"
#include "tests/unit/environment.h"
#include "tests/unit/testing.h"

#define COVERAGE(F)                                                                                \
  F(two_issues)                                                                                    \
  F(pops_leave_second)                                                                             \
  F(idle)                                                                                          \
  F(structural)                                                                                    \
  F(scoreboard)                                                                                    \
  F(control)                                                                                       \
  F(barrier)                                                                                       \
  F(fetch)                                                                                         \
  F(conflict)                                                                                      \
  F(warp_done)                                                                                     \
  F(warp_relaunched)                                                                               \
  F(greedy_warp_relaunched)                                                                        \
  F(warp_waits)                                                                                    \
  F(miss)                                                                                          \
  F(all_mshrs_busy)                                                                                \
  F(eviction)                                                                                      \
  F(settle)                                                                                        \
  F(deep_stack)                                                                                    \
  F(all_warps_live)                                                                                \
  F(all_slots_used)                                                                                \
  F(deep_fetched_behind_head)                                                                      \
  F(deep_flushed_on_the_way)                                                                       \
  F(quiet_with_live_warps)                                                                         \
  F(wake_from_quiet)                                                                               \
  F(kernel_started)                                                                                \
  F(trap)
COVER_DEFINE(COVERAGE)

enum { NARROW = 32, LANES_OF_ALL_WARPS = 1536, HISTORY = 8, CYCLES = 100000, PATIENCE = 30000 };

/* The ports of large warps; the ports of 32 lanes are their first fields. */
typedef struct sm_frontend_wide_in ports_in;
typedef struct sm_frontend_wide_out ports_out;

static unsigned lanes, warps, entries;
static struct { uint64_t seed, fresh, cycles; } run;

/* ---- a front end: the reference or the device ---- */

struct side {
  void *(*create)(uint64_t seed);
  void (*destroy)(void *side);
  void (*out)(void *side, ports_out *out);
  void (*step)(void *side, const ports_in *in);
  void (*state)(void *side, struct sm_frontend_state *state);
};

static void *narrow_create(uint64_t seed) {
  (void)seed;
  struct frontend_ref *f = frontend_ref_create();
  if (f != NULL)
    frontend_ref_ibuffer(f, entries);
  return f;
}
static void narrow_destroy(void *r) { frontend_ref_destroy(r); }
static void narrow_out(void *r, ports_out *out) {
  struct sm_frontend_out low;
  frontend_ref_out(r, &low);
  memcpy(out, &low, sizeof low);
}
static void narrow_step(void *r, const ports_in *in) {
  struct sm_frontend_in low;
  memcpy(&low, in, sizeof low);
  frontend_ref_step(r, &low);
}
static void narrow_state(void *r, struct sm_frontend_state *s) { frontend_ref_state(r, s); }

static void *wide_create(uint64_t seed) {
  (void)seed;
  struct frontend_wide *f = frontend_wide_create_with(warps);
  if (f != NULL)
    frontend_wide_ibuffer(f, entries);
  return f;
}
static void wide_destroy(void *r) { frontend_wide_destroy(r); }
static void wide_out(void *r, ports_out *out) { frontend_wide_out(r, out); }
static void wide_step(void *r, const ports_in *in) { frontend_wide_step(r, in); }
static void wide_state(void *r, struct sm_frontend_state *s) {
  frontend_wide_state(r, s);
  frontend_wide_view_wide(r, &s->wide);
}

static void *model_create(uint64_t seed) { return device_create(seed); }
static void model_destroy(void *m) { rtl_destroy(m); }
static void model_out(void *m, ports_out *out) { rtl_out(m, out); }
static void model_step(void *m, const ports_in *in) { rtl_step(m, in); }
static void model_state(void *m, struct sm_frontend_state *s) { rtl_view(m, 0, s); }

static const struct side narrow = {narrow_create, narrow_destroy, narrow_out, narrow_step,
                                   narrow_state};
static const struct side wide = {wide_create, wide_destroy, wide_out, wide_step, wide_state};
static const struct side model = {model_create, model_destroy, model_out, model_step, model_state};
/* The reference stands in for a device that is not there. */
static const struct side *ref, *dut;

static void choose_sides(void) {
  lanes = device_parameter("WarpSize", NARROW);
  warps = LANES_OF_ALL_WARPS / lanes;
  entries = device_parameter("IbEntries", 2);
  ref = lanes == NARROW ? &narrow : &wide;
  dut = device.type != NULL ? &model : ref;
}

static void check_assertions(void *d) {
  const char *first = NULL;
  if (dut == &model && rtl_assertions(d, &first) != 0)
    fail_msg("an assertion failed: %s", first);
}

static unsigned ports_differ(uint64_t cycle, const ports_out *a, const ports_out *b) {
  struct sm_frontend_out low[2];
  if (lanes != NARROW)
    return differ_out(&sm_frontend_wide_ports, cycle, a, b);
  memcpy(&low[0], a, sizeof low[0]);
  memcpy(&low[1], b, sizeof low[1]);
  return differ_out(&sm_frontend_ports, cycle, &low[0], &low[1]);
}

/* The environment, its masks made larger: of the same kind, all or none, all but one lane, one
 * lane, or any. */
static void widen(struct rng *r, uint64_t *low, uint64_t *high) {
  uint64_t words[2] = {rng_next(r), rng_next(r)};
  const unsigned set = (unsigned)__builtin_popcountll(*low), lane = rng_below(r, lanes);
  const uint64_t one[2] = {lane < 64 ? UINT64_C(1) << lane : 0,
                           lane < 64 ? 0 : UINT64_C(1) << (lane - 64)};
  for (unsigned i = 0; i < 2; i++)
    words[i] = set == 0    ? 0
               : set == 1  ? one[i]
               : set == 31 ? ~one[i]
               : set == 32 ? UINT64_MAX
                           : words[i];
  *low = words[0];
  *high = lanes == 64 ? 0 : words[1];
}

static void step_environment(struct environment *e, const ports_out *out, ports_in *in) {
  struct sm_frontend_out low;
  struct sm_frontend_in inputs;
  memcpy(&low, out, sizeof low);
  environment_step(e, &low, &inputs);
  *in = (ports_in){0};
  memcpy(in, &inputs, sizeof inputs);
  if (lanes == NARROW)
    return;
  if (in->launch_valid)
    widen(&e->rng, &in->launch_mask, &in->launch_mask_hi);
  if (in->launch_valid && (in->launch_mask | in->launch_mask_hi) == 0)
    in->launch_mask = 1;
  if (in->resolve_valid)
    widen(&e->rng, &in->resolve_taken, &in->resolve_taken_hi);
}

struct bench_pair {
  void *ref, *dut;
  uint64_t cycle;
  ports_out ref_out, dut_out;
  struct sm_frontend_state ref_state, dut_state;
  struct {
    ports_in in;
    ports_out ref, dut;
  } past[HISTORY];
};

static unsigned differ_state(uint64_t cycle, const struct sm_frontend_state *a,
                             const struct sm_frontend_state *b) {
  unsigned n = 0;
  for (unsigned i = 0; i < (lanes == NARROW ? FRONTEND_PARTS : FRONTEND_PARTS_WIDE); i++) {
    const struct ports_part *part = &frontend_parts[i];
    n += differ_view(part->ports, cycle, (const char *)a + part->offset,
                     (const char *)b + part->offset);
  }
  return n;
}

static void print_past(const struct bench_pair *p) {
  uint64_t first = p->cycle >= HISTORY ? p->cycle - HISTORY : 0;
  for (uint64_t c = first; c < p->cycle; c++) {
    unsigned i = (unsigned)(c % HISTORY);
    print_error("cycle %" PRIu64 " out:", c);
    differ_print_out(&sm_frontend_wide_ports, &p->past[i].ref, &p->past[i].dut);
    print_error("\n  in:");
    differ_print_in(&sm_frontend_wide_ports, &p->past[i].in);
    print_error("\n");
  }
}

/* Outputs and states of both sides, compared. */
static void compare(struct bench_pair *p) {
  ref->out(p->ref, &p->ref_out);
  dut->out(p->dut, &p->dut_out);
  ref->state(p->ref, &p->ref_state);
  unsigned differences = ports_differ(p->cycle, &p->ref_out, &p->dut_out);
  if (device_has_states()) {
    dut->state(p->dut, &p->dut_state);
    differences += differ_state(p->cycle, &p->ref_state, &p->dut_state);
  }
  if (differences == 0)
    return;
  print_past(p);
  fail_msg("the front end differs from its reference in cycle %" PRIu64, p->cycle);
}

static void open_pair(struct bench_pair *p, uint64_t seed) {
  memset(p, 0, sizeof *p);
  p->ref = ref->create(seed);
  p->dut = dut->create(seed);
  assert_non_null(p->ref);
  assert_non_null(p->dut);
  compare(p);
}

static void close_pair(struct bench_pair *p) {
  check_assertions(p->dut);
  ref->destroy(p->ref);
  dut->destroy(p->dut);
}

static void cover_stall(uint64_t stall) {
  cover(COVER_idle, stall == STALL_IDLE);
  cover(COVER_structural, stall == STALL_STRUCTURAL);
  cover(COVER_scoreboard, stall == STALL_SCOREBOARD);
  cover(COVER_control, stall == STALL_CONTROL);
  cover(COVER_barrier, stall == STALL_BARRIER);
  cover(COVER_fetch, stall == STALL_FETCH);
}

/* Covers the last cycle of the pair; `before` is the reference's state before the edge. */
static void cover_cycle(const struct bench_pair *p, const struct sm_frontend_state *before,
                        const ports_out *out_before, const struct environment *e) {
  const struct sm_frontend_state *now = &p->ref_state;
  const ports_out *out = &p->ref_out;
  static uint64_t finished; /* warps that were done once */
  cover_stall(out->stall0);
  cover_stall(out->stall1);
  cover(COVER_two_issues, out->iss0_valid && out->iss1_valid);
  uint64_t popped = before->ibuffer.second[0] & now->ibuffer.valid[0] & ~now->ibuffer.second[0];
  cover(COVER_pops_leave_second, (popped & (popped - 1)) != 0);
  cover(COVER_conflict, now->issue.prio[0] != before->issue.prio[0]);
  cover(COVER_warp_done, out->done_valid);
  if (out->done_valid)
    finished |= UINT64_C(1) << out->done_warp;
  uint64_t launched = now->simt_stack.live[0] & ~before->simt_stack.live[0];
  cover(COVER_warp_relaunched, (launched & finished) != 0);
  const struct warp_scheduler_view *sched[] = {&before->sched0, &before->sched1};
  for (unsigned s = 0; s < 2; s++)
    cover(COVER_greedy_warp_relaunched,
          sched[s]->greedy[0] && (launched >> sched[s]->last[0] & 1) != 0);
  cover(COVER_warp_waits, now->barrier.waiting[0] != 0);
  cover(COVER_miss, out->imiss_valid);
  cover(COVER_all_mshrs_busy, now->icache.mshr_valid[0] == 15);
  cover(COVER_eviction,
        (before->icache.valid[0] & ~now->icache.valid[0]) != 0 && now->icache.valid[0] != 0);
  cover(COVER_settle, now->simt_stack.settle[0] != 0);
  for (unsigned w = 0; w < ENV_WARPS; w++)
    cover(COVER_deep_stack,
          (now->simt_stack.live[0] >> w & 1) != 0 && now->simt_stack.depth[w] > 6);
  cover(COVER_all_warps_live, now->simt_stack.live[0] == (UINT64_C(1) << warps) - 1);
  unsigned used = 0;
  for (unsigned c = 0; c < ENV_CTAS; c++)
    used += e->cta_alive[c] > 0;
  cover(COVER_all_slots_used, used == ENV_CTAS);
  cover(COVER_quiet_with_live_warps, out->quiet && now->simt_stack.live[0] != 0);
  cover(COVER_wake_from_quiet, out_before->quiet && !out->quiet);
  cover(COVER_trap, out->trap_valid);
  /* With more than two entries: a fetch beside instructions; a stack popped during one. */
  const uint64_t fetched = before->fetch.outstanding[0] & now->fetch.outstanding[0];
  cover(COVER_deep_fetched_behind_head, entries == 2 || (fetched & now->ibuffer.valid[0]) != 0);
  cover(COVER_deep_flushed_on_the_way,
        entries == 2 || (fetched & before->simt_stack.settle[0] & ~now->simt_stack.settle[0]) != 0);
}

/* Runs `cycles` cycles in one environment; a trap ends the run 200 cycles later. */
static void run_lockstep(uint64_t seed, struct env_rates rates, bool lrr, uint64_t cycles) {
  static struct environment e;
  static struct bench_pair p;
  static struct sm_frontend_state before;
  environment_init_with(&e, warps, seed, rates, lrr);
  open_pair(&p, seed);
  uint64_t progress = 0, after_trap = 0;
  while (p.cycle < cycles && after_trap < 200) {
    unsigned now = (unsigned)(p.cycle % HISTORY);
    ports_in in;
    step_environment(&e, &p.ref_out, &in);
    p.past[now].in = in;
    p.past[now].ref = p.ref_out;
    p.past[now].dut = p.dut_out;
    before = p.ref_state;
    ref->step(p.ref, &in);
    dut->step(p.dut, &in);
    p.cycle++;
    testing_cycles++;
    compare(&p);
    cover_cycle(&p, &before, &p.past[now].ref, &e);
    cover(COVER_kernel_started, in.kernel_start);
    after_trap += e.trapped;
    progress = p.ref_out.iss0_valid || p.ref_out.iss1_valid || in.kernel_start ? p.cycle : progress;
    if (p.cycle - progress > PATIENCE)
      fail_msg("nothing has issued for %u cycles, seed %" PRIu64, PATIENCE, seed);
  }
  close_pair(&p);
}

/*                                              collect write resolve credit fill beat launch nest
 */
static const struct env_rates at_once = {100, 100, 100, 100, 100, 100, 100, 4, 0, false, false};
static const struct env_rates brisk = {80, 60, 60, 80, 40, 80, 60, 4, 0, false, false};
static const struct env_rates slow_memory = {60, 10, 40, 60, 1, 100, 30, 4, 0, false, false};
static const struct env_rates starved = {10, 10, 5, 8, 10, 30, 20, 4, 0, false, false};
static const struct env_rates empty = {50, 1, 1, 50, 1, 20, 1, 3, 0, false, false};
static const struct env_rates lonely = {100, 100, 100, 100, 100, 100, 2, 1, 0, false, false};
static const struct env_rates brief = {100, 100, 100, 100, 100, 100, 100, 0, 0, false, true};
static const struct env_rates overrunning = {90, 90, 90, 90, 90, 90, 90, 2, 95, false, false};

/* Seeds of a round, so many from this one. */
static uint64_t seed_of(unsigned round) { return run.seed + 1000 * (uint64_t)round; }

static void run_programs(unsigned round) {
  const struct env_rates *const rates[] = {&at_once, &brisk,  &slow_memory, &starved,
                                           &empty,   &lonely, &brief};
  for (unsigned i = 0; i < sizeof rates / sizeof rates[0]; i++)
    for (unsigned lrr = 0; lrr < 2; lrr++)
      run_lockstep(seed_of(round) + 2 * i + lrr, *rates[i], lrr != 0, run.cycles);
}

static void run_traps(unsigned round) {
  for (unsigned i = 0; i < 40 && covered[COVER_trap] < 2; i++)
    run_lockstep(seed_of(round) + 100 + i, overrunning, i % 2 != 0, run.cycles / 4);
}

static void lockstep(void **state) {
  (void)state;
  run_programs(0);
}

static void traps(void **state) {
  (void)state;
  run_traps(0);
}

/* The two above were the first round. */
static void everything_is_reached(void **state) {
  (void)state;
  for (unsigned round = 1; COVER_GOES_ON(round); round++) {
    run_programs(round);
    run_traps(round);
  }
  COVER_CHECK();
}

static bool is_idle(const ports_in *in) {
  static const ports_in nothing;
  ports_in copy = *in;
  copy.cfg_lrr = 0;
  return memcmp(&copy, &nothing, sizeof copy) == 0;
}

/* One device is stepped always, the other not while it is quiet and its inputs are idle. */
static void quiet_steps_can_be_left_out(void **state) {
  (void)state;
  static struct environment e;
  static struct sm_frontend_state always_state, saved_state;
  for (unsigned round = 0; round < 4; round++) {
    environment_init_with(&e, warps, run.seed + 200 + round, round < 2 ? empty : slow_memory,
                          round % 2 != 0);
    void *always = dut->create(run.seed + 1), *saving = dut->create(run.seed + 2);
    ports_out out, saved_out;
    ports_in in;
    uint64_t left_out = 0;
    for (uint64_t c = 0; c < run.cycles; c++) {
      dut->out(always, &out);
      dut->out(saving, &saved_out);
      unsigned differences = ports_differ(c, &out, &saved_out);
      if (c % 16 == 0) {
        dut->state(always, &always_state);
        dut->state(saving, &saved_state);
        differences += differ_state(c, &always_state, &saved_state);
      }
      if (differences != 0)
        fail_msg("leaving out quiet steps makes a difference in cycle %" PRIu64, c);
      step_environment(&e, &out, &in);
      dut->step(always, &in);
      if (saved_out.quiet && is_idle(&in))
        left_out++;
      else
        dut->step(saving, &in);
    }
    check_assertions(always);
    check_assertions(saving);
    dut->destroy(always);
    dut->destroy(saving);
    assert_true(left_out > run.cycles / 100);
  }
}

/* A fresh seed, with which nothing has to be reached. */
static void fresh_programs(void **state) {
  (void)state;
  if (run.fresh == 0)
    return;
  run.seed = run.fresh;
  run.cycles /= 4;
  run_programs(0);
}

int main(int argc, char **argv) {
  const int status = device_choose("sm_frontend", "WarpSize=32", argc, argv);
  if (status != 0)
    return status;
  choose_sides();
  run.seed = device.seed;
  run.fresh = device.fresh;
  run.cycles = device.cycles != 0 ? device.cycles : CYCLES;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lockstep), cmocka_unit_test(traps), cmocka_unit_test(everything_is_reached),
      cmocka_unit_test(quiet_steps_can_be_left_out), cmocka_unit_test(fresh_programs)};
  return cmocka_run_group_tests_name("sm_frontend", tests, NULL, NULL);
}
