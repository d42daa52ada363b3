/* A launch as all SMs' checks see it: its CTAs, the races that were seen. */
#include "csim/iss/launch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csim/iss/launch_local.h"

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
      memory_free(&l->iss[i]->memory);
  shadow_free(&l->shadow);
  atomics_free(&l->atomics);
  free(l->range);
  free(l->run);
  free(l->iss);
  free(l);
}

void iss_launch_join(struct iss_launch *l, struct iss *iss) {
  l->iss[iss->sm] = iss;
  iss->launch = l;
}

static bool copy_ranges(struct iss_launch *l, const struct iss_image *image) {
  free(l->range);
  l->ranges = image->ranges;
  l->bytes = image->bytes;
  l->range = malloc((l->ranges + 1) * sizeof *l->range);
  if (l->range != NULL && l->ranges != 0)
    memcpy(l->range, image->range, l->ranges * sizeof *l->range);
  return l->range != NULL;
}

int iss_launch_begin(struct iss_launch *l, const struct grid *grid, const struct iss_image *image,
                     struct tandem_error *err) {
  free(l->run);
  l->grid = grid;
  l->ran = 0;
  l->memory = image != NULL && grid->ctas <= SHADOW_THREADS / grid->threads;
  l->run = calloc(grid->ctas, sizeof *l->run);
  if (l->run != NULL && (!l->memory || (copy_ranges(l, image) && image_begin(l))))
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
  (void)iss_fails(l->iss[0], "CTAs that have run, without", 0, l->grid->kernel->entry,
                  l->grid->ctas, l->ran);
  l->iss[0]->bad.of = "CTA";
  l->iss[0]->bad.at = number;
  return false;
}

bool iss_launch_finish(struct iss_launch *l, unsigned *sm) {
  return all_ran(l, sm) && (!l->memory || image_finish(l, sm));
}

uint64_t iss_shared_races(const struct iss_launch *l) {
  uint64_t n = 0;
  for (unsigned i = 0; i < l->sms; i++)
    n += l->iss[i] != NULL ? l->iss[i]->memory.shared_races : 0;
  return n;
}

uint64_t iss_global_races(const struct iss_launch *l) { return l->global_races; }

uint64_t iss_launch_paths(const struct iss_launch *l) {
  uint64_t paths = 0;
  for (unsigned i = 0; i < l->sms; i++)
    paths += l->iss[i] != NULL ? iss_paths(l->iss[i]) : 0;
  return paths;
}

void iss_list_races(struct iss_launch *l) { l->races = true; }

size_t iss_races(const struct iss_launch *l, struct iss_race *races, size_t max) {
  size_t n = 0;
  for (unsigned i = 0; i < l->sms; i++)
    for (unsigned k = 0; l->iss[i] != NULL && k < l->iss[i]->memory.races; k++) {
      const struct iss_race *r = &l->iss[i]->memory.race[k];
      size_t at = 0;
      while (at < n && at < max &&
             (races[at].shared != r->shared || races[at].pc[0] != r->pc[0] ||
              races[at].pc[1] != r->pc[1]))
        at++;
      if (at < n && at < max)
        races[at].count += r->count;
      else if (n++ < max)
        races[at] = *r;
    }
  return n;
}
