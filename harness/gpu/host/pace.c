/* The choice between one host thread and several, from times of windows. */
#include "harness/gpu/host/pace.h"

enum { FIRST_PAUSE = 8, LONGEST_PAUSE = 256 /* windows */ };

/* Seconds: some of a host's time slices; threads wake sooner. */
static const double window = 0.004, start = 0.0005;

/* The other way has to be faster by this. */
static const double better = 0.95;

/* The share of a window for which threads may have been ready without running. */
static const double waits = 0.1;

void pace_begin(struct pace *p, bool alone) {
  *p = (struct pace){.alone = alone, .pause = {FIRST_PAUSE, FIRST_PAUSE}};
}

bool pace_add(struct pace *p, double seconds, uint64_t work) {
  const bool starts = p->stage == PACE_STARTS || p->stage == PACE_BACK_STARTS;
  p->seconds += seconds;
  p->work += work;
  return p->seconds >= (starts ? start : window);
}

static void longer(unsigned *pause) {
  if (*pause < LONGEST_PAUSE)
    *pause *= 2;
}

static void shorter(unsigned *pause) {
  if (*pause > FIRST_PAUSE)
    *pause /= 2;
}

/* Threads waited for processors: together they lose, as usual or in a try. */
static void go_alone(struct pace *p) {
  p->alone = true;
  p->stage = PACE_USUAL;
  p->windows = 0;
  longer(&p->pause[PACE_ALONE]);
  p->pause[PACE_TOGETHER] = FIRST_PAUSE;
}

/* The end of a try and of a usual window behind it, which took `after` a unit of work. */
static void judge(struct pace *p, double after) {
  p->stage = PACE_USUAL;
  p->windows = 0;
  if (p->tried < better * (p->usual + after) / 2) {
    p->alone = !p->alone;
    return;
  }
  longer(&p->pause[p->alone]);
  if (!p->alone)
    shorter(&p->pause[PACE_ALONE]);
}

static void begin_try(struct pace *p, bool room) {
  p->windows = 0;
  if (p->alone && !room)
    return;
  p->alone = !p->alone;
  p->stage = PACE_STARTS;
}

/* A window that took `spent` a unit of work. */
static void go_on(struct pace *p, double spent, bool room) {
  switch (p->stage) {
  case PACE_USUAL:
    p->usual = spent;
    if (++p->windows > p->pause[p->alone])
      begin_try(p, room);
    break;
  case PACE_STARTS:
    p->stage = PACE_OTHER;
    break;
  case PACE_OTHER:
    p->tried = spent;
    p->alone = !p->alone;
    p->stage = PACE_BACK_STARTS;
    break;
  case PACE_BACK_STARTS:
    p->stage = PACE_BACK;
    break;
  case PACE_BACK:
    judge(p, spent);
    break;
  }
}

/* Threads that wait for each other had to wait for processors, and it was no faster than alone. */
static bool loses(const struct pace *p, double spent, const struct pace_host *host) {
  const double waited = 1e-9 * (double)(host->delay - p->delay), alone = p->last[PACE_ALONE];
  return host->meets && waited > waits * p->seconds && (alone == 0 || spent > better * alone);
}

void pace_decide(struct pace *p, const struct pace_host *host) {
  const double spent = p->seconds / (double)(p->work + 1);
  if (!p->alone && loses(p, spent, host)) {
    go_alone(p);
  } else {
    p->last[p->alone] = spent;
    go_on(p, spent, host->room || !host->meets);
  }
  p->seconds = 0;
  p->work = 0;
  p->delay = host->delay;
}
