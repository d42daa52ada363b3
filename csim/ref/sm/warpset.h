/* Sets of warps: bit w stands for warp w. */
#ifndef TANDEM_REF_WARPSET_H
#define TANDEM_REF_WARPSET_H

#include <stdbool.h>
#include <stdint.h>

enum { WARPS = 48, NO_WARP = WARPS };

typedef uint64_t warpset;

static inline warpset warpset_of(unsigned warp) { return UINT64_C(1) << warp; }

/* The set of a warp if valid, else the empty set. */
static inline warpset warpset_if(uint64_t valid, uint64_t warp) {
  return valid != 0 ? UINT64_C(1) << warp : 0;
}

static inline bool warpset_has(warpset set, unsigned warp) { return (set >> warp & 1) != 0; }

/* Adds the warp to the set or takes it out. */
static inline void warpset_put(warpset *set, unsigned warp, bool in) {
  *set = (*set & ~warpset_of(warp)) | (warpset)in << warp;
}

/* The lowest warp of a set, NO_WARP if it is empty. */
static inline unsigned warpset_first(warpset set) {
  return set == 0 ? NO_WARP : (unsigned)__builtin_ctzll(set);
}

/* The first warp of a set after `last` in cyclic order (last + 1, ..., last), NO_WARP if empty. */
static inline unsigned warpset_first_after(warpset set, unsigned last) {
  warpset later = set & (~UINT64_C(1) << last);
  return warpset_first(later != 0 ? later : set);
}

/* The warps that scheduler `parity` owns. */
static inline warpset warpset_of_parity(unsigned parity) {
  return UINT64_C(0x555555555555) << parity;
}

#endif
