/* The legal range of a unit's inputs, and what of it a test drives: of each port of the table,
 * while it means something, the least and the greatest value, and the bits that were both 0 and 1.
 * A bit that never changes fails the test, unless UNIT_UNREACHED(F) excuses it, F(port, bits,
 * "reason") each; so does an excuse of a bit that changes.  kernel_start wins over every input of
 * its cycle: a bit that is never 1 beside it fails the test, too.  Included by lockstep.h, once a
 * unit. */
#ifndef TANDEM_TEST_REACH_H
#define TANDEM_TEST_REACH_H

#include "tests/unit/testing.h"

#ifndef UNIT_UNREACHED
#define UNIT_UNREACHED(F)
#endif

#define PORT_OUT(name, width, qualifier)
#define STATE(name, width, count, signal, qualifier)
enum {
#define PORT_IN(name, width, qualifier) REACH_##name,
#include UNIT_PORTS
#undef PORT_IN
  REACH_COUNT
};

static struct port_reach reach_of[REACH_COUNT + 1];
static bool reach_starts; /* the unit starts kernels */

static inline bool reach_is_start(const char *port) { return strcmp(port, "kernel_start") == 0; }

/* The inputs of a cycle, before those that mean nothing are made noise.  random: of lockstep_start,
 * and perhaps illegal without kernel_start. */
static inline void reach_note(const struct UNIT_NAME(_in) * p, bool random) {
  bool start = false;
#define PORT_IN(name, width, qualifier)                                                            \
  start = start || (reach_is_start(#name) && *(const uint64_t *)&p->name != 0);
#include UNIT_PORTS
#undef PORT_IN
#define PORT_IN(name, width, qualifier)                                                            \
  if (qualifier)                                                                                   \
    port_reach_note(&reach_of[REACH_##name], (const uint64_t *)&p->name,                           \
                    PORT_WORDS(struct UNIT_NAME(_in), name), start, random);
#include UNIT_PORTS
#undef PORT_IN
  reach_starts = reach_starts || start;
  (void)p;
}

/* A line of the list, which is ended by one without a name. */
#define REACH_EXCUSE(port, bits, reason) {#port, bits, reason},

/* Prints the range of each input; returns how many miss some of it. */
static inline unsigned inputs_reach_their_range(const struct port_excuse *excuses) {
  unsigned failures = 0;
#define PORT_IN(name, width, qualifier)                                                            \
  failures += port_reach_check(#name, width, PORT_WORDS(struct UNIT_NAME(_in), name),              \
                               &reach_of[REACH_##name], excuses, reach_starts);
#include UNIT_PORTS
#undef PORT_IN
  return failures;
}
#undef PORT_OUT
#undef STATE

#endif
