/* How the cells are spread over the host's threads.  None of it shows in results. */
#include "harness/gpu/host/threads.h"

#include "harness/gpu/host/time.h"

/* Distributes the cells over the threads by the work they did lately. */
static void balance(struct gpu_threads *h, const uint64_t *work, unsigned cells) {
  /* Heaviest first, each to the thread with the least so far: depends on the simulation alone. */
  const unsigned threads = h->meet;
  unsigned by_work[GPU_ALL], owner[GPU_ALL];
  uint64_t load[256] = {0};
  for (unsigned i = 0; i < cells; i++) {
    unsigned at = i;
    for (; at > 0 && work[by_work[at - 1]] < work[i]; at--)
      by_work[at] = by_work[at - 1];
    by_work[at] = i;
  }
  for (unsigned i = 0; i < cells; i++) {
    unsigned best = 0;
    for (unsigned k = 1; k < threads; k++)
      if (load[k] < load[best])
        best = k;
    owner[by_work[i]] = best;
    load[best] += work[by_work[i]] + 1;
  }
  unsigned n = 0;
  for (unsigned k = 0; k < threads; k++) {
    h->first[k] = (uint8_t)n;
    for (unsigned i = 0; i < cells; i++)
      if (owner[i] == k)
        h->order[n++] = (uint8_t)i;
  }
  h->first[threads] = (uint8_t)n;
  for (unsigned k = 0; k < threads; k++)
    h->parts[k] = 0;
  for (unsigned p = 0; p < 64; p++)
    h->parts[p % threads] |= UINT64_C(1) << p;
}

/* Threads that meet if they share the work. */
static unsigned together(const struct gpu_threads *h, bool apart) { return apart ? h->n : h->few; }

static void share(struct gpu_threads *h, bool apart, const uint64_t *work, unsigned cells) {
  h->meet = h->pace.alone ? 1 : together(h, apart);
  balance(h, work, cells);
}

void threads_open(struct gpu_threads *h, unsigned n, bool follows, bool at_once) {
  h->n = n;
  h->few = follows ? (n + 1) / 2 : n;
  pace_begin(&h->pace, !at_once);
}

bool threads_beside(const struct gpu_threads *h) { return !h->pace.alone && h->n > h->meet; }

void threads_begin(struct gpu_threads *h, bool apart, const uint64_t *work, unsigned cells) {
  h->start = gpu_seconds();
  share(h, apart, work, cells);
}

/* A piece of the launch is over. */
static void adapt(struct gpu_threads *h, bool apart, const uint64_t *work, unsigned cells) {
  const double now = gpu_seconds();
  uint64_t all = 0;
  for (unsigned i = 0; i < cells; i++)
    all += work[i];
  if (pace_add(&h->pace, now - h->start, all)) {
    const struct pace_host host = {.meets = together(h, apart) > 1,
                                   .delay = pool_delay(h->pool),
                                   .room = pool_has_room(h->pool)};
    pace_decide(&h->pace, &host);
  }
  h->start = gpu_seconds();
}

void threads_step(struct gpu_threads *h, bool apart, const uint64_t *work, unsigned cells) {
  if (h->n == 1)
    return;
  adapt(h, apart, work, cells);
  share(h, apart, work, cells);
}
