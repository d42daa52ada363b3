/* Random programs in lockstep, and the same outcome from the other engines.
 *
 *   test_random [--seed FIRST] [--count N] [--buddy MEMBERS] [--halfway 1] [--warp-size THREADS]
 *               [--flex MEMBERS] [--dummy STAGES] [--assertions 0]
 *   test_random --check any|race-free|operands [--seed FIRST] [--count N] ...
 *
 * The second runs programs of a kind on the reference alone: what its architectural check says.
 * Operands are edge values, on which any operation works.  Half of the memories are of any size.
 * It prints cycles, and digests of the
 * statistics and of memory without races.
 *
 * Warps race, so what is in memory at the end depends on the configuration; test_same_image
 * compares configurations, with programs that do not. TANDEM_SEED in the environment sets the first
 * seed too. */
#include "tests/random/run.h"
#include "tests/test.h"

struct range {
  uint64_t first, count;
  uint32_t members; /* of a cluster; 1: no clusters */
  enum buddy_regroup regroup;
  uint32_t warp_size;
  uint32_t flex, dummy; /* members of a cluster that shares resources, 0: none; its stages */
  bool assertions;      /* of the RTL; false: none, with the models that kernels have */
  const char *check;    /* kind of programs on the reference alone; NULL: in lockstep */
};

static void broken(uint64_t seed, const char *what, const char *error, const char *report) {
  char path[64];
  (void)snprintf(path, sizeof path, "random-%llu.s", (unsigned long long)seed);
  bool written = run_write_program(seed, false, path);
  fail_msg("seed %llu: %s: %s\n%s\nprogram: %s\nagain with: test_random --seed %llu --count 1",
           (unsigned long long)seed, what, error, report, written ? path : "could not be written",
           (unsigned long long)seed);
}

static void run(uint64_t seed, struct tandem_config *config, enum tandem_engine engine,
                struct run_outcome *outcome) {
  static const char *const names[] = {"rtl", "ref", "lockstep"};
  struct tandem_error err;
  config->engine = engine;
  if (run_random(seed, config, outcome, &err) != TANDEM_OK) {
    char what[64];
    (void)snprintf(what, sizeof what, "%s: failure of kind %s", names[engine],
                   outcome->failure.kind);
    broken(seed, what, err.text, outcome->report);
  }
}

static void same(uint64_t seed, const char *what, const struct run_outcome *a,
                 const struct run_outcome *b) {
  char text[160];
  (void)snprintf(text, sizeof text, "%llu and %llu cycles, digests %016llx and %016llx",
                 (unsigned long long)a->stats.cycles, (unsigned long long)b->stats.cycles,
                 (unsigned long long)a->digest, (unsigned long long)b->digest);
  if (a->stats.cycles != b->stats.cycles || a->digest != b->digest ||
      memcmp(&a->stats.sm, &b->stats.sm, sizeof a->stats.sm) != 0 ||
      memcmp(&a->stats.mem, &b->stats.mem, sizeof a->stats.mem) != 0 ||
      memcmp(&a->stats.feature, &b->stats.feature, sizeof a->stats.feature) != 0)
    broken(seed, what, text, "");
}

static void configure(const struct range *range, uint64_t seed, struct tandem_config *config) {
  if (range->flex != 0)
    run_configure_flex(seed, range->flex, range->dummy, config);
  else if (range->members == 1)
    run_configure(seed, config);
  else
    run_configure_buddy(seed, range->members, range->regroup, config);
  config->feature.wide.warp_size = range->warp_size;
  config->assertions = config->assertions && range->assertions;
}

/* FNV-1a */
static uint64_t digest(uint64_t sum, const void *data, size_t bytes) {
  const uint8_t *p = data;
  for (size_t i = 0; i < bytes; i++)
    sum = (sum ^ p[i]) * UINT64_C(0x100000001b3);
  return sum;
}

static void checked(void **state) {
  const struct range *range = *state;
  struct run_outcome *o = calloc(1, sizeof *o);
  assert_non_null(o);
  for (uint64_t seed = range->first; seed < range->first + range->count; seed++) {
    struct tandem_config config;
    struct run_image image = {0};
    struct tandem_error err;
    configure(range, seed, &config);
    config.engine = TANDEM_ENGINE_REF;
    if (seed % 2 == 0)
      run_configure_memory(seed, &config);
    const enum tandem_status status =
        strcmp(range->check, "race-free") == 0  ? run_race_free(seed, &config, o, &image, &err)
        : strcmp(range->check, "operands") == 0 ? run_operands(seed, &config, o, &err)
                                                : run_random(seed, &config, o, &err);
    if (status != TANDEM_OK)
      fail_msg("seed %llu: failure of kind %s: %s\n%s\n"
               "again with: test_random --check %s --seed %llu --count 1",
               (unsigned long long)seed, o->failure.kind, err.text, o->report, range->check,
               (unsigned long long)seed);
    assert_true(o->stats.iss_checked >= o->stats.sm.warp_instructions);
    const uint64_t counts =
        digest(digest(0, &o->stats.sm, sizeof o->stats.sm), &o->stats.mem, sizeof o->stats.mem);
    print_message("seed %llu: %llu cycles, statistics %016llx, memory %016llx\n",
                  (unsigned long long)seed, (unsigned long long)o->stats.cycles,
                  (unsigned long long)counts,
                  (unsigned long long)digest(0, image.bytes, image.begin[RUN_BUFFERS]));
    free(image.bytes);
  }
  free(o);
}

struct totals {
  uint64_t cycles, instructions, compared, divergent, barriers, halfway;
  uint64_t schemes[FLEX_SCHEMES]; /* launches of clusters that share resources */
  uint64_t far, wakes, planes, lines;
};

static void add_totals(struct totals *t, const struct gpu_stats *s) {
  const struct flex_statistics *f = &s->feature.flex;
  const uint64_t schemes[FLEX_SCHEMES] = {f->launches_base, f->launches_occ, f->launches_bal,
                                          f->launches_bigsm, f->launches_bigsm_occ};
  t->cycles += s->cycles;
  t->instructions += s->sm.warp_instructions;
  t->compared += s->compared;
  t->divergent += s->sm.divergent_branches;
  t->barriers += s->sm.barriers;
  t->halfway += s->feature.buddy.regroups_halfway;
  for (unsigned i = 0; i < FLEX_SCHEMES; i++)
    t->schemes[i] += schemes[i];
  t->far += f->far_pops;
  t->wakes += f->wakes_front_end;
  t->planes += f->operand_planes + f->address_planes;
  t->lines += f->memory_lines;
}

/* Else these programs are no test. */
static void check_totals(const struct range *range, const struct totals *t) {
  print_message("%llu cycles, %llu warp instructions, %llu divergent branches, %llu barriers, "
                "%llu fields compared, %llu groups formed again halfway\n",
                (unsigned long long)t->cycles, (unsigned long long)t->instructions,
                (unsigned long long)t->divergent, (unsigned long long)t->barriers,
                (unsigned long long)t->compared, (unsigned long long)t->halfway);
  if (range->flex != 0)
    print_message(
        "launches in Base %llu, Occ %llu, Bal %llu, BigSM %llu, BigSM_Occ %llu; %llu "
        "far pops, %llu front ends woken, %llu planes and %llu lines over links\n",
        (unsigned long long)t->schemes[FLEX_BASE], (unsigned long long)t->schemes[FLEX_OCC],
        (unsigned long long)t->schemes[FLEX_BAL], (unsigned long long)t->schemes[FLEX_BIGSM],
        (unsigned long long)t->schemes[FLEX_BIGSM_OCC], (unsigned long long)t->far,
        (unsigned long long)t->wakes, (unsigned long long)t->planes, (unsigned long long)t->lines);
  if (range->count < 20)
    return;
  assert_true(t->divergent > 100 && t->barriers > 20);
  if (range->regroup == BUDDY_REGROUP_HALFWAY)
    assert_true(t->halfway > 0);
  for (unsigned i = 0; range->flex != 0 && i < FLEX_SCHEMES; i++)
    assert_true(t->schemes[i] > 1 || (i == FLEX_BAL && range->flex == 2));
  assert_true(range->flex == 0 ||
              (t->far > 20 && t->wakes > 0 && t->planes > 1000 && t->lines > 100));
}

/* Compares the runs of a seed's program on all engines. */
static void program(const struct range *range, uint64_t seed, struct run_outcome *o,
                    struct totals *t) {
  struct tandem_config config;
  configure(range, seed, &config);
  run(seed, &config, TANDEM_ENGINE_LOCKSTEP, &o[0]);
  const struct gpu_stats *s = &o[0].stats;
  /* The ISS checks each slice of a large warp, or half of a wide one, that has a lane. */
  const uint64_t fewest = s->sm.warp_instructions, slices = range->flex != 0 ? 2 : 1,
                 most = fewest * slices * range->warp_size / 32;
  if (s->compared <= s->cycles || s->iss_checked < fewest || s->iss_checked > most)
    broken(seed, "lockstep", "too little was compared or checked", "");
  config.threads = range->flex != 0 ? 1 + (uint32_t)(seed % 3) : 1;
  config.together = true;
  run(seed, &config, TANDEM_ENGINE_REF, &o[1]);
  same(seed, "ref differs from lockstep", &o[0], &o[1]);
  if (seed % 4 == 0) {
    run(seed, &config, TANDEM_ENGINE_RTL, &o[1]);
    same(seed, "rtl differs from lockstep", &o[0], &o[1]);
  }
  add_totals(t, s);
}

static void programs(void **state) {
  const struct range *range = *state;
  struct run_outcome *o = calloc(2, sizeof *o);
  struct totals t = {0};
  assert_non_null(o);
  print_message("seeds %llu to %llu\n", (unsigned long long)range->first,
                (unsigned long long)(range->first + range->count - 1));
  for (uint64_t seed = range->first; seed < range->first + range->count; seed++)
    program(range, seed, o, &t);
  check_totals(range, &t);
  free(o);
}

int main(int argc, char **argv) {
  struct range range = {
      .first = 1, .count = 100, .members = 1, .warp_size = 32, .dummy = 1, .assertions = true};
  const char *seed = getenv("TANDEM_SEED");
  if (seed != NULL)
    range.first = strtoull(seed, NULL, 0);
  for (int i = 1; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "--seed") == 0)
      range.first = strtoull(argv[i + 1], NULL, 0);
    else if (strcmp(argv[i], "--count") == 0)
      range.count = strtoull(argv[i + 1], NULL, 0);
    else if (strcmp(argv[i], "--buddy") == 0)
      range.members = (uint32_t)strtoul(argv[i + 1], NULL, 0);
    else if (strcmp(argv[i], "--halfway") == 0)
      range.regroup = argv[i + 1][0] == '1' ? BUDDY_REGROUP_HALFWAY : BUDDY_REGROUP_NEW_KERNEL;
    else if (strcmp(argv[i], "--warp-size") == 0)
      range.warp_size = (uint32_t)strtoul(argv[i + 1], NULL, 0);
    else if (strcmp(argv[i], "--flex") == 0)
      range.flex = (uint32_t)strtoul(argv[i + 1], NULL, 0);
    else if (strcmp(argv[i], "--dummy") == 0)
      range.dummy = (uint32_t)strtoul(argv[i + 1], NULL, 0);
    else if (strcmp(argv[i], "--assertions") == 0)
      range.assertions = argv[i + 1][0] != '0';
    else if (strcmp(argv[i], "--check") == 0)
      range.check = argv[i + 1];
  }
  const struct CMUnitTest lockstep[] = {cmocka_unit_test_prestate(programs, &range)};
  const struct CMUnitTest check[] = {cmocka_unit_test_prestate(checked, &range)};
  return range.check != NULL ? cmocka_run_group_tests_name("random", check, NULL, NULL)
                             : cmocka_run_group_tests_name("random", lockstep, NULL, NULL);
}
