/* Cycles that are left out while the back end waits change nothing: a run is repeated with
 * such cycles skipped and must give the same. */
#include "tests/sm/bench.h"
#include "tests/test.h"

enum { CYCLES = 6000, WARPS = 8, EXIT_AT = 5200, ADDS = 12 };

/* The inputs of the back end in each cycle. */
struct script {
  struct sm_frontend_wide_out fe[BENCH_CYCLES];
  bool busy[BENCH_CYCLES];
  bool replayed[BENCH_CYCLES]; /* runs after the cycle */
};

/* Half of the warps on each of two sides. */
static const struct sm_shape sides = {.warps = 0xf | UINT64_C(0xf) << SM_SIDE1,
                                      .threads = WARPS * 32,
                                      .delay = 2,
                                      .far = SM_FAR_WHOLE,
                                      .operand_planes = 1,
                                      .memory_planes = 1};

enum kind { ALONE, IN_CLUSTER, TWO_SIDES, KINDS };

static unsigned warp_of(const struct bench *b, unsigned number) {
  return b->shape != NULL ? number / 4 * SM_SIDE1 + number % 4 : number;
}

static void make(struct bench *b, unsigned pc[4], enum kind kind) {
  bench_defaults(b, WARPS * 32);
  b->config.deep_queues = kind == IN_CLUSTER;
  b->shape = kind == TWO_SIDES ? &sides : NULL;
  b->mem.latency = 90;
  for (unsigned i = 0; i < ADDS; i++)
    bench_add(b, word(ISA_IADD, i + 1, i * 5 % 16, i * 7 % 16, 0));
  pc[0] = bench_add(b, word(ISA_RCP, 20, 3, 0, 0));
  pc[1] = bench_add(b, with_mods(word(ISA_LDG, 24, 2, 0, 0), 2));
  pc[2] = bench_add(b, with_mods(word(ISA_STG, 0, 1, 28, 0), 2));
  pc[3] = bench_add(b, word(ISA_EXIT, 0, 0, 0, 0));
  bench_begin(b);
  sm_set_timing_check(b->sm, 64, 40);
}

/* The outputs of one cycle: bursts of a few instructions, then nothing for a while. */
static void choose(struct bench *b, const unsigned pc[4], int credit[2][3]) {
  bool burst = rand() % 3 == 0;
  for (unsigned port = 0; burst && port < 2; port++) {
    unsigned warp = (unsigned)rand() % (WARPS / 2) * 2 + port, what = (unsigned)rand() % 8;
    unsigned cls = what < 3 ? ISA_PIPE_SP : what == 3 ? ISA_PIPE_SFU : ISA_PIPE_MEM;
    int *left = &credit[b->shape != NULL ? warp / 4 : 0][cls];
    if (*left == 0)
      continue;
    --*left;
    bench_issue(b, warp_of(b, warp),
                what < 3 ? (unsigned)rand() % ADDS : pc[what == 3 ? 0 : 1 + what % 2], ~0U);
  }
  b->fe.stall0 = (uint64_t)rand() % 7;
  b->fe.stall1 = b->fe.stall0 / 2;
}

/* Runs with random instructions; then all warps exit and end. */
static void record(struct bench *b, struct script *s, unsigned seed) {
  unsigned pc[4], pause = 0, ends = 0;
  const enum kind kind = (enum kind)(seed % KINDS);
  int credit[2][3] = {{8, 4, kind == IN_CLUSTER ? 8 : 4}, {12, 4, 4}};
  make(b, pc, kind);
  bench_cta(b, 0);
  srand(seed);
  while (b->cycle < CYCLES) {
    unsigned c = b->cycle;
    uint64_t stall = c != 0 ? s->fe[c - 1].stall0 : 0;
    b->fe = (struct sm_frontend_wide_out){.stall0 = stall, .stall1 = stall / 2};
    if (c >= EXIT_AT && c % 16 == 0 && ends < WARPS)
      bench_issue(b, warp_of(b, ends), pc[3], ~0U);
    else if (c >= EXIT_AT && c % 16 == 12 && ends < WARPS)
      bench_done(b, warp_of(b, ends++));
    else if (pause != 0)
      pause--;
    else if (c < EXIT_AT - 40)
      choose(b, pc, credit);
    if (pause == 0 && rand() % 24 == 0)
      pause = (unsigned)rand() % 300;
    b->mem.busy = c % 512 > 300;
    s->fe[c] = b->fe;
    s->busy[c] = b->mem.busy;
    const struct sm_frontend_wide_in *in = &b->log[bench_step(b)];
    s->replayed[c] = b->sm->replay.on;
    credit[0][0] += (int)in->sp_credit;
    credit[0][1] += (int)in->sfu_credit;
    credit[0][2] += (int)in->mem_credit;
    credit[1][0] += b->far[c].sp;
    credit[1][1] += b->far[c].sfu;
    credit[1][2] += b->far[c].mem;
  }
}

static bool same_wait(const struct script *s, unsigned a, unsigned b) {
  return memcmp(&s->fe[a], &s->fe[b], sizeof s->fe[a]) == 0 && s->busy[a] == s->busy[b];
}

/* How many cycles from this one on nothing comes from outside. */
static unsigned undisturbed(const struct bench *b, const struct script *s) {
  unsigned c = b->cycle, n = 0;
  const struct sm_frontend_wide_out *fe = &s->fe[c];
  if ((fe->iss0_valid | fe->iss1_valid | fe->done_valid) != 0)
    return 0;
  while (c + n < CYCLES && same_wait(s, c, c + n) &&
         (b->mem.count == 0 || b->mem.queue[b->mem.first].due > c + n))
    n++;
  return n;
}

static unsigned repeat(struct bench *b, const struct script *s, unsigned seed) {
  unsigned pc[4], skipped = 0;
  make(b, pc, (enum kind)(seed % KINDS));
  bench_cta(b, 0);
  while (b->cycle < CYCLES) {
    b->fe = s->fe[b->cycle];
    b->mem.busy = s->busy[b->cycle];
    unsigned n = sm_waiting(b->sm) ? undisturbed(b, s) : 0;
    if (n != 0)
      n = 1 + (unsigned)rand() % n;
    if (n != 0)
      sm_skip(b->sm, b->cycle, n, (const struct sm_frontend_out *)&b->fe);
    else
      bench_step(b);
    b->cycle += n;
    skipped += n;
    assert_int_equal(b->sm->replay.on, s->replayed[b->cycle - 1]);
  }
  return skipped;
}

TEST(skipped_cycles_change_nothing) {
  static struct script s;
  for (unsigned seed = 1; seed < 13; seed++) {
    struct bench all, some;
    memset(&s, 0, sizeof s);
    record(&all, &s, seed);
    unsigned skipped = repeat(&some, &s, seed);
    assert_int_equal(sm_fault(all.sm)->kind, SM_FAULT_NONE);
    assert_in_range(skipped, CYCLES / 4, CYCLES);
    assert_memory_equal(all.log, some.log, CYCLES * sizeof *all.log);
    assert_memory_equal(all.far, some.far, CYCLES * sizeof *all.far);
    assert_memory_equal(&all.sm->links, &some.sm->links, sizeof all.sm->links);
    assert_memory_equal(&all.sm->stats, &some.sm->stats, sizeof all.sm->stats);
    assert_int_equal(all.sm->cycle, some.sm->cycle);
    assert_memory_equal(all.sm->regs, some.sm->regs, sizeof all.sm->regs);
    assert_int_equal(all.sm->resident, 0);
    assert_int_equal(some.sm->resident, 0);
    bench_close(&all);
    bench_close(&some);
  }
}

TEST(what_is_to_be_done_is_told) {
  struct bench b;
  unsigned pc[4];
  make(&b, pc, ALONE);
  assert_true(sm_waiting(b.sm));
  sm_cta_launch(b.sm, (const uint32_t[3]){0});
  assert_false(sm_waiting(b.sm)); /* warps to be launched */
  bench_run(&b, WARPS);
  assert_true(sm_waiting(b.sm));
  bench_one(&b, 0, 0);
  assert_false(sm_waiting(b.sm)); /* an instruction in its queue, collector, pipeline */
  bench_run(&b, 30);
  assert_true(sm_waiting(b.sm));
  b.mem.busy = true;
  bench_one(&b, 1, pc[1]);
  assert_false(sm_waiting(b.sm));
  bench_run(&b, 4);
  assert_true(sm_waiting(b.sm)); /* collected, and nobody takes it */
  b.mem.busy = false;
  assert_false(sm_waiting(b.sm));
  bench_step(&b);
  assert_true(sm_waiting(b.sm)); /* in memory */
  bench_close(&b);
}

int main(void) { return test_run(NULL, NULL); }
