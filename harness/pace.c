/* How the SMs are spread over the host's threads.  None of it shows in results.
 *
 * Threads that meet every cycle gain much on processors of their own and lose much on shared ones,
 * and which it is changes while a simulation runs.  So now and then one window of cycles is run the
 * other way, alone instead of together or the reverse, and the faster way stays.
 */
#include "harness/gpu.h"

enum { LONGEST_PAUSE = 64 /* windows between two tries */ };

/* Distributes the SMs over the threads by the work they did lately. */
static void balance(struct tandem *t) {
  /* Heaviest first, each to the thread with the least so far: depends on the simulation alone. */
  const unsigned sms = t->config.sms, threads = t->pace.alone ? 1 : t->threads;
  unsigned by_work[64], owner[64];
  uint64_t load[256] = {0};
  for (unsigned i = 0; i < sms; i++) {
    unsigned at = i;
    for (; at > 0 && t->sms[by_work[at - 1]].work < t->sms[i].work; at--)
      by_work[at] = by_work[at - 1];
    by_work[at] = i;
  }
  for (unsigned i = 0; i < sms; i++) {
    unsigned best = 0;
    for (unsigned k = 1; k < threads; k++)
      if (load[k] < load[best])
        best = k;
    owner[by_work[i]] = best;
    load[best] += t->sms[by_work[i]].work + 1;
  }
  unsigned n = 0;
  for (unsigned k = 0; k < threads; k++) {
    t->first[k] = (uint8_t)n;
    for (unsigned i = 0; i < sms; i++)
      if (owner[i] == k)
        t->order[n++] = (uint8_t)i;
  }
  t->first[threads] = (uint8_t)n;
  for (unsigned k = 0; k < threads; k++)
    t->parts[k] = 0;
  for (unsigned p = 0; p < 64; p++)
    t->parts[p % threads] |= UINT64_C(1) << p;
  for (unsigned i = 0; i < sms; i++)
    t->sms[i].work = 0;
}

void pace_begin(struct tandem *t) {
  t->pace.trying = false;
  t->pace.window = 0;
  if (t->pace.pause == 0)
    t->pace.pause = 1;
  t->pace.start = gpu_seconds();
  balance(t);
}

void pace_step(struct tandem *t) {
  if (t->threads == 1)
    return;
  const double now = gpu_seconds(), took = now - t->pace.start;
  if (t->pace.trying) {
    const bool better = took < 0.95 * t->pace.usual;
    if (!better)
      t->pace.alone = !t->pace.alone;
    t->pace.pause = better ? 2 : t->pace.pause < LONGEST_PAUSE ? 2 * t->pace.pause : LONGEST_PAUSE;
    t->pace.trying = false;
    t->pace.window = 0;
  } else if (++t->pace.window > t->pace.pause) {
    t->pace.trying = true;
    t->pace.usual = took;
    t->pace.alone = !t->pace.alone;
  }
  balance(t);
  t->pace.start = gpu_seconds();
}
