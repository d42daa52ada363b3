/* Reference of rtl/buddy/buddy_cluster.sv. */
#include "csim/ref/buddy/buddy_cluster.h"

#include <stdlib.h>

#include "csim/ref/buddy/buddy_member.h"

enum { MONITOR_MEMBERS_LEAST = 4 };

/* Gives the members their new roles, which have arrived. */
static void assign_roles(struct buddy_cluster_ref *c) {
  struct group_control_out g = c->band.seen;
  g.hold = side_band_ref_hold(&c->band);
  c->out = (struct buddy_cluster_out){.master = g.master,
                                      .slave = g.slave,
                                      .lead = g.lead,
                                      .power = g.power,
                                      .reset_fe = g.reset_fe,
                                      .hold = g.hold,
                                      .cta_lead = g.cta_lead,
                                      .state = g.state};
  for (unsigned m = 0; m < c->members; m++) {
    struct buddy_member *b = &c->member[m];
    b->leads = member_bit(g.master, m);
    b->follows = member_bit(g.slave, m);
    b->lead = g.lead >> 3 * m & 7;
    b->listens = b->lead != m;
    b->parks = member_bit(g.park, m);
    b->calls = member_bit(g.call, m);
    b->hold = member_bit(g.hold, m);
    b->power = member_bit(g.power, m);
    b->reset = member_bit(g.reset_fe, m);
    b->slaves = 0;
    if (b->follows)
      c->member[b->lead].slaves |= 1U << (m - b->lead - 1);
  }
}

/* The present cycle. */

static void see_answers(struct buddy_cluster_ref *c) {
  for (unsigned m = 0; m < c->members; m++) {
    struct buddy_member *b = &c->member[m];
    const struct flits *up = flight_arriving(&b->up.flight);
    b->hears = false;
    b->answered = up->valid[0] || up->valid[1];
    if (!b->answered)
      continue;
    uplink_ref_answers(&b->up, &b->answers);
    c->member[b->lead].hears = true; /* it comes before its followers */
  }
}

/* Something has come for a member. */
static bool is_raised(const struct buddy_member *b) {
  const struct flits *down = downlink_ref_arriving(&b->down);
  return !b->fe->in_idle || b->hears || down->valid[0] || down->valid[1];
}

static void see_present(struct buddy_cluster_ref *c, bool roles_change) {
  see_answers(c);
  for (unsigned m = 0; m < c->members; m++) {
    struct buddy_member *b = &c->member[m];
    if (!b->quiet || roles_change || is_raised(b))
      buddy_member_see(c, b);
  }
}

/* The clock edge. */

/* Returns the answers of the members to group control; `drained` only where it is needed. */
static struct member_answers answers_of(const struct buddy_cluster_ref *c) {
  struct member_answers a = {0};
  for (unsigned m = 0; m < c->members; m++) {
    const struct buddy_member *b = &c->member[m];
    const bool parked = b->parks && b->park_out.all != 0;
    a.drained |= (uint8_t)(((b->hold || parked) && b->out.drained != 0) << m);
    a.parked |= (uint8_t)(parked << m);
    a.cancel |= (uint8_t)((b->parks && b->park_out.cancel != 0) << m);
  }
  return a;
}

/* A front end comes up no sooner than a member's answer takes. */
static uint64_t power_up(const struct buddy_cluster_ref *c) {
  const unsigned least = 2 * c->band.delay;
  return c->in.power_up < least ? least : c->in.power_up;
}

/* True if roles change. */
static bool clock_control(struct buddy_cluster_ref *c) {
  const struct member_answers heard = side_band_ref_answers(&c->band, answers_of(c));
  struct group_control_in in = {.kernel_start = c->in.kernel_start,
                                .form = c->in.form,
                                .solo = c->in.solo,
                                .power_up = power_up(c),
                                .halfway = c->in.halfway,
                                .split = c->in.split,
                                .drained = heard.drained,
                                .parked = heard.parked,
                                .cancel = heard.cancel};
  for (unsigned m = 1; m < c->members; m++) {
    const struct buddy_member *b = &c->member[m];
    in.ungroup |= (uint64_t)(b->answered && b->answers.ctrl_valid && b->answers.ctrl_type) << m;
  }
  if (group_control_ref_rests(&c->control, &in))
    return false;
  for (unsigned m = 0; m < c->members; m++) {
    const struct buddy_member *b = &c->member[m];
    in.called |= (uint64_t)(b->parks && b->park_out.last_valid != 0) << m;
  }
  group_control_ref_step(&c->control, &in);
  return true;
}

/* The registered inputs of a member: all, or those that concern a follower, or none. */
static void take_all(struct sm_frontend_in *to, const struct sm_frontend_in *in) {
#define PORT_IN(name, width, qualifier) to->name = in->name;
#define PORT_OUT(name, width, qualifier)
#include "csim/ports/buddy/buddy_member.def"
#undef PORT_IN
#undef PORT_OUT
}

static void take_inputs_of_follower(struct sm_frontend_in *to, const struct sm_frontend_in *in) {
  to->launch_valid = in->launch_valid;
  to->launch_warp = in->launch_warp;
  to->launch_cta = in->launch_cta;
  to->launch_last = in->launch_last;
  to->launch_pc = in->launch_pc;
  to->launch_mask = in->launch_mask;
  to->resolve_valid = in->resolve_valid;
  to->resolve_warp = in->resolve_warp;
  to->resolve_taken = in->resolve_taken;
  to->wb_valid = in->wb_valid & ROW_BIT(ROW_MEM);
  to->wb_warp = in->wb_warp;
  to->wb_reg = in->wb_reg;
  to->wb_size = in->wb_size;
  to->mem_credit = in->mem_credit;
}

/* Returns whether an input that concerns a follower is raised. */
static bool concerns_follower(const struct input_set *inputs) {
  const uint64_t always = INPUT(launch_valid) | INPUT(resolve_valid) | INPUT(mem_credit);
  return (inputs->set & always) != 0 ||
         ((inputs->set & INPUT(wb_valid)) != 0 && row_bit(inputs->in->wb_valid, ROW_MEM));
}

static void take_inputs_of(struct buddy_member *b, const struct buddy_cluster_in *cluster,
                           const struct input_set *inputs) {
  struct frontend_ref *f = b->fe;
  const bool some = b->follows ? concerns_follower(inputs) : inputs->set != 0;
  f->in_idle = !some && !cluster->kernel_start;
  f->in.cfg_lrr = cluster->cfg_lrr;
  if (f->in_idle)
    return;
  f->in.kernel_start = cluster->kernel_start;
  if (b->follows)
    take_inputs_of_follower(&f->in, inputs->in);
  else
    take_all(&f->in, inputs->in);
}

void buddy_cluster_ref_step(struct buddy_cluster_ref *c, const struct buddy_cluster_in *cluster,
                            const struct input_set inputs[]) {
  const bool moves = clock_control(c);
  for (unsigned m = 0; m < c->members; m++)
    if (!c->member[m].quiet)
      buddy_member_clock(c, &c->member[m]);
  for (unsigned m = 1; m < c->members; m++)
    buddy_member_clock_links(c, &c->member[m]);
  struct group_control_out roles;
  if (moves)
    group_control_ref_eval(&c->control, &(struct group_control_in){0}, &roles);
  const bool changes = side_band_ref_step(&c->band, moves ? &roles : NULL);
  if (changes)
    assign_roles(c);
  for (unsigned m = 0; m < c->members; m++)
    take_inputs_of(&c->member[m], cluster, &inputs[m]);
  c->in = *cluster;
  see_present(c, changes);
}

static bool create_member(struct buddy_member *b, unsigned m, unsigned members, unsigned hops,
                          unsigned entries) {
  const unsigned delay = flight_delay(hops);
  b->number = m;
  b->load_warp = NO_WARP;
  b->reach = m == 0 ? members : m & -m;
  b->fe = frontend_ref_create();
  if (b->fe == NULL)
    return false;
  frontend_ref_as_member(b->fe);
  master_port_ref_reset(&b->master, b->reach, delay);
  slave_port_ref_reset(&b->slave);
  park_ref_reset(&b->park);
  monitor_ref_reset(&b->monitor,
                    b->reach > MONITOR_MEMBERS_LEAST ? b->reach : MONITOR_MEMBERS_LEAST, entries);
  downlink_ref_reset(&b->down, hops);
  uplink_ref_reset(&b->up, hops, m, UPLINK_MOST_ACKS);
  return true;
}

struct buddy_cluster_ref *buddy_cluster_ref_create(unsigned members, unsigned hop,
                                                   unsigned entries) {
  struct buddy_cluster_ref *c = calloc(1, sizeof *c);
  if (c == NULL)
    return NULL;
  c->members = members;
  struct group_control_out roles;
  group_control_ref_reset(&c->control, members, hop);
  group_control_ref_eval(&c->control, &(struct group_control_in){0}, &roles);
  side_band_ref_reset(&c->band, flight_delay(hop * (members - 1)), &roles);
  for (unsigned m = 0; m < members; m++)
    if (!create_member(&c->member[m], m, members, hop * (members - 1), entries)) {
      buddy_cluster_ref_destroy(c);
      return NULL;
    }
  assign_roles(c);
  see_present(c, true);
  return c;
}

void buddy_cluster_ref_ibuffer(struct buddy_cluster_ref *c, unsigned entries) {
  for (unsigned m = 0; m < c->members; m++)
    frontend_ref_ibuffer(c->member[m].fe, entries);
}

void buddy_cluster_ref_destroy(struct buddy_cluster_ref *c) {
  if (c == NULL)
    return;
  for (unsigned m = 0; m < c->members; m++)
    frontend_ref_destroy(c->member[m].fe);
  free(c);
}

void buddy_cluster_ref_out(const struct buddy_cluster_ref *c, struct buddy_cluster_out *own,
                           struct buddy_member_out member[]) {
  *own = c->out;
  for (unsigned m = 0; m < c->members; m++)
    member[m] = c->member[m].out;
}

bool buddy_cluster_ref_state(const struct buddy_cluster_ref *c, unsigned m,
                             struct sm_frontend_state *state) {
  const struct buddy_member *b = &c->member[m];
  const bool on = !b->off && !b->reset;
  if (on) {
    frontend_ref_state(b->fe, state);
  } else {
    simt_stack_ref_view(&b->fe->simt, &state->simt_stack);
    barrier_ref_view(&b->fe->barrier, &state->barrier);
  }
  return on;
}
