/* Seeded random numbers of the tests: --seed N or TANDEM_SEED gives the seed, which is printed. */
#ifndef TANDEM_TESTS_ISA_RANDOM_H
#define TANDEM_TESTS_ISA_RANDOM_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rng {
  uint64_t state;
};

/* splitmix64: the sequence of a counter run through a mixing function. */
static inline uint64_t rng_next(struct rng *r) {
  uint64_t z = r->state += 0x9e3779b97f4a7c15U;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
  z = (z ^ z >> 27) * 0x94d049bb133111ebU;
  return z ^ z >> 31;
}

static inline unsigned rng_below(struct rng *r, unsigned n) {
  return (unsigned)((rng_next(r) >> 32) * n >> 32);
}

static inline struct rng rng_from_arguments(int argc, char **argv) {
  const char *text = getenv("TANDEM_SEED");
  for (int i = 1; i + 1 < argc; i++) {
    if (strcmp(argv[i], "--seed") == 0)
      text = argv[i + 1];
  }
  struct rng r = {text != NULL ? strtoull(text, NULL, 0) : 1};
  printf("seed %llu\n", (unsigned long long)r.state);
  return r;
}

#endif
