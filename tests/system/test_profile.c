/* The profile: its sums are the statistics, on every machine. */
#include "harness/gpu/results/profile.h"

#include "csim/isa/lanes/lanes.h"
#include "csim/isa/opencl/opencl.h"
#include "tests/flex/machine.h"

static const char text[] =
    "program: profile.cl\n"
    "buffers:\n"
    "  - {name: out, type: s32, count: 1152}\n"
    "  - {name: in, type: s32, count: 4096, fill: {range: {start: 1, step: 3}}}\n"
    "steps:\n"
    "  - launch: {kernel: mixed, grid: [9], block: [128], args: [{buffer: out}, {buffer: in}, "
    "{s32: 4096}]}\n"
    "  - launch: {kernel: other, grid: [9], block: [128], args: [{buffer: out}]}\n"
    "  - launch: {kernel: mixed, grid: [5], block: [128], args: [{buffer: out}, {buffer: in}, "
    "{s32: 4096}]}\n";

static struct tandem_config profiled(void) {
  struct tandem_config c = small(TANDEM_ENGINE_REF);
  c.profile = true;
  return c;
}

static struct gpu_profile_row sum_of(const struct gpu_profile_kernel *k) {
  struct gpu_profile_row sum = k->none;
  for (uint32_t i = 0; i < k->end - k->entry; i++)
    gpu_profile_add(&sum, &k->rows[i]);
  return sum;
}

/* Fails unless each counter of the profile is that of the statistics, and not 0 where the program
 * makes it so. */
static void equals_statistics(const struct tandem *t, const char *what) {
  struct gpu_profile_row all = {{0}, {0}};
  struct gpu_stats s;
  uint64_t cycles = 0;
  gpu_statistics(t, &s);
  for (size_t i = 0; i < gpu_profile_kernels(t); i++) {
    const struct gpu_profile_row sum = sum_of(gpu_profile_kernel(t, i));
    gpu_profile_add(&all, &sum);
    cycles += gpu_profile_kernel(t, i)->cycles;
  }
  bool good = cycles == s.cycles && all.sm.bank_conflicts != 0 && all.mem.transactions != 0 &&
              all.mem.l1d_misses != 0 && all.mem.shared_conflict_cycles != 0 &&
              all.mem.l1d_reserved_fails != 0 && all.sm.stalls[STALL_BARRIER] != 0;
#define PROFILE(field, ...) good = good && all.sm.field == s.sm.field;
#include "csim/sm/profile.def"
#define PROFILE(field, ...) good = good && all.mem.field == s.mem.field;
#include "csim/mem/profile.def"
  if (!good || memcmp(all.sm.stalls, s.sm.stalls, sizeof s.sm.stalls) != 0)
    fail_msg("%s: the sums of the profile are not the statistics", what);
}

static void run_on(const struct tandem_config *c, const char *what) {
  struct tandem *t;
  struct tandem_error err;
  if (run_text(c, text, &t, &err) != TANDEM_OK)
    fail_msg("%s: %s", what, err.text);
  assert_int_equal(gpu_profile_kernels(t), 2);
  assert_int_equal(gpu_profile_kernel(t, 0)->launches, 2);
  assert_string_equal(gpu_profile_kernel(t, 1)->name, "other");
  equals_statistics(t, what);
  tandem_close(t);
}

TEST(sums_of_plain_sms) {
  struct tandem_config c = profiled();
  run_on(&c, "plain");
  c.skip_quiet = false;
  run_on(&c, "plain, no cycle left out");
}

TEST(sums_of_clusters) {
  for (uint32_t size = 2; size <= 4; size *= 2) {
    struct tandem_config c = profiled();
    c.sms = 4;
    c.feature.buddy.size = size;
    run_on(&c, "buddy");
  }
}

TEST(sums_of_large_warps) {
  for (uint32_t size = 64; size <= 128; size *= 2) {
    struct tandem_config c = profiled();
    c.feature.wide.warp_size = size;
    run_on(&c, "large warps");
  }
}

TEST(sums_of_all_schemes) {
  for (unsigned scheme = FLEX_BASE; scheme < FLEX_SCHEMES; scheme++) {
    struct tandem_config c = table2_gpu(FLEX_MEMBERS, (enum flex_scheme)scheme);
    c.profile = true;
    run_on(&c, flex_name((enum flex_scheme)scheme));
  }
}

/* Each counter is with the instruction that made it. */
TEST(instructions) {
  struct tandem_config c = profiled();
  struct tandem *t;
  struct tandem_error err;
  unsigned barriers = 0, issues = 0;
  assert_int_equal(run_text(&c, text, &t, &err), TANDEM_OK);
  const struct gpu_profile_kernel *k = gpu_profile_kernel(t, 0);
  for (uint32_t i = 0; i < k->end - k->entry; i++) {
    const struct isa_uop *u = &k->uops[k->entry + i];
    const struct gpu_profile_row *r = &k->rows[i];
    assert_int_equal(r->sm.stalls[STALL_NONE], r->sm.warp_instructions);
    assert_true(r->sm.thread_instructions <= 32 * r->sm.warp_instructions);
    assert_true(r->mem.transactions == 0 || u->pipe == ISA_PIPE_MEM);
    assert_true(r->mem.l1d_misses <= r->mem.transactions);
    assert_true(r->mem.shared_conflict_cycles == 0 || u->id == ISA_STS || u->id == ISA_LDS);
    assert_true(r->sm.stalls[STALL_CONTROL] == 0 || u->id == ISA_BRA || u->id == ISA_EXIT);
    assert_true(r->sm.stalls[STALL_BARRIER] == 0 || u->id == ISA_BAR);
    assert_int_equal(r->sm.stalls[STALL_IDLE], 0);
    barriers += u->id == ISA_BAR && r->sm.stalls[STALL_BARRIER] != 0;
    issues += r->sm.warp_instructions != 0;
  }
  assert_int_equal(barriers, 1);
  assert_true(issues > 20);
  assert_int_equal(k->rows[0].sm.warp_instructions, 14 * 4); /* CTAs, warps of each */
  assert_int_equal(k->none.sm.stalls[STALL_SCOREBOARD], 0);
  tandem_close(t);
}

/* Fails unless `shown` is line `number` of the text but for blanks. */
static void is_line(const char *ptx, uint32_t number, const char *shown) {
  for (; number > 1; number--) {
    ptx = strchr(ptx, '\n');
    assert_non_null(ptx);
    ptx++;
  }
  for (; *ptx != '\n'; ptx++) {
    shown += *shown == ' ';
    if (*ptx != ' ' && *ptx != '\t')
      assert_int_equal(*shown++, *ptx);
  }
  assert_int_equal(*shown, 0);
}

/* Each instruction of OpenCL C has its line of the PTX, in whatever order they are asked for. */
TEST(ptx) {
  static const struct {
    enum isa_id id;
    const char *ptx;
  } pairs[] = {{ISA_LDG, "ld.global."}, {ISA_STG, "st.global."}, {ISA_LDS, "ld.shared."},
               {ISA_STS, "st.shared."}, {ISA_BAR, "bar.sync"},   {ISA_IREM, "rem.s32"},
               {ISA_SELP, "selp.b32"},  {ISA_EXIT, "ret;"}};
  const struct tandem_config c = profiled();
  struct tandem *t;
  struct tandem_error err;
  char *ptx, shown[256];
  unsigned seen = 0;
  assert_int_equal(run_text(&c, text, &t, &err), TANDEM_OK);
  assert_int_equal(opencl_to_ptx(PROGRAMS "/profile.cl", NULL, &ptx, &err), 0);
  for (size_t i = 0; i < gpu_profile_kernels(t); i++) {
    const struct gpu_profile_kernel *k = gpu_profile_kernel(t, i);
    struct isa_ptx_line up = {0}, down = {0};
    for (uint32_t n = 0; n < k->end - k->entry; n++) {
      const uint32_t pc = k->entry + n, back = k->end - 1 - n;
      struct isa_ptx_line fresh = {0};
      assert_true(isa_program_ptx(k->program, back, &fresh, shown, sizeof shown));
      assert_true(isa_program_ptx(k->program, back, &down, shown, sizeof shown));
      assert_int_equal(down.number, fresh.number);
      assert_true(isa_program_ptx(k->program, pc, &up, shown, sizeof shown));
      is_line(ptx, up.number, shown);
      for (unsigned j = 0; j < sizeof pairs / sizeof pairs[0]; j++)
        if (k->uops[pc].id == pairs[j].id) {
          contains(shown, pairs[j].ptx);
          seen |= 1U << j;
        }
    }
    assert_false(isa_program_ptx(k->program, (uint32_t)k->program->ncode, &up, shown, 256));
  }
  assert_int_equal(seen, (1U << sizeof pairs / sizeof pairs[0]) - 1);
  free(ptx);
  tandem_close(t);
}

/* Nothing is counted, and nothing changes, without it. */
TEST(off) {
  struct tandem_config c = profiled();
  struct tandem *with, *without;
  struct tandem_error err;
  struct gpu_stats a, b;
  assert_int_equal(run_text(&c, text, &with, &err), TANDEM_OK);
  c.profile = false;
  assert_int_equal(run_text(&c, text, &without, &err), TANDEM_OK);
  assert_int_equal(gpu_profile_kernels(without), 0);
  gpu_statistics(with, &a);
  gpu_statistics(without, &b);
  assert_memory_equal(&a.sm, &b.sm, sizeof a.sm);
  assert_memory_equal(&a.mem, &b.mem, sizeof a.mem);
  tandem_close(with);
  tandem_close(without);
}

int main(void) { return test_run(NULL, NULL); }
