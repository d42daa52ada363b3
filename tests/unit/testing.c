/* Helpers of the unit tests: seed, random numbers, coverage. */
#include "tests/unit/testing.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

uint64_t testing_option(int argc, char **argv, const char *name, uint64_t otherwise) {
  for (int i = 1; i + 1 < argc; i++)
    if (strcmp(argv[i], name) == 0)
      return strtoull(argv[i + 1], NULL, 0);
  return otherwise;
}

uint64_t testing_seed(int argc, char **argv) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  uint64_t seed = (uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec;
  const char *text = getenv("TANDEM_SEED");
  if (text != NULL)
    seed = strtoull(text, NULL, 0);
  seed = testing_option(argc, argv, "--seed", seed);
  printf("seed %" PRIu64 " (repeat with --seed or TANDEM_SEED)\n", seed);
  fflush(stdout);
  return seed;
}

uint64_t rng_next(struct rng *r) {
  uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

unsigned rng_below(struct rng *r, unsigned n) { return (unsigned)((rng_next(r) >> 32) * n >> 32); }

bool rng_chance(struct rng *r, unsigned percent) { return rng_below(r, 100) < percent; }

unsigned rng_member(struct rng *r, uint64_t set) {
  for (unsigned skip = rng_below(r, (unsigned)__builtin_popcountll(set)); skip > 0; skip--)
    set &= set - 1;
  return (unsigned)__builtin_ctzll(set);
}

uint64_t rng_subset(struct rng *r, uint64_t set, unsigned density) {
  uint64_t a = rng_next(r), b = rng_next(r), c = rng_next(r);
  switch (density) {
  case 0:
    return 0;
  case 1:
    return set & a & b & c;
  case 2:
    return set & a;
  case 3:
    return set & (a | b | c);
  default:
    return set;
  }
}

void testing_print_field(const char *name, uint64_t ref, uint64_t dut) {
  if (ref == 0 && dut == 0)
    return;
  if (ref == dut)
    print_error(" %s=%" PRIx64, name, ref);
  else
    print_error(" %s=%" PRIx64 "/%" PRIx64, name, ref, dut);
}

unsigned testing_difference(const char *unit, uint64_t cycle, const char *what, unsigned index,
                            uint64_t ref, uint64_t dut) {
  print_error("%s: cycle %" PRIu64 ", %s[%u]: reference %" PRIx64 ", device %" PRIx64 "\n", unit,
              cycle, what, index, ref, dut);
  return 1;
}

static uint64_t word_of(const void *words, unsigned w) {
  uint64_t v;
  memcpy(&v, (const char *)words + w * sizeof v, sizeof v);
  return v;
}

void testing_print_words(const char *name, const void *ref, const void *dut, unsigned n) {
  for (unsigned w = 0; w < n; w++) {
    char text[64];
    if (n > 1)
      snprintf(text, sizeof text, "%s[%u]", name, w);
    testing_print_field(n > 1 ? text : name, word_of(ref, w), word_of(dut, w));
  }
}

unsigned testing_difference_words(const char *unit, uint64_t cycle, const char *what,
                                  const void *ref, const void *dut, unsigned n) {
  unsigned differences = 0;
  for (unsigned w = 0; w < n; w++)
    if (word_of(ref, w) != word_of(dut, w))
      differences += testing_difference(unit, cycle, what, w, word_of(ref, w), word_of(dut, w));
  return differences;
}

static unsigned missing_coverage(const unsigned long counts[], unsigned n) {
  unsigned missing = 0;
  for (unsigned i = 0; i < n; i++)
    missing += counts[i] == 0;
  return missing;
}

bool testing_goes_on(const char *const names[], const unsigned long counts[], unsigned n,
                     unsigned round) {
  if (round == 0)
    return true;
  if (round == TESTING_ROUNDS || missing_coverage(counts, n) == 0)
    return false;
  for (unsigned i = 0; i < n; i++)
    if (counts[i] == 0)
      print_message("round %u for %s\n", round + 1, names[i]);
  return true;
}

void testing_check_coverage(const char *const names[], const unsigned long counts[], unsigned n) {
  const unsigned missing = missing_coverage(counts, n);
  for (unsigned i = 0; i < n; i++) {
    if (counts[i] == 0)
      print_error("not reached: %s\n", names[i]);
    if (getenv("TANDEM_COVERAGE") != NULL)
      print_message("%10lu %s\n", counts[i], names[i]);
  }
  if (missing > 0)
    fail_msg("%u of %u coverage points were not reached", missing, n);
}
