/* Comparison of planes of lanes. */
#include <string.h>

#include "csim/iss/iss_local.h"
#include "csim/util/clones.h"

#define LANES(l) for (unsigned l = 0; l < ISA_WARP_SIZE; l++)

static inline __attribute__((always_inline)) void spread(uint32_t *lanes, uint32_t mask) {
  LANES(l) lanes[l] = 0U - (mask >> l & 1U);
}

HOST_CLONES uint32_t iss_differ(const uint32_t *x, const uint32_t *y, uint32_t mask, unsigned n) {
  uint32_t lanes[ISA_WARP_SIZE], bits = 0;
  spread(lanes, mask);
  for (unsigned k = 0; k < n; k++, x += ISA_WARP_SIZE, y += ISA_WARP_SIZE)
    LANES(l) bits |= (x[l] ^ y[l]) & lanes[l];
  return bits;
}

HOST_CLONES uint32_t iss_differ_offset(const uint32_t *x, const uint32_t *base, uint32_t offset,
                                       uint32_t mask) {
  uint32_t lanes[ISA_WARP_SIZE], bits = 0;
  spread(lanes, mask);
  LANES(l) bits |= (x[l] ^ (base[l] + offset)) & lanes[l];
  return bits;
}

HOST_CLONES uint32_t iss_differ_write(uint32_t *restrict reg, const uint32_t *restrict x,
                                      const uint32_t *restrict y, uint32_t mask, unsigned n) {
  uint32_t lanes[ISA_WARP_SIZE], bits = 0;
  if (mask == ~0U) {
    for (; n != 0; n--, reg += ISA_WARP_SIZE, x += ISA_WARP_SIZE, y += ISA_WARP_SIZE) {
      memcpy(reg, x, sizeof(uint32_t[ISA_WARP_SIZE]));
      LANES(l) bits |= x[l] ^ y[l];
    }
    return bits;
  }
  spread(lanes, mask);
  for (unsigned k = 0; k < n; k++, reg += ISA_WARP_SIZE, x += ISA_WARP_SIZE, y += ISA_WARP_SIZE)
    LANES(l) {
      bits |= (x[l] ^ y[l]) & lanes[l];
      reg[l] = (reg[l] & ~lanes[l]) | (x[l] & lanes[l]);
    }
  return bits;
}

HOST_CLONES uint32_t iss_differ_one(const uint32_t *x, uint32_t value, uint32_t mask) {
  uint32_t lanes[ISA_WARP_SIZE], bits = 0;
  spread(lanes, mask);
  LANES(l) bits |= (x[l] ^ value) & lanes[l];
  return bits;
}
