/* Reference of rtl/buddy/group_control.sv. */
#include "csim/ref/buddy/group_control.h"

typedef struct member_group group;

static unsigned members_of(const group *g) { return ((1U << g->size) - 1) << g->first; }
static unsigned leader_of(const group *g) { return 1U << g->first; }
static unsigned followers_of(const group *g) { return members_of(g) & ~leader_of(g); }

/* The members follow the leader's front end. */
static bool together(const group *g) {
  return g->state == GROUP_GROUPED || g->state == GROUP_RAMP || g->state == GROUP_RESET;
}

/* The leader calls its roll, or waits for answers. */
static bool calling(const group *g) { return g->state == GROUP_CALL || g->state == GROUP_WINDOW; }

static void add_group(struct group_control_ref *c, unsigned first, unsigned size) {
  c->group[c->groups++] =
      (group){.first = first, .size = size, .state = size == 1 ? GROUP_NONE : GROUP_GROUPED};
}

/* Forms the members from `first` on, `size` of them, of which `residue` take one CTA more. */
static void form(struct group_control_ref *c, unsigned first, unsigned size, unsigned residue) {
  const unsigned half = size / 2;
  if (residue == 0) {
    add_group(c, first, size);
    return;
  }
  add_group(c, first, half);
  form(c, first + half, half, residue < half ? residue : residue - half);
}

static void form_alone(struct group_control_ref *c) {
  c->groups = 0;
  for (unsigned m = 0; m < c->members; m++)
    add_group(c, m, 1);
}

void group_control_ref_reset(struct group_control_ref *c, unsigned members, unsigned hop) {
  const unsigned distance = hop * (members - 1), delay = (distance + 2) / 2;
  *c = (struct group_control_ref){
      .members = members, .verdict = delay + delay + 4, .settle = delay + delay};
  form_alone(c);
}

/* Members whose front end is on and has been reset since it was switched on. */
static unsigned up(const struct group_control_ref *c) {
  unsigned set = 0;
  for (unsigned i = 0; i < c->groups; i++)
    set |= together(&c->group[i]) ? leader_of(&c->group[i]) : members_of(&c->group[i]);
  return set & ~c->waking;
}

static void start(struct group_control_ref *c, const struct group_control_in *in) {
  const unsigned ready = up(c);
  c->groups = 0;
  if (in->solo)
    form_alone(c);
  else
    form(c, 0, c->members, (unsigned)in->form);
  c->waking = 0;
  for (unsigned i = 0; i < c->groups; i++)
    c->waking |= leader_of(&c->group[i]) & ~ready;
  c->wake_count = (unsigned)in->power_up;
  c->woken = false;
}

static void enter(group *g, enum group_state state, unsigned count) {
  g->state = state;
  g->count = count;
}

static void give_up(group *g) {
  g->state = GROUP_SOLO;
  g->apart = true;
}

/* One cycle of a group: what happens in it, the first that applies. */
static void step_group(group *g, const struct group_control_in *in, unsigned verdict,
                       unsigned settle, unsigned waking) {
  const unsigned set = members_of(g);
  const bool ungroup = (in->ungroup & followers_of(g)) != 0;
  const bool split = (in->split & leader_of(g)) != 0;
  const bool drained = (in->drained & set) == set;
  g->apart = g->apart || split;
  switch (g->state) {
  case GROUP_NONE:
    break;
  case GROUP_GROUPED:
    if (ungroup || split)
      enter(g, GROUP_RAMP, (unsigned)in->power_up);
    break;
  case GROUP_RAMP:
    if (g->count != 0)
      g->count--;
    else if (drained && (waking & leader_of(g)) == 0)
      g->state = GROUP_RESET;
    break;
  case GROUP_RESET:
    g->state = in->halfway && !g->apart ? GROUP_PARKING : GROUP_SOLO;
    break;
  case GROUP_SOLO: /* until the next kernel */
    break;
  case GROUP_PARKING:
    if ((in->cancel & set) != 0 || split)
      give_up(g);
    else if ((in->parked & set) == set && drained)
      enter(g, GROUP_CALL, settle + 1);
    break;
  case GROUP_CALL:
    if (ungroup || split)
      give_up(g);
    else if (g->count > 1)
      g->count--;
    else if (g->count == 1) /* the members have answered since they are held */
      enter(g, (in->parked & set) == set && drained ? GROUP_CALL : GROUP_PARKING, 0);
    else if ((in->called & leader_of(g)) != 0)
      enter(g, GROUP_WINDOW, verdict - 1);
    break;
  case GROUP_WINDOW:
    if (ungroup || split)
      give_up(g);
    else if (g->count != 0)
      g->count--;
    else
      g->state = GROUP_GROUPED;
    break;
  }
}

static void step_waking(struct group_control_ref *c) {
  if (c->woken) {
    c->waking = 0;
    c->woken = false;
  } else if (c->waking != 0 && c->wake_count != 0) {
    c->wake_count--;
  } else if (c->waking != 0) {
    c->woken = true;
  }
}

bool group_control_ref_rests(const struct group_control_ref *c, const struct group_control_in *in) {
  if (in->kernel_start || c->waking != 0 || (in->ungroup | in->split) != 0)
    return false;
  for (unsigned i = 0; i < c->groups; i++) {
    const enum group_state s = c->group[i].state;
    if (s != GROUP_NONE && s != GROUP_GROUPED && s != GROUP_SOLO)
      return false;
  }
  return true;
}

void group_control_ref_step(struct group_control_ref *c, const struct group_control_in *in) {
  if (in->kernel_start) {
    start(c, in);
  } else {
    const unsigned waking = c->waking;
    step_waking(c);
    for (unsigned i = 0; i < c->groups; i++)
      step_group(&c->group[i], in, c->verdict, c->settle, waking);
  }
}

static void eval_group(const group *g, struct group_control_out *out) {
  const bool leads = together(g) || calling(g);
  const bool alone = g->size == 1 || g->state == GROUP_SOLO;
  if (together(g)) {
    out->master |= leader_of(g);
    out->slave |= followers_of(g);
  }
  out->power |= g->state == GROUP_GROUPED ? leader_of(g) : members_of(g);
  if (g->state == GROUP_RESET)
    out->reset_fe |= followers_of(g);
  if (g->state == GROUP_RAMP || g->state == GROUP_RESET || calling(g))
    out->hold |= members_of(g);
  if (g->state == GROUP_PARKING || calling(g))
    out->park |= members_of(g);
  if (g->state == GROUP_CALL && g->count == 0)
    out->call |= leader_of(g);
  out->cta_lead |= alone ? members_of(g) : leader_of(g);
  for (unsigned m = g->first; m < g->first + g->size; m++)
    out->lead |= (uint64_t)(leads ? g->first : m) << (3 * m);
  if (g->size > 1)
    out->state |= (uint64_t)g->state << (3 * (g->first / 2));
}

void group_control_ref_eval(const struct group_control_ref *c, const struct group_control_in *in,
                            struct group_control_out *out) {
  (void)in;
  *out = (struct group_control_out){.hold = c->waking, .reset_fe = c->woken ? c->waking : 0};
  for (unsigned i = 0; i < c->groups; i++)
    eval_group(&c->group[i], out);
}

void group_control_ref_view(const struct group_control_ref *c, struct group_control_view *view) {
  *view = (struct group_control_view){
      .wake = {c->waking}, .wake_count = {c->wake_count}, .woken = {c->woken}};
  for (unsigned i = 0; i < c->groups; i++) {
    const group *g = &c->group[i];
    const unsigned pair = g->first / 2;
    if (g->size == 1)
      continue;
    view->state[0] |= (uint64_t)g->state << (3 * pair);
    view->mask[0] |= (uint64_t)members_of(g) << (c->members * pair);
    view->count[0] |= (uint64_t)g->count << (8 * pair);
    view->apart[0] |= (uint64_t)g->apart << pair;
  }
}
