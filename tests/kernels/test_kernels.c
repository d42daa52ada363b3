/* Every kernel on every engine: results against the host's own computation, and the same cycles,
 * statistics and memory image whatever the engine and the number of threads.
 *
 *   test_kernels [--sms N] [--threads N] [--buddy N] [--adaptive] [--halfway] [--warp-size N]
 *                [--suffix TEXT] KERNEL...
 *
 * The run on the reference alone is checked with arithmetic of the check's own.
 * With shared front ends and with large warps the memory image is that without, too.
 */
#include "tests/kernels/host.h"
#include "tests/test.h"

struct kernel {
  const char *name;
  bool (*check)(const struct host *h);
};
static const struct kernel kernels[] = {
#define ENTRY(kernel) {#kernel, check_##kernel},
    HOST_KERNELS(ENTRY)
#undef ENTRY
};

struct options {
  uint32_t sms, threads, buddy, warp_size;
  enum buddy_formation formation;
  enum buddy_regroup regroup;
  const char *suffix;
};
static struct options options = {
    .sms = 16, .threads = 1, .buddy = 1, .warp_size = 32, .suffix = ""};

static void run(const struct kernel *k, enum tandem_engine engine, uint32_t buddy,
                uint32_t warp_size, struct host_outcome *out) {
  struct tandem_config config;
  char path[512];
  (void)snprintf(path, sizeof path, "%s/%s/%s%s.yaml", KERNELS, k->name, k->name, options.suffix);
  gpu_config_default(&config);
  config.engine = engine;
  config.check = engine == TANDEM_ENGINE_REF ? TANDEM_CHECK_FULL : TANDEM_CHECK_FAST;
  config.sms = options.sms;
  config.threads = options.threads;
  config.feature.buddy.size = buddy;
  config.feature.wide.warp_size = warp_size;
  config.feature.buddy.formation = options.formation;
  config.feature.buddy.regroup = options.regroup;
  host_run(&config, path, NULL, 0, k->check, out);
}

static void all_engines(void **state) {
  const struct kernel *k = *state;
  struct host_outcome lockstep, ref, rtl, usual;
  run(k, TANDEM_ENGINE_LOCKSTEP, options.buddy, options.warp_size, &lockstep);
  run(k, TANDEM_ENGINE_REF, options.buddy, options.warp_size, &ref);
  run(k, TANDEM_ENGINE_RTL, options.buddy, options.warp_size, &rtl);
  const struct gpu_stats *s = &lockstep.stats;
  print_message("%s: %llu cycles, %llu warp instructions, %llu fields compared, %.2f s\n", k->name,
                (unsigned long long)s->cycles, (unsigned long long)s->sm.warp_instructions,
                (unsigned long long)s->compared, s->wall_s);
  assert_int_equal(s->mismatches, 0);
  assert_true(s->compared > s->cycles);
  if (options.warp_size == 32)
    assert_int_equal(s->iss_checked, s->sm.warp_instructions);
  else /* slices with a lane */
    assert_in_range(s->iss_checked, s->sm.warp_instructions,
                    s->sm.warp_instructions * options.warp_size / 32);
  host_assert_same(&lockstep, &ref);
  host_assert_same(&lockstep, &rtl);
  if (options.buddy == 1 && options.warp_size == 32)
    return;
  run(k, TANDEM_ENGINE_REF, 1, 32, &usual);
  assert_int_equal(usual.digest, lockstep.digest);
  assert_true(options.buddy == 1 ||
              (s->feature.buddy.grouped_cycles > 0 && s->feature.buddy.gated_cycles > 0));
  assert_true(options.buddy > 1 || s->sm.warp_instructions < usual.stats.sm.warp_instructions);
}

static const struct kernel *find(const char *name) {
  for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
    if (strcmp(kernels[i].name, name) == 0)
      return &kernels[i];
  (void)fprintf(stderr, "no kernel %s\n", name);
  exit(2);
}

int main(int argc, char **argv) {
  struct CMUnitTest tests[16];
  size_t n = 0;
  for (int i = 1; i < argc && n < 16; i++) {
    if (strcmp(argv[i], "--sms") == 0 && i + 1 < argc) {
      options.sms = (uint32_t)strtoul(argv[++i], NULL, 10);
    } else if (strcmp(argv[i], "--threads") == 0 && i + 1 < argc) {
      options.threads = (uint32_t)strtoul(argv[++i], NULL, 10);
    } else if (strcmp(argv[i], "--buddy") == 0 && i + 1 < argc) {
      options.buddy = (uint32_t)strtoul(argv[++i], NULL, 10);
    } else if (strcmp(argv[i], "--warp-size") == 0 && i + 1 < argc) {
      options.warp_size = (uint32_t)strtoul(argv[++i], NULL, 10);
    } else if (strcmp(argv[i], "--adaptive") == 0) {
      options.formation = BUDDY_FORM_ADAPTIVE;
    } else if (strcmp(argv[i], "--halfway") == 0) {
      options.regroup = BUDDY_REGROUP_HALFWAY;
    } else if (strcmp(argv[i], "--suffix") == 0 && i + 1 < argc) {
      options.suffix = argv[++i];
    } else {
      const struct kernel *k = find(argv[i]);
      tests[n++] = (struct CMUnitTest){k->name, all_engines, NULL, NULL, (void *)(uintptr_t)k};
    }
  }
  if (n == 0) {
    (void)fprintf(stderr, "name a kernel\n");
    return 2;
  }
  return _cmocka_run_group_tests("kernels", tests, n, NULL, NULL);
}
