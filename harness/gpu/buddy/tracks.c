/* The tracks of a cluster in a timeline: the role of each member, and why groups come apart. */
#include "harness/gpu/buddy/tracks.h"

#include <stdlib.h>

#include "harness/gpu/inside/timeline.h"

static const char *const states[] = {
    [BUDDY_RAMP] = "powers up", [BUDDY_RESET] = "powers up",     [BUDDY_SOLO] = "apart",
    [BUDDY_PARKING] = "parks",  [BUDDY_CALL] = "calls the roll", [BUDDY_WINDOW] = "calls the roll"};

struct tracks {
  struct timeline_role member[GPU_SMS];
  uint64_t apart[GPU_SMS], again[GPU_SMS]; /* by cluster: groups so far */
};

void *buddy_tracks_open(struct tandem *t, struct timeline *l) {
  struct tracks *own = calloc(1, sizeof *own);
  for (unsigned i = 0; own != NULL && i < t->config.sms; i++)
    own->member[i] = timeline_role(l, i, "group");
  return own;
}

/* The role of a member: its leader, the state of its group, and whether its front end is off. */
static int role_of(const struct cluster *c, unsigned m) {
  const struct buddy_cluster_out *o = &c->out->own;
  const unsigned lead = buddy_lead(o, m);
  const bool some = ((o->master | o->slave) >> m & 1) != 0;
  const unsigned state = some ? buddy_state(o, lead) : BUDDY_NONE;
  return (int)(lead | state << 3 | (c->off >> m & 1) << 6);
}

static void begin_role(struct timeline *l, const struct cluster *c, unsigned m, unsigned track,
                       uint64_t cycle) {
  const int role = role_of(c, m);
  const unsigned lead = (unsigned)role & 7, state = (unsigned)role >> 3 & 7;
  const char *off = role >> 6 != 0 ? ", front end off" : "";
  if (state == BUDDY_NONE)
    timeline_begin(l, track, cycle, "by itself%s", off);
  else if (state != BUDDY_GROUPED)
    timeline_begin(l, track, cycle, "group of SM %u: %s%s", c->first + lead, states[state], off);
  else if (lead == m)
    timeline_begin(l, track, cycle, "master%s", off);
  else
    timeline_begin(l, track, cycle, "slave of SM %u%s", c->first + lead, off);
}

static void mark_apart(struct timeline *l, const struct tracks *own, const struct cluster *c,
                       uint64_t n, uint64_t cycle) {
  const bool listed = n < sizeof c->counts.first / sizeof c->counts.first[0];
  const struct gpu_ungroup *u = &c->counts.first[listed ? n : 0];
  if (!listed)
    timeline_mark(l, own->member[c->first].track, cycle, "a group of the cluster comes apart");
  else if (u->split)
    timeline_mark(l, own->member[u->lead].track, cycle, "split by CTA dispatch");
  else
    timeline_mark(l, own->member[u->lead].track, cycle, "ungrouped by SM %u: warp %u at PC %u",
                  u->sm, u->warp, u->pc);
}

static void look_at(struct tandem *t, struct timeline *l, struct tracks *own, unsigned cell) {
  const struct cluster *c = t->cells[cell].own;
  const struct buddy_statistics *n = &c->counts.sum;
  for (unsigned m = 0; m < c->members; m++) {
    struct timeline_role *member = &own->member[c->first + m];
    if (timeline_turn(l, member, role_of(c, m), t->cycle))
      begin_role(l, c, m, member->track, t->cycle);
  }
  for (; own->apart[cell] < n->ungroups + n->splits; own->apart[cell]++)
    mark_apart(l, own, c, own->apart[cell], t->cycle);
  const uint64_t again = n->regroups_kernel + n->regroups_halfway;
  for (; own->again[cell] < again; own->again[cell]++)
    timeline_mark(l, own->member[c->first].track, t->cycle, "a group of the cluster forms again");
}

void buddy_tracks_look(struct tandem *t, struct timeline *l, void *own) {
  for (unsigned i = 0; i < t->ncells; i++)
    look_at(t, l, own, i);
}
