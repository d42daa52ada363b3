/* Whole programs on the back end, with reference front ends, the memory model and the check: the
 * results are those of plain C, and a machine that is made to go wrong is caught. */
#include "csim/ports/pipeline_rows.h"
#include "tests/iss/machine.h"
#include "tests/test.h"

static const uint32_t one_dim[3] = {1, 1, 1};
enum { LONG_RUN = 400000 };

static void expect_run(struct machine *m, const char *kernel, const uint32_t dim[3],
                       const uint32_t block[3], const uint32_t *params) {
  char text[8192];
  if (!machine_run(m, kernel, dim, block, params, LONG_RUN))
    fail_msg("cycle %llu: %s", (unsigned long long)m->cycle, machine_trouble(m, text, sizeof text));
}

static void each_machine(void (*test)(const struct sm_config *config, unsigned sms, bool checked)) {
  struct sm_config config;
  sm_config_default(&config);
  test(&config, 1, true);
  test(&config, 3, true);
  test(&config, 1, false);
  config.collectors_sp = config.collectors_mem = config.collectors_sfu = 1;
  config.banks = 2;
  config.sp_pipes = 1;
  test(&config, 1, true);
}

/* c[i] = a[i] * 3 + b[i] for i < n, with a guard for the rest. */
static const char saxpy[] = ".kernel saxpy\n.regs 12\n"
                            ".param a, 4, ptr global\n.param b, 4, ptr global\n"
                            ".param c, 4, ptr global\n.param n, 4\n"
                            "  movs r1, ctaid.x\n  movs r2, ntid.x\n  movs r3, tid.x\n"
                            "  mad r1, r1, r2, r3\n"
                            "  movs r4, param+12\n"
                            "  isetp.ge.u p0, r1, r4\n"
                            "  @p0 exit\n"
                            "  shl r5, r1, #2\n"
                            "  movs r6, param+0\n  iadd r6, r6, r5\n  ld.global.32 r7, [r6]\n"
                            "  movs r8, param+4\n  iadd r8, r8, r5\n  ld.global.32 r9, [r8]\n"
                            "  movi r10, #3\n  mad r7, r7, r10, r9\n"
                            "  movs r8, param+8\n  iadd r8, r8, r5\n  st.global.32 [r8], r7\n"
                            "  exit\n.end\n";

static void run_saxpy(const struct sm_config *config, unsigned sms, bool checked) {
  enum { N = 1000 };
  uint32_t a[N], b[N], c[N];
  for (unsigned i = 0; i < N; i++) {
    a[i] = i * 7919;
    b[i] = i ^ 0x5555;
  }
  struct machine m;
  machine_open(&m, saxpy, sms, config, checked);
  const uint32_t params[] = {machine_alloc(&m, sizeof a), machine_alloc(&m, sizeof b),
                             machine_alloc(&m, sizeof c), N};
  machine_write(&m, params[0], a, sizeof a);
  machine_write(&m, params[1], b, sizeof b);
  const uint32_t dim[3] = {11, 1, 1}, block[3] = {96, 1, 1};
  expect_run(&m, "saxpy", dim, block, params);
  machine_read(&m, params[2], c, sizeof c);
  for (unsigned i = 0; i < N; i++)
    assert_int_equal(c[i], a[i] * 3 + b[i]);
  expect_run(&m, "saxpy", dim, block, params); /* a second launch */
  machine_close(&m);
}
TEST(saxpy_is_right) { each_machine(run_saxpy); }

/* Steps of the Collatz sequence of each thread's number: a loop that lanes leave one by one, with
 * an if inside. */
static const char collatz[] = ".kernel collatz\n.regs 10\n.param out, 4, ptr global\n"
                              "  movs r1, ctaid.x\n  movs r2, ntid.x\n  movs r3, tid.x\n"
                              "  mad r1, r1, r2, r3\n  shl r5, r1, #2\n"
                              "  iadd r1, r1, #1\n  movi r2, #0\n"
                              "top: isetp.le.u p0, r1, #1\n"
                              "  @p0 bra out, rpc out\n"
                              "  and r4, r1, #1\n  isetp.eq.u p1, r4, #0\n"
                              "  @p1 bra even, rpc next\n"
                              "  movi r6, #3\n  movi r7, #1\n  mad r1, r1, r6, r7\n"
                              "  bra next, rpc next\n"
                              "even: shr r1, r1, #1\n"
                              "next: iadd r2, r2, #1\n"
                              "  bra top, rpc top\n"
                              "out: movs r6, param+0\n  iadd r6, r6, r5\n"
                              "  st.global.32 [r6], r2\n  exit\n.end\n";

static void run_collatz(const struct sm_config *config, unsigned sms, bool checked) {
  enum { N = 256 };
  struct machine m;
  machine_open(&m, collatz, sms, config, checked);
  const uint32_t params[] = {machine_alloc(&m, N * 4)};
  const uint32_t dim[3] = {4, 1, 1}, block[3] = {64, 1, 1};
  expect_run(&m, "collatz", dim, block, params);
  uint32_t steps[N];
  machine_read(&m, params[0], steps, sizeof steps);
  for (uint32_t i = 0; i < N; i++) {
    uint32_t n = i + 1, want = 0;
    for (; n > 1; want++)
      n = n % 2 != 0 ? n * 3 + 1 : n / 2;
    assert_int_equal(steps[i], want);
  }
  struct sm_stats s;
  sm_stats(m.sm[0], &s);
  assert_true(s.divergent_branches > 50 && s.divergent_branches < s.branches);
  machine_close(&m);
}
TEST(divergence_is_right) { each_machine(run_collatz); }

/* Sum of a CTA's 128 numbers in shared memory, a barrier a round, and one atomic add. */
static const char reduce[] = ".kernel reduce\n.regs 12\n.shared 512\n"
                             ".param in, 4, ptr global\n.param sum, 4, ptr global\n"
                             "  movs r1, ctaid.x\n  movs r2, ntid.x\n  movs r3, tid.x\n"
                             "  mad r1, r1, r2, r3\n  shl r1, r1, #2\n"
                             "  movs r4, param+0\n  iadd r4, r4, r1\n  ld.global.32 r5, [r4]\n"
                             "  shl r6, r3, #2\n  st.shared.32 [r6], r5\n"
                             "  movi r7, #64\n"
                             "round: bar\n"
                             "  isetp.ge.u p0, r3, r7\n"
                             "  @p0 bra skip, rpc skip\n"
                             "  shl r8, r7, #2\n  iadd r8, r8, r6\n"
                             "  ld.shared.32 r9, [r8]\n  ld.shared.32 r10, [r6]\n"
                             "  iadd r10, r10, r9\n  st.shared.32 [r6], r10\n"
                             "skip: shr r7, r7, #1\n"
                             "  isetp.ne.u p1, r7, #0\n"
                             "  @p1 bra round, rpc done\n"
                             "done: isetp.ne.u p0, r3, #0\n  @p0 exit\n"
                             "  ld.shared.32 r9, [0]\n  movs r4, param+4\n"
                             "  atom.add.noret [r4], r9\n  exit\n.end\n";

static void run_reduce(const struct sm_config *config, unsigned sms, bool checked) {
  enum { N = 128 * 20 };
  static uint32_t in[N];
  uint32_t want = 0, got, zero = 0;
  for (unsigned i = 0; i < N; i++)
    want += in[i] = i * i + 3;
  struct machine m;
  machine_open(&m, reduce, sms, config, checked);
  const uint32_t params[] = {machine_alloc(&m, sizeof in), machine_alloc(&m, 4)};
  machine_write(&m, params[0], in, sizeof in);
  machine_write(&m, params[1], &zero, 4);
  const uint32_t dim[3] = {5, 4, 1}, block[3] = {128, 1, 1};
  /* The CTAs of y > 0 do the same numbers again. */
  expect_run(&m, "reduce", dim, block, params);
  machine_read(&m, params[1], &got, 4);
  want = 0;
  for (unsigned i = 0; i < 128 * 5; i++)
    want += 4 * in[i];
  assert_int_equal(got, want);
  machine_close(&m);
}
TEST(barriers_and_atomics_are_right) { each_machine(run_reduce); }

/* Everything else once: pairs, vectors, local memory, votes, special functions, divides. */
static const char mixture[] =
    ".kernel mixture\n.regs 32\n.local 32\n.param out, 4, ptr global\n"
    "  movs r1, tid.x\n  movs r2, tid.y\n  movs r3, ntid.x\n  mad r4, r2, r3, r1\n"
    "  st.local.32 [4], r4\n  iadd r5, r4, #100\n  st.local.32 [8], r5\n"
    "  mulw d6, r4, r5\n  lext d8, r4\n  ladd d10, d6, d8\n  ldiv d12, d10, d6\n"
    "  i2f.u r14, r5\n  rcp r15, r14\n  fmul r16, r15, r14\n"
    "  idiv.s r17, r5, #7\n  irem.s r18, r5, #7\n"
    "  isetp.lt.u p2, r1, #3\n  vote.any p3, p2\n  ballot r19, p2\n  selp r20, r17, r18, p3\n"
    "  ld.local.32 r21, [4]\n  ld.local.32 r22, [8]\n"
    "  shl r24, r4, #5\n  movs r25, param+0\n  iadd r24, r24, r25\n"
    "  iadd r28, r21, r22\n  mov r29, r19\n  mov r30, r20\n  mov r31, r12\n"
    "  st.global.32.v4 [r24], q28\n"
    "  st.global.32.v2 [r24 + 16], d10\n  st.global.64 [r24 + 24], d16\n"
    "  exit\n.end\n";

static void run_mixture(const struct sm_config *config, unsigned sms, bool checked) {
  enum { X = 12, Y = 9, N = X * Y };
  struct machine m;
  machine_open(&m, mixture, sms, config, checked);
  const uint32_t params[] = {machine_alloc(&m, N * 32)};
  const uint32_t block[3] = {X, Y, 1};
  expect_run(&m, "mixture", one_dim, block, params);
  uint32_t out[N][8];
  machine_read(&m, params[0], out, sizeof out);
  for (uint32_t t = 0; t < N; t++) {
    uint32_t ballot = 0;
    for (uint32_t l = 0; l < 32; l++)
      if (t / 32 * 32 + l < N && (t / 32 * 32 + l) % X < 3)
        ballot |= 1U << l;
    uint64_t product = (uint64_t)t * (t + 100), sum = product + t;
    assert_int_equal(out[t][0], t + t + 100);
    assert_int_equal(out[t][1], ballot);
    assert_int_equal(out[t][2], (t + 100) / 7);
    assert_int_equal(out[t][3], product == 0 ? 0xffffffff : sum / product);
    assert_int_equal(out[t][4], sum);
    float near;
    memcpy(&near, &out[t][6], 4);
    assert_true(near > 0.99999f && near < 1.00001f);
    assert_int_equal(out[t][7], (t + 100) / 7);
  }
  machine_close(&m);
}
TEST(a_mixture_is_right) { each_machine(run_mixture); }

/* The check changes nothing: the same cycles with it and without. */
TEST(the_check_costs_no_cycle) {
  uint64_t cycles[2];
  for (unsigned checked = 0; checked < 2; checked++) {
    struct sm_config config;
    sm_config_default(&config);
    struct machine m;
    machine_open(&m, collatz, 2, &config, checked);
    const uint32_t params[] = {machine_alloc(&m, 16384)};
    const uint32_t dim[3] = {40, 1, 1}, block[3] = {96, 1, 1};
    expect_run(&m, "collatz", dim, block, params);
    cycles[checked] = m.cycle;
    machine_close(&m);
  }
  assert_int_equal(cycles[0], cycles[1]);
}

/* Flips one bit of a register. */
static void flip_register(struct machine *m) {
  if (m->cycle == 1500)
    m->sm[0]->regs[1][2][7] ^= 1;
}
/* Lane 22, which loops 112 times, sees the end before it has come. */
static void flip_predicate(struct machine *m) {
  if (m->cycle >= 1500 && m->cycle < 2500)
    m->sm[0]->preds[1][0] |= 1U << 22;
}
/* A write-back too early: dependent instructions issue and read stale values. */
static void release_early(struct machine *m) {
  if (m->cycle >= 1500 && !row_bit(m->in[0].wb_valid, ROW_MEM))
    rows_put_write(&m->in[0], ROW_MEM,
                   (struct row_write){1, (unsigned)(m->cycle % 8) & ~3U, ISA_N_QUAD, false});
}
TEST(a_machine_gone_wrong_is_caught) {
  const struct {
    void (*machine)(struct machine *), (*inputs)(struct machine *);
  } meddle[] = {{flip_register, NULL}, {flip_predicate, NULL}, {NULL, release_early}};
  for (unsigned i = 0; i < sizeof meddle / sizeof meddle[0]; i++) {
    struct sm_config config;
    sm_config_default(&config);
    struct machine m;
    machine_open(&m, collatz, 1, &config, true);
    m.meddle = meddle[i].machine;
    m.meddle_inputs = meddle[i].inputs;
    const uint32_t params[] = {machine_alloc(&m, 16384)};
    const uint32_t dim[3] = {1, 1, 1}, block[3] = {96, 1, 1};
    if (machine_run(&m, "collatz", dim, block, params, LONG_RUN))
      fail_msg("case %u passed in %llu cycles", i, (unsigned long long)m.cycle);
    assert_true(iss_mismatch(m.iss[0])->any);
    assert_int_equal(iss_mismatch(m.iss[0])->warp, 1);
    machine_close(&m);
  }
}

TEST(a_divergent_barrier_is_a_fault) {
  static const char text[] = ".kernel k\n  movs r1, tid.x\n  isetp.lt.u p0, r1, #40\n"
                             "  @p0 bra over, rpc over\n  bar\nover: exit\n.end\n";
  struct sm_config config;
  sm_config_default(&config);
  struct machine m;
  machine_open(&m, text, 1, &config, true);
  const uint32_t block[3] = {96, 1, 1};
  uint32_t none = 0;
  assert_false(machine_run(&m, "k", one_dim, block, &none, LONG_RUN));
  assert_int_equal(sm_fault(m.sm[0])->kind, SM_FAULT_BARRIER);
  machine_close(&m);
}

int main(void) { return test_run(NULL, NULL); }
