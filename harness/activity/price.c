/* Power of what no library of cells has: memories, the wires of links, and power gating. */
#include <stdbool.h>
#include <string.h>

#include "harness/activity/local.h"

/* Returns true if an instance of a member has no power while the member has none
 * (docs/hardware/buddy_member.md, "The front end as slave"). */
static bool gated(const char *path) {
  static const char frontend[] = "u_frontend.";
  static const char *const on[] = {"u_inputs", "u_select", "u_simt_stack", "u_barrier",
                                   "u_outputs"};
  if (strstr(path, "u_monitor") != NULL)
    return true;
  if (strncmp(path, frontend, sizeof frontend - 1) != 0)
    return false;
  for (size_t i = 0; i < sizeof on / sizeof on[0]; i++)
    if (strncmp(path + sizeof frontend - 1, on[i], strlen(on[i])) == 0)
      return false;
  return true;
}

/* The part of its leakage that an instance has in the window. */
static double left(const struct technology *t, const struct activity_result *r, unsigned member,
                   const char *path) {
  const double off = (double)r->off_cycles[member] / (double)r->cycles;
  return gated(path) ? 1 - off * (1 - t->gating.leakage_left) : 1;
}

static int price_memory(const struct technology *t, struct technology_corner process, double mhz,
                        const struct activity_result *r, struct activity_memory *m,
                        struct tandem_error *err) {
  const struct technology_memory shape = {m->words, m->width, m->ports};
  struct technology_macro macro;
  TRY(technology_macro(t, &shape, process, &macro, err));
  const double accesses = (double)(m->reads + m->writes) / (double)r->cycles;
  m->access_w = 1e-12 * macro.access_pj * accesses * mhz * 1e6;
  m->leakage_w = 1e-6 * macro.leakage_uw;
  m->gated_w = m->leakage_w * left(t, r, m->member, m->path);
  return 0;
}

int activity_price(const struct technology *t, struct technology_corner process, double mhz,
                   struct activity_result *r, struct tandem_error *err) {
  for (size_t i = 0; i < r->nrows; i++)
    r->rows[i].gated_w = r->rows[i].leakage_w * left(t, r, r->rows[i].member, r->rows[i].path);
  for (size_t i = 0; process.nm > 0 && i < r->nmemories; i++)
    TRY(price_memory(t, process, mhz, r, &r->memories[i], err));
  for (size_t i = 0; i < r->nlinks; i++) {
    struct activity_link *l = &r->links[i];
    const double hops = (double)(l->follower - l->leader) / l->stages;
    const double changes = (double)l->changes / (double)r->cycles;
    l->low_w = 1e-12 * technology_move_pj(t, changes, hops, false) * mhz * 1e6;
    l->full_w = 1e-12 * technology_move_pj(t, changes, hops, true) * mhz * 1e6;
  }
  return 0;
}
