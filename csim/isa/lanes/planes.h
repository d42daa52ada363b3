/* Planes of 32 lanes under a lane mask. */
#ifndef TANDEM_PLANES_H
#define TANDEM_PLANES_H

#include "csim/isa/core/isa.h"

#include <string.h>

static inline uint32_t plane_lane(uint32_t mask, unsigned l) { return 0U - (mask >> l & 1U); }

/* to = from in the lanes of mask. */
void planes_blend(uint32_t *restrict to, const uint32_t *restrict from, uint32_t mask, unsigned n);

/* to[k] = regs[reg[k]] for every plane k of the set. */
void planes_gather(uint32_t (*restrict to)[ISA_WARP_SIZE],
                   const uint32_t (*restrict regs)[ISA_WARP_SIZE], const uint8_t *reg,
                   unsigned planes);

#endif
