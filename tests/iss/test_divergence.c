/* Random nests of ifs and loops, with exits on the way: the reference's SIMT stack and that of the
 * check, written apart, must agree on every instruction, and every thread's result must be that of
 * the program run for it alone. */
#include "tests/iss/machine.h"
#include "tests/test.h"

enum { TEXT = 1 << 16, DEPTH = 5, THREADS = 160, PROGRAMS = 60, SCALAR_STEPS = 200000 };

struct writer {
  char text[TEXT];
  size_t n;
  unsigned labels;
  uint64_t random;
};

static uint32_t draw(struct writer *w, uint32_t below) {
  w->random = w->random * UINT64_C(6364136223846793005) + 1442695040888963407;
  return (uint32_t)((w->random >> 33) % below);
}

__attribute__((format(printf, 2, 3))) static void line(struct writer *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(w->text + w->n, TEXT - w->n, format, args);
  va_end(args);
  w->n += (size_t)n;
  assert_true(w->n < TEXT);
}

static void block(struct writer *w, unsigned depth);

/* Predicate `depth` holds for some lanes: by a few bits of what the thread has computed. */
static void condition(struct writer *w, unsigned depth) {
  line(w, "  shr r4, r2, #%u\n  and r4, r4, #7\n  isetp.lt.u p%u, r4, #%u\n", draw(w, 20), depth,
       draw(w, 9));
}

static void branch(struct writer *w, unsigned depth) {
  unsigned label = w->labels++;
  bool has_else = draw(w, 3) != 0;
  condition(w, depth);
  line(w, "  @p%u bra %s%u, rpc E%u\n", depth, has_else ? "T" : "E", label, label);
  block(w, depth + 1);
  if (has_else) {
    line(w, "  bra E%u, rpc E%u\nT%u:\n", label, label, label);
    block(w, depth + 1);
  }
  line(w, "E%u:\n", label);
}

/* At most four rounds, a number that differs from lane to lane. */
static void loop(struct writer *w, unsigned depth) {
  unsigned label = w->labels++;
  line(w, "  shr r%u, r2, #%u\n  and r%u, r%u, #3\nL%u:\n", 8 + depth, draw(w, 20), 8 + depth,
       8 + depth, label);
  block(w, depth + 1);
  line(w, "  isetp.ne.u p%u, r%u, #0\n  iadd r%u, r%u, #-1\n  @p%u bra L%u, rpc F%u\nF%u:\n", depth,
       8 + depth, 8 + depth, 8 + depth, depth, label, label, label);
}

static void block(struct writer *w, unsigned depth) {
  for (unsigned i = 1 + draw(w, 3); i > 0; i--) {
    unsigned what = draw(w, 10);
    if (what < 3 && depth < DEPTH)
      branch(w, depth);
    else if (what < 5 && depth < DEPTH)
      loop(w, depth);
    else if (what == 5 && draw(w, 3) == 0) {
      condition(w, 6);
      line(w, "  and r4, r2, #12288\n  isetp.eq.u p7, r4, #0\n  plop.and p6, p6, p7\n"
              "  @p6 st.global.32 [r6], r2\n  @p6 exit\n");
    } else
      line(w, "  mad r2, r2, r5, r1\n  xor r2, r2, #%u\n", draw(w, 30000));
  }
}

static void program(struct writer *w, uint64_t seed) {
  *w = (struct writer){.random = seed};
  line(w,
       ".kernel k\n.regs 16\n.param out, 4, ptr global\n"
       "  movs r1, tid.x\n  movi r5, #1664525\n  movi r2, #%u\n  mad r2, r1, r5, r2\n"
       "  movs r6, param+0\n  shl r7, r1, #2\n  iadd r6, r6, r7\n",
       draw(w, 1U << 30));
  for (unsigned i = 0; i < 3; i++)
    block(w, 0);
  line(w, "  st.global.32 [r6], r2\n  exit\n.end\n");
}

/* One thread alone: a machine of one lane, without stacks or masks. */
static uint32_t alone(const struct machine *m, uint32_t thread, uint32_t out) {
  _Alignas(64) uint32_t r[ISA_REGS][ISA_WARP_SIZE] = {{0}}, d[4 * ISA_WARP_SIZE];
  uint32_t p[16] = {0};
  p[ISA_PT] = 1;
  for (unsigned pc = m->grid.kernel->entry, n = 0; n < SCALAR_STEPS; n++) {
    const struct isa_uop *u = &m->uops[pc++];
    if ((p[u->f.guard & 15] ^ u->f.guard >> 4) == 0)
      continue;
    if (u->id == ISA_BRA)
      pc = u->f.imm;
    else if (u->id == ISA_STG)
      return r[u->f.src2][0];
    else if (u->id == ISA_MOVS)
      r[u->f.dst][0] = u->f.imm == ISA_SR_TID_X ? thread : out;
    else {
      uint32_t p2 = u->o.p2 ? p[u->f.src2 & 15] ^ u->f.src2 >> 4 : 0;
      uint32_t p3 = u->o.p3 ? p[u->f.src3 & 15] ^ u->f.src3 >> 4 : 0;
      uint32_t pred =
          u->fn(u, d, r[u->f.src1], u->imm ? u->imm_planes : r[u->f.src2], r[u->f.src3], p2, p3, 1);
      if (u->o.dp)
        p[u->f.dst] = pred & 1;
      else
        r[u->f.dst][0] = d[0];
    }
  }
  fail_msg("thread %u does not end", thread);
  return 0;
}

static void run(uint64_t seed) {
  struct writer *w = malloc(sizeof *w);
  assert_non_null(w);
  program(w, seed);
  struct sm_config config;
  sm_config_default(&config);
  struct machine m;
  machine_open(&m, w->text, 1, &config, true);
  uint32_t out[THREADS], zeros[THREADS] = {0};
  const uint32_t params[] = {machine_alloc(&m, sizeof out)};
  const uint32_t dim[3] = {1, 1, 1}, shape[3] = {THREADS, 1, 1};
  machine_write(&m, params[0], zeros, sizeof zeros);
  char text[8192];
  if (!machine_run(&m, "k", dim, shape, params, 4000000))
    fail_msg("seed %llu: %s", (unsigned long long)seed, machine_trouble(&m, text, sizeof text));
  machine_read(&m, params[0], out, sizeof out);
  for (uint32_t t = 0; t < THREADS; t++) {
    uint32_t want = alone(&m, t, params[0]);
    if (out[t] != want)
      fail_msg("seed %llu: thread %u has %08x, alone %08x", (unsigned long long)seed, t, out[t],
               want);
  }
  machine_close(&m);
  free(w);
}

static void random_nests_agree(void **state) {
  const uint64_t first = *(uint64_t *)*state;
  for (uint64_t seed = first; seed < first + PROGRAMS; seed++)
    run(seed);
}

int main(int argc, char **argv) {
  const char *given = argc > 2 && strcmp(argv[1], "--seed") == 0 ? argv[2] : getenv("TANDEM_SEED");
  uint64_t seed = given != NULL ? strtoull(given, NULL, 0) : 1;
  printf("seed %llu\n", (unsigned long long)seed);
  const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(random_nests_agree, &seed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
