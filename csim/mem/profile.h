/* The profile of a kernel: counters of one SM's memory side by instruction. */
#ifndef TANDEM_MEM_PROFILE_H
#define TANDEM_MEM_PROFILE_H

#include <stdint.h>

struct sm_mem;

struct mem_profile {
#define PROFILE(field, ...) uint64_t field;
#include "csim/mem/profile.def"
};

/* From now on counters are added to rows[pc] too, for each PC that the kernel may execute; NULL:
 * no longer. */
void sm_mem_profile(struct sm_mem *s, struct mem_profile *rows);

#endif
