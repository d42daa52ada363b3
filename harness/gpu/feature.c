/* The features of this build, one after the other. */
#include "harness/gpu/feature.h"

#include <stdlib.h>
#include <string.h>

#define DECLARE(name) extern const struct feature feature_##name;
FEATURES(DECLARE)
#define LIST(name) &feature_##name,
const struct feature *const features[] = {FEATURES(LIST) NULL};
const size_t features_count = sizeof features / sizeof features[0] - 1;

int features_check(const struct tandem_config *c, struct tandem_error *err) {
  for (size_t i = 0; i < features_count; i++)
    if (features[i]->check != NULL)
      TRY(features[i]->check(c, err));
  return 0;
}

int features_check_launch(const struct tandem *t, const struct tandem_launch *l,
                          const struct grid *g, unsigned occupancy, struct tandem_error *err) {
  for (size_t i = 0; i < features_count; i++)
    if (features[i]->check_launch != NULL)
      TRY(features[i]->check_launch(t, l, g, occupancy, err));
  return 0;
}

void features_settle(struct tandem_config *c) {
  for (size_t i = 0; i < features_count; i++)
    if (features[i]->settle != NULL)
      features[i]->settle(c);
}

void features_sm_config(const struct tandem_config *c, unsigned sm, struct sm_config *of) {
  for (size_t i = 0; i < features_count; i++)
    if (features[i]->sm_config != NULL)
      features[i]->sm_config(c, sm, of);
}

static void *part_of(const struct tandem_launch *l, const struct feature *f) {
  void *part = NULL;
  if (f->launch.bytes != 0)
    memcpy(&part, (const char *)l + f->launch.at, sizeof part);
  return part;
}

bool launch_part_put(struct tandem_launch *l, const struct feature *f, const void *part) {
  void *copy = part != NULL ? malloc(f->launch.bytes) : NULL;
  if (copy != NULL)
    memcpy(copy, part, f->launch.bytes);
  memcpy((char *)l + f->launch.at, &copy, sizeof copy);
  return copy != NULL || part == NULL;
}

bool launch_parts_copy(struct tandem_launch *l) {
  bool good = true;
  for (size_t i = 0; i < features_count; i++)
    if (features[i]->launch.bytes != 0 && !launch_part_put(l, features[i], part_of(l, features[i])))
      good = false;
  return good;
}

void launch_parts_free(struct tandem_launch *l) {
  for (size_t i = 0; i < features_count; i++)
    free(part_of(l, features[i]));
}

void features_energy(const struct tandem_config *c, const struct gpu_stats *s, struct energy *e) {
  const struct energy_tables *tables[sizeof features / sizeof features[0]] = {NULL};
  for (size_t i = 0; i < features_count; i++)
    tables[i] = &features[i]->energy;
  energy_compute(c, s, tables, features_count, e);
}
