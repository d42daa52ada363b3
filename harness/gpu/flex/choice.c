/* Choice of a scheme for a launch. */
#include "harness/gpu/flex/choice.h"

#include <inttypes.h>
#include <stdio.h>

enum { PEAK = 64 /* thread instructions of an SM a cycle: it issues two of 32 lanes */ };

/* The mark of the rule `first`: a quarter of the peak that the paper counts, of one instruction of
 * 32 lanes a cycle (section III and table II: 384 of 12 SMs), which is half of ours. */
static const double mark = 0.25 / 2;

/* The threads of the grid that the GPU holds at a time. */
static uint64_t held(const struct flex_gpu *gpu, enum flex_scheme scheme,
                     const struct flex_launch *l) {
  const uint64_t ctas = flex_resident(gpu, scheme, &l->cta);
  return (ctas < l->ctas ? ctas : l->ctas) * l->cta.threads;
}

struct flex_choice flex_choose_static(const struct flex_gpu *gpu, const struct flex_launch *l) {
  struct flex_choice c = {.own_memory = gpu->own_memory};
  const uint64_t base = held(gpu, FLEX_BASE, l), big = held(gpu, FLEX_BIGSM, l);
  if (5 * (uint64_t)l->memory < l->instructions) {
    c.scheme = FLEX_BIGSM;
    snprintf(c.why, sizeof c.why, "%u of %u instructions use memory, less than a fifth", l->memory,
             l->instructions);
  } else if (big > base) {
    c.scheme = FLEX_BIGSM;
    snprintf(c.why, sizeof c.why, "the GPU holds %" PRIu64 " threads in bigsm, %" PRIu64 " in base",
             big, base);
  } else {
    c.scheme = FLEX_OCC;
    snprintf(c.why, sizeof c.why,
             "%u of %u instructions use memory, and bigsm holds no more threads than base",
             l->memory, l->instructions);
  }
  return c;
}

/* Returns true if half of the SMs hold the whole grid without the lenders' memory. */
static bool memory_left_over(const struct flex_gpu *gpu, const struct flex_launch *l) {
  struct flex_gpu own = *gpu;
  own.own_memory = true;
  return flex_resident(&own, FLEX_OCC, &l->cta) >= l->ctas;
}

/* The share of the lanes' time that was used. */
static double duty_of(const struct flex_gpu *gpu, const struct flex_measured *m) {
  const uint64_t peak = m->cycles * gpu->sms * PEAK;
  return peak != 0 ? (double)m->thread_instructions / (double)peak : 0;
}

struct flex_choice flex_choose_first(const struct flex_gpu *gpu, const struct flex_launch *l,
                                     const struct flex_measured *m) {
  struct flex_choice c = {.own_memory = gpu->own_memory};
  if (m == NULL) {
    if (flex_resident(gpu, FLEX_BASE, &l->cta) == 0)
      return flex_choose_static(gpu, l);
    c.scheme = FLEX_BASE;
    snprintf(c.why, sizeof c.why, "the first launch of this kernel and shape is measured");
    return c;
  }
  const double duty = duty_of(gpu, m);
  c.scheme = duty >= mark ? FLEX_BIGSM : FLEX_OCC;
  const bool left_over = c.scheme == FLEX_OCC && memory_left_over(gpu, l);
  c.own_memory |= left_over;
  snprintf(c.why, sizeof c.why, "the first launch used %.1f %% of the lanes' time%s", 100 * duty,
           left_over ? "; half of the SMs hold the grid with their own memory" : "");
  return c;
}

double flex_estimate(const struct flex_gpu *gpu, enum flex_scheme scheme,
                     const struct flex_launch *l, const struct flex_measured *m) {
  const double duty = duty_of(gpu, m);
  const uint64_t base = held(gpu, FLEX_BASE, l), here = held(gpu, scheme, l);
  const unsigned active = (unsigned)__builtin_popcount(flex_active(scheme, FLEX_MEMBERS));
  const double lanes = flex_wide(scheme) ? 1 : (double)active / FLEX_MEMBERS;
  return here == 0 ? 0 : duty / lanes + (1 - duty) * (double)base / (double)here;
}

/* A scheme that a launch may have, with its estimates. */
struct candidate {
  enum flex_scheme scheme;
  double time, watts;
};

/* Returns whether a is to be preferred to b.  Times that differ by rounding alone are equal. */
static bool better(const struct candidate *a, const struct candidate *b, double limit) {
  const double same = 1e-9;
  if ((a->watts <= limit) != (b->watts <= limit))
    return a->watts <= limit;
  if (a->watts <= limit && (a->time < b->time - same || a->time > b->time + same))
    return a->time < b->time;
  return a->watts < b->watts;
}

struct flex_choice flex_choose_power(const struct flex_gpu *gpu, const struct flex_launch *l,
                                     const struct flex_measured *m, const struct flex_watts *w) {
  struct candidate best = {.time = 0};
  if (m == NULL)
    return flex_choose_first(gpu, l, NULL);
  for (unsigned s = 0; s < FLEX_SCHEMES; s++) {
    struct candidate c = {.scheme = (enum flex_scheme)s,
                          .time = flex_estimate(gpu, (enum flex_scheme)s, l, m)};
    if (c.time <= 0 || (s == FLEX_BAL && !gpu->trios))
      continue;
    c.watts = w->sms[s] + w->others + m->dynamic_w / c.time;
    if (best.time <= 0 || better(&c, &best, w->limit))
      best = c;
  }
  struct flex_choice choice = {.scheme = best.scheme, .own_memory = gpu->own_memory};
  snprintf(choice.why, sizeof choice.why,
           "about %.1f W in %.2f times the time of base: %s %.0f W; base takes %.1f W", best.watts,
           best.time, best.watts <= w->limit ? "the fastest of at most" : "the least, but above",
           w->limit, w->sms[FLEX_BASE] + w->others + m->dynamic_w);
  return choice;
}
