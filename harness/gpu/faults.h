/* The seeded faults of the RTL (rtl/faults.def). */
#ifndef TANDEM_GPU_FAULTS_H
#define TANDEM_GPU_FAULTS_H

#include <stdbool.h>

struct feature;
struct tandem_config;

/* feature: the feature that has its unit, "gpu" for units of every GPU.  name: its kind, which no
 * other fault has. */
struct gpu_fault {
  unsigned number;
  const char *feature, *unit, *name, *text;
};
extern const struct gpu_fault gpu_faults[]; /* ends with number 0 */

/* Fault n; NULL: there is none. */
const struct gpu_fault *gpu_fault(unsigned n);
const struct gpu_fault *gpu_fault_named(const char *name);
/* The feature whose units have a fault; NULL: those of every GPU have it, or the build lacks it. */
const struct feature *gpu_fault_feature(const struct gpu_fault *f);
/* Reports if a GPU with this configuration has fault n. */
bool gpu_has_fault(const struct tandem_config *c, unsigned n);

#endif
