/* Limits of the kernels, from their launch descriptions. */
#include "tests/kernels/flex/limits.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "csim/util/error.h"
#include "harness/gpu/core/program.h"
#include "harness/job/job.h"

const struct flex_kernel flex_kernels[] = {
#define FLEX(kernel, NAME, program, check, threads, limit, ...)                                    \
  {#kernel, #NAME, #program, threads, limit},
#include "tests/kernels/flex/kernels.def"
};
const size_t flex_kernels_count = sizeof flex_kernels / sizeof flex_kernels[0];

enum { WARP = 32, REGISTER_UNIT = 64, SHARED_UNIT = 128 };

static uint32_t round_up(uint32_t n, uint32_t unit) { return (n + unit - 1) / unit * unit; }

void flex_find_limit(const struct sm_config *sm, struct flex_launch *l) {
  const uint32_t bytes = round_up(l->shared, SHARED_UNIT),
                 warps = round_up(l->threads, WARP) / WARP;
  uint32_t least = UINT32_MAX;
  l->limit = 0;
  l->warps[BY_THREADS] = sm->threads / WARP;
  l->warps[BY_REGISTERS] = sm->registers / round_up(WARP * l->registers, REGISTER_UNIT);
  l->warps[BY_SHARED] = bytes == 0 ? UINT32_MAX : sm->shared_bytes / bytes * warps;
  for (unsigned i = 0; i < FLEX_RESOURCES; i++)
    least = l->warps[i] < least ? l->warps[i] : least;
  for (unsigned i = 0; i < FLEX_RESOURCES; i++)
    l->limit |= l->warps[i] == least ? 1U << i : 0;
}

/* Takes one launch; false: it is not like the ones before. */
static bool take(const struct tandem_launch *from, uint64_t times, struct flex_launch *l) {
  const struct isa_kernel *k = isa_program_kernel(from->program->isa, from->kernel);
  struct flex_launch here = {
      .launches = l->launches + times,
      .ctas = (uint64_t)from->grid[0] * from->grid[1] * from->grid[2],
      .threads = from->block[0] * from->block[1] * from->block[2],
      .uses = k->regs,
      .registers = from->registers != 0 ? from->registers : k->regs,
      .shared = round_up(k->shared_bytes, 16) + from->dynamic_shared,
  };
  (void)snprintf(here.function, sizeof here.function, "%s", k->name);
  const bool same =
      l->launches == 0 || (strcmp(here.function, l->function) == 0 && here.threads == l->threads &&
                           here.registers == l->registers && here.shared == l->shared);
  *l = here;
  return same;
}

static bool take_all(const struct job_steps *steps, uint64_t times, struct flex_launch *l) {
  bool same = true;
  for (size_t i = 0; same && i < steps->n; i++) {
    const struct job_step *s = &steps->step[i];
    if (s->kind == JOB_LAUNCH)
      same = take(&s->launch, times, l);
    else if (s->kind == JOB_REPEAT || s->kind == JOB_UNTIL_ZERO)
      same = take_all(&s->steps, times * (s->kind == JOB_REPEAT ? s->times : 1), l);
  }
  return same;
}

int flex_gpu(struct tandem_config *config, struct tandem_error *err) {
  gpu_config_default(config);
  config->engine = TANDEM_ENGINE_REF;
  return tandem_config_gpu(config, FLEX_KERNELS "/flex12.yaml", err) == TANDEM_OK ? 0 : -EINVAL;
}

int flex_launch(const struct flex_kernel *kernel, struct flex_launch *launch,
                struct tandem_error *err) {
  struct tandem_config config;
  struct tandem *gpu;
  struct tandem_job *job;
  char path[512];
  *launch = (struct flex_launch){.launches = 0};
  (void)snprintf(path, sizeof path, "%s/%s.yaml", FLEX_KERNELS, kernel->kernel);
  TRY(flex_gpu(&config, err));
  if (tandem_open(&config, &gpu, err) != TANDEM_OK)
    return -EINVAL;
  int status = tandem_job_open(gpu, path, &job, err) == TANDEM_OK ? 0 : -EINVAL;
  if (status == 0 && !take_all(&job->steps, 1, launch))
    status = tandem_fail(err, -EINVAL, "%s: its launches differ", path);
  if (status == 0 && launch->launches == 0)
    status = tandem_fail(err, -EINVAL, "%s: there is no launch", path);
  if (status == 0)
    flex_find_limit(&config.sm, launch);
  tandem_job_close(job);
  tandem_close(gpu);
  return status;
}
