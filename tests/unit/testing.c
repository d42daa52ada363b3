/* Helpers of the unit tests: seed, random numbers, coverage. */
#include "tests/unit/testing.h"

#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

uint64_t testing_option(int argc, char **argv, const char *name, uint64_t otherwise) {
  for (int i = 1; i + 1 < argc; i++)
    if (strcmp(argv[i], name) == 0)
      return strtoull(argv[i + 1], NULL, 0);
  return otherwise;
}

static uint64_t clock_seed(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return (uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec;
}

/* --seed N, else TANDEM_SEED, else what is given. */
static uint64_t chosen_seed(int argc, char **argv, uint64_t otherwise) {
  const char *text = getenv("TANDEM_SEED");
  if (text != NULL)
    otherwise = strtoull(text, NULL, 0);
  return testing_option(argc, argv, "--seed", otherwise);
}

uint64_t testing_seed(int argc, char **argv) {
  const uint64_t seed = chosen_seed(argc, argv, clock_seed());
  printf("seed %" PRIu64 " (repeat with --seed or TANDEM_SEED)\n", seed);
  fflush(stdout);
  return seed;
}

uint64_t testing_seeds(int argc, char **argv, uint64_t *fresh) {
  const uint64_t none = 0, seed = chosen_seed(argc, argv, none);
  *fresh = seed != none ? none : clock_seed();
  if (seed != none)
    printf("seed %" PRIu64 "\n", seed);
  else
    printf("seeds 1 and %" PRIu64 " (repeat with --seed or TANDEM_SEED)\n", *fresh);
  fflush(stdout);
  return seed != none ? seed : 1;
}

uint64_t testing_cycles;
bool testing_quiet;
static uint64_t (*mutant_age)(void); /* NULL: no mutant */

/* what: "KIND NAME". */
static void caught(const char *what) {
  printf("caught %s %" PRIu64 " %" PRIu64 "\n", what, testing_cycles, mutant_age());
  fflush(stdout);
  _exit(1);
}

static void survived(void) { printf("survived %" PRIu64 "\n", mutant_age()); }

/* Writes a number and what follows it; returns the place behind them. */
static char *put_number(char *to, uint64_t number, char behind) {
  char digits[24];
  size_t d = 0;
  for (uint64_t left = number; d == 0 || left != 0; left /= 10)
    digits[d++] = (char)('0' + left % 10);
  while (d != 0)
    *to++ = digits[--d];
  *to++ = behind;
  return to;
}

/* A test of its own that fails, by abort(): only what may be called in a signal's handler. */
static void caught_by_test(int number) {
  static char text[80] = "caught test assertion ";
  char *end = text + strlen(text);
  (void)number;
  end = put_number(end, testing_cycles, ' ');
  end = put_number(end, mutant_age(), '\n');
  if (write(STDOUT_FILENO, text, (size_t)(end - text)) < 0)
    _exit(2);
  _exit(1);
}

void testing_mutate(unsigned mutant, void mutate(unsigned), uint64_t age(void)) {
  mutate(mutant);
  mutant_age = age;
  setenv("CMOCKA_TEST_ABORT", "1", 1); /* a test that fails */
  signal(SIGABRT, caught_by_test);
  atexit(survived);
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
  if (!testing_quiet)
    print_error("%s: cycle %" PRIu64 ", %s[%u]: reference %" PRIx64 ", device %" PRIx64 "\n", unit,
                cycle, what, index, ref, dut);
  if (mutant_age != NULL)
    caught(what);
  return 1;
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

static unsigned bits_of(uint64_t x) { return (unsigned)__builtin_popcountll(x); }

unsigned port_reach_check(const char *port, unsigned width, unsigned words,
                          const struct port_reach *r, const struct port_excuse *excuses,
                          bool starts) {
  const uint64_t all = width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX;
  uint64_t excused = 0;
  for (const struct port_excuse *e = excuses; e->port != NULL; e++)
    if (strcmp(e->port, port) == 0)
      excused |= e->bits;
  uint64_t missed = 0, needless = 0, alone = 0;
  unsigned changed = 0;
  for (unsigned w = 0; w < words; w++) {
    const uint64_t changes = r->ones[w] & r->zeros[w];
    missed |= all & ~changes & ~excused;
    needless |= all & changes & excused;
    alone |= all & (starts ? r->ones[w] & ~r->beside[w] : 0);
    changed += bits_of(changes & all);
  }
  const bool fails = missed != 0 || needless != 0 || alone != 0;
  if (testing_quiet)
    return fails;
  print_message("input %-16s %8lu cycles, %" PRIx64 " to %" PRIx64 ", %u of %u bits change\n", port,
                r->seen, r->min, r->max, changed, width * words);
  if (missed != 0)
    print_error("input %s: bits %" PRIx64 " never change\n", port, missed);
  if (needless != 0)
    print_error("input %s: bits %" PRIx64 " change, and UNIT_UNREACHED excuses them\n", port,
                needless);
  if (alone != 0)
    print_error("input %s: bits %" PRIx64 " are never 1 beside kernel_start\n", port, alone);
  return fails;
}
