/* Ticks of another clock within a core cycle: tick k belongs to the cycle in which k / f falls.
 * They follow from the cycle number alone, so that cycles without events can be skipped. */
#ifndef TANDEM_MEM_CLOCK_H
#define TANDEM_MEM_CLOCK_H

#include <stdint.h>

struct clock_ratio {
  uint64_t mhz, core; /* frequency of the other clock, of the core clock */
};

/* Returns the first tick of a core cycle. */
static inline uint64_t clock_first(const struct clock_ratio *r, uint64_t cycle) {
  return cycle * r->mhz / r->core + (cycle * r->mhz % r->core != 0);
}

/* Returns the core cycle in which a tick falls. */
static inline uint64_t clock_cycle(const struct clock_ratio *r, uint64_t tick) {
  return tick * r->core / r->mhz;
}

#endif
