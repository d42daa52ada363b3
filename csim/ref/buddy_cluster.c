#include "csim/ref/buddy_cluster.h"

#include <stdlib.h>

#include "csim/ref/downlink.h"
#include "csim/ref/frontend.h"
#include "csim/ref/group_control.h"
#include "csim/ref/master_port.h"
#include "csim/ref/monitor.h"
#include "csim/ref/park.h"
#include "csim/ref/slave_port.h"
#include "csim/ref/uplink.h"

enum { CLUSTER_MOST = GROUP_MEMBERS, MONITOR_MEMBERS_LEAST = 4, MEM_PLACES = 8 };

/* A resolve of the cycle before, with what the stack made of it. */
struct resolved {
  bool valid;
  uint8_t warp;
  uint32_t taken;
  struct simt_outcome outcome;
};

struct buddy_member {
  unsigned reach; /* members of the largest group that it can lead, itself counted */
  struct frontend_ref *fe;
  struct master_port_ref master;
  struct slave_port_ref slave;
  struct monitor_ref monitor;
  struct park_ref park;
  struct downlink_ref down; /* from its leader, and to it */
  struct uplink_ref up;
  struct resolved rs;
  bool cold; /* off, or not reset since */

  /* Of the present cycle. */
  bool leads, follows, off, reset;
  bool listens;      /* packets come from another member */
  bool parks, calls; /* warps are to park; it calls its roll */
  bool still;        /* nothing is fetched */
  unsigned lead;
  struct downlink_out arrives; /* from the leader */
  struct uplink_out answers;   /* at the leader */
  struct slave_port_in slave_in;
  struct slave_port_out slave_out;
  struct master_port_in master_in;
  struct master_port_out master_out;
  struct monitor_in monitor_in;
  struct monitor_out monitor_out;
  struct park_in park_in;
  struct park_out park_out;
  struct buddy_member_out out;
};

struct buddy_cluster_ref {
  unsigned members;
  struct buddy_cluster_in in; /* registered */
  struct group_control_ref control;
  struct buddy_cluster_out out;
  struct buddy_member member[CLUSTER_MOST];
};

static bool has_bit(uint64_t vector, unsigned m) { return (vector >> m & 1) != 0; }

/* The present cycle: what follows from state and registered inputs, in the order in which it does.
 */

/* (1) The roles. */
static void assign_roles(struct buddy_cluster_ref *c) {
  struct group_control_out g;
  group_control_ref_eval(&c->control, &(struct group_control_in){0}, &g);
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
    b->leads = has_bit(g.master, m);
    b->follows = has_bit(g.slave, m);
    b->lead = g.lead >> 3 * m & 7;
    b->listens = b->lead != m;
    b->parks = has_bit(g.park, m);
    b->calls = has_bit(g.call, m);
    b->still = b->parks && has_bit(g.hold, m);
    b->reset = has_bit(g.reset_fe, m);
    b->off = !has_bit(g.power, m) || (b->cold && !b->reset);
  }
}

/* (2) What arrives from and for the members, and what the stack makes of a resolve. */
static void receive(struct buddy_member *b) {
  const struct sm_frontend_in *in = &b->fe->in;
  downlink_ref_eval(&b->down, &(struct downlink_in){0}, &b->arrives);
  uplink_ref_eval(&b->up, &(struct uplink_in){0}, &b->answers);
  b->slave_in = (struct slave_port_in){.slave = b->follows,
                                       .listens = b->listens,
                                       .d0_valid = b->arrives.d0_valid,
                                       .d0 = b->arrives.d0,
                                       .d1_valid = b->arrives.d1_valid,
                                       .d1 = b->arrives.d1,
                                       .resolve_valid = in->resolve_valid,
                                       .resolve_warp = in->resolve_warp,
                                       .resolve_taken = in->resolve_taken,
                                       .wb3_valid = in->wb3_valid,
                                       .wb3_warp = in->wb3_warp,
                                       .wb3_reg = in->wb3_reg,
                                       .wb3_size = in->wb3_size,
                                       .mem_credit = in->mem_credit};
  slave_port_ref_eval(&b->slave, &b->slave_in, &b->slave_out);
}

static struct simt_outcome outcome_of(const struct buddy_member *b) {
  const struct slave_port_out *s = &b->slave_out;
  if (!s->st_resolve_valid)
    return (struct simt_outcome){0};
  return simt_stack_ref_outcome(&b->fe->simt, (unsigned)s->st_resolve_warp,
                                (uint32_t)s->st_resolve_taken);
}

/* Of the group that a member leads. */
static unsigned state_of(const struct buddy_cluster_ref *c, unsigned m) {
  return m % 2 == 0 ? (unsigned)(c->out.state >> 3 * (m / 2) & 7) : GROUP_NONE;
}

/* (3) Where warps park, and the roll: called, or answered. */
static void see_parked(struct buddy_cluster_ref *c, unsigned m) {
  struct buddy_member *b = &c->member[m];
  const struct slave_port_out *s = &b->slave_out;
  const struct simt_stack_ref *stack = &b->fe->simt;
  b->park_in = (struct park_in){.kernel_start = b->fe->in.kernel_start,
                                .park = b->parks,
                                .together = b->leads || b->follows,
                                .set_valid = s->set_valid,
                                .set_pc = s->set_pc,
                                .launch_valid = b->fe->in.launch_valid,
                                .launch_warp = b->fe->in.launch_warp,
                                .live = stack->live,
                                .held = barrier_ref_held(&b->fe->barrier, stack->live),
                                .call = b->calls,
                                .called0_valid = s->called0_valid,
                                .called0_warp = s->called0_warp,
                                .called0_depth = s->called0_depth,
                                .called1_valid = s->called1_valid,
                                .called1_warp = s->called1_warp,
                                .called1_depth = s->called1_depth,
                                .end_valid = s->end_valid,
                                .end_count = s->end_count};
  if (s->called0_valid)
    b->park_in.depth0 = simt_stack_ref_depth(stack, (unsigned)s->called0_warp);
  if (s->called1_valid)
    b->park_in.depth1 = simt_stack_ref_depth(stack, (unsigned)s->called1_warp);
  park_ref_eval(&b->park, &b->park_in, &b->park_out);
  b->slave_in.park_differs = b->park_out.differs;
}

/* (4) What a leader knows of its followers. */
static void look_after(struct buddy_cluster_ref *c, unsigned m) {
  struct buddy_member *b = &c->member[m];
  const struct sm_frontend_in *in = &b->fe->in;
  const struct sm_frontend_out *issued = &b->fe->out;
  b->master_in = (struct master_port_in){.kernel_start = in->kernel_start,
                                         .master = b->leads,
                                         .iss0_valid = issued->iss0_valid,
                                         .iss0_inst = issued->iss0_inst,
                                         .iss0_pc = issued->iss0_pc,
                                         .iss0_mask = issued->iss0_mask,
                                         .iss1_valid = issued->iss1_valid,
                                         .iss1_inst = issued->iss1_inst,
                                         .iss1_pc = issued->iss1_pc,
                                         .iss1_mask = issued->iss1_mask,
                                         .rs_valid = b->rs.valid,
                                         .rs_warp = b->rs.warp,
                                         .rs_dirs = b->rs.outcome.dirs,
                                         .rs_hint = b->rs.outcome.hint,
                                         .rs_pc = b->rs.outcome.pc,
                                         .rs_taken = b->rs.taken,
                                         .rs_rpc = b->rs.outcome.rpc,
                                         .last_valid = b->park_out.last_valid,
                                         .last_count = b->park_out.last_count};
  if (b->park_out.call0_valid) {
    b->master_in.call0_valid = 1;
    b->master_in.call0_warp = b->park_out.call0_warp;
    b->master_in.call0_depth = simt_stack_ref_depth(&b->fe->simt, (unsigned)b->park_out.call0_warp);
  }
  if (b->park_out.call1_valid) {
    b->master_in.call1_valid = 1;
    b->master_in.call1_warp = b->park_out.call1_warp;
    b->master_in.call1_depth = simt_stack_ref_depth(&b->fe->simt, (unsigned)b->park_out.call1_warp);
  }
  b->monitor_in = (struct monitor_in){.kernel_start = in->kernel_start || b->reset};
  if (in->wb3_valid && !b->off)
    b->monitor_in.own_valid = 1;
  b->monitor_in.own_warp = in->wb3_warp;
  b->monitor_in.own_reg = in->wb3_reg;
  b->monitor_in.own_size = in->wb3_size;
  bool asked = false; /* a follower's verdict differs */
  for (unsigned k = 1; k < b->reach; k++) {
    const struct buddy_member *other = &c->member[m + k];
    const struct uplink_out *a = &other->answers;
    const unsigned place = k - 1;
    if (!other->follows || other->lead != m)
      continue;
    asked = asked || a->ctrl_valid;
    b->master_in.slaves |= UINT64_C(1) << place;
    b->master_in.credit |= (uint64_t)(a->credit_valid != 0) << place;
    if (!a->ack_valid)
      continue;
    b->monitor_in.ack_valid |= UINT64_C(1) << place;
    b->monitor_in.ack_warp |= a->ack_warp << 6 * place;
    b->monitor_in.ack_reg |= a->ack_reg << 5 * place;
    b->monitor_in.ack_size |= a->ack_size << 2 * place;
  }
  master_port_ref_eval(&b->master, &b->master_in, &b->master_out);
  if (asked && c->in.halfway && state_of(c, m) == GROUP_GROUPED) {
    b->master_in.set = b->park_in.set_valid = 1;
    b->park_in.set_pc = b->master_out.split_rpc;
  }
  monitor_ref_eval(&b->monitor, &b->monitor_in, &b->monitor_out);
}

/* (5) What will issue. */
/* What becomes of the stacks, and the picks that park, as park sees them. */
static void see_moves(struct buddy_member *b, const struct simt_outcome *outcome) {
  b->park_in.res_valid = b->slave_out.st_resolve_valid;
  b->park_in.res_warp = b->slave_out.st_resolve_warp;
  b->park_in.res_push = outcome->push;
  b->park_in.pop_valid = b->fe->plan.popped != NO_WARP;
  b->park_in.pop_warp = b->fe->plan.popped;
  const unsigned *stop = b->fe->plan.stop;
  b->park_in.pick0_valid = stop[0] != NO_WARP;
  b->park_in.pick0_warp = stop[0];
  b->park_in.pick0_pc = b->park.pc;
  b->park_in.pick1_valid = stop[1] != NO_WARP;
  b->park_in.pick1_warp = stop[1];
  b->park_in.pick1_pc = b->park.pc;
}

static void plan_issue(struct buddy_cluster_ref *c, unsigned m) {
  struct buddy_member *b = &c->member[m];
  const bool can_lead = b->reach > 1;
  const struct frontend_group group = {
      .issue = {.hold = has_bit(c->out.hold, m) || b->off,
                .one_slot = b->leads && b->slave_out.st_resolve_valid,
                .members_ok = !can_lead || b->master_out.members_ok,
                .verdict = can_lead ? b->master_out.verdict : 0,
                .load = ibuffer_ref_loads(&b->fe->ibuffer),
                .mon_full = can_lead ? b->monitor_out.full : 0,
                .parked = b->park.parked},
      .defer = b->slave_out.diverged,
      .park = b->parks ? &b->park : NULL,
      .no_fetch = b->still};
  frontend_ref_plan(b->fe, &group);
  const struct frontend_plan *p = &b->fe->plan;
  for (unsigned s = 0; s < SCHEDULERS; s++) {
    const unsigned warp = p->pick[s];
    if (!p->grant[s] || !warpset_has(p->warps.mem, warp))
      continue;
    b->master_in.take_mem = 1;
    if (!b->leads || !warpset_has(group.issue.load, warp))
      continue;
    b->monitor_in.iss_valid = 1;
    b->monitor_in.iss_warp = warp;
    b->monitor_in.iss_reg = ibuffer_ref_head(&b->fe->ibuffer, warp).word & 31;
    b->monitor_in.iss_members = b->master_in.slaves << 1 | 1;
  }
}

/* (6) Outputs. */
static bool is_drained(const struct buddy_member *b) {
  const struct simt_stack_ref *s = &b->fe->simt;
  if (b->follows)
    return s->ctrl == 0 && (s->settle & ~b->slave_out.diverged) == 0 && b->slave_out.empty &&
           b->answers.backlog == 0;
  const bool quiet_members = b->reach == 1 || (b->monitor_out.empty && b->master_out.empty);
  return s->ctrl == 0 && s->settle == 0 && scoreboard_ref_idle(&b->fe->scoreboard) &&
         quiet_members && !b->fe->out.iss0_valid && !b->fe->out.iss1_valid &&
         (!b->parks || issue_ref_mem_home(&b->fe->issue));
}

/* An instruction that came from the leader, with PC and mask of the own stack. */
static void show_follower(struct buddy_member *b) {
  const struct slave_port_out *s = &b->slave_out;
  const struct simt_entry *even =
      simt_stack_ref_top(&b->fe->simt, s->x0_valid ? (unsigned)(s->x0_inst >> 58) : 0);
  const struct simt_entry *odd =
      simt_stack_ref_top(&b->fe->simt, s->x1_valid ? (unsigned)(s->x1_inst >> 58) : 0);
  b->out.iss0_valid = s->x0_valid;
  b->out.iss0_inst = s->x0_inst;
  b->out.iss0_pc = even->pc;
  b->out.iss0_mask = even->mask;
  b->out.iss1_valid = s->x1_valid;
  b->out.iss1_inst = s->x1_inst;
  b->out.iss1_pc = odd->pc;
  b->out.iss1_mask = odd->mask;
}

static void show(struct buddy_member *b) {
  const struct sm_frontend_out *fe = &b->fe->out;
  const struct master_port_out *p = &b->master_out;
  b->out = (struct buddy_member_out){.imiss_valid = fe->imiss_valid && !b->off,
                                     .imiss_line = fe->imiss_line,
                                     .done_valid = fe->done_valid,
                                     .done_warp = fe->done_warp,
                                     .trap_valid = fe->trap_valid,
                                     .trap_warp = fe->trap_warp,
                                     .stall0 = b->off ? 0 : fe->stall0,
                                     .stall1 = b->off ? 0 : fe->stall1,
                                     .p0_valid = b->reach > 1 && p->p0_valid,
                                     .p1_valid = b->reach > 1 && p->p1_valid,
                                     .ctrl_valid = b->slave_out.ctrl_valid,
                                     .ack_valid = b->slave_out.ack_valid,
                                     .credit_valid = b->slave_out.credit_valid,
                                     .drained = is_drained(b)};
  if (b->follows) {
    show_follower(b);
    return;
  }
  b->out.iss0_valid = b->reach > 1 ? p->out0_valid : fe->iss0_valid;
  b->out.iss0_inst = b->reach > 1 ? p->out0_inst : fe->iss0_inst;
  b->out.iss0_pc = b->reach > 1 ? p->out0_pc : fe->iss0_pc;
  b->out.iss0_mask = b->reach > 1 ? p->out0_mask : fe->iss0_mask;
  b->out.iss1_valid = b->reach > 1 ? p->out1_valid : fe->iss1_valid;
  b->out.iss1_inst = b->reach > 1 ? p->out1_inst : fe->iss1_inst;
  b->out.iss1_pc = b->reach > 1 ? p->out1_pc : fe->iss1_pc;
  b->out.iss1_mask = b->reach > 1 ? p->out1_mask : fe->iss1_mask;
}

static void see_present(struct buddy_cluster_ref *c) {
  assign_roles(c);
  for (unsigned m = 0; m < c->members; m++)
    receive(&c->member[m]);
  for (unsigned m = 0; m < c->members; m++) {
    struct buddy_member *b = &c->member[m];
    const struct simt_outcome outcome = outcome_of(b);
    b->slave_in.res_dirs = outcome.dirs;
    b->slave_in.res_pc = outcome.pc;
    see_parked(c, m);
    look_after(c, m);
    plan_issue(c, m);
    see_moves(b, &outcome);
    show(b);
  }
}

/* The clock edge. */

/* Of a front end that is off: stack and barrier alone, by what comes from the leader. */
static void clock_kept(struct buddy_member *b) {
  struct frontend_ref *f = b->fe;
  const struct slave_port_out *s = &b->slave_out;
  f->out.iss0_valid = f->out.iss1_valid = f->out.imiss_valid = 0;
  if (f->in.kernel_start) {
    simt_stack_ref_reset(&f->simt);
    barrier_ref_reset(&f->barrier);
    f->out.done_valid = f->out.trap_valid = 0;
    return;
  }
  barrier_ref_release(&f->barrier, f->plan.released);
  if (f->in.launch_valid)
    frontend_ref_launch(f);
  if (s->x0_valid)
    frontend_ref_issue(f, (unsigned)(s->x0_inst >> 58), s->x0_inst,
                       decode_ctl(decode_ref_word(s->x0_inst)));
  if (s->x1_valid)
    frontend_ref_issue(f, (unsigned)(s->x1_inst >> 58), s->x1_inst,
                       decode_ctl(decode_ref_word(s->x1_inst)));
  if (f->plan.popped != NO_WARP)
    simt_stack_ref_pop(&f->simt, f->plan.popped);
  frontend_ref_resolve(f, s->st_resolve_valid != 0, s->st_resolve_warp, s->st_resolve_taken);
}

/* Registers that all members have got go to the scoreboard. */
static void release_loads(struct buddy_member *b) {
  const struct monitor_out *o = &b->monitor_out;
  for (unsigned k = 0; k < b->monitor.members; k++)
    if (has_bit(o->rel_valid, k))
      scoreboard_ref_release(&b->fe->scoreboard, o->rel_warp >> 6 * k & 63,
                             o->rel_reg >> 5 * k & 31, o->rel_size >> 2 * k & 3, false);
  b->fe->in.wb3_valid = 0;
}

static void clock_front_end(struct buddy_member *b) {
  if (b->off || (b->reset && !b->fe->in.kernel_start)) {
    clock_kept(b);
    b->fe->out.stall0 = b->off ? 0 : b->fe->plan.stall[0];
    b->fe->out.stall1 = b->off ? 0 : b->fe->plan.stall[1];
    if (b->reset)
      frontend_ref_reset_off(b->fe);
    return;
  }
  if (b->reach > 1)
    release_loads(b);
  frontend_ref_clock(b->fe);
}

static void clock_member(struct buddy_cluster_ref *c, unsigned m) {
  struct buddy_member *b = &c->member[m];
  const struct buddy_member *leader = &c->member[b->lead];
  const struct slave_port_out *s = &b->slave_out;
  const bool start = b->fe->in.kernel_start != 0;
  struct downlink_in down = {0};
  if (b->listens)
    down = (struct downlink_in){.p0_valid = leader->master_out.p0_valid,
                                .p0 = leader->master_out.p0,
                                .p1_valid = leader->master_out.p1_valid,
                                .p1 = leader->master_out.p1};
  const struct uplink_in up = {.kernel_start = start,
                               .ctrl_valid = s->ctrl_valid,
                               .ctrl_type = s->ctrl_type,
                               .ack_valid = s->ack_valid,
                               .ack_warp = s->ack_warp,
                               .ack_reg = s->ack_reg,
                               .ack_size = s->ack_size,
                               .credit_valid = s->credit_valid};
  const struct resolved rs = {.valid = b->leads && s->st_resolve_valid && !start,
                              .warp = (uint8_t)s->st_resolve_warp,
                              .taken = (uint32_t)s->st_resolve_taken,
                              .outcome = outcome_of(b)};
  downlink_ref_step(&b->down, &down);
  uplink_ref_step(&b->up, &up);
  if (!b->off)
    monitor_ref_step(&b->monitor, &b->monitor_in);
  master_port_ref_step(&b->master, &b->master_in);
  slave_port_ref_step(&b->slave, &b->slave_in);
  park_ref_step(&b->park, &b->park_in);
  clock_front_end(b);
  b->rs = rs;
  if (!has_bit(c->out.power, m) || (start && b->follows))
    b->cold = true;
  else if (b->reset && !start)
    b->cold = false;
}

static void clock_control(struct buddy_cluster_ref *c) {
  struct group_control_in in = {.kernel_start = c->in.kernel_start,
                                .form = c->in.form,
                                .solo = c->in.solo,
                                .power_up = c->in.power_up,
                                .halfway = c->in.halfway,
                                .split = c->in.split};
  for (unsigned m = 0; m < c->members; m++) {
    const struct buddy_member *b = &c->member[m];
    in.ungroup |= (uint64_t)(b->answers.ctrl_valid && b->answers.ctrl_type) << m;
    in.drained |= (uint64_t)(b->out.drained != 0) << m;
    in.parked |= (uint64_t)(b->park_out.all != 0) << m;
    in.cancel |= (uint64_t)(b->park_out.cancel != 0) << m;
    in.called |= (uint64_t)(b->park_out.last_valid != 0) << m;
  }
  group_control_ref_step(&c->control, &in);
}

/* The registered inputs of a member. */
static void take_member_inputs(struct frontend_ref *f, const struct buddy_cluster_in *cluster,
                               const struct buddy_member_in *in) {
  f->in_idle = false;
  f->in.cfg_lrr = cluster->cfg_lrr;
  f->in.kernel_start = cluster->kernel_start;
#define PORT_IN(name, width, qualifier) f->in.name = in->name;
#define PORT_OUT(name, width, qualifier)
#include "harness/ports/buddy_member.def"
#undef PORT_IN
#undef PORT_OUT
}

void buddy_cluster_ref_step(struct buddy_cluster_ref *c, const struct buddy_cluster_in *cluster,
                            const struct buddy_member_in in[]) {
  clock_control(c);
  for (unsigned m = 0; m < c->members; m++)
    clock_member(c, m);
  for (unsigned m = 0; m < c->members; m++)
    take_member_inputs(c->member[m].fe, cluster, &in[m]);
  c->in = *cluster;
  see_present(c);
}

static bool create_member(struct buddy_member *b, unsigned m, unsigned members, unsigned hops,
                          unsigned entries) {
  const unsigned delay = flight_delay(hops);
  b->reach = m == 0 ? members : m & -m;
  b->fe = frontend_ref_create();
  if (b->fe == NULL)
    return false;
  b->fe->in_idle = false;
  b->fe->issue.mem_slots = MEM_PLACES;
  issue_ref_restart(&b->fe->issue);
  master_port_ref_reset(&b->master, b->reach, delay);
  slave_port_ref_reset(&b->slave, delay);
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
  group_control_ref_reset(&c->control, members, hop);
  for (unsigned m = 0; m < members; m++)
    if (!create_member(&c->member[m], m, members, hop * (members - 1), entries)) {
      buddy_cluster_ref_destroy(c);
      return NULL;
    }
  see_present(c);
  return c;
}

void buddy_cluster_ref_destroy(struct buddy_cluster_ref *c) {
  if (c == NULL)
    return;
  for (unsigned m = 0; m < c->members; m++)
    frontend_ref_destroy(c->member[m].fe);
  free(c);
}

const struct buddy_cluster_out *buddy_cluster_ref_out(const struct buddy_cluster_ref *c) {
  return &c->out;
}

const struct buddy_member_out *buddy_cluster_ref_member(const struct buddy_cluster_ref *c,
                                                        unsigned m) {
  return &c->member[m].out;
}

bool buddy_cluster_ref_state(const struct buddy_cluster_ref *c, unsigned m,
                             struct sm_frontend_state *state) {
  frontend_ref_state(c->member[m].fe, state);
  return !c->member[m].off && !c->member[m].reset;
}
