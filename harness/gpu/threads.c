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
  const unsigned units = t->ncells, threads = t->threads.alone ? 1 : t->threads.n;
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
    t->threads.first[k] = (uint8_t)n;
    for (unsigned i = 0; i < units; i++)
      if (owner[i] == k)
        t->threads.order[n++] = (uint8_t)i;
  }
  t->threads.first[threads] = (uint8_t)n;
  for (unsigned k = 0; k < threads; k++)
    t->threads.parts[k] = 0;
  for (unsigned p = 0; p < 64; p++)
    t->threads.parts[p % threads] |= UINT64_C(1) << p;
  for (unsigned i = 0; i < units; i++)
    t->cells[i].work = 0;
}

/* Back to the usual way if a try was under way. */
static void end_try(struct tandem *t) {
  if (t->threads.tries.stage == TRIES_STARTS || t->threads.tries.stage == TRIES_OTHER)
    t->threads.alone = !t->threads.alone;
  t->threads.tries.stage = TRIES_NONE;
}

void threads_begin(struct tandem *t) {
  end_try(t);
  t->threads.tries.start = gpu_seconds();
  balance(t);
}

/* The end of a try and of a usual window behind it, which took `after` a unit of work. */
static void judge(struct tandem *t, double after) {
  const bool better = t->threads.tries.tried < 0.95 * (t->threads.tries.usual + after) / 2;
  t->threads.tries.wins = better ? t->threads.tries.wins + 1 : 0;
  t->threads.tries.windows = 0;
  if (better)
    t->threads.tries.pause = 1;
  else
    t->threads.tries.pause =
        t->threads.tries.pause < LONGEST_PAUSE ? 2 * t->threads.tries.pause + 1 : LONGEST_PAUSE;
  if (t->threads.tries.wins == WINS) {
    t->threads.alone = !t->threads.alone;
    t->threads.tries.wins = 0;
  }
}

void threads_step(struct tandem *t) {
  if (t->threads.n == 1)
    return;
  uint64_t work = 1;
  for (unsigned i = 0; i < t->ncells; i++)
    work += t->cells[i].work;
  const double spent = (gpu_seconds() - t->threads.tries.start) / (double)work;
  switch (t->threads.tries.stage) {
  case TRIES_NONE:
    t->threads.tries.usual = spent;
    if (++t->threads.tries.windows > t->threads.tries.pause) {
      t->threads.alone = !t->threads.alone;
      t->threads.tries.stage = TRIES_STARTS;
    }
    break;
  case TRIES_STARTS:
    t->threads.tries.stage = TRIES_OTHER;
    break;
  case TRIES_OTHER:
    t->threads.tries.tried = spent;
    t->threads.alone = !t->threads.alone;
    t->threads.tries.stage = TRIES_BACK_STARTS;
    break;
  case TRIES_BACK_STARTS:
    t->threads.tries.stage = TRIES_BACK;
    break;
  case TRIES_BACK:
    judge(t, spent);
    t->threads.tries.stage = TRIES_NONE;
    break;
  }
  balance(t);
  t->threads.tries.start = gpu_seconds();
}
