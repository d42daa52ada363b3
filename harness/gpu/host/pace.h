/* The choice between one host thread for all the work and several that share it.
 *
 * Threads that meet in every cycle gain much on processors of their own and lose much on shared
 * ones, and which it is changes while a simulation runs.  So a run begins alone; now and then some
 * time is spent the other way, together instead of alone or the reverse, and the faster way stays.
 * Phases of a program differ far more than the two ways do: what is compared is the time for a unit
 * of work, with that of the usual way before and after.
 *
 * A try costs time if it loses, so it is made less and less often while nothing changes, and not at
 * all while other programs have the processors.  Threads that were ready to run, but did not, end
 * the work together at once, unless it was faster even so. */
#ifndef TANDEM_GPU_PACE_H
#define TANDEM_GPU_PACE_H

#include <stdbool.h>
#include <stdint.h>

enum { PACE_TOGETHER, PACE_ALONE };

struct pace {
  bool alone; /* one thread does it all */
  enum {
    PACE_USUAL,
    PACE_STARTS, /* the other way; its first time, in which threads wake, does not count */
    PACE_OTHER,
    PACE_BACK_STARTS,
    PACE_BACK
  } stage;
  unsigned windows;    /* since the last try */
  unsigned pause[2];   /* between two tries, of each usual way */
  double seconds;      /* of the window so far */
  uint64_t work;       /* done in it */
  uint64_t delay;      /* of the threads, nanoseconds, when it began */
  double usual, tried; /* seconds for a unit of work */
  double last[2];      /* the same of the last window of each way; 0: there was none */
};

/* Facts of the host at the end of a window. */
struct pace_host {
  bool meets;     /* threads that work together wait for each other */
  uint64_t delay; /* nanoseconds for which threads were ready and did not run, in all */
  bool room;      /* there is a processor for each thread beside what else runs */
};

void pace_begin(struct pace *p, bool alone);

/* Adds a piece of a launch.  Returns whether a window is over: pace_decide is to follow. */
bool pace_add(struct pace *p, double seconds, uint64_t work);

/* Decides how the next window runs: p->alone. */
void pace_decide(struct pace *p, const struct pace_host *host);

#endif
