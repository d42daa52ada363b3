/* Counters of a back end in wide warps: each counts once, by lanes, or in both halves. */
#include "csim/isa/core/isa.h"
#include "harness/gpu/flex/flex.h"
#include "tests/flex/machine.h"

enum kind {
  ONCE = 1,   /* of the wide warp, in the borrower alone */
  BY_LANES,   /* of lanes and registers: the halves' sum is that of two warps */
  OF_EACH_SM, /* of collectors and time: the halves are equal */
  WITH_LANES  /* of SMs with a live half: the upper one has threads only if the lower one has */
};

static const struct {
  const char *name;
  enum kind kind;
} kinds[] = {{"cycles", OF_EACH_SM},
             {"active_cycles", WITH_LANES},
             {"warp_cycles", ONCE},
             {"warp_instructions", ONCE},
             {"thread_instructions", BY_LANES},
             {"operands_read", BY_LANES},
             {"operands_written", BY_LANES},
             {"ctas", ONCE},
             {"ended_cta_cycles", ONCE},
             {"branches", ONCE},
             {"divergent_branches", ONCE},
             {"barriers", ONCE},
             {"spinning_warps", ONCE},
             {"bank_conflicts", OF_EACH_SM},
             {"collector_full_sp", OF_EACH_SM},
             {"collector_full_sfu", OF_EACH_SM},
             {"collector_full_mem", OF_EACH_SM}};

static const struct {
  const char *name;
  size_t at;
} counters[] = {
#define STAT_COUNT(name, ...) {#name, offsetof(struct sm_stats, name)},
#include "csim/sm/stats.def"
};
enum { COUNTERS = sizeof counters / sizeof counters[0] };

static enum kind kind_of(unsigned counter) {
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if (strcmp(kinds[i].name, counters[counter].name) == 0)
      return kinds[i].kind;
  fail_msg("is %s of a wide warp, of lanes or of each SM?", counters[counter].name);
  return ONCE;
}

static uint64_t value(const struct sm_stats *s, unsigned counter) {
  uint64_t v;
  memcpy(&v, (const char *)s + counters[counter].at, sizeof v);
  return v;
}

struct counts {
  struct gpu_stats all;
  struct sm_stats sm[FLEX_MEMBERS];
};

static void run(const char *kernel, enum flex_scheme scheme, struct counts *n) {
  const struct tandem_config c = table2_gpu(FLEX_MEMBERS, scheme);
  struct tandem *t;
  struct tandem_error err;
  if (run_kernel(&c, kernel, &t, &err) != TANDEM_OK)
    fail_msg("%s: %s %s", kernel, err.text, tandem_report(t));
  gpu_statistics(t, &n->all);
  for (unsigned m = 0; m < FLEX_MEMBERS; m++)
    gpu_sm_statistics(t, m, &n->sm[m]);
  assert_int_equal(n->all.global_races, 0);
  tandem_close(t);
}

/* The lender of each pair beside its borrower. */
static void check_halves(const char *kernel, const struct counts *n) {
  for (unsigned m = 0; m < FLEX_MEMBERS; m++) {
    const int lender = flex_lender(FLEX_BIGSM, m);
    for (unsigned i = 0; i < COUNTERS && lender >= 0; i++) {
      const uint64_t low = value(&n->sm[m], i), high = value(&n->sm[lender], i);
      const enum kind kind = kind_of(i);
      if ((kind == ONCE && high != 0) || (kind == OF_EACH_SM && high != low) ||
          (kind == WITH_LANES && (high == 0 || high > low)))
        fail_msg("%s: %s is %lu in SM %u and %lu in its lender", kernel, counters[i].name,
                 (unsigned long)low, m, (unsigned long)high);
    }
    for (unsigned u = 0; u < 16 && lender >= 0; u++)
      assert_int_equal(n->sm[lender].by_unit[u], 0);
  }
}

/* Sums that hold in any scheme. */
static void check_sums(const struct counts *n) {
  const struct sm_stats *s = &n->all.sm;
  uint64_t units = 0, slots = 0;
  for (unsigned u = 0; u < 16; u++)
    units += s->by_unit[u];
  for (unsigned c = 0; c < STALL_CODES; c++)
    slots += s->stalls[c];
  assert_true(s->warp_instructions > 100);
  assert_int_equal(units, s->warp_instructions);
  assert_int_equal(s->stalls[STALL_NONE], s->warp_instructions);
  assert_int_equal(slots, 2 * FLEX_MEMBERS * n->all.cycles);
  assert_true(s->warp_cycles <= n->all.warp_room);
}

/* Threads, lanes and CTAs are those of Base. */
static void check_base(const struct counts *base, const struct counts *n) {
  const struct sm_stats *a = &base->all.sm, *b = &n->all.sm;
  assert_int_equal(a->thread_instructions, b->thread_instructions);
  assert_int_equal(a->ctas, b->ctas);
  assert_int_equal(base->all.mem.global_words_loaded, n->all.mem.global_words_loaded);
  assert_int_equal(base->all.mem.global_words_stored, n->all.mem.global_words_stored);
  assert_int_equal(base->all.feature.flex.wide_instructions, 0);
}

/* A warp of 64 threads that never diverges counts as half of two warps. */
static void check_uniform(const struct counts *base, const struct counts *n) {
  for (unsigned i = 0; i < COUNTERS; i++) {
    const uint64_t a = value(&base->all.sm, i), b = value(&n->all.sm, i);
    if (kind_of(i) == BY_LANES)
      assert_int_equal(a, b);
  }
  assert_int_equal(base->all.sm.warp_instructions, 2 * n->all.sm.warp_instructions);
  assert_int_equal(base->all.sm.branches, 2 * n->all.sm.branches);
  assert_int_equal(base->all.sm.barriers, 2 * n->all.sm.barriers);
  const struct mem_stats *m = &base->all.mem, *w = &n->all.mem;
  assert_int_equal(m->global_loads, 2 * w->global_loads);
  assert_int_equal(m->global_stores, 2 * w->global_stores);
  assert_int_equal(m->shared_accesses, 2 * w->shared_accesses);
  assert_int_equal(m->const_accesses, 2 * w->const_accesses);
  for (unsigned u = 0; u < 16; u++)
    assert_int_equal(base->all.sm.by_unit[u], 2 * n->all.sm.by_unit[u]);
}

TEST(wide_warps) {
  static const struct {
    const char *kernel;
    bool uniform;
  } runs[] = {{"vecadd", false}, {"reduction", false}, {"matmul", true}};
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
    struct counts base, wide;
    run(runs[i].kernel, FLEX_BASE, &base);
    check_sums(&base);
    for (unsigned s = FLEX_BIGSM; s <= FLEX_BIGSM_OCC; s++) {
      run(runs[i].kernel, (enum flex_scheme)s, &wide);
      check_sums(&wide);
      check_halves(runs[i].kernel, &wide);
      check_base(&base, &wide);
      assert_int_equal(wide.all.feature.flex.wide_instructions, wide.all.sm.warp_instructions);
      assert_true(wide.all.feature.flex.branches > wide.all.sm.branches); /* exits, too */
      assert_int_equal(wide.all.feature.flex.far_narrow, 0);
      assert_int_equal(wide.all.feature.flex.staged, wide.all.sm.warp_instructions);
      if (runs[i].uniform)
        check_uniform(&base, &wide);
    }
  }
}

/* Lanes of a borrowed warp's branches and exits cross, those of own warps do not. */
TEST(borrowed_warps) {
  for (unsigned s = FLEX_BASE; s <= FLEX_BAL; s++) {
    struct counts n;
    run("vecadd", (enum flex_scheme)s, &n);
    check_sums(&n);
    const struct flex_statistics *f = &n.all.feature.flex;
    assert_int_equal(f->staged, s == FLEX_BASE ? 0 : n.all.sm.warp_instructions);
    assert_int_equal(f->far_narrow, f->far_reads);
    assert_int_equal(f->far_reads != 0, s != FLEX_BASE);
    assert_int_equal(f->branches != 0, s != FLEX_BASE);
    assert_true(f->branches <= n.all.sm.by_unit[ISA_U_CTRL]);
  }
}

int main(void) { return test_run(NULL, NULL); }
