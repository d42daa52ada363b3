/* Reference of rtl/buddy/monitor.sv (docs/hardware/buddy_links.md, monitor). */
#ifndef TANDEM_REF_MONITOR_H
#define TANDEM_REF_MONITOR_H

#include "csim/ports/units.h"
#include "csim/ref/sm/warpset.h"

enum { MONITOR_MOST_MEMBERS = 8, MONITOR_MOST_ENTRIES = 4 };

/* A load in flight. */
struct monitor_load {
  uint8_t waits_for; /* bit m: member m has not completed the load; 0: a free entry */
  uint8_t reg;
};

struct monitor_ref {
  unsigned members, entries;
  struct monitor_load load[WARPS][MONITOR_MOST_ENTRIES];
  /* derived from the loads */
  warpset full;  /* warps without a free entry */
  unsigned busy; /* number of busy entries */
};

void monitor_ref_reset(struct monitor_ref *m, unsigned members, unsigned entries);

/* Returns the entry of a load that completes, or NULL. */
const struct monitor_load *monitor_ref_find(const struct monitor_ref *m, unsigned warp,
                                            unsigned reg);

/* Returns whether all entries of the warp are busy. */
static inline bool monitor_ref_full(const struct monitor_ref *m, unsigned warp) {
  return warpset_has(m->full, warp);
}

/* The parts of a cycle, in this order.  First: chooses the entry that an issue takes. */
struct monitor_load *monitor_ref_choose(struct monitor_ref *m, unsigned warp);

/* Second: completes a load for a member, 0 being the leader itself.  Returns whether this releases
 * the register. */
bool monitor_ref_complete(struct monitor_ref *m, unsigned member, unsigned warp, unsigned reg);

/* Third: fills the chosen entry. */
void monitor_ref_take(struct monitor_ref *m, struct monitor_load *load, unsigned warp,
                      struct monitor_load with);

void monitor_ref_eval(const struct monitor_ref *m, const struct monitor_in *in,
                      struct monitor_out *out);
void monitor_ref_step(struct monitor_ref *m, const struct monitor_in *in);
void monitor_ref_view(const struct monitor_ref *m, struct monitor_view *view);

#endif
