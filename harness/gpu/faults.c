/* The seeded faults of the RTL (rtl/faults.def). */
#include "harness/gpu/faults.h"

#include <string.h>

#include "harness/gpu/feature.h"

const struct gpu_fault gpu_faults[] = {
#define FAULT_OF(feature, number, unit, kind, what) {number, #feature, #unit, kind, kind ": " what},
#include "rtl/faults.def"
#undef FAULT_OF
    {0, NULL, NULL, NULL, NULL}};

const struct gpu_fault *gpu_fault(unsigned n) {
  for (const struct gpu_fault *f = gpu_faults; f->number != 0; f++)
    if (f->number == n)
      return f;
  return NULL;
}

const struct gpu_fault *gpu_fault_named(const char *name) {
  for (const struct gpu_fault *f = gpu_faults; f->number != 0; f++)
    if (strcmp(f->name, name) == 0)
      return f;
  return NULL;
}

const struct feature *gpu_fault_feature(const struct gpu_fault *f) {
  for (size_t i = 0; i < features_count; i++)
    if (strcmp(features[i]->name, f->feature) == 0)
      return features[i];
  return NULL;
}

bool gpu_has_fault(const struct tandem_config *c, unsigned n) {
  const struct gpu_fault *f = gpu_fault(n);
  if (f == NULL || strcmp(f->feature, "gpu") == 0)
    return f != NULL;
  const struct feature *of = gpu_fault_feature(f);
  return of != NULL && of->present(c);
}
