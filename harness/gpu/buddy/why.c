/* Causes of waits in a cluster: its groups change, a verdict is due, the links have a slot for the
 * other scheduler alone, or members have no room (docs/hardware/buddy_member.md).  The
 * record of instructions has all that the cluster's outputs do not show. */
#include "harness/gpu/buddy/why.h"

#include <inttypes.h>
#include <stdlib.h>

#include "csim/isa/lanes/lanes.h"
#include "csim/ports/stalls.h"
#include "harness/gpu/inside/why_tell.h"

static void *open_causes(const struct tandem *t, const struct why_request *r) {
  const struct tandem_config *k = &t->config;
  struct buddy_record *own = calloc(1, sizeof *own);
  if (own == NULL)
    return NULL;
  own->cluster = t->sms[r->sm].cell->own;
  own->asked = r->cycle;
  own->delay = buddy_delay(k);
  own->size = k->feature.buddy.size;
  own->entries = k->feature.buddy.mon_entries;
  own->power_up =
      k->feature.buddy.power_up > 2 * own->delay ? k->feature.buddy.power_up : 2 * own->delay;
  for (unsigned m = 0; m < CLUSTER_MEMBERS; m++)
    own->state[m].until = own->hold[m].until = PIPELINE_NEVER;
  return own;
}

/* ---- the record ---- */

static void note(struct buddy_span *s, bool changed, uint64_t cycle, uint64_t asked) {
  if (changed && cycle <= asked)
    s->since = cycle;
  else if (changed && s->until == PIPELINE_NEVER)
    s->until = cycle;
}

static void note_group(struct buddy_record *own, const struct buddy_cluster_out *now, unsigned lead,
                       uint64_t cycle) {
  const enum buddy_state is = buddy_state(now, lead), was = buddy_state(&own->at, lead);
  const bool follows = is != was && cycle > own->asked && own->state[lead].until == PIPELINE_NEVER;
  if (follows)
    own->then[lead] = is;
  if (was == BUDDY_GROUPED && is == BUDDY_RAMP && (follows || cycle <= own->asked))
    own->apart[lead] = buddy_ungroup(own->cluster, lead, cycle - 1);
  note(&own->state[lead], is != was, cycle, own->asked);
  if (is == BUDDY_GROUPED && cycle <= own->asked) {
    own->group[lead] = 0;
    for (unsigned m = lead; m < own->size; m++)
      own->group[lead] |= (unsigned)(buddy_lead(now, m) == lead) << m;
  }
}

/* Roles of a cycle decide about the issues at the ports in the next one. */
static void look(const struct tandem *t, void *user) {
  struct buddy_record *own = user;
  const struct buddy_cluster_out *now = &own->cluster->out->own;
  const uint64_t cycle = t->cycle;
  for (unsigned lead = 0; lead < own->size; lead += 2)
    note_group(own, now, lead, cycle);
  for (unsigned m = 0; m < own->size; m++)
    note(&own->hold[m], ((now->hold ^ own->at.hold) >> m & 1) != 0, cycle, own->asked);
  if (cycle <= own->asked)
    own->at = *now;
}

/* ---- groups that change ---- */

static bool is_master(const struct buddy_record *own, unsigned m) {
  return (own->at.master >> m & 1) != 0;
}

static unsigned delay(const struct tandem *t, const void *user, unsigned sm) {
  const struct buddy_record *own = user;
  (void)t;
  return is_master(own, sm - own->cluster->first) ? own->delay : 0;
}

static const char *directions(unsigned set, bool is_exit) {
  static const char *const words[2][4] = {
      {"no lane decides", "all lanes take it", "no lane takes it", "some lanes take it"},
      {"no lane decides", "all lanes exit", "no lane exits", "some lanes exit"}};
  return words[is_exit][set & 3];
}

/* Why the group of a leader has come apart. */
static void tell_apart(struct why_telling *a, const struct buddy_record *own, unsigned lead) {
  const struct gpu_ungroup *u = &own->apart[lead];
  const struct pipeline_inst *i = u->split ? NULL : why_before(a, u->sm, u->warp, u->cycle);
  while (i != NULL && i->pc != u->pc)
    i = why_before(a, u->sm, u->warp, i->issue);
  if (u->split) {
    why_add(a, "split", NULL, u->cycle, PIPELINE_NEVER, "CTA dispatch has split the group");
    return;
  }
  const bool is_exit = i != NULL && i->uop->id == ISA_EXIT;
  why_add(a, "ungroup", i, i != NULL ? i->issue : u->cycle, u->cycle,
          "SM %u has asked for it: at PC %u of warp %u %s there, in SM %u %s", u->sm, u->pc,
          u->warp, directions(u->directions, is_exit), u->lead,
          directions(u->master_directions, is_exit));
}

/* The instruction of a group that ends last of those in flight; NULL: none. */
static const struct pipeline_inst *last_in_flight(const struct why_telling *a,
                                                  const struct buddy_record *own, unsigned lead) {
  const struct pipeline_inst *found = NULL;
  for (const struct pipeline_inst *i = a->inst; i < a->inst + a->n; i++)
    if (buddy_is_in(own, lead, i->sm) && i->issue <= a->cycle && i->end > a->cycle &&
        (found == NULL || i->end > found->end))
      found = i;
  return found;
}

static void tell_undrained(struct why_telling *a, const struct buddy_record *own, unsigned lead,
                           uint64_t until) {
  const struct pipeline_inst *i = last_in_flight(a, own, lead);
  if (i == NULL) {
    why_add(a, "links", NULL, own->state[lead].since, until,
            "the last packets of the group are on their way");
    return;
  }
  why_add(a, "undrained", i, i->issue, i->end,
          "the group waits for its instructions in flight: the last one is PC %u of warp %u in SM "
          "%u, issued in cycle %" PRIu64,
          i->pc, i->warp, i->sm, i->issue);
  why_tell_inst(a, i);
}

/* A group comes apart: its slaves' front ends come up while its instructions end. */
static void tell_ramp(struct why_telling *a, const struct buddy_record *own, unsigned lead) {
  const uint64_t up = own->apart[lead].cycle + own->power_up;
  const struct pipeline_inst *i = last_in_flight(a, own, lead);
  tell_apart(a, own, lead);
  if (a->cycle <= up && (i == NULL || i->end <= up))
    why_add(a, "power_up", NULL, own->apart[lead].cycle, up,
            "the front ends of its slaves come up in %u cycles", own->power_up);
  else
    tell_undrained(a, own, lead, PIPELINE_NEVER);
}

/* The state for which a member is held: a leader's hold is seen up to D cycles before it. */
static enum buddy_state held_in(const struct buddy_record *own, unsigned m) {
  const unsigned lead = buddy_lead(&own->at, m) & ~1U;
  const enum buddy_state is = buddy_state(&own->at, lead);
  const bool early = (is == BUDDY_GROUPED || is == BUDDY_PARKING) &&
                     own->state[lead].until != PIPELINE_NEVER &&
                     own->state[lead].until <= own->hold[m].since + own->delay;
  return early ? own->then[lead] : is;
}

/* A member is held. */
static void tell_hold(struct why_telling *a, const struct buddy_record *own,
                      const struct why_wait *w) {
  const unsigned m = w->sm - own->cluster->first, lead = buddy_lead(&own->at, m);
  const unsigned sm = own->cluster->first + lead;
  const struct buddy_span *s = &own->hold[m];
  switch (held_in(own, m)) {
  case BUDDY_RAMP:
  case BUDDY_RESET:
    why_add(a, "hold", w->next, s->since, s->until,
            "the group of SM %u comes apart: nothing of it issues", sm);
    tell_ramp(a, own, lead);
    return;
  case BUDDY_CALL:
    why_add(a, "hold", w->next, s->since, s->until,
            "the group of SM %u forms again: nothing of it issues", sm);
    why_add(a, "roll_call", NULL, s->since, own->state[lead].until,
            "all warps have parked; SM %u calls the roll", sm);
    return;
  case BUDDY_WINDOW:
    why_add(a, "hold", w->next, s->since, s->until,
            "the group of SM %u forms again: nothing of it issues", sm);
    why_add(a, "objections", NULL, own->state[lead].since, own->state[lead].until,
            "SM %u has called the roll; members may object for %u cycles", sm, 2 * own->delay + 4);
    return;
  default:
    why_add(a, "hold", w->next, s->since, s->until,
            "the front end of SM %u comes up: in the launch before it was a slave's", w->sm);
  }
}

/* ---- warps that the cluster keeps ---- */

static bool tell_verdict(struct why_telling *a, const struct buddy_record *own,
                         const struct why_wait *w) {
  const unsigned window = 2 * own->delay + 4;
  const struct pipeline_inst *i = w->last;
  if (i == NULL || !buddy_is_branch(i) || buddy_resolved(i) == PIPELINE_NEVER ||
      i->end > a->cycle || a->cycle >= buddy_resolved(i) + window + 1)
    return false;
  why_add(a, "verdict", i, i->issue, buddy_resolved(i) + window,
          "its %s at PC %u, resolved in cycle %" PRIu64
          ", waits for objections of the group's slaves: an answer takes %u cycles over the links",
          i->uop->id == ISA_EXIT ? "exit" : "branch", i->pc, buddy_resolved(i), window);
  return true;
}

static bool held(struct why_telling *a, const void *user, const struct why_wait *w) {
  const struct buddy_record *own = user;
  const unsigned m = w->sm - own->cluster->first;
  if (is_master(own, m) && w->next != NULL && w->next->issue <= a->cycle + own->delay) {
    why_add(a, "communicate", w->next, w->next->issue - own->delay, w->next->issue,
            "it is granted, and reaches all members %u cycles later", own->delay);
    return true;
  }
  if ((own->at.hold >> m & 1) != 0) {
    tell_hold(a, own, w);
    return true;
  }
  return is_master(own, m) && tell_verdict(a, own, w);
}

/* A warp waits at the reconvergence PC for the last warp of the group to come. */
static void tell_park(struct why_telling *a, const struct buddy_record *own,
                      const struct why_wait *w, unsigned lead) {
  const uint64_t until = own->state[lead].until;
  const struct pipeline_inst *last = NULL;
  for (const struct pipeline_inst *i = a->inst; i < a->inst + a->n; i++)
    if (buddy_is_in(own, lead, i->sm) && i->issue < until && i->uop->id != ISA_EXIT &&
        (last == NULL || i->issue >= last->issue))
      last = i;
  if (last == NULL || last->issue < a->cycle) {
    why_add(a, "park", w->next, own->state[lead].since, until,
            "it has parked where the group of SM %u forms again; all warps have",
            own->cluster->first + lead);
    tell_undrained(a, own, lead, until);
    return;
  }
  why_add(a, "park", w->next, own->state[lead].since, until,
          "it has parked where the group of SM %u forms again; the last one to come is warp %u of "
          "SM %u",
          own->cluster->first + lead, last->warp, last->sm);
  why_tell_warp(a, last->sm, last->warp);
}

static bool ready(struct why_telling *a, const void *user, const struct why_wait *w) {
  const struct buddy_record *own = user;
  const unsigned m = w->sm - own->cluster->first;
  for (unsigned lead = 0; lead <= m; lead += 2)
    if (buddy_is_in(own, lead, w->sm) && buddy_state(&own->at, lead) == BUDDY_PARKING &&
        (w->next == NULL ? w->cause == STALL_PARK : w->next->issue >= own->state[lead].until)) {
      tell_park(a, own, w, lead);
      return true;
    }
  if (!is_master(own, m) || w->next == NULL)
    return false;
  if (w->cause == STALL_PARK) {
    why_add(a, "park", w->next, own->state[m].since, w->next->issue,
            "the group of SM %u has formed again: its parked warps go on", w->sm);
    return true;
  }
  return buddy_tell_room(a, own, w);
}

const struct feature_causes buddy_causes = {
    .open = open_causes, .look = look, .delay = delay, .held = held, .ready = ready, .close = free};
