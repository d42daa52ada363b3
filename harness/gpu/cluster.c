/* Buddy clusters (docs/buddy.md): what the configuration asks for, engines, the start of a launch,
 * and the room that groups have for CTAs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gpu/gpu.h"

enum { FAR_MOST = 30 /* NoC cycles to the farthest member */ };

/* The builds of the RTL that there are, as text. */
static void list_builds(char *text, size_t size) {
  size_t n = 0;
  text[0] = '\0';
  for (const struct buddy_cluster_build *b = buddy_cluster_builds; b->members != 0 && n < size; b++)
    n += (size_t)snprintf(text + n, size - n, "%s%u:%u:%u", n != 0 ? ", " : "", b->members, b->hop,
                          b->entries);
}

static int check_build(const struct tandem_config *c, struct tandem_error *err) {
  char builds[256];
  if (c->engine == TANDEM_ENGINE_REF)
    return 0;
  for (const struct buddy_cluster_build *b = buddy_cluster_builds; b->members != 0; b++)
    if (b->members == c->buddy && b->hop == c->hop_latency && b->entries == c->mon_entries)
      return 0;
  list_builds(builds, sizeof builds);
  return tandem_fail(err, -EINVAL,
                     "the RTL is built for clusters of members:hop latency:monitor entries %s, not "
                     "%u:%u:%u; engine ref has all (or build it: cmake -DTANDEM_CLUSTERS)",
                     builds, c->buddy, c->hop_latency, c->mon_entries);
}

int cluster_check(const struct tandem_config *c, struct tandem_error *err) {
  if (c->buddy == 1)
    return 0;
  if (c->sms % c->buddy != 0) {
    const unsigned fewer = c->sms / c->buddy * c->buddy, more = fewer + c->buddy;
    if (fewer == 0 || more > 64)
      return tandem_fail(err, -EINVAL, "%u SMs do not make clusters of %u: %u do", c->sms, c->buddy,
                         fewer == 0 ? more : fewer);
    return tandem_fail(err, -EINVAL, "%u SMs do not make clusters of %u: %u and %u do", c->sms,
                       c->buddy, fewer, more);
  }
  if (c->hop_latency * (c->buddy - 1) > FAR_MOST)
    return tandem_fail(err, -EINVAL,
                       "buddy.hop_latency must be 1 to %u with clusters of %u, not %u",
                       FAR_MOST / (c->buddy - 1), c->buddy, c->hop_latency);
  return check_build(c, err);
}

static int open_one(struct tandem *t, struct gpu_cluster *c, struct tandem_error *err) {
  const struct tandem_config *k = &t->config;
  const struct buddy_cluster_build build = {k->buddy, k->hop_latency, k->mon_entries};
  const uint64_t here = (UINT64_C(1) << c->members) - 1;
  c->delay = (k->hop_latency * (k->buddy - 1) + 2) / 2;
  if (k->engine != TANDEM_ENGINE_REF) {
    const bool bug = k->bug != 0 && k->bug_sm / k->buddy == c->first / k->buddy &&
                     !cta_dispatch_has_fault(k->bug, k->buddy);
    const bool traced = k->trace != NULL && (k->trace_sms >> c->first & here) != 0;
    const bool opaque = c->first == 0 && k->netlist != NULL;
    c->rtl = opaque ? k->netlist->open_cluster(k->netlist->user, k->seed)
                    : buddy_cluster_rtl_create(&build, bug || traced || k->assertions,
                                               k->seed + c->first);
    for (unsigned m = 0; m < c->members; m++)
      t->sms[c->first + m].opaque = opaque;
    if (c->rtl == NULL)
      return tandem_fail(err, -ENOMEM, "cannot create the verilated cluster of SM %u", c->first);
    buddy_cluster_rtl_bug(c->rtl, bug ? k->bug : 0);
  }
  if (k->engine != TANDEM_ENGINE_RTL &&
      (c->ref = buddy_cluster_ref_create(k->buddy, k->hop_latency, k->mon_entries)) == NULL)
    return tandem_fail(err, -ENOMEM, "cannot create the reference cluster of SM %u", c->first);
  c->fresh = true;
  c->in.power_up = k->power_up;
  c->in.halfway = k->regroup == TANDEM_REGROUP_HALFWAY;
  c->in.cfg_lrr = k->scheduler == TANDEM_LRR;
  return 0;
}

int cluster_open(struct tandem *t, struct tandem_error *err) {
  t->clusters = aligned_alloc(64, t->units * sizeof *t->clusters);
  if (t->clusters == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory for %u clusters", t->units);
  memset(t->clusters, 0, t->units * sizeof *t->clusters);
  for (unsigned i = 0; i < t->units; i++) {
    struct gpu_cluster *c = &t->clusters[i];
    c->first = i * t->config.buddy;
    c->members = t->config.buddy;
    for (unsigned m = 0; m < c->members; m++)
      c->told[m].in = &t->sms[c->first + m].in;
    int status = open_one(t, c, err);
    if (status != 0)
      return status;
  }
  return 0;
}

void cluster_close(struct tandem *t) {
  for (unsigned i = 0; t->clusters != NULL && i < t->units; i++) {
    if (t->clusters[i].rtl != NULL)
      buddy_cluster_rtl_destroy(t->clusters[i].rtl);
    if (t->clusters[i].ref != NULL)
      buddy_cluster_ref_destroy(t->clusters[i].ref);
  }
  free(t->clusters);
}

/* kernel_start comes with the back ends' next step. */
void cluster_begin(struct tandem *t) {
  const bool adaptive =
      t->config.formation == TANDEM_FORM_ADAPTIVE && t->grid.ctas >= t->config.sms;
  for (unsigned i = 0; t->clusters != NULL && i < t->units; i++) {
    struct gpu_cluster *c = &t->clusters[i];
    c->in.solo = t->config.formation == TANDEM_FORM_APART;
    c->in.form = adaptive && i + 1 == t->units ? t->grid.ctas % c->members : 0;
    for (unsigned m = 0; m < c->members; m++)
      t->room[c->first + m] = false;
  }
}

struct sm_room cluster_room(const struct tandem *t, unsigned first, uint64_t leads) {
  struct sm_room room = SM_ROOM_ANY;
  unsigned i = first;
  do
    sm_cta_room(t->sms[i].sm, &room);
  while (++i < t->config.sms && (leads >> i & 1) == 0);
  return room;
}

void cluster_ready(struct tandem *t, struct gpu_cluster *c) {
  const uint64_t leads = (c->out.cta_lead | UINT64_C(1) << c->members) << c->first;
  bool fits = false;
  for (unsigned m = 0; m < c->members; m++) {
    const unsigned sm = c->first + m;
    if (m == 0 || (leads >> sm & 1) != 0) {
      const struct sm_room room = cluster_room(t, sm, leads);
      fits = sm_room_fits(&room);
    }
    const bool ready = fits && (c->out.hold >> m & 1) == 0;
    if (t->room[sm] != ready)
      t->room[sm] = ready;
  }
}
