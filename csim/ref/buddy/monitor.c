/* Reference of rtl/buddy/monitor.sv. */
#include "csim/ref/buddy/monitor.h"

#include <stddef.h>

void monitor_ref_reset(struct monitor_ref *m, unsigned members, unsigned entries) {
  *m = (struct monitor_ref){.members = members, .entries = entries};
}

const struct monitor_load *monitor_ref_find(const struct monitor_ref *m, unsigned warp,
                                            unsigned reg) {
  const struct monitor_load *loads = m->load[warp];
  for (unsigned e = 0; e < m->entries; e++)
    if (loads[e].waits_for != 0 && (m->entries == 1 || loads[e].reg == reg))
      return &loads[e];
  return NULL;
}

struct monitor_load *monitor_ref_choose(struct monitor_ref *m, unsigned warp) {
  for (unsigned e = 0; e < m->entries; e++)
    if (m->load[warp][e].waits_for == 0)
      return &m->load[warp][e];
  return NULL;
}

bool monitor_ref_complete(struct monitor_ref *m, unsigned member, unsigned warp, unsigned reg) {
  struct monitor_load *load = (struct monitor_load *)monitor_ref_find(m, warp, reg);
  if (load == NULL)
    return member == 0; /* nobody else executed it */
  load->waits_for &= (uint8_t) ~(1U << member);
  if (load->waits_for != 0)
    return false;
  warpset_put(&m->full, warp, false);
  m->busy--;
  return true;
}

void monitor_ref_take(struct monitor_ref *m, struct monitor_load *load, unsigned warp,
                      struct monitor_load with) {
  *load = with;
  m->busy++;
  warpset_put(&m->full, warp, monitor_ref_choose(m, warp) == NULL);
}

/* A member's completion of a load. */
struct monitor_completion {
  unsigned member, warp, reg, size;
};

/* Lists the completions of a cycle in the order in which they count.  Returns their number. */
static unsigned monitor_completions(const struct monitor_ref *m, const struct monitor_in *in,
                                    struct monitor_completion list[MONITOR_MOST_MEMBERS]) {
  unsigned n = 0;
  if (in->own_valid)
    list[n++] = (struct monitor_completion){0, (unsigned)in->own_warp, (unsigned)in->own_reg,
                                            (unsigned)in->own_size};
  for (unsigned k = 1; k < m->members; k++) {
    unsigned place = k - 1;
    if ((in->ack_valid >> place & 1) != 0)
      list[n++] =
          (struct monitor_completion){k, in->ack_warp >> 6 * place & 63,
                                      in->ack_reg >> 5 * place & 31, in->ack_size >> 2 * place & 3};
  }
  return n;
}

void monitor_ref_eval(const struct monitor_ref *m, const struct monitor_in *in,
                      struct monitor_out *out) {
  struct monitor_completion list[MONITOR_MOST_MEMBERS];
  unsigned n = monitor_completions(m, in, list);
  *out = (struct monitor_out){.full = m->full, .empty = m->busy == 0};
  if (n == 0)
    return;
  struct monitor_ref after = *m;
  for (unsigned i = 0; i < n; i++) {
    const struct monitor_completion *c = &list[i];
    if (!monitor_ref_complete(&after, c->member, c->warp, c->reg))
      continue;
    out->rel_valid |= UINT64_C(1) << c->member;
    out->rel_warp |= (uint64_t)c->warp << 6 * c->member;
    out->rel_reg |= (uint64_t)c->reg << 5 * c->member;
    out->rel_size |= (uint64_t)c->size << 2 * c->member;
  }
}

void monitor_ref_step(struct monitor_ref *m, const struct monitor_in *in) {
  if (in->kernel_start) {
    monitor_ref_reset(m, m->members, m->entries);
    return;
  }
  struct monitor_load *taken = in->iss_valid ? monitor_ref_choose(m, (unsigned)in->iss_warp) : NULL;
  struct monitor_completion list[MONITOR_MOST_MEMBERS];
  unsigned n = monitor_completions(m, in, list);
  for (unsigned i = 0; i < n; i++)
    monitor_ref_complete(m, list[i].member, list[i].warp, list[i].reg);
  if (taken != NULL)
    monitor_ref_take(m, taken, (unsigned)in->iss_warp,
                     (struct monitor_load){(uint8_t)in->iss_members, (uint8_t)in->iss_reg});
}

void monitor_ref_view(const struct monitor_ref *m, struct monitor_view *view) {
  *view = (struct monitor_view){0};
  for (unsigned w = 0; w < WARPS; w++)
    for (unsigned e = 0; e < m->entries; e++)
      for (unsigned k = 0; k < m->members; k++)
        view->mon[e * m->members + k] |= (uint64_t)(m->load[w][e].waits_for >> k & 1) << w;
}
