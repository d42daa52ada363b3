/* The grid of a launch: whether it fits, and what of it lies in memory. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gpu/core/gpu.h"
#include "harness/gpu/core/grid.h"
#include "harness/gpu/core/machine.h"
#include "harness/gpu/core/program.h"
#include "harness/gpu/feature.h"

enum { BLOCK_THREADS = 1024, GRID_DIM = 65535 };

/* The GPU's own copy of a program: while running again, the launch has that of the first GPU. */
static const struct tandem_program *find_program(const struct tandem *t,
                                                 const struct tandem_program *p) {
  for (const struct tandem_program *g = t->programs; p != NULL && g != NULL; g = g->next)
    if (g->isa == p->isa)
      return g;
  return NULL;
}

/* The dimensions of a launch up to the last one whose size is not 1. */
static uint32_t least_dimensions(const struct tandem_launch *l) {
  uint32_t n = 3;
  while (n > 1 && l->grid[n - 1] == 1 && l->block[n - 1] == 1)
    n--;
  return n;
}

static int check_shape(const struct tandem *t, const struct tandem_launch *l,
                       const struct isa_kernel *k, struct tandem_error *err) {
  uint64_t threads = 1;
  for (unsigned i = 0; i < 3; i++) {
    if (l->grid[i] < 1 || l->grid[i] > GRID_DIM)
      return tandem_fail(err, -EINVAL,
                         "kernel %s: grid of (%u, %u, %u) CTAs does not fit: each must be 1 to %d",
                         k->name, l->grid[0], l->grid[1], l->grid[2], GRID_DIM);
    threads *= l->block[i] > BLOCK_THREADS ? BLOCK_THREADS + 1 : l->block[i];
  }
  const uint64_t ctas = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
  if (ctas > UINT32_MAX)
    return tandem_fail(err, -EINVAL, "kernel %s: grid of %" PRIu64 " CTAs does not fit: at most %u",
                       k->name, ctas, UINT32_MAX);
  const bool own = t->machine->launch.occupancy != NULL; /* it knows how many an SM has */
  const uint64_t most =
      !own && t->config.sm.threads < BLOCK_THREADS ? t->config.sm.threads : BLOCK_THREADS;
  if (threads < 1 || threads > most)
    return tandem_fail(err, -EINVAL,
                       "kernel %s: block of (%u, %u, %u) threads does not fit: 1 to %" PRIu64
                       " threads",
                       k->name, l->block[0], l->block[1], l->block[2], most);
  if (l->work_dim != 0 && (l->work_dim > 3 || l->work_dim < least_dimensions(l)))
    return tandem_fail(err, -EINVAL, "kernel %s: work_dim must be %u to 3 for these sizes, not %u",
                       k->name, least_dimensions(l), l->work_dim);
  for (unsigned i = 0; k->reqntid[0] != 0 && i < 3; i++)
    if (k->reqntid[i] != l->block[i])
      return tandem_fail(err, -EINVAL,
                         "kernel %s requires blocks of (%u, %u, %u) threads, not (%u, %u, %u)",
                         k->name, k->reqntid[0], k->reqntid[1], k->reqntid[2], l->block[0],
                         l->block[1], l->block[2]);
  if (l->registers != 0 && (l->registers < k->regs || l->registers > LAUNCH_REGISTERS))
    return tandem_fail(
        err, -EINVAL,
        "kernel %s uses %u registers a thread: a launch may allocate %u to %d, not %u", k->name,
        k->regs, k->regs, LAUNCH_REGISTERS, l->registers);
  if (l->args_bytes != k->param_bytes)
    return tandem_fail(err, -EINVAL, "kernel %s takes %u bytes of parameters, not %zu", k->name,
                       k->param_bytes, l->args_bytes);
  if (l->args == NULL && l->args_bytes != 0)
    return tandem_fail(err, -EINVAL, "kernel %s: there are no parameters at NULL", k->name);
  return 0;
}

/* The grid of a launch, but for what is placed in memory; *occupancy gets the CTAs an SM holds. */
static int describe_grid(const struct tandem *t, const struct tandem_launch *l, struct grid *g,
                         unsigned *occupancy, struct tandem_error *err) {
  const struct tandem_program *p = l != NULL ? find_program(t, l->program) : NULL;
  if (p == NULL)
    return tandem_fail(err, -EINVAL, "the program was not loaded into this GPU with tandem_load");
  if (l->kernel == NULL)
    return tandem_fail(err, -EINVAL, "the launch names no kernel");
  const struct isa_kernel *k = isa_program_kernel(p->isa, l->kernel);
  if (k == NULL)
    return tandem_fail(err, -EINVAL, "%s has no kernel \"%s\"",
                       p->isa->source != NULL ? p->isa->source : "the program", l->kernel);
  TRY(check_shape(t, l, k, err));
  *g = (struct grid){.program = p->isa,
                     .kernel = k,
                     .uops = p->uops,
                     .code = p->code,
                     .code_address = p->code_address,
                     .shared_bytes = ((k->shared_bytes + 15) & ~15U) + l->dynamic_shared,
                     .id = (uint32_t)t->launch.count,
                     .sms = t->config.sms,
                     .core_mhz = t->config.mem.core_mhz,
                     .registers = l->registers,
                     .work_dim = l->work_dim != 0 ? l->work_dim : least_dimensions(l),
                     .threads = l->block[0] * l->block[1] * l->block[2],
                     .ctas = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2]};
  memcpy(g->dim, l->grid, sizeof g->dim);
  memcpy(g->block, l->block, sizeof g->block);
  g->warps = (g->threads + ISA_WARP_SIZE - 1) / ISA_WARP_SIZE;
  *occupancy = t->machine->launch.occupancy != NULL ? t->machine->launch.occupancy(t, l, g, err)
                                                    : sm_occupancy(&t->config.sm, g, err);
  if (*occupancy == 0)
    return -EINVAL;
  return features_check_launch(t, l, g, *occupancy, err);
}

int gpu_check_launch(const struct tandem *t, const struct tandem_launch *l,
                     struct tandem_error *err) {
  struct grid g;
  unsigned occupancy;
  return describe_grid(t, l, &g, &occupancy, err);
}

int gpu_grid_make(struct tandem *t, const struct tandem_launch *l, struct tandem_error *err) {
  struct grid *g = &t->launch.grid;
  TRY(describe_grid(t, l, g, &t->launch.occupancy, err));
  const struct isa_kernel *k = g->kernel;
  uint32_t *params = calloc(k->param_bytes / 4 + 1, sizeof *params);
  if (params == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  if (l->args_bytes != 0)
    memcpy(params, l->args, l->args_bytes);
  g->params = params;
  TRY(gpu_mem_alloc(t->mem, k->param_bytes + 4, &g->param_address, err));
  TRY(gpu_mem_write(t->mem, g->param_address, params, k->param_bytes, err));
  const uint64_t local = (uint64_t)t->nsms * 48 * ISA_WARP_SIZE * k->local_bytes;
  if (local != 0 && gpu_mem_alloc(t->mem, local, &g->local_address, err) != 0)
    return tandem_fail(err, -ENOMEM,
                       "kernel %s: no room for %llu bytes of local memory, %u a thread of %u SMs",
                       k->name, (unsigned long long)local, k->local_bytes, t->nsms);
  return t->machine->launch.place != NULL ? t->machine->launch.place(t, l, err) : 0;
}

/* Gives back the memory that only a running launch needs, so that the memory image does not depend
 * on how threads were placed. */
void gpu_grid_drop(struct tandem *t) {
  struct grid *g = &t->launch.grid;
  if (t->machine->launch.drop != NULL)
    t->machine->launch.drop(t);
  if (g->local_address != 0)
    gpu_mem_free(t->mem, g->local_address, NULL);
  if (g->param_address != 0)
    gpu_mem_free(t->mem, g->param_address, NULL);
  free((void *)(uintptr_t)g->params);
  memset(g, 0, sizeof *g);
}
