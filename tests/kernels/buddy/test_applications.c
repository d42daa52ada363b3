/* The applications of docs/results/applications.md: results against the host's own computation, and
 * the same memory image with shared front ends as without.
 *
 *   test_applications [--engine ref|lockstep] [--buddy N] [--halfway] [--full] APPLICATION...
 *   test_applications --published
 *
 * Without --full the applications are scaled down.  --published only compares the launches of the
 * descriptions, at full scale, with the published ones. */
#include "harness/job/job.h"
#include "tests/kernels/buddy/applications.h"
#include "tests/test.h"

struct options {
  enum tandem_engine engine;
  uint32_t buddy;
  enum buddy_regroup regroup;
  bool full;
};
static struct options options = {.engine = TANDEM_ENGINE_REF, .buddy = 1};

/* What to run the application with; returns how many of its parameters scale it down. */
static size_t configure(const struct application *a, uint32_t buddy, bool full,
                        struct tandem_config *config, char path[512]) {
  size_t small = 0;
  (void)snprintf(path, 512, "%s/%s.yaml", APPLICATIONS_FOLDER, a->name);
  gpu_config_default(config);
  config->engine = options.engine;
  config->threads = 1;
  config->feature.buddy.size = buddy;
  config->feature.buddy.formation = BUDDY_FORM_ADAPTIVE;
  config->feature.buddy.regroup = options.regroup;
  while (!full && small < SMALL && a->small[small].name != NULL)
    small++;
  return small;
}

/* Runs the application, checks its results and returns the digest of its memory. */
static uint64_t run(const struct application *a, uint32_t buddy, struct gpu_stats *stats) {
  struct tandem_config config;
  struct host_outcome out;
  char path[512];
  const size_t small = configure(a, buddy, options.full, &config, path);
  host_run(&config, path, a->small, small, a->check, &out);
  *stats = out.stats;
  return out.digest;
}

static void results(void **state) {
  const struct application *a = *state;
  struct gpu_stats s, shared;
  const uint64_t digest = run(a, 1, &s);
  print_message("%s: %llu cycles, %llu warp instructions, %.2f s\n", a->name,
                (unsigned long long)s.cycles, (unsigned long long)s.sm.warp_instructions, s.wall_s);
  assert_int_equal(s.iss_checked, s.sm.warp_instructions);
  if (options.full || a->small[0].name == NULL) {
    uint64_t launches = 0;
    for (size_t i = 0; i < LAUNCHES; i++)
      launches += a->launches[i].times;
    assert_int_equal(s.launches, launches);
  }
  if (options.buddy == 1)
    return;
  assert_int_equal(run(a, options.buddy, &shared), digest);
  assert_int_equal(shared.mismatches, 0);
  assert_true(shared.feature.buddy.grouped_cycles > 0 && shared.feature.buddy.gated_cycles > 0);
  assert_int_equal(shared.feature.buddy.ungroups > 0, a->diverges);
}

/* The launches of these steps, each `times`, against the published ones: found[i] counts those of
 * launches[i].  How often until_zero's are repeated shows when they are run. */
static void count_launches(const struct application *a, const struct job_steps *steps,
                           uint64_t times, uint64_t found[LAUNCHES]) {
  for (size_t i = 0; i < steps->n; i++) {
    const struct job_step *s = &steps->step[i];
    size_t p = 0;
    if (s->kind == JOB_REPEAT)
      count_launches(a, &s->steps, times * s->times, found);
    if (s->kind == JOB_UNTIL_ZERO)
      count_launches(a, &s->steps, a->launches[0].times, found);
    if (s->kind != JOB_LAUNCH)
      continue;
    while (p < LAUNCHES &&
           (memcmp(s->launch.grid, a->launches[p].grid, sizeof s->launch.grid) != 0 ||
            memcmp(s->launch.block, a->launches[p].block, sizeof s->launch.block) != 0))
      p++;
    if (p == LAUNCHES)
      fail_msg("%s.yaml:%u: no launch of %s has this grid and block", a->name, s->line, a->name);
    found[p] += times;
  }
}

static void launches_as_published(void **state) {
  const struct application *a = *state;
  struct tandem_config config;
  struct tandem *gpu;
  struct tandem_job *job;
  char path[512];
  uint64_t found[LAUNCHES] = {0};
  const size_t small = configure(a, 1, true, &config, path);
  host_open(&config, path, a->small, small, &gpu, &job);
  count_launches(a, &job->steps, 1, found);
  for (size_t i = 0; i < LAUNCHES; i++)
    assert_int_equal(found[i], a->launches[i].times);
  tandem_job_close(job);
  tandem_close(gpu);
}

static const struct application *find(const char *name) {
  for (size_t i = 0; i < APPLICATIONS; i++)
    if (strcmp(applications[i].name, name) == 0)
      return &applications[i];
  (void)fprintf(stderr, "no application %s\n", name);
  exit(2);
}

static bool take_option(int *i, int argc, char **argv) {
  if (strcmp(argv[*i], "--engine") == 0 && *i + 1 < argc)
    options.engine =
        strcmp(argv[++*i], "lockstep") == 0 ? TANDEM_ENGINE_LOCKSTEP : TANDEM_ENGINE_REF;
  else if (strcmp(argv[*i], "--buddy") == 0 && *i + 1 < argc)
    options.buddy = (uint32_t)strtoul(argv[++*i], NULL, 10);
  else if (strcmp(argv[*i], "--halfway") == 0)
    options.regroup = BUDDY_REGROUP_HALFWAY;
  else if (strcmp(argv[*i], "--full") == 0)
    options.full = true;
  else
    return false;
  return true;
}

int main(int argc, char **argv) {
  struct CMUnitTest tests[APPLICATIONS];
  const bool published = argc == 2 && strcmp(argv[1], "--published") == 0;
  size_t n = 0;
  for (size_t i = 0; published && i < APPLICATIONS; i++) {
    const struct application *a = &applications[i];
    tests[n++] =
        (struct CMUnitTest){a->name, launches_as_published, NULL, NULL, (void *)(uintptr_t)a};
  }
  for (int i = 1; !published && i < argc && n < APPLICATIONS; i++)
    if (!take_option(&i, argc, argv)) {
      const struct application *a = find(argv[i]);
      tests[n++] = (struct CMUnitTest){a->name, results, NULL, NULL, (void *)(uintptr_t)a};
    }
  if (n == 0) {
    (void)fprintf(stderr, "name an application\n");
    return 2;
  }
  return _cmocka_run_group_tests("applications", tests, n, NULL, NULL);
}
