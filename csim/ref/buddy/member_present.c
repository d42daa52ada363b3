/* The present cycle of a member of a buddy cluster: signals from state and registered inputs, each
 * after those it depends on. */
#include "csim/ref/buddy/buddy_member.h"
#include "csim/ref/buddy/packet.h"

/* (1) The branch that the back end resolved, and its outcome in the stack. */
static void see_branch(struct buddy_member *b, const struct slave_resolve *r) {
  b->branch = (struct master_branch){true, r->warp, r->taken,
                                     simt_stack_ref_outcome(&b->fe->simt, r->warp, r->taken)};
}

/* (2) A follower: an instruction that comes from the leader, with PC and mask of the own stack. */
static void see_instruction(struct buddy_member *b, uint64_t packet) {
  const struct simt_entry *top = simt_stack_ref_top(&b->fe->simt, packet_warp(packet));
  if (packet_warp(packet) % 2 == 0) {
    b->out.iss0_valid = 1;
    b->out.iss0_inst = packet;
    b->out.iss0_pc = top->pc;
    b->out.iss0_mask = top->mask;
  } else {
    b->out.iss1_valid = 1;
    b->out.iss1_inst = packet;
    b->out.iss1_pc = top->pc;
    b->out.iss1_mask = top->mask;
  }
}

static void see_packets(struct buddy_member *b, const struct flits *f) {
  for (unsigned slot = 0; slot < 2; slot++)
    if (f->valid[slot] && packet_is_instruction(f->packet[slot]))
      see_instruction(b, f->packet[slot]);
  if (f->valid[0] && packet_is(f->packet[0], PACKET_PARK)) {
    b->set = true;
    b->set_pc = packet_park_pc(f->packet[0]);
  }
  if (!f->valid[1] || !packet_is(f->packet[1], PACKET_MASK))
    return;
  const struct slave_resolve own = member_coming(b);
  const struct slave_resolve *oldest =
      slave_port_ref_oldest(&b->slave, member_resolves(b) ? &own : NULL);
  if (oldest != NULL)
    see_branch(b, oldest);
}

/* Returns whether the park unit is empty: no warp parks or calls, and no stack has gained an entry.
 */
static bool parks_nothing(const struct buddy_member *b) {
  return !b->parks && park_ref_rests(&b->park) &&
         (b->park.deeper == 0 || !(b->leads || b->follows));
}

static void see_follower(struct buddy_member *b) {
  struct frontend_ref *f = b->fe;
  const struct flits *arrives = downlink_ref_arriving(&b->down);
  const bool some = arrives->valid[0] || arrives->valid[1];
  b->out.iss0_valid = b->out.iss1_valid = b->out.p0_valid = b->out.p1_valid = 0;
  if (some)
    see_packets(b, arrives);
  b->out.ack_valid = member_completes(b);
  b->out.credit_valid = !f->in_idle && f->in.mem_credit;
  f->plan.popped = simt_stack_ref_popped(&f->simt, b->slave.diverged);
  f->plan.released = barrier_ref_released(&f->barrier, f->simt.live);
  b->out.drained = f->simt.ctrl == 0 && (f->simt.settle & ~b->slave.diverged) == 0 && !some &&
                   slave_port_ref_empty(&b->slave) && b->up.backlog == 0;
  b->quiet = b->off && b->cold && f->in_idle && !some && f->plan.popped == NO_WARP &&
             f->plan.released == 0 && !b->slave.ungroup && uplink_ref_rests(&b->up) &&
             parks_nothing(b) &&
             (f->out.done_valid | f->out.trap_valid | f->out.stall0 | f->out.stall1) == 0;
}

/* (3) Where warps park, and the roll: called, or answered. */
static void see_parked(struct buddy_member *b) {
  const struct sm_frontend_in *in = &b->fe->in;
  const struct simt_stack_ref *stack = &b->fe->simt;
  const struct flits *arrives = downlink_ref_arriving(&b->down);
  const struct slave_port_in packets = {.listens = b->listens,
                                        .d0_valid = arrives->valid[0],
                                        .d0 = arrives->packet[0],
                                        .d1_valid = arrives->valid[1],
                                        .d1 = arrives->packet[1]};
  struct slave_port_out s;
  slave_port_ref_eval(&b->slave, &packets, &s);
  b->set = s.set_valid != 0;
  b->set_pc = (uint16_t)s.set_pc;
  b->park_in = (struct park_in){.kernel_start = member_starts(b),
                                .park = b->parks,
                                .together = b->leads || b->follows,
                                .launch_valid = !b->fe->in_idle && in->launch_valid,
                                .launch_warp = in->launch_warp,
                                .live = stack->live,
                                .held = barrier_ref_held(&b->fe->barrier, stack->live),
                                .call = b->calls,
                                .called0_valid = s.called0_valid,
                                .called0_warp = s.called0_warp,
                                .called0_depth = s.called0_depth,
                                .called1_valid = s.called1_valid,
                                .called1_warp = s.called1_warp,
                                .called1_depth = s.called1_depth,
                                .end_valid = s.end_valid,
                                .end_count = s.end_count};
  if (s.called0_valid)
    b->park_in.depth0 = simt_stack_ref_depth(stack, (unsigned)s.called0_warp);
  if (s.called1_valid)
    b->park_in.depth1 = simt_stack_ref_depth(stack, (unsigned)s.called1_warp);
  park_ref_eval(&b->park, &b->park_in, &b->park_out);
}

/* Gives the park unit the changes of the stack and the picks that park. */
static void see_moves(struct buddy_member *b) {
  const struct frontend_plan *p = &b->fe->plan;
  b->park_in.res_valid = b->branch.valid;
  b->park_in.res_warp = b->branch.warp;
  b->park_in.res_push = b->branch.outcome.push;
  b->park_in.pop_valid = p->popped != NO_WARP;
  b->park_in.pop_warp = p->popped;
  b->park_in.pick0_valid = p->stop[0] != NO_WARP;
  b->park_in.pick0_warp = p->stop[0];
  b->park_in.pick0_pc = b->park.pc;
  b->park_in.pick1_valid = p->stop[1] != NO_WARP;
  b->park_in.pick1_warp = p->stop[1];
  b->park_in.pick1_pc = b->park.pc;
}

/* (4) A leader: what it sends, and what it knows of its followers. */
static void call_roll(struct buddy_member *b) {
  const struct park_out *p = &b->park_out;
  const struct simt_stack_ref *stack = &b->fe->simt;
  struct master_port_in calls = {0};
  if (b->calls)
    calls = (struct master_port_in){.call0_valid = p->call0_valid,
                                    .call0_warp = p->call0_warp,
                                    .call1_valid = p->call1_valid,
                                    .call1_warp = p->call1_warp,
                                    .last_valid = p->last_valid,
                                    .last_count = p->last_count};
  if (calls.call0_valid)
    calls.call0_depth = simt_stack_ref_depth(stack, (unsigned)calls.call0_warp);
  if (calls.call1_valid)
    calls.call1_depth = simt_stack_ref_depth(stack, (unsigned)calls.call1_warp);
  master_port_ref_call(&b->master, &calls, &b->sends);
}

/* Returns the inputs of issue from the group that a member leads. */
static unsigned state_of(const struct buddy_cluster_ref *c, unsigned m) {
  return m % 2 == 0 ? (unsigned)(c->band.now.state >> 3 * (m / 2) & 7) : GROUP_NONE;
}

static void see_followers(struct buddy_cluster_ref *c, struct buddy_member *b) {
  b->sends.valid[0] = b->sends.valid[1] = false;
  if (b->leads && (b->fe->out.iss0_valid || b->fe->out.iss1_valid || b->late.valid)) {
    const struct master_pair pair = member_issued(b);
    master_port_ref_pack(&pair, &b->late, &b->sends);
  }
  if (b->calls || b->master.differed != 0)
    call_roll(b);
  b->asked = false;
  for (unsigned k = 1; b->hears && k < b->reach; k++) {
    const struct uplink_out *a = buddy_member_answer(c, b, k);
    b->asked = b->asked || (a != NULL && a->ctrl_valid);
  }
  b->asked = b->asked && c->in.halfway && state_of(c, b->number) == GROUP_GROUPED;
  if (b->asked) {
    b->set = true;
    b->set_pc = master_port_ref_ending_rpc(&b->master);
  }
  b->out.p0_valid = b->sends.valid[0];
  b->out.p1_valid = b->sends.valid[1];
}

static warpset verdict(const struct buddy_member *b) {
  return b->master.verdict | warpset_if(b->leads && b->late.valid, b->late.warp);
}

/* (5) The plan of issue: that of a single front end, but for the limits of the group. */
static bool has_say(const struct frontend_group *g) {
  const struct issue_vetoes *v = &g->veto;
  return v->all || v->two || (v->slot[0] | v->slot[1] | v->ready[0] | v->ready[1]) != 0 ||
         g->defer != 0 || g->park != NULL || g->no_fetch;
}

static void plan(struct buddy_member *b) {
  static const struct issue_causes causes = {.all = STALL_HOLD,
                                             .pick = STALL_PARK,
                                             .two = STALL_SLOT,
                                             .slot = {STALL_MEMBERS, STALL_MONITOR},
                                             .ready = {STALL_VERDICT, STALL_PARK}};
  struct frontend_ref *f = b->fe;
  const bool is_short = b->leads && !master_port_ref_members_ok(&b->master, b->slaves);
  const warpset undecided = verdict(b);
  const struct frontend_group say = {
      .veto = {.cause = &causes,
               .all = b->hold || b->off,
               .two = b->leads && b->branch.valid,
               .slot = {is_short ? f->ibuffer.mem : 0,
                        ibuffer_ref_loads(&f->ibuffer, b->monitor.full)},
               .ready = {undecided, b->park.parked}},
      .undecided = undecided,
      .defer = b->slave.diverged,
      .park = b->parks ? &b->park : NULL,
      .no_fetch = b->parks && b->hold};
  const bool alone = !is_short && !has_say(&say);
  if (b->rests && alone && f->in_idle)
    return;
  frontend_ref_plan(f, alone ? NULL : &say);
  b->rests = alone && f->out.quiet;
}

/* A memory instruction that issues, of which the group has to know. */
static void see_memory(struct buddy_member *b) {
  const struct frontend_plan *p = &b->fe->plan;
  b->take_mem = false;
  b->load_warp = NO_WARP;
  for (unsigned s = 0; s < SCHEDULERS && !b->rests; s++) {
    const unsigned warp = p->pick[s];
    if (!p->grant[s] || !warpset_has(p->warps.mem, warp))
      continue;
    b->take_mem = true;
    if (ibuffer_ref_loads(&b->fe->ibuffer, warpset_of(warp)) != 0)
      b->load_warp = warp;
  }
}

/* (6) Outputs of a member with a front end of its own. */
static void show_issues(struct buddy_member *b) {
  const struct sm_frontend_out *fe = &b->fe->out;
  struct buddy_member_out *o = &b->out;
  const struct master_issue *iss = master_port_ref_late(&b->master)->iss;
  o->iss0_valid = b->leads ? iss[0].valid : fe->iss0_valid;
  if (o->iss0_valid) {
    o->iss0_inst = b->leads ? iss[0].inst : fe->iss0_inst;
    o->iss0_pc = b->leads ? iss[0].pc : fe->iss0_pc;
    o->iss0_mask = b->leads ? iss[0].mask : fe->iss0_mask;
  }
  o->iss1_valid = b->leads ? iss[1].valid : fe->iss1_valid;
  if (o->iss1_valid) {
    o->iss1_inst = b->leads ? iss[1].inst : fe->iss1_inst;
    o->iss1_pc = b->leads ? iss[1].pc : fe->iss1_pc;
    o->iss1_mask = b->leads ? iss[1].mask : fe->iss1_mask;
  }
}

static bool is_drained(const struct buddy_member *b) {
  const struct frontend_ref *f = b->fe;
  if ((f->simt.ctrl | f->simt.settle) != 0 || f->out.iss0_valid || f->out.iss1_valid)
    return false;
  if (b->reach > 1 &&
      (verdict(b) != 0 || b->monitor.busy != 0 || !master_port_ref_at_rest(&b->master)))
    return false;
  if (b->parks &&
      (!issue_ref_mem_home(&f->issue) || f->fetch.req_valid || icache_ref_awaits(&f->icache)))
    return false;
  return scoreboard_ref_idle(&f->scoreboard);
}

static void see_own(struct buddy_cluster_ref *c, struct buddy_member *b) {
  if (member_resolves(b)) {
    const struct slave_resolve own = member_coming(b);
    see_branch(b, &own);
  }
  if (b->parks)
    see_parked(b);
  if (b->reach > 1)
    see_followers(c, b);
  plan(b);
  if (b->leads)
    see_memory(b);
  if (b->parks)
    see_moves(b);
  show_issues(b);
  b->out.ack_valid = b->out.credit_valid = 0;
  b->out.drained = is_drained(b);
  b->quiet = b->rests && !b->off && !b->reset && !b->cold && !b->hears && !b->late.valid &&
             (b->reach == 1 || master_port_ref_still(&b->master)) &&
             slave_port_ref_empty(&b->slave) && uplink_ref_rests(&b->up) && parks_nothing(b);
}

/* (7) Why a follower has asked to ungroup. */
static void show_cause(const struct slave_port_ref *s, struct buddy_member_out *o) {
  o->cause_valid = s->diverged != 0;
  if (!o->cause_valid)
    return;
  o->cause_warp = s->cause.warp;
  o->cause_pc = s->cause.pc;
  o->cause_own = s->cause.own;
  o->cause_master = s->cause.master;
}

void buddy_member_see(struct buddy_cluster_ref *c, struct buddy_member *b) {
  const struct sm_frontend_out *fe = &b->fe->out;
  struct buddy_member_out *o = &b->out;
  b->off = !b->power || (b->cold && !b->reset);
  b->branch.valid = b->set = false;
  if (!b->follows) {
    see_own(c, b);
  } else {
    see_follower(b);
    if (!b->off)
      plan(b);
  }
  o->imiss_valid = fe->imiss_valid && !b->off;
  o->imiss_line = fe->imiss_line;
  o->done_valid = fe->done_valid;
  o->done_warp = fe->done_warp;
  o->trap_valid = fe->trap_valid;
  o->trap_warp = fe->trap_warp;
  o->stall0 = b->off ? 0 : fe->stall0;
  o->stall1 = b->off ? 0 : fe->stall1;
  o->ctrl_valid = b->slave.ungroup;
  show_cause(&b->slave, o);
}
