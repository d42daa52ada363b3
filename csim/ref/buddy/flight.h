/* Packets on their way between two members of a buddy cluster: the delay of a link, in core
 * cycles (docs/hardware/buddy.md, numbers). */
#ifndef TANDEM_REF_FLIGHT_H
#define TANDEM_REF_FLIGHT_H

#include <stdbool.h>
#include <stdint.h>

enum { FLIGHT_DELAY = 16 };

/* The packets that leave in one core cycle: two slots. */
struct flits {
  bool valid[2];
  uint64_t packet[2];
};

struct flight {
  unsigned delay;                       /* D */
  unsigned now;                         /* the cycle's place, 0 to D - 1 */
  unsigned left;                        /* cycles until nothing is under way */
  struct flits under_way[FLIGHT_DELAY]; /* by the cycle of departure, modulo D */
};

/* Returns the core cycles from departure to arrival.  A core cycle has two NoC cycles; the second
 * slot leaves one NoC cycle after the first, and a hop takes one. */
static inline unsigned flight_delay(unsigned hops) { return (hops + 2) / 2; }

static inline void flight_reset(struct flight *f, unsigned hops) {
  *f = (struct flight){.delay = flight_delay(hops)};
}

/* Returns the packets that arrive in this cycle, which left D cycles ago. */
static inline const struct flits *flight_arriving(const struct flight *f) {
  return &f->under_way[f->now];
}

static inline bool flight_empty(const struct flight *f) { return f->left == 0; }

/* Ends a cycle in which the packets of `leaving` left. */
static inline void flight_step(struct flight *f, const struct flits *leaving) {
  if (leaving->valid[0] || leaving->valid[1])
    f->left = f->delay;
  else if (f->left == 0)
    return; /* all places are alike */
  else
    f->left--;
  f->under_way[f->now] = *leaving;
  f->now = f->now + 1 == f->delay ? 0 : f->now + 1;
}

#endif
