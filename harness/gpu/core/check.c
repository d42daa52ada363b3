/* The architectural check of a launch as a whole: its CTAs, and what it leaves in memory. */
#include <errno.h>
#include <stdlib.h>

#include "harness/gpu/core/check.h"
#include "harness/gpu/core/gpu.h"

/* Local memory is only placed in global memory, for its timing; its bytes are kept apart. */
static size_t ranges_of(const struct tandem *t, const struct mem_allocation *list, size_t n,
                        struct iss_range *range) {
  size_t ranges = 0;
  for (size_t i = 0; i < n; i++)
    if (t->launch.grid.local_address == 0 || list[i].address != t->launch.grid.local_address)
      range[ranges++] = (struct iss_range){list[i].address, list[i].bytes};
  return ranges;
}

int check_begin(struct tandem *t, struct tandem_error *err) {
  if (t->check == NULL)
    return 0;
  const size_t n = gpu_mem_allocations(t->mem, NULL, 0);
  struct mem_allocation *list = malloc((n + 1) * sizeof *list);
  struct iss_range *range = malloc((n + 1) * sizeof *range);
  int status = -ENOMEM;
  if (list == NULL || range == NULL) {
    (void)tandem_fail(err, status, "out of memory");
  } else {
    (void)gpu_mem_allocations(t->mem, list, n);
    const struct iss_global_memory memory = {gpu_mem_bytes(t->mem), range,
                                             ranges_of(t, list, n, range)};
    status = iss_launch_begin(t->check, &t->launch.grid, &memory, err);
  }
  free(list);
  free(range);
  return status;
}

bool check_finish(struct tandem *t, unsigned *sm) {
  return t->check == NULL || iss_launch_finish(t->check, sm);
}

uint64_t gpu_paths(const struct tandem *t) {
  return t->check != NULL ? iss_launch_paths(t->check) : 0;
}

size_t gpu_races(const struct tandem *t, struct iss_race *races, size_t max) {
  return t->check != NULL ? iss_races(t->check, races, max) : 0;
}
