/* The C API: GPUs, memory, launches, and what must not change results. */
#include "tests/system/helpers.h"

static const struct tandem_program *load(struct tandem *t) {
  const struct tandem_program *p;
  struct tandem_error err;
  if (tandem_load(t, PROGRAMS "/faults.cl", NULL, &p, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  return p;
}

struct block {
  uint32_t a, n;
};

static enum tandem_status launch(struct tandem *t, const struct tandem_program *p,
                                 const char *kernel, uint32_t grid, uint32_t block,
                                 const struct block *args, size_t bytes, struct tandem_error *err) {
  struct tandem_launch l = {.program = p,
                            .kernel = kernel,
                            .grid = {grid, 1, 1},
                            .block = {block, 1, 1},
                            .args = args,
                            .args_bytes = bytes};
  return tandem_launch(t, &l, err);
}

/* Two GPUs, used in turns, each with memory and program of its own. */
TEST(two_gpus) {
  struct tandem_config c[2] = {small(TANDEM_ENGINE_LOCKSTEP), small(TANDEM_ENGINE_REF)};
  c[1].sms = 1;
  struct tandem *t[2];
  const struct tandem_program *p[2];
  struct block args[2];
  uint32_t data[256];
  struct tandem_error err;
  for (uint32_t g = 0; g < 2; g++) {
    t[g] = open_gpu(&c[g]);
    p[g] = load(t[g]);
    assert_int_equal(tandem_alloc(t[g], sizeof data, &args[g].a, &err), TANDEM_OK);
    args[g].n = 256 - 100 * g;
    for (uint32_t i = 0; i < 256; i++)
      data[i] = i + 1000 * g;
    assert_int_equal(tandem_write(t[g], args[g].a, data, sizeof data, &err), TANDEM_OK);
  }
  for (unsigned round = 0; round < 2; round++)
    for (unsigned g = 0; g < 2; g++)
      if (launch(t[g], p[g], "fine", 4, 64, &args[g], sizeof args[g], &err) != TANDEM_OK)
        fail_msg("%s", err.text);
  for (uint32_t g = 0; g < 2; g++) {
    struct gpu_stats s;
    assert_int_equal(tandem_read(t[g], args[g].a, data, sizeof data, &err), TANDEM_OK);
    for (uint32_t i = 0; i < 256; i++)
      assert_int_equal(data[i], i < args[g].n ? 3 * (3 * (i + 1000 * g) + i) + i : i + 1000 * g);
    gpu_statistics(t[g], &s);
    assert_int_equal(s.launches, 2);
    assert_true(s.iss_checked > 0 && s.iss_checked == s.sm.warp_instructions);
    assert_true(g == 0 ? s.compared > s.cycles : s.compared == 0);
    assert_string_equal(tandem_report(t[g]), "");
    tandem_close(t[g]);
  }
}

TEST(memory_errors) {
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  struct tandem *t = open_gpu(&c);
  struct tandem_error err;
  uint32_t a, b, word = 7;
  assert_int_equal(tandem_alloc(t, 100, &a, &err), TANDEM_OK);
  assert_int_equal(tandem_alloc(t, 100, &b, &err), TANDEM_OK);
  assert_true(b >= a + 100);
  assert_int_equal(tandem_read(t, a + 96, &word, 4, &err), TANDEM_OK);
  assert_int_equal(word, 0);
  assert_int_equal(tandem_write(t, a + 1024, &word, 4, &err), TANDEM_USAGE);
  contains(err.text, "0x");
  assert_int_equal(tandem_read(t, 0, &word, 4, &err), TANDEM_USAGE);
  assert_int_equal(tandem_read(t, 0, &word, 4, NULL), TANDEM_USAGE);
  assert_int_equal(tandem_alloc(t, UINT64_C(1) << 40, &a, &err), TANDEM_USAGE);
  tandem_close(t);
}

TEST(launch_errors) {
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  struct tandem *t = open_gpu(&c), *other = open_gpu(&c);
  const struct tandem_program *p = load(t);
  struct tandem_error err;
  struct block args = {0, 0};
  assert_int_equal(tandem_alloc(t, 4096, &args.a, &err), TANDEM_OK);
  assert_int_equal(launch(t, p, "nothing", 1, 32, &args, sizeof args, &err), TANDEM_USAGE);
  contains(err.text, "nothing");
  assert_int_equal(launch(t, p, "fine", 1, 32, &args, 4, &err), TANDEM_USAGE);
  contains(err.text, "8 bytes of parameters, not 4");
  assert_int_equal(launch(t, p, "fine", 0, 32, &args, sizeof args, &err), TANDEM_USAGE);
  contains(err.text, "grid");
  assert_int_equal(launch(t, p, "fine", 65536, 32, &args, sizeof args, &err), TANDEM_USAGE);
  assert_int_equal(launch(t, p, "fine", 1, 0, &args, sizeof args, &err), TANDEM_USAGE);
  assert_int_equal(launch(t, p, "fine", 1, 1025, &args, sizeof args, &err), TANDEM_USAGE);
  contains(err.text, "block");
  assert_int_equal(launch(other, p, "fine", 1, 32, &args, sizeof args, &err), TANDEM_USAGE);
  contains(err.text, "tandem_load");
  struct tandem_launch l = {.program = p,
                            .kernel = "fine",
                            .grid = {1, 1, 1},
                            .block = {32, 1, 1},
                            .args = &args,
                            .args_bytes = sizeof args,
                            .dynamic_shared = 1 << 20};
  assert_int_equal(tandem_launch(t, &l, &err), TANDEM_USAGE);
  contains(err.text, "shared");
  l.dynamic_shared = 0;
  for (l.registers = 1; l.registers <= 64; l.registers += 63) {
    assert_int_equal(tandem_launch(t, &l, &err), TANDEM_USAGE);
    contains(err.text, "registers a thread: a launch may allocate ");
    contains(err.text, l.registers == 1 ? " to 63, not 1" : " to 63, not 64");
  }
  l.registers = 0;
  l.work_dim = 4;
  assert_int_equal(tandem_launch(t, &l, &err), TANDEM_USAGE);
  contains(err.text, "work_dim must be 1 to 3 for these sizes, not 4");
  l.work_dim = 2;
  l.grid[2] = 2;
  assert_int_equal(tandem_launch(t, &l, &err), TANDEM_USAGE);
  contains(err.text, "work_dim must be 3 to 3 for these sizes, not 2");
  /* None of it has hurt the GPU. */
  assert_int_equal(launch(t, p, "fine", 1, 32, &args, sizeof args, &err), TANDEM_OK);
  tandem_close(t);
  tandem_close(other);
}

/* Many CTAs of 512 threads on one SM that holds at most `ctas`, each thread with `registers`. */
static void run_allocated(uint32_t ctas, uint32_t registers, struct gpu_stats *s,
                          uint64_t *digest) {
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  struct tandem_error err;
  c.sms = 1;
  c.sm.ctas = ctas;
  struct tandem *t = open_gpu(&c);
  struct block args = {0, 8192};
  assert_int_equal(tandem_alloc(t, UINT64_C(4) * args.n, &args.a, &err), TANDEM_OK);
  const struct tandem_launch l = {.program = load(t),
                                  .kernel = "fine",
                                  .grid = {16, 1, 1},
                                  .block = {512, 1, 1},
                                  .args = &args,
                                  .args_bytes = sizeof args,
                                  .registers = registers};
  if (tandem_launch(t, &l, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  gpu_statistics(t, s);
  *digest = tandem_digest(t);
  tandem_close(t);
}

/* The registers that a launch allocates change the occupancy: a limit of CTAs does the same, and
 * nothing else is different. */
TEST(allocated_registers) {
  struct gpu_stats usual, few, limited;
  uint64_t digest[3];
  run_allocated(8, 0, &usual, &digest[0]);
  run_allocated(8, 63, &few, &digest[1]);
  run_allocated(1, 0, &limited, &digest[2]);
  assert_true(few.cycles > usual.cycles + usual.cycles / 4);
  assert_int_equal(few.cycles, limited.cycles);
  assert_memory_equal(&few.sm, &limited.sm, sizeof few.sm);
  assert_memory_equal(&few.mem, &limited.mem, sizeof few.mem);
  assert_int_equal(few.sm.warp_instructions, usual.sm.warp_instructions);
  assert_true(digest[0] == digest[1] && digest[1] == digest[2]);
}

/* A kernel may take max_cycles cycles and not one more. */
TEST(exactly_max_cycles) {
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  struct tandem_error err;
  struct gpu_stats s;
  for (unsigned less = 0; less < 3; less++) {
    struct tandem *t = open_gpu(&c);
    const struct tandem_program *p = load(t);
    struct block args = {0, 64};
    assert_int_equal(tandem_alloc(t, 4096, &args.a, &err), TANDEM_OK);
    assert_int_equal(launch(t, p, "fine", 1, 64, &args, sizeof args, &err),
                     less < 2 ? TANDEM_OK : TANDEM_FAULT);
    gpu_statistics(t, &s);
    c.max_cycles = s.cycles - less;
    tandem_close(t);
  }
}

TEST(bad_configurations) {
  struct tandem *t;
  struct tandem_error err;
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  c.sms = 65;
  assert_int_equal(tandem_open(&c, &t, &err), TANDEM_USAGE);
  contains(err.text, "sms");
  assert_null(t);
  c = small(TANDEM_ENGINE_REF);
  c.trace = "x.fst";
  assert_int_equal(tandem_open(&c, &t, &err), TANDEM_USAGE);
  contains(err.text, "RTL");
  c = small(TANDEM_ENGINE_LOCKSTEP);
  c.trace = PROGRAMS "/none/x.fst";
  assert_int_equal(tandem_open(&c, &t, &err), TANDEM_USAGE);
  contains(err.text, PROGRAMS "/none/x.fst");
  c.trace = "x.fst";
  c.trace_sms = 5;
  assert_int_equal(tandem_open(&c, &t, &err), TANDEM_USAGE);
  contains(err.text, "SMs 0 to 1");
  c = small(TANDEM_ENGINE_REF);
  c.sm.shared_bytes = 1 << 18;
  assert_int_equal(tandem_open(&c, &t, &err), TANDEM_USAGE);
  contains(err.text, "above memory.shared_bytes (49152)");
  c = small(TANDEM_ENGINE_REF);
  c.bug = 1;
  assert_int_equal(tandem_open(&c, &t, &err), TANDEM_USAGE);
}

/* Results of a run; they must not depend on how it was computed. */
struct outcome {
  struct gpu_stats stats;
  struct sm_stats sm[3];
  uint64_t digest;
};

static struct outcome scan(const struct tandem_config *c) {
  struct outcome o;
  struct tandem_job *job;
  struct tandem_error err;
  struct tandem *t = open_gpu(c);
  if (tandem_job_open(t, KERNELS "/prefix/prefix.yaml", &job, &err) != TANDEM_OK ||
      tandem_job_run(job, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  gpu_statistics(t, &o.stats);
  for (unsigned i = 0; i < 3; i++)
    gpu_sm_statistics(t, i, &o.sm[i]);
  o.digest = tandem_digest(t);
  tandem_job_close(job);
  tandem_close(t);
  return o;
}

static void same(const struct outcome *a, const struct outcome *b, bool compared) {
  assert_int_equal(a->stats.cycles, b->stats.cycles);
  assert_memory_equal(&a->stats.sm, &b->stats.sm, sizeof a->stats.sm);
  assert_memory_equal(&a->stats.mem, &b->stats.mem, sizeof a->stats.mem);
  assert_memory_equal(a->sm, b->sm, sizeof a->sm);
  assert_int_equal(a->digest, b->digest);
  assert_int_equal(a->stats.iss_checked, b->stats.iss_checked);
  if (compared)
    assert_int_equal(a->stats.compared, b->stats.compared);
}

TEST(nothing_shows) {
  struct tandem_config c = small(TANDEM_ENGINE_LOCKSTEP);
  c.sms = 3;
  const struct outcome one = scan(&c);
  assert_true(one.stats.cycles > 1000 && one.stats.compared > one.stats.cycles);
  c.together = true;
  for (uint32_t threads = 2; threads <= 3; threads++) {
    c.threads = threads;
    const struct outcome more = scan(&c);
    same(&one, &more, true);
  }
  c.threads = 1;
  c.skip_quiet = false;
  const struct outcome all = scan(&c);
  same(&one, &all, false);
  assert_true(all.stats.frontend_steps > one.stats.frontend_steps);
  assert_true(all.stats.compared > one.stats.compared);
  c.skip_quiet = true;
  c.seed = 99;
  const struct outcome seeded = scan(&c);
  same(&one, &seeded, true);
  c.engine = TANDEM_ENGINE_REF;
  const struct outcome ref = scan(&c);
  same(&one, &ref, false);
  c.engine = TANDEM_ENGINE_RTL;
  const struct outcome rtl = scan(&c);
  same(&one, &rtl, false);
}

/* Every port and state field is compared, and its count is that of its qualifier. */
TEST(every_port_is_compared) {
  struct tandem_config c = small(TANDEM_ENGINE_LOCKSTEP);
  struct tandem_job *job;
  struct tandem_error err;
  struct gpu_stats stats;
  struct tandem_compared rows[128];
  c.skip_quiet = false;
  struct tandem *t = open_gpu(&c);
  if (tandem_job_open(t, KERNELS "/prefix/prefix.yaml", &job, &err) != TANDEM_OK ||
      tandem_job_run(job, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
  gpu_statistics(t, &stats);
  const size_t n = tandem_comparisons(t, rows, 128);
  assert_in_range(n, 40, 128);
  uint64_t issued = 0, sum = 0;
  for (size_t i = 0; i < n; i++) {
    sum += rows[i].count;
    if (strcmp(rows[i].name, "iss0_pc") == 0 || strcmp(rows[i].name, "iss1_pc") == 0)
      issued += rows[i].count;
    if (strcmp(rows[i].name, "quiet") == 0)
      assert_int_equal(rows[i].count, stats.cycles * c.sms);
    if (strcmp(rows[i].name, "trap_warp") != 0 && rows[i].count == 0)
      fail_msg("%s.%s was never compared", rows[i].unit, rows[i].name);
  }
  assert_int_equal(sum, stats.compared);
  assert_int_equal(issued, stats.sm.warp_instructions);
  tandem_job_close(job);
  tandem_close(t);
}

int main(void) { return test_run(NULL, NULL); }
