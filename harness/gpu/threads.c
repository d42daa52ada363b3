/* How the cells are spread over the host's threads.  None of it shows in results.
 *
 * Threads that meet every cycle gain much on processors of their own and lose much on shared ones,
 * and which it is changes while a simulation runs.  So now and then some cycles are run the other
 * way, alone instead of together or the reverse.  Phases of a program differ far more than the two
 * ways do: what is compared is the time for a unit of work, with that of the usual way before and
 * after, and the other way has to win twice in a row.
 */
#include "harness/gpu/threads.h"
#include "harness/gpu/gpu.h"

enum { LONGEST_PAUSE = 64 /* windows between two tries */, WINS = 2 };

/* Distributes the cells over the threads by the work they did lately. */
static void balance(struct tandem *t) {
  /* Heaviest first, each to the thread with the least so far: depends on the simulation alone. */
  const unsigned units = t->ncells, threads = t->pace.alone ? 1 : t->threads;
  unsigned by_work[GPU_ALL], owner[GPU_ALL];
  uint64_t load[256] = {0};
  for (unsigned i = 0; i < units; i++) {
    unsigned at = i;
    for (; at > 0 && t->cells[by_work[at - 1]].work < t->cells[i].work; at--)
      by_work[at] = by_work[at - 1];
    by_work[at] = i;
  }
  for (unsigned i = 0; i < units; i++) {
    unsigned best = 0;
    for (unsigned k = 1; k < threads; k++)
      if (load[k] < load[best])
        best = k;
    owner[by_work[i]] = best;
    load[best] += t->cells[by_work[i]].work + 1;
  }
  unsigned n = 0;
  for (unsigned k = 0; k < threads; k++) {
    t->first[k] = (uint8_t)n;
    for (unsigned i = 0; i < units; i++)
      if (owner[i] == k)
        t->order[n++] = (uint8_t)i;
  }
  t->first[threads] = (uint8_t)n;
  for (unsigned k = 0; k < threads; k++)
    t->parts[k] = 0;
  for (unsigned p = 0; p < 64; p++)
    t->parts[p % threads] |= UINT64_C(1) << p;
  for (unsigned i = 0; i < units; i++)
    t->cells[i].work = 0;
}

/* Back to the usual way if a try was under way. */
static void end_try(struct tandem *t) {
  if (t->pace.stage == PACE_TRY_STARTS || t->pace.stage == PACE_TRY)
    t->pace.alone = !t->pace.alone;
  t->pace.stage = PACE_USUAL;
}

void threads_begin(struct tandem *t) {
  end_try(t);
  t->pace.start = gpu_seconds();
  balance(t);
}

/* The end of a try and of a usual window behind it, which took `after` a unit of work. */
static void judge(struct tandem *t, double after) {
  const bool better = t->pace.tried < 0.95 * (t->pace.usual + after) / 2;
  t->pace.wins = better ? t->pace.wins + 1 : 0;
  t->pace.windows = 0;
  if (better)
    t->pace.pause = 1;
  else
    t->pace.pause = t->pace.pause < LONGEST_PAUSE ? 2 * t->pace.pause + 1 : LONGEST_PAUSE;
  if (t->pace.wins == WINS) {
    t->pace.alone = !t->pace.alone;
    t->pace.wins = 0;
  }
}

void threads_step(struct tandem *t) {
  if (t->threads == 1)
    return;
  uint64_t work = 1;
  for (unsigned i = 0; i < t->ncells; i++)
    work += t->cells[i].work;
  const double spent = (gpu_seconds() - t->pace.start) / (double)work;
  switch (t->pace.stage) {
  case PACE_USUAL:
    t->pace.usual = spent;
    if (++t->pace.windows > t->pace.pause) {
      t->pace.alone = !t->pace.alone;
      t->pace.stage = PACE_TRY_STARTS;
    }
    break;
  case PACE_TRY_STARTS:
    t->pace.stage = PACE_TRY;
    break;
  case PACE_TRY:
    t->pace.tried = spent;
    t->pace.alone = !t->pace.alone;
    t->pace.stage = PACE_AFTER_STARTS;
    break;
  case PACE_AFTER_STARTS:
    t->pace.stage = PACE_AFTER;
    break;
  case PACE_AFTER:
    judge(t, spent);
    t->pace.stage = PACE_USUAL;
    break;
  }
  balance(t);
  t->pace.start = gpu_seconds();
}
