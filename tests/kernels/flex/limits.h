/* The kernels of the Flex SM paper, and which resource limits each on the Base SM of table II. */
#ifndef TANDEM_TESTS_FLEX_LIMITS_H
#define TANDEM_TESTS_FLEX_LIMITS_H

#include <stddef.h>
#include <stdint.h>

#include "harness/gpu/config.h"

enum { BY_THREADS, BY_REGISTERS, BY_SHARED, FLEX_RESOURCES };
/* Sets of resources. */
enum {
  FLEX_THREADS = 1 << BY_THREADS,
  FLEX_REGISTERS = 1 << BY_REGISTERS,
  FLEX_SHARED = 1 << BY_SHARED
};

struct flex_kernel {
  const char *kernel, *name, *program; /* of kernels.def */
  uint32_t threads;
  unsigned limit; /* a set of resources */
};
extern const struct flex_kernel flex_kernels[];
extern const size_t flex_kernels_count;

/* The launches of a kernel's description, all alike. */
struct flex_launch {
  char function[64];
  uint64_t launches, ctas;
  uint32_t threads;         /* of a CTA */
  uint32_t uses, registers; /* of a thread: that the program uses; that are allocated */
  uint32_t shared;          /* bytes of a CTA */
  /* Warps of an SM that each resource allows, by whole CTAs where a CTA takes it as a whole, and
   * the set of the resources that allow the fewest.  CTAs of an SM are not among them. */
  uint32_t warps[FLEX_RESOURCES];
  unsigned limit;
};

/* Reads a kernel's description for the GPU of flex12.yaml.  0 or a negative errno; also if its
 * launches differ. */
int flex_launch(const struct flex_kernel *kernel, struct flex_launch *launch,
                struct tandem_error *err);
/* Fills warps and limit of a launch from its threads, registers and shared bytes. */
void flex_find_limit(const struct sm_config *sm, struct flex_launch *launch);
/* The configuration of flex12.yaml, likewise. */
int flex_gpu(struct tandem_config *config, struct tandem_error *err);

#endif
