/* Moving planes of 32 lanes: under a mask, and from registers. */
#include "csim/isa/lanes/planes.h"

#include "csim/util/clones.h"

HOST_CLONES void planes_blend(uint32_t *restrict to, const uint32_t *restrict from, uint32_t mask,
                              unsigned n) {
  if (mask == ~0U) {
    for (; n != 0; n--, to += ISA_WARP_SIZE, from += ISA_WARP_SIZE)
      memcpy(to, from, sizeof(uint32_t[ISA_WARP_SIZE]));
    return;
  }
  uint32_t lanes[ISA_WARP_SIZE];
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
    lanes[l] = plane_lane(mask, l);
  for (unsigned k = 0; k < n; k++, to += ISA_WARP_SIZE, from += ISA_WARP_SIZE)
    for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
      to[l] = (to[l] & ~lanes[l]) | (from[l] & lanes[l]);
}

HOST_CLONES void planes_gather(uint32_t (*restrict to)[ISA_WARP_SIZE],
                               const uint32_t (*restrict regs)[ISA_WARP_SIZE], const uint8_t *reg,
                               unsigned planes) {
  for (; planes != 0; planes &= planes - 1) {
    unsigned k = (unsigned)__builtin_ctz(planes);
    memcpy(to[k], regs[reg[k]], sizeof to[k]);
  }
}
