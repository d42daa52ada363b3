/* The profile of a run: what each instruction of each kernel cost, summed over SMs and launches. */
#ifndef TANDEM_GPU_PROFILE_H
#define TANDEM_GPU_PROFILE_H

#include "csim/mem/profile.h"
#include "csim/sm/profile.h"
#include "harness/tandem.h"

struct isa_program;
struct gpu_profile;

struct gpu_profile_row {
  struct sm_profile sm;
  struct mem_profile mem;
};

/* A kernel of the profile. */
struct gpu_profile_kernel {
  const struct isa_program *program;
  const struct isa_uop *uops; /* by PC, as they run */
  char *name;
  uint32_t entry, end;          /* PCs: with the code that a machine adds behind the program's */
  uint64_t launches, cycles;    /* of these launches */
  struct gpu_profile_row *rows; /* by PC less entry */
  struct gpu_profile_row none;  /* slots of no instruction: also of SMs that have no work */
};

/* A launch begins: its counters start.  0 or a negative errno. */
int profile_begin(struct tandem *t, struct tandem_error *err);
/* The launch has ended, and no cell rests: adds its counters to those of its kernel.  Nothing if
 * no profile is open. */
void profile_end(struct tandem *t);
void profile_free(struct tandem *t);

/* The kernels in the order of their first launches; none without config.profile. */
size_t gpu_profile_kernels(const struct tandem *t);
const struct gpu_profile_kernel *gpu_profile_kernel(const struct tandem *t, size_t i);

/* Adds *from to *to. */
void gpu_profile_add(struct gpu_profile_row *to, const struct gpu_profile_row *from);

#endif
