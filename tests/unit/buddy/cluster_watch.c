/* The watch of an environment over the groups of a cluster. */
#include "tests/unit/buddy/cluster_watch.h"

#include "csim/isa/core/isa.h"
#include "csim/ref/buddy/group_control.h"

void cluster_watch_fault(struct cluster_environment *e, unsigned m, unsigned warp,
                         const char *what) {
  if (e->fault != NULL)
    return;
  e->fault = what;
  e->fault_member = m;
  e->fault_warp = warp;
}

void cluster_watch_queue(struct cluster_environment *e, unsigned m, unsigned warp) {
  const struct ce_member *b = &e->member[m];
  unsigned queued = 0;
  for (unsigned i = 0; i < b->flights; i++)
    queued += b->flight[i].pipe == ISA_PIPE_SP && b->flight[i].to_collect;
  if (queued > CE_SP_PLACES)
    cluster_watch_fault(e, m, warp, "issues to the SP queue, which is full");
  if (queued > e->sp_queued[m])
    e->sp_queued[m] = queued;
}

/* A warp without the frames that have arrived before they have run. */
static struct ce_warp to_run(const struct ce_warp *w) {
  struct ce_warp copy = *w;
  copy.frames = 0;
  for (unsigned i = 0; i < w->frames; i++)
    if (w->frame[i].pc != w->frame[i].rpc)
      copy.frame[copy.frames++] = w->frame[i];
  return copy;
}

/* Lanes of a frame that are in none of those above. */
static bool lanes_wait(const struct ce_warp *w, unsigned frame) {
  uint32_t mask = w->frame[frame].mask & w->lanes;
  for (unsigned i = frame + 1; i < w->frames; i++)
    mask &= ~w->frame[i].mask;
  return mask != 0;
}

/* Warps of two members are at the same place, with lanes in the same of their frames. */
static bool alike(const struct ce_warp *one, const struct ce_warp *other) {
  const struct ce_warp a = to_run(one), b = to_run(other);
  if (a.live != b.live || a.frames != b.frames || a.cta != b.cta)
    return false;
  for (unsigned i = 0; i < a.frames; i++) {
    const struct ce_frame *x = &a.frame[i], *y = &b.frame[i];
    if (x->pc != y->pc || x->rpc != y->rpc || lanes_wait(&a, i) != lanes_wait(&b, i))
      return false;
  }
  return true;
}

static void check_follower(struct cluster_environment *e, unsigned leader, unsigned m) {
  const struct ce_member *a = &e->member[leader], *b = &e->member[m];
  if (b->misses > 0 || b->filling)
    cluster_watch_fault(e, m, 0, "goes off with a line on its way");
  for (unsigned i = 0; i < b->flights; i++)
    cluster_watch_fault(e, m, b->flight[i].warp, "goes off with an instruction on its way");
  for (unsigned w = 0; w < ENV_WARPS; w++)
    if ((a->warp[w].live || b->warp[w].live) && !alike(&a->warp[w], &b->warp[w]))
      cluster_watch_fault(e, m, w, "is not where its leader's is");
}

static void count_carried(struct cluster_environment *e, unsigned leader, unsigned last) {
  for (unsigned w = 0; w < ENV_WARPS; w++) {
    const struct ce_warp *a = &e->member[leader].warp[w];
    bool uneven = false;
    if (!a->live)
      continue;
    for (unsigned m = leader; m <= last; m++)
      uneven = uneven || e->member[m].warp[w].lanes != e->member[m].warp[w].launched;
    e->carried++;
    e->deep += to_run(a).frames > 1;
    e->uneven += uneven;
    e->fresh += a->fresh;
  }
}

void cluster_watch_groups(struct cluster_environment *e, const struct buddy_cluster_out *out) {
  for (unsigned m = 0; m < e->members; m += 2) {
    const unsigned was = e->state >> 3 * (m / 2) & 7, is = out->state >> 3 * (m / 2) & 7;
    unsigned last = m;
    if (was != GROUP_WINDOW || is != GROUP_GROUPED)
      continue;
    for (unsigned k = m + 1; k < e->members; k++)
      if ((out->slave >> k & 1) != 0 && (out->lead >> 3 * k & 7) == m) {
        check_follower(e, m, k);
        last = k;
      }
    count_carried(e, m, last);
    e->regrouped++;
  }
  e->state = out->state;
}

bool cluster_watch_in(const struct buddy_cluster_out *out, unsigned state) {
  bool some = false;
  for (unsigned shift = 0; shift < 12; shift += 3)
    some = some || (out->state >> shift & 7) == state;
  return some;
}

bool cluster_watch_meeting(const struct buddy_cluster_out *out) {
  return cluster_watch_in(out, GROUP_PARKING) || cluster_watch_in(out, GROUP_CALL) ||
         cluster_watch_in(out, GROUP_WINDOW);
}

uint64_t cluster_watch_leaders(const struct cluster_environment *e,
                               const struct buddy_cluster_out *out) {
  uint64_t set = 0;
  for (unsigned m = 0; m < e->members; m += 2)
    set |= (uint64_t)((out->state >> 3 * (m / 2) & 7) != 0) << m;
  return set;
}

void cluster_watch_end(struct cluster_environment *e, const struct buddy_cluster_out *out,
                       unsigned m, unsigned warp) {
  const struct ce_member *b = &e->member[m];
  bool waits = false, alone = false;
  if ((out->master >> m & 1) == 0)
    return;
  for (unsigned v = 0; v < ENV_WARPS; v++)
    waits = waits || (v != warp && b->warp[v].live && b->warp[v].at_bar &&
                      b->warp[v].cta == b->warp[warp].cta);
  for (unsigned k = m + 1; k < e->members; k++)
    alone = alone || ((out->slave >> k & 1) != 0 && (out->lead >> 3 * k & 7) == m &&
                      e->member[k].warp[warp].frames != 0);
  e->ends_beside_waiting += waits;
  e->ends_alone += waits && alone;
}
