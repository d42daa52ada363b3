/* How the cells are spread over the host's threads.  None of it shows in results. */
#include "harness/gpu/host/threads.h"
#include "harness/gpu/core/gpu.h"
#include "harness/gpu/host/follow.h"

/* Distributes the cells over the threads by the work they did lately. */
static void balance(struct tandem *t) {
  /* Heaviest first, each to the thread with the least so far: depends on the simulation alone. */
  const unsigned units = t->ncells, threads = t->threads.meet;
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

/* Threads that meet if they share the work. */
static unsigned together(const struct tandem *t) {
  return lookahead_apart(t) ? t->threads.n : t->threads.few;
}

static void share(struct tandem *t) {
  t->threads.meet = t->threads.pace.alone ? 1 : together(t);
  balance(t);
}

void threads_open(struct tandem *t, unsigned n, bool at_once) {
  t->threads.n = n;
  t->threads.few = follow_wanted(&t->config) ? (n + 1) / 2 : n;
  pace_begin(&t->threads.pace, !at_once);
}

bool threads_beside(const struct tandem *t) {
  return !t->threads.pace.alone && t->threads.n > t->threads.meet;
}

void threads_begin(struct tandem *t) {
  t->threads.start = gpu_seconds();
  share(t);
}

/* A piece of the launch is over. */
static void adapt(struct tandem *t) {
  struct gpu_threads *h = &t->threads;
  const double now = gpu_seconds();
  uint64_t work = 0;
  for (unsigned i = 0; i < t->ncells; i++)
    work += t->cells[i].work;
  if (pace_add(&h->pace, now - h->start, work)) {
    const struct pace_host host = {
        .meets = together(t) > 1, .delay = pool_delay(h->pool), .room = pool_has_room(h->pool)};
    pace_decide(&h->pace, &host);
  }
  h->start = gpu_seconds();
}

void threads_step(struct tandem *t) {
  if (t->threads.n == 1)
    return;
  adapt(t);
  share(t);
}
