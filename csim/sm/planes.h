/* Planes of 32 lanes under a lane mask. */
#ifndef TANDEM_SM_PLANES_H
#define TANDEM_SM_PLANES_H

#include "csim/isa/isa.h"

#include <string.h>

/* One binary serves old and new processors: hot functions exist once per vector width, which the
 * sanitizers and clang do not support. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__)
#define PLANE_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define PLANE_CLONES
#endif

static inline uint32_t plane_lane(uint32_t mask, unsigned l) { return 0U - (mask >> l & 1U); }

/* to = from in the lanes of mask. */
void planes_blend(uint32_t *restrict to, const uint32_t *restrict from, uint32_t mask, unsigned n);

/* to[k] = regs[reg[k]] for every plane k of the set. */
void planes_gather(uint32_t (*restrict to)[ISA_WARP_SIZE],
                   const uint32_t (*restrict regs)[ISA_WARP_SIZE], const uint8_t *reg,
                   unsigned planes);

#endif
