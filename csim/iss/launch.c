/* A launch as the checks of all SMs see it: each CTA of the grid runs once. */
#include "csim/iss/launch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "csim/iss/launch_local.h"
#include "csim/iss/mismatch.h"

struct iss_launch *iss_launch_create(unsigned sms, struct tandem_error *err) {
  struct iss_launch *l = calloc(1, sizeof *l);
  if (l != NULL && (l->iss = calloc(sms, sizeof(struct iss *))) != NULL) {
    l->sms = sms;
    return l;
  }
  iss_launch_destroy(l);
  (void)tandem_fail(err, -ENOMEM, "no memory for the check of launches");
  return NULL;
}

void iss_launch_destroy(struct iss_launch *l) {
  if (l == NULL)
    return;
  for (unsigned i = 0; l->iss != NULL && i < l->sms; i++)
    if (l->iss[i] != NULL)
      iss_memory_free(&l->iss[i]->memory);
  iss_shadow_free(&l->shadow);
  iss_atomics_free(&l->atomics);
  free(l->range);
  free(l->run);
  free(l->iss);
  free(l);
}

void iss_launch_join(struct iss_launch *l, struct iss *iss) {
  l->iss[iss->sm] = iss;
  iss->launch = l;
}

static bool copy_ranges(struct iss_launch *l, const struct iss_global_memory *memory) {
  free(l->range);
  l->ranges = memory->ranges;
  l->bytes = memory->bytes;
  l->range = malloc((l->ranges + 1) * sizeof *l->range);
  if (l->range != NULL && l->ranges != 0)
    memcpy(l->range, memory->range, l->ranges * sizeof *l->range);
  return l->range != NULL;
}

int iss_launch_begin(struct iss_launch *l, const struct grid *grid,
                     const struct iss_global_memory *memory, struct tandem_error *err) {
  free(l->run);
  l->grid = grid;
  l->ran = 0;
  l->memory = memory != NULL && grid->ctas <= SHADOW_THREADS / grid->threads;
  l->run = calloc(grid->ctas, sizeof *l->run);
  if (l->run != NULL && (!l->memory || (copy_ranges(l, memory) && iss_global_begin(l))))
    return 0;
  return tandem_fail(err, -ENOMEM, "no memory for the check of a launch");
}

bool iss_launch_ran(struct iss_launch *l, uint64_t number, unsigned sm) {
  if (l->run[number] != 0)
    return false;
  l->run[number] = (uint8_t)(sm + 1);
  l->ran++;
  return true;
}

static bool all_ran(struct iss_launch *l, unsigned *sm) {
  uint64_t number = 0;
  if (l->ran == l->grid->ctas)
    return true;
  while (l->run[number] != 0)
    number++;
  *sm = 0;
  return iss_fails(l->iss[0],
                   (struct iss_mismatch){.what = "CTA",
                                         .pc = l->grid->kernel->entry,
                                         .expected = l->grid->ctas,
                                         .got = l->ran,
                                         .of = "number",
                                         .at = number},
                   "CTA %" PRIu64 " was not dispatched; %" PRIu64 " of %" PRIu64 " CTAs were",
                   number, l->ran, l->grid->ctas);
}

bool iss_launch_finish(struct iss_launch *l, unsigned *sm) {
  return all_ran(l, sm) && (!l->memory || iss_global_finish(l, sm));
}

uint64_t iss_launch_paths(const struct iss_launch *l) {
  uint64_t paths = 0;
  for (unsigned i = 0; i < l->sms; i++)
    paths += l->iss[i] != NULL ? l->iss[i]->paths : 0;
  return paths;
}
