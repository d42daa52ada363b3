/* Services of the unit tests: seed, random numbers, coverage.
 *
 * A random test that never reaches its corner cases proves nothing, so each test lists the
 * coincidences it is made for, counts them, and fails if one was never reached. */
#ifndef TANDEM_TEST_TESTING_H
#define TANDEM_TEST_TESTING_H

#include <stdbool.h>
#include <stdint.h>

/* The seed of this run: --seed N, else TANDEM_SEED, else from the clock; printed. */
uint64_t testing_seed(int argc, char **argv);
/* The seed that was chosen, and in *fresh 0; or else 1, which makes a run repeatable, and in *fresh
 * one from the clock, for inputs that no run has had.  Printed. */
uint64_t testing_seeds(int argc, char **argv, uint64_t *fresh);
/* The value of an option such as --cycles N, or a default. */
uint64_t testing_option(int argc, char **argv, const char *name, uint64_t otherwise);

struct rng {
  uint64_t state;
};
uint64_t rng_next(struct rng *r);
/* 0 to n - 1, n > 0. */
unsigned rng_below(struct rng *r, unsigned n);
/* True in so many of a hundred cases. */
bool rng_chance(struct rng *r, unsigned percent);
/* A bit number of a set that is not empty. */
unsigned rng_member(struct rng *r, uint64_t set);
/* A random subset; density 0 none, 1 sparse, 2 half, 3 dense, 4 all. */
uint64_t rng_subset(struct rng *r, uint64_t set, unsigned density);

/* Cycles so far, which the test counts. */
extern uint64_t testing_cycles;
/* Differences are not printed. */
extern bool testing_quiet;

/* Switches a mutant of a netlist on (tests/mutation); `age` returns its age (struct rtl_type in
 * harness/shim/rtl.h).  The first difference, failed assertion or check ends the run
 * with status 1 and a line "caught KIND NAME CYCLE AGE"; else the last line is "survived AGE". */
void testing_mutate(unsigned mutant, void mutate(unsigned), uint64_t age(void));

/* Prints a field that is not 0: one value, or reference/device. */
void testing_print_field(const char *name, uint64_t ref, uint64_t dut);
/* Prints a difference; returns 1. */
unsigned testing_difference(const char *unit, uint64_t cycle, const char *what, unsigned index,
                            uint64_t ref, uint64_t dut);

/* Coverage: a list COVERAGE(F) of names gives COVER_<name> and the counters.  A point that the
 * device's parameters exclude is excused before the first case: cover(COVER_<name>, excluded). */
#define COVER_ENUM(name) COVER_##name,
#define COVER_NAME(name) #name,
#define COVER_DEFINE(list)                                                                         \
  enum { list(COVER_ENUM) COVER_COUNT };                                                           \
  static const char *const cover_names[COVER_COUNT + 1] = {list(COVER_NAME)};                      \
  static unsigned long covered[COVER_COUNT + 1];                                                   \
  static inline void cover(unsigned point, bool reached) { covered[point] += reached; }
/* The list of a test without random cases. */
#define COVER_NOTHING(F)
#define COVER_GOES_ON(round) testing_goes_on(cover_names, covered, COVER_COUNT, round)
#define COVER_CHECK() testing_check_coverage(cover_names, covered, COVER_COUNT)

/* Rounds of a random test.  A round is its whole length, which is to reach every point: one that
 * has missed some is followed by another, with other numbers, and only TESTING_ROUNDS of them in
 * vain fail the test.  So luck does not: even a point that seven rounds of ten miss is missed by
 * all of them once in 10^15 runs.  Faults that a test looks for are given as many. */
enum { TESTING_ROUNDS = 100 };
/* Returns true if round number `round`, from 0, is to be run.  After the first round, prints the
 * points that are still missing. */
bool testing_goes_on(const char *const names[], const unsigned long counts[], unsigned n,
                     unsigned round);
/* Fails the test, naming each point that was not reached. */
void testing_check_coverage(const char *const names[], const unsigned long counts[], unsigned n);

/* The values that an input port has had (tests/unit/reach.h). */
enum { REACH_WORDS = 16 };
struct port_reach {
  uint64_t ones[REACH_WORDS], zeros[REACH_WORDS]; /* bits that were 1, that were 0 */
  uint64_t beside[REACH_WORDS];                   /* bits that were 1 beside kernel_start */
  uint64_t min, max;                              /* of the lowest word */
  unsigned long seen;                             /* cycles in which it meant something */
};
struct port_excuse {
  const char *port; /* NULL: end of the list */
  uint64_t bits;    /* of each word */
  const char *reason;
};
/* A value.  start: beside kernel_start.  random: it may be illegal, and counts as beside that
 * alone. */
static inline void port_reach_note(struct port_reach *r, const uint64_t *value, unsigned words,
                                   bool start, bool random) {
  for (unsigned w = 0; start && w < words; w++)
    r->beside[w] |= value[w];
  if (random)
    return;
  for (unsigned w = 0; w < words; w++) {
    r->ones[w] |= value[w];
    r->zeros[w] |= ~value[w];
  }
  if (r->seen++ == 0)
    r->min = r->max = value[0];
  r->min = value[0] < r->min ? value[0] : r->min;
  r->max = value[0] > r->max ? value[0] : r->max;
}
/* Prints the port; returns 1 if a bit never changed without excuse, or changed with one, or if the
 * unit starts kernels and a bit was 1, but never beside that.  It prints which. */
unsigned port_reach_check(const char *port, unsigned width, unsigned words,
                          const struct port_reach *r, const struct port_excuse *excuses,
                          bool starts);

#endif
