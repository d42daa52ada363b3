/* Race-free random programs leave the same memory image, and their warps the same paths, in every
 * configuration: front ends shared or not, in clusters of any size, formation, regroup, monitor
 * entries and hop latency, in large warps, in clusters that share resources in any scheme, on GPUs
 * of any size; and moved: with other latencies of pipelines and memory, the other scheduler, and
 * CTAs that come later and to other SMs.
 *
 * A warp's path is the sequence of its PCs with their lanes, so that each thread executes the same
 * instructions.  Nothing of it comes from the specification of a unit.
 *
 *   test_same_image [--seed FIRST] [--count N] [--each K] [--only TEXT] [--engine ref|lockstep]
 *
 * --each: configurations for each seed, in turn, so that all have theirs (default: all); --only:
 * those whose names have this in them.  TANDEM_SEED in the environment sets the first seed too. */
#include "tests/random/run.h"
#include "tests/test.h"

enum { MAX_VARIANTS = 128 };

struct variant {
  char name[48];
  uint32_t sms; /* 0: as many as the seed says */
  uint32_t warp_size, members, hop, entries;
  uint32_t flex; /* members of a cluster that shares resources; 0: none */
  enum flex_scheme scheme;
  enum buddy_formation formation;
  enum buddy_regroup regroup;
  bool moved;
};

struct range {
  uint64_t first, count, each;
  const char *only;
  enum tandem_engine engine;
  struct variant variants[MAX_VARIANTS];
  unsigned nvariants;
};

static void add_variant(struct range *r, struct variant v) {
  if (v.members > 1)
    (void)snprintf(v.name, sizeof v.name, "buddy %u:%u:%u%s%s%s", v.members, v.hop, v.entries,
                   v.formation == BUDDY_FORM_ADAPTIVE ? " adaptive" : "",
                   v.regroup == BUDDY_REGROUP_HALFWAY ? " halfway" : "", v.moved ? " moved" : "");
  else if (v.flex != 0)
    (void)snprintf(v.name, sizeof v.name, "flex %u %s%s", v.flex, flex_name(v.scheme),
                   v.moved ? " moved" : "");
  else if (v.warp_size > 32)
    (void)snprintf(v.name, sizeof v.name, "warp size %u", v.warp_size);
  else
    (void)snprintf(v.name, sizeof v.name, "%u SMs%s", v.sms, v.moved ? " moved" : "");
  if (strstr(v.name, r->only) == NULL)
    return;
  assert_true(r->nvariants < MAX_VARIANTS);
  r->variants[r->nvariants++] = v;
}

/* Each differs in much from those before and behind it, which the same seed runs. */
static void add_variants(struct range *r) {
  static const uint32_t members[] = {4, 2, 8}, entries[] = {1, 2, 4}, sizes[] = {64, 128},
                        sms[] = {3, 16};
  const struct variant alone = {.warp_size = 32, .members = 1, .hop = 1, .entries = 1};
  for (unsigned k = 0; k < 24; k++)
    for (unsigned m = 0; m < 3; m++) {
      struct variant v = alone;
      v.members = members[m];
      v.regroup = (k + m) % 2 ? BUDDY_REGROUP_HALFWAY : BUDDY_REGROUP_NEW_KERNEL;
      v.formation = (k / 2 + m) % 2 ? BUDDY_FORM_ADAPTIVE : BUDDY_FORM_DEFAULT;
      v.hop = 1 + (k / 4 + m) % 2;
      v.entries = entries[(k / 8 + m) % 3];
      v.moved = (k + m) % 3 == 0;
      add_variant(r, v);
    }
  for (unsigned k = 0; k < 2; k++) {
    struct variant large = alone, other = alone;
    large.warp_size = sizes[k];
    other.sms = sms[k];
    add_variant(r, large);
    add_variant(r, other);
    other.moved = true;
    add_variant(r, other);
  }
  for (unsigned k = 0; k < 4 * FLEX_SCHEMES; k++) {
    struct variant v = alone;
    v.scheme = (enum flex_scheme)(k % FLEX_SCHEMES);
    v.flex = k / FLEX_SCHEMES % 2 != 0 ? 2 : 6;
    v.moved = k >= 2 * FLEX_SCHEMES;
    if (v.scheme != FLEX_BAL || v.flex != 2)
      add_variant(r, v);
  }
}

/* Another time for everything, and another place for each CTA; the machine stays. */
static void move(uint64_t seed, struct tandem_config *config) {
  struct tandem_config other;
  const struct flex_config flex = config->feature.flex;
  if (flex.size != 0) {
    run_configure_flex(seed + 900001, flex.size, flex.dummy, &other);
    config->feature.flex = other.feature.flex;
    config->feature.flex.scheme = flex.scheme;
  } else {
    run_configure_buddy(seed + 900001, config->feature.buddy.size, config->feature.buddy.regroup,
                        &other);
  }
  config->sm = other.sm;
  config->mem = other.mem;
  config->scheduler = config->scheduler == TANDEM_GTO ? TANDEM_LRR : TANDEM_GTO;
  config->dispatch_noise = 0x5eed0001 * (seed + 1);
}

static void configure(uint64_t seed, const struct variant *v, enum tandem_engine engine,
                      struct tandem_config *config) {
  if (v != NULL && v->flex != 0)
    run_configure_flex(seed, v->flex, 1, config);
  else if (v != NULL && v->members > 1)
    run_configure_buddy(seed, v->members, v->regroup, config);
  else
    run_configure(seed, config);
  config->engine = engine;
  config->state_interval = 64;
  if (v == NULL)
    return;
  config->feature.buddy.formation = v->formation;
  config->feature.buddy.hop_latency = v->hop;
  config->feature.buddy.mon_entries = v->entries;
  config->feature.wide.warp_size = v->warp_size;
  config->feature.flex.scheme = v->scheme;
  if (v->sms != 0)
    config->sms = v->sms;
  if (v->moved)
    move(seed, config);
}

/* name: of the variant; "" of SMs alone */
static void broken(uint64_t seed, const char *name, enum tandem_engine engine, const char *what,
                   const char *report) {
  char path[64];
  (void)snprintf(path, sizeof path, "image-%llu.s", (unsigned long long)seed);
  bool written = run_write_program(seed, true, path);
  fail_msg("seed %llu, %s: %s\n%s\nprogram: %s\n"
           "again with: test_same_image --seed %llu --count 1 --engine %s --only \"%s\"",
           (unsigned long long)seed, name[0] != '\0' ? name : "SMs alone", what, report,
           written ? path : "could not be written", (unsigned long long)seed,
           engine == TANDEM_ENGINE_REF ? "ref" : "lockstep", name);
}

/* Runs the program and writes its results to *o and *image. */
static void run(uint64_t seed, const char *name, const struct tandem_config *config,
                struct run_outcome *o, struct run_image *image) {
  struct tandem_error err;
  if (run_race_free(seed, config, o, image, &err) != TANDEM_OK)
    broken(seed, name, config->engine, err.text, o->report);
}

/* Large and wide warps are left out: slices of a warp share a stack, which decides the order in
 * which each takes the sides of a branch. */
static void same_paths(uint64_t seed, const struct variant *v, enum tandem_engine engine,
                       uint64_t alone, const struct run_outcome *o) {
  const struct flex_statistics *f = &o->stats.feature.flex;
  const bool wide = f->launches_bigsm + f->launches_bigsm_occ != 0;
  assert_int_not_equal(alone, 0);
  if (v->warp_size == 32 && !wide && o->paths != alone)
    broken(seed, v->name, engine, "a warp executes other instructions than on SMs alone", "");
}

static void same_image(uint64_t seed, const char *name, enum tandem_engine engine,
                       const struct run_image *alone, const struct run_image *image) {
  static const char *const buffers[RUN_BUFFERS] = {"the data", "slices of launch 0",
                                                   "results of launch 0", "slices of launch 1",
                                                   "results of launch 1"};
  assert_memory_equal(alone->begin, image->begin, sizeof alone->begin);
  for (unsigned b = 0; b < RUN_BUFFERS; b++)
    for (size_t i = alone->begin[b]; i < alone->begin[b + 1]; i++)
      if (alone->bytes[i] != image->bytes[i]) {
        char text[160];
        (void)snprintf(text, sizeof text, "memory differs from that of SMs alone: %s, byte %zu",
                       buffers[b], i - alone->begin[b]);
        broken(seed, name, engine, text, "");
      }
}

struct totals {
  uint64_t flex, borrowed;
  uint64_t runs, clusters, grouped, ungroups, halfway, divergent, barriers, atomics;
};

static void add_totals(struct totals *t, const struct variant *v, const struct gpu_stats *s) {
  t->runs++;
  t->clusters += v->members > 1;
  t->flex += v->flex != 0;
  t->borrowed += s->feature.flex.far_reads;
  t->grouped += s->feature.buddy.grouped_cycles;
  t->ungroups += s->feature.buddy.ungroups;
  t->halfway += s->feature.buddy.regroups_halfway;
  t->divergent += s->sm.divergent_branches;
  t->barriers += s->sm.barriers;
  t->atomics += s->mem.atomics;
}

static void images(void **state) {
  const struct range *r = *state;
  struct run_outcome *o = malloc(sizeof *o);
  struct totals t = {0};
  assert_non_null(o);
  print_message("seeds %llu to %llu\n", (unsigned long long)r->first,
                (unsigned long long)(r->first + r->count - 1));
  uint64_t each = r->each == 0 || r->each > r->nvariants ? r->nvariants : r->each;
  for (uint64_t seed = r->first; seed < r->first + r->count; seed++) {
    struct tandem_config config;
    struct run_image alone, image;
    configure(seed, NULL, TANDEM_ENGINE_REF, &config);
    run(seed, "", &config, o, &alone);
    const uint64_t paths = o->paths;
    for (uint64_t k = 0; k < each; k++) {
      const struct variant *v = &r->variants[(seed * each + k) % r->nvariants];
      configure(seed, v, r->engine, &config);
      run(seed, v->name, &config, o, &image);
      same_image(seed, v->name, r->engine, &alone, &image);
      same_paths(seed, v, r->engine, paths, o);
      add_totals(&t, v, &o->stats);
      free(image.bytes);
    }
    free(alone.bytes);
  }
  print_message(
      "%llu runs: %llu SM-cycles in groups, %llu ungroups, %llu formed again halfway, "
      "%llu instructions read far, %llu divergent branches, %llu barriers, %llu atomics\n",
      (unsigned long long)t.runs, (unsigned long long)t.grouped, (unsigned long long)t.ungroups,
      (unsigned long long)t.halfway, (unsigned long long)t.borrowed,
      (unsigned long long)t.divergent, (unsigned long long)t.barriers,
      (unsigned long long)t.atomics);
  /* Else these programs are no test. */
  if (r->count >= 20)
    assert_true(t.divergent > 100 && t.barriers > 20 && t.atomics > 20);
  if (r->count >= 9 && t.flex == t.runs)
    assert_true(t.borrowed > 1000);
  if (t.clusters >= 40)
    assert_true(t.grouped > 1000 && t.ungroups > 10 && t.halfway > 0);
  free(o);
}

int main(int argc, char **argv) {
  static struct range range = {.first = 1, .count = 20, .only = "", .engine = TANDEM_ENGINE_REF};
  const char *seed = getenv("TANDEM_SEED");
  if (seed != NULL)
    range.first = strtoull(seed, NULL, 0);
  for (int i = 1; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "--seed") == 0)
      range.first = strtoull(argv[i + 1], NULL, 0);
    else if (strcmp(argv[i], "--count") == 0)
      range.count = strtoull(argv[i + 1], NULL, 0);
    else if (strcmp(argv[i], "--each") == 0)
      range.each = strtoull(argv[i + 1], NULL, 0);
    else if (strcmp(argv[i], "--only") == 0)
      range.only = argv[i + 1];
    else if (strcmp(argv[i], "--engine") == 0)
      range.engine = strcmp(argv[i + 1], "ref") == 0 ? TANDEM_ENGINE_REF : TANDEM_ENGINE_LOCKSTEP;
  }
  add_variants(&range);
  if (range.nvariants == 0) {
    (void)fprintf(stderr, "test_same_image: no configuration is named \"%s\"\n", range.only);
    return 2;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(images, &range)};
  return cmocka_run_group_tests_name("image", tests, NULL, NULL);
}
