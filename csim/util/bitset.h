/* Sets of small numbers: element i is bit i mod 64 of word i div 64. */
#ifndef TANDEM_UTIL_BITSET_H
#define TANDEM_UTIL_BITSET_H

#include <stdbool.h>
#include <stdint.h>

#define BITSET_WORDS(elements) (((elements) + 63) / 64)

static inline bool bitset_has(const uint64_t *set, unsigned i) {
  return (set[i / 64] >> i % 64 & 1) != 0;
}

/* Puts an element in, or takes it out. */
static inline void bitset_put(uint64_t *set, unsigned i, bool in) {
  const uint64_t bit = UINT64_C(1) << i % 64;
  set[i / 64] = in ? set[i / 64] | bit : set[i / 64] & ~bit;
}

/* The first element from i on in a set of so many words; 64 * words: there is none. */
static inline unsigned bitset_next(const uint64_t *set, unsigned words, unsigned i) {
  for (unsigned w = i / 64; w < words; w++, i = 64 * w) {
    const uint64_t left = set[w] >> i % 64;
    if (left != 0)
      return i + (unsigned)__builtin_ctzll(left);
  }
  return 64 * words;
}

/* A loop over the elements of a set of so many words, in their order.  The body may take out
 * elements up to i. */
#define BITSET_EACH(i, set, words)                                                                 \
  for (unsigned i = bitset_next(set, words, 0); i < 64 * (words);                                  \
       i = bitset_next(set, words, i + 1))

#endif
