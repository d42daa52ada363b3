/* Statistics of each kernel: sums over its launches. */
#include "harness/gpu/results/kernels.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gpu/core/gpu.h"
#include "harness/gpu/feature.h"
#include "harness/gpu/results/profile.h"

struct gpu_kernels {
  struct gpu_stats before; /* of the launches that have ended */
  size_t n;
  struct gpu_kernel *rows[]; /* n, in the order of their first launches */
};

static struct gpu_kernel *find(const struct gpu_kernels *k, const char *name) {
  for (size_t i = 0; k != NULL && i < k->n; i++)
    if (strcmp(k->rows[i]->name, name) == 0)
      return k->rows[i];
  return NULL;
}

/* The kernel's row, a new one if it has none; NULL: out of memory. */
static struct gpu_kernel *row_of(struct tandem *t, const char *name) {
  struct gpu_kernel *row = find(t->kernels, name);
  const size_t n = t->kernels != NULL ? t->kernels->n : 0;
  if (row != NULL)
    return row;
  struct gpu_kernels *more =
      realloc(t->kernels, sizeof *more + (n + 1) * sizeof(struct gpu_kernel *));
  if (more == NULL)
    return NULL;
  t->kernels = more;
  if (n == 0)
    memset(more, 0, sizeof *more);
  row = calloc(1, sizeof *row + strlen(name) + 1);
  if (row == NULL)
    return NULL;
  strcpy(row->name, name);
  more->rows[more->n++] = row;
  return row;
}

/* Adds the growth of the counters in a launch; leaves out maxima, which are not of one launch. */

static void add_run(struct gpu_stats *to, const struct gpu_stats *now,
                    const struct gpu_stats *before) {
#define STAT_COUNT STAT_GROWTH
#include "harness/gpu/results/run_stats.def"
}

static void add_sm(struct sm_stats *to, const struct sm_stats *now, const struct sm_stats *before) {
#define STAT_COUNT STAT_GROWTH
#include "csim/sm/stats.def"
  for (unsigned i = 0; i < sizeof to->by_unit / sizeof to->by_unit[0]; i++)
    to->by_unit[i] += now->by_unit[i] - before->by_unit[i];
  for (unsigned i = 0; i < STALL_CODES; i++)
    to->stalls[i] += now->stalls[i] - before->stalls[i];
}

static void add_memory(struct mem_stats *to, const struct mem_stats *now,
                       const struct mem_stats *before) {
#define STAT_COUNT STAT_GROWTH
#define STAT_MOST STAT_NOTHING
#define STAT_SHARE STAT_NOTHING
#define STAT_MEAN STAT_NOTHING
#include "csim/mem/stats.def"
}

/* Structs of features' counters are made of 64-bit counters alone. */
static void add_features(struct feature_statistics *to, const struct feature_statistics *now,
                         const struct feature_statistics *before) {
  uint64_t *sum = (uint64_t *)to;
  const uint64_t *end = (const uint64_t *)now, *start = (const uint64_t *)before;
  for (size_t i = sizeof *to / sizeof *sum; i-- > 0;)
    sum[i] += end[i] - start[i];
}

static void add_launch_figures(double *sums, const struct gpu_stats *now,
                               const struct gpu_stats *before) {
  for (size_t i = 0; i < features_count; i++)
    for (size_t k = 0; k < features[i]->nlaunch_figures; k++)
      *sums++ += features[i]->launch_figures[k].value(now, before);
}

/* A launch of that kernel has ended; false: out of memory. */
static bool kernel_ended(struct tandem *t, const char *name) {
  struct gpu_kernel *row = row_of(t, name);
  struct gpu_stats now;
  if (row == NULL)
    return false;
  gpu_statistics(t, &now);
  struct gpu_stats *to = &row->stats, *before = &t->kernels->before;
  add_run(to, &now, before);
  add_sm(&to->sm, &now.sm, &before->sm);
  add_memory(&to->mem, &now.mem, &before->mem);
  add_features(&to->feature, &now.feature, &before->feature);
  add_launch_figures(row->launch_sums, &now, before);
  *before = now;
  return true;
}

size_t gpu_kernels(const struct tandem *t) { return t->kernels != NULL ? t->kernels->n : 0; }

const struct gpu_kernel *gpu_kernel(const struct tandem *t, size_t i) {
  return i < gpu_kernels(t) ? t->kernels->rows[i] : NULL;
}

/* The launch has ended, and no cell rests. */
static int end(struct tandem *t, const char *kernel, struct tandem_error *err) {
  profile_end(t);
  if (kernel != NULL && !kernel_ended(t, kernel))
    return tandem_fail(err, -ENOMEM, "out of memory");
  return 0;
}

static void drop(struct tandem *t) {
  for (size_t i = 0; i < gpu_kernels(t); i++)
    free(t->kernels->rows[i]);
  free(t->kernels);
  profile_free(t);
}

const struct gpu_results gpu_results = {profile_begin, end, drop};
