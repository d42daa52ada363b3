/* Every kernel: results against the host's own computation, and the same cycles, statistics and
 * memory image whatever the engine and the number of threads.
 *
 *   test_kernels [--engine ref|lockstep] [--gpu NAME] [--sms N] [--threads N] [--buddy N]
 *                [--adaptive] [--halfway] [--apart] [--warp-size N] [--ibuffer N] [--full]
 *                [--suffix TEXT] [--flex MEMBERS --scheme NAME] KERNEL...
 *   test_kernels --published
 *
 * Without --engine it runs on all engines; the run on the reference alone is checked with
 * arithmetic of the check's own.  With shared front ends, large warps and larger instruction
 * buffers, and in each scheme of clusters that share resources, the memory image is that without,
 * too, and in Base the cycles and the statistics of SMs; groups come apart with --apart alone
 * (tested with
 * --engine).  Kernels are scaled down (small.h) but for --full, and for the launch descriptions
 * that --suffix chooses.
 * --published only compares the launches of the applications, at full scale, with the published
 * ones.
 */
#include <getopt.h>

#include "harness/job/job.h"
#include "tests/kernels/kernels.h"
#include "tests/test.h"

struct options {
  uint32_t sms, threads, buddy, warp_size, ibuffer, flex;
  const char *scheme; /* of clusters of .flex SMs */
  enum buddy_formation formation;
  enum buddy_regroup regroup;
  bool one_engine, full, apart;
  enum tandem_engine engine;
  const char *suffix, *gpu;
};
static struct options options = {.sms = 16,
                                 .threads = 1,
                                 .buddy = 1,
                                 .warp_size = 32,
                                 .ibuffer = 2,
                                 .scheme = "base",
                                 .suffix = ""};

static void path_of(const struct kernel *k, char path[512]) {
  (void)snprintf(path, 512, "%s/%s%s.yaml", KERNELS, k->description, options.suffix);
}

/* The GPU of --gpu, else the usual one with so many SMs. */
static void set_gpu(struct tandem_config *config) {
  struct tandem_error err;
  gpu_config_default(config);
  config->sms = options.sms;
  if (options.gpu != NULL && tandem_config_gpu(config, options.gpu, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
}

/* The programs are those for SMs alone, with whose image theirs is compared. */
static void set_scheme(struct tandem_config *config, const struct options *o) {
  struct tandem_error err;
  config->spread_registers = config->spread_registers && options.flex == 0;
  if (o->flex == 0)
    return;
  config->feature.flex.size = o->flex;
  config->assertions = config->engine == TANDEM_ENGINE_LOCKSTEP;
  if (tandem_config_set(config, "flex.scheme", o->scheme, &err) != TANDEM_OK)
    fail_msg("%s", err.text);
}

static bool wide(const struct options *o) {
  return o->flex != 0 && strncmp(o->scheme, "bigsm", strlen("bigsm")) == 0;
}

static void run(const struct kernel *k, enum tandem_engine engine, const struct options *o,
                struct host_outcome *out) {
  struct tandem_config config;
  char path[512];
  size_t n;
  const struct tandem_parameter *small = kernel_small(k->name, &n);
  path_of(k, path);
  set_gpu(&config);
  config.engine = engine;
  if (!options.one_engine)
    config.check = engine == TANDEM_ENGINE_REF ? TANDEM_CHECK_FULL : TANDEM_CHECK_FAST;
  config.threads = options.threads;
  config.together = true;
  config.sm.ibuffer_entries = o->ibuffer;
  config.feature.buddy.size = o->buddy;
  config.feature.wide.warp_size = o->warp_size;
  set_scheme(&config, o);
  config.feature.buddy.formation = options.formation;
  config.feature.buddy.regroup = options.regroup;
  host_run(&config, path, small, options.full ? 0 : n, k->check, out);
}

/* Runs of clusters that share resources, and of the same SMs alone. */
static void check_scheme(const struct host_outcome *o, const struct host_outcome *alone) {
  const struct gpu_stats *s = &o->stats;
  assert_int_equal(s->feature.flex.wide_instructions > 0, wide(&options));
  if (strcmp(options.scheme, "base") != 0)
    return;
  assert_int_equal(s->cycles, alone->stats.cycles);
  assert_memory_equal(&s->sm, &alone->stats.sm, sizeof s->sm);
  assert_memory_equal(&s->mem, &alone->stats.mem, sizeof s->mem);
}

static void check_launches(const struct kernel *k, uint64_t launches) {
  uint64_t published = 0;
  for (size_t i = 0; i < LAUNCHES; i++)
    published += k->launches[i].times;
  if (options.full && options.suffix[0] == '\0' && published > 0)
    assert_int_equal(launches, published);
}

static void results(void **state) {
  const struct kernel *k = *state;
  struct host_outcome first, other, usual;
  run(k, options.engine, &options, &first);
  const struct gpu_stats *s = &first.stats;
  print_message("%s: %llu cycles, %llu warp instructions, %llu fields compared, %.2f s\n", k->name,
                (unsigned long long)s->cycles, (unsigned long long)s->sm.warp_instructions,
                (unsigned long long)s->compared, s->wall_s);
  assert_int_equal(s->mismatches, 0);
  assert_true(options.engine != TANDEM_ENGINE_LOCKSTEP || s->compared > s->cycles);
  check_launches(k, s->launches);
  if (options.warp_size == 32 && !wide(&options))
    assert_int_equal(s->iss_checked, s->sm.warp_instructions);
  else /* slices or halves with a lane */
    assert_in_range(s->iss_checked, s->sm.warp_instructions,
                    s->sm.warp_instructions * (wide(&options) ? 2 : options.warp_size / 32));
  for (int i = 0; i < 2 && !options.one_engine; i++) {
    run(k, i == 0 ? TANDEM_ENGINE_REF : TANDEM_ENGINE_RTL, &options, &other);
    host_assert_same(&first, &other);
  }
  if (options.buddy == 1 && options.warp_size == 32 && options.ibuffer == 2 && options.flex == 0)
    return;
  const struct options plain = {.buddy = 1, .warp_size = 32, .ibuffer = 2};
  run(k, TANDEM_ENGINE_REF, &plain, &usual);
  assert_int_equal(usual.digest, first.digest);
  if (options.flex != 0) {
    check_scheme(&first, &usual);
    return;
  }
  assert_int_not_equal(usual.stats.cycles, s->cycles);
  assert_true(options.buddy == 1 ||
              (s->feature.buddy.grouped_cycles > 0 && s->feature.buddy.gated_cycles > 0));
  assert_true(options.warp_size == 32 ||
              s->sm.warp_instructions < usual.stats.sm.warp_instructions);
  if (options.one_engine)
    assert_int_equal(s->feature.buddy.ungroups > 0, options.apart);
}

/* The launches of these steps, each `times`, against the published ones: found[i] counts those of
 * launches[i].  How often until_zero's are repeated shows when they are run. */
static void count_launches(const struct kernel *k, const struct job_steps *steps, uint64_t times,
                           uint64_t found[LAUNCHES]) {
  for (size_t i = 0; i < steps->n; i++) {
    const struct job_step *s = &steps->step[i];
    size_t p = 0;
    if (s->kind == JOB_REPEAT)
      count_launches(k, &s->steps, times * s->times, found);
    if (s->kind == JOB_UNTIL_ZERO)
      count_launches(k, &s->steps, k->launches[0].times, found);
    if (s->kind != JOB_LAUNCH)
      continue;
    while (p < LAUNCHES &&
           (memcmp(s->launch.grid, k->launches[p].grid, sizeof s->launch.grid) != 0 ||
            memcmp(s->launch.block, k->launches[p].block, sizeof s->launch.block) != 0))
      p++;
    if (p == LAUNCHES)
      fail_msg("%s.yaml:%u: no launch of %s has this grid and block", k->name, s->line, k->name);
    found[p] += times;
  }
}

static void launches_as_published(void **state) {
  const struct kernel *k = *state;
  struct tandem_config config;
  struct tandem *gpu;
  struct tandem_job *job;
  char path[512];
  uint64_t found[LAUNCHES] = {0};
  path_of(k, path);
  gpu_config_default(&config);
  config.engine = TANDEM_ENGINE_REF;
  host_open(&config, path, NULL, 0, &gpu, &job);
  count_launches(k, &job->steps, 1, found);
  for (size_t i = 0; i < LAUNCHES; i++)
    assert_int_equal(found[i], k->launches[i].times);
  tandem_job_close(job);
  tandem_close(gpu);
}

static const struct kernel *find(const char *name) {
  for (size_t i = 0; i < nkernels; i++)
    if (strcmp(kernels[i].name, name) == 0)
      return &kernels[i];
  (void)fprintf(stderr, "no kernel %s\n", name);
  exit(2);
}

/* Takes the options; false: there is one that is none. */
static bool take_options(int argc, char **argv, bool *published) {
  static const struct option known[] = {
      {"engine", required_argument, NULL, 'e'},  {"gpu", required_argument, NULL, 'g'},
      {"sms", required_argument, NULL, 's'},     {"threads", required_argument, NULL, 't'},
      {"buddy", required_argument, NULL, 'b'},   {"warp-size", required_argument, NULL, 'w'},
      {"ibuffer", required_argument, NULL, 'i'}, {"suffix", required_argument, NULL, 'x'},
      {"adaptive", no_argument, NULL, 'a'},      {"halfway", no_argument, NULL, 'h'},
      {"apart", no_argument, NULL, 'u'},         {"full", no_argument, NULL, 'f'},
      {"flex", required_argument, NULL, 'm'},    {"scheme", required_argument, NULL, 'c'},
      {"published", no_argument, NULL, 'p'},     {NULL, 0, NULL, 0}};
  int option;
  while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
    const uint32_t number = optarg != NULL ? (uint32_t)strtoul(optarg, NULL, 10) : 0;
    switch (option) {
    case 'e':
      options.one_engine = true;
      options.engine = strcmp(optarg, "ref") == 0 ? TANDEM_ENGINE_REF : TANDEM_ENGINE_LOCKSTEP;
      break;
    case 'g':
      options.gpu = optarg;
      break;
    case 's':
      options.sms = number;
      break;
    case 't':
      options.threads = number;
      break;
    case 'b':
      options.buddy = number;
      break;
    case 'w':
      options.warp_size = number;
      break;
    case 'i':
      options.ibuffer = number;
      break;
    case 'm':
      options.flex = number;
      break;
    case 'c':
      options.scheme = optarg;
      break;
    case 'x':
      options.suffix = optarg;
      options.full = true;
      break;
    case 'a':
      options.formation = BUDDY_FORM_ADAPTIVE;
      break;
    case 'h':
      options.regroup = BUDDY_REGROUP_HALFWAY;
      break;
    case 'u':
      options.apart = true;
      break;
    case 'f':
      options.full = true;
      break;
    case 'p':
      *published = true;
      break;
    default:
      return false;
    }
  }
  return true;
}

int main(int argc, char **argv) {
  struct CMUnitTest tests[64];
  bool published = false;
  size_t n = 0;
  options.engine = TANDEM_ENGINE_LOCKSTEP;
  if (!take_options(argc, argv, &published))
    return 2;
  for (size_t i = 0; published && i < nkernels; i++)
    if (kernels[i].launches[0].times > 0)
      tests[n++] = (struct CMUnitTest){kernels[i].name, launches_as_published, NULL, NULL,
                                       (void *)(uintptr_t)&kernels[i]};
  for (int i = optind; i < argc && n < sizeof tests / sizeof tests[0]; i++) {
    const struct kernel *k = find(argv[i]);
    tests[n++] = (struct CMUnitTest){k->name, results, NULL, NULL, (void *)(uintptr_t)k};
  }
  if (n == 0) {
    (void)fprintf(stderr, "name a kernel\n");
    return 2;
  }
  return _cmocka_run_group_tests("kernels", tests, n, NULL, NULL);
}
