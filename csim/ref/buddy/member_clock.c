/* The clock edge of a member of a buddy cluster. */
#include "csim/ref/buddy/buddy_member.h"
#include "csim/ref/buddy/packet.h"

/* Clocks a front end that is off: stack and barrier alone, with the leader's packets. */
static void clock_kept(struct buddy_member *b) {
  struct frontend_ref *f = b->fe;
  const struct buddy_member_out *o = &b->out;
  f->out.iss0_valid = f->out.iss1_valid = f->out.imiss_valid = 0;
  if (member_starts(b)) {
    simt_stack_ref_reset(&f->simt);
    barrier_ref_reset(&f->barrier);
    f->out.done_valid = f->out.trap_valid = 0;
    return;
  }
  barrier_ref_release(&f->barrier, f->plan.released);
  if (!f->in_idle && f->in.launch_valid)
    frontend_ref_launch(f);
  if (b->follows && o->iss0_valid)
    frontend_ref_issue(f, packet_warp(o->iss0_inst), o->iss0_inst, decode_ref_ctl(o->iss0_inst));
  if (b->follows && o->iss1_valid)
    frontend_ref_issue(f, packet_warp(o->iss1_inst), o->iss1_inst, decode_ref_ctl(o->iss1_inst));
  if (f->plan.popped != NO_WARP)
    simt_stack_ref_pop(&f->simt, f->plan.popped);
  frontend_ref_resolve(f, b->branch.valid, b->branch.warp, b->branch.taken);
}

/* Loads that members complete, in their order: registers that all have go to the scoreboard.  The
 * own ones do so by themselves while no load is followed.  False if nothing has come. */
static bool complete_loads(struct buddy_cluster_ref *c, struct buddy_member *b) {
  struct sm_frontend_in *in = &b->fe->in;
  struct scoreboard_ref *s = &b->fe->scoreboard;
  struct monitor_load *load =
      b->load_warp != NO_WARP ? monitor_ref_choose(&b->monitor, b->load_warp) : NULL;
  bool some = false;
  if (b->monitor.busy != 0 && member_completes(b)) {
    const struct row_write own = ROWS_WRITE(in, ROW_MEM);
    if (!monitor_ref_complete(&b->monitor, 0, own.warp, own.reg))
      in->wb_valid &= ~ROW_BIT(ROW_MEM);
  }
  for (unsigned k = 1; b->hears && k < b->reach; k++) {
    const struct uplink_out *a = buddy_member_answer(c, b, k);
    if (a == NULL || !a->ack_valid)
      continue;
    const unsigned warp = (unsigned)a->ack_warp, reg = (unsigned)a->ack_reg;
    some = true;
    if (monitor_ref_complete(&b->monitor, k, warp, reg))
      scoreboard_ref_release(s, warp, reg, (unsigned)a->ack_size, false);
  }
  if (load != NULL)
    monitor_ref_take(
        &b->monitor, load, b->load_warp,
        (struct monitor_load){(uint8_t)(b->slaves << 1 | 1),
                              ibuffer_ref_head(&b->fe->ibuffer, b->load_warp).word & 31});
  return some;
}

static void clock_off(struct buddy_member *b) {
  clock_kept(b);
  b->fe->out.stall0 = b->off ? 0 : b->fe->plan.stall[0];
  b->fe->out.stall1 = b->off ? 0 : b->fe->plan.stall[1];
  b->rests = false;
  if (b->reset)
    frontend_ref_reset_off(b->fe);
}

static void clock_on(struct buddy_cluster_ref *c, struct buddy_member *b) {
  const bool some = b->leads && !member_starts(b) && complete_loads(c, b);
  if (b->rests && !some)
    return;
  frontend_ref_clock(b->fe);
  b->rests = false;
}

static void clock_front_end(struct buddy_cluster_ref *c, struct buddy_member *b) {
  if (b->off || (b->reset && !member_starts(b)))
    clock_off(b);
  else
    clock_on(c, b);
  if (b->reach > 1 && !b->off && (b->reset || member_starts(b)))
    monitor_ref_reset(&b->monitor, b->monitor.members, b->monitor.entries);
}

/* Clocks a leader: issued instructions leave, credits change. */
static void clock_master_port(struct buddy_cluster_ref *c, struct buddy_member *b) {
  struct master_port_ref *p = &b->master;
  if (member_starts(b)) {
    master_port_ref_reset(p, p->members, p->delay);
    return;
  }
  const bool issues = b->leads && (b->fe->out.iss0_valid || b->fe->out.iss1_valid);
  if (issues) {
    const struct master_pair pair = member_issued(b);
    master_port_ref_advance(p, &pair, &b->late, b->asked);
  } else if (!master_port_ref_still(p) || b->late.valid || b->asked) {
    master_port_ref_advance(p, NULL, b->leads ? &b->late : NULL, b->asked);
  }
  unsigned back = 0;
  for (unsigned k = 1; b->hears && k < b->reach; k++) {
    const struct uplink_out *a = buddy_member_answer(c, b, k);
    back |= (unsigned)(a != NULL && a->credit_valid) << (k - 1);
  }
  if (b->leads)
    master_port_ref_settle(p, b->slaves, b->take_mem, back);
}

/* Clocks a follower: outcomes wait for the leader's and are compared with them. */
static void clock_slave_port(struct buddy_member *b) {
  struct slave_port_ref *s = &b->slave;
  s->ungroup = false;
  if (member_resolves(b))
    slave_port_ref_join(s, member_coming(b));
  if (b->branch.valid)
    slave_port_ref_judge(s, downlink_ref_arriving(&b->down)->packet[1], b->branch.outcome.dirs,
                         b->branch.outcome.pc);
}

/* Clocks the park unit, by whether warps park and whether the members work together. */
static void clock_park(struct buddy_member *b) {
  struct park_ref *k = &b->park;
  if (member_starts(b)) {
    park_ref_reset(k);
    return;
  }
  if (b->parks) {
    b->park_in.set_valid = b->set;
    b->park_in.set_pc = b->set_pc;
    park_ref_step(k, &b->park_in);
    return;
  }
  park_ref_clear(k);
  if (b->set)
    k->pc = b->set_pc;
  if (b->leads || b->follows) {
    park_ref_together(k);
    return;
  }
  if (b->branch.valid)
    park_ref_grow(k, b->branch.warp, b->branch.outcome.push);
  if (b->fe->plan.popped != NO_WARP)
    park_ref_shrink(k, b->fe->plan.popped);
  if (!b->fe->in_idle && b->fe->in.launch_valid)
    park_ref_launch(k, (unsigned)b->fe->in.launch_warp);
}

/* Clocks the uplink to the leader and the downlink to the followers. */
void buddy_member_clock_links(struct buddy_cluster_ref *c, struct buddy_member *b) {
  static const struct flits nothing;
  const struct buddy_member_out *o = &b->out;
  downlink_ref_send(&b->down, b->listens ? &c->member[b->lead].sends : &nothing);
  if (!uplink_ref_rests(&b->up))
    uplink_ref_leave(&b->up);
  if (o->ctrl_valid)
    uplink_ref_ctrl(&b->up, CTRL_UNGROUP);
  if (o->ack_valid) {
    const struct row_write own = ROWS_WRITE(&b->fe->in, ROW_MEM);
    uplink_ref_ack(&b->up, own.warp, own.reg, own.size);
  }
  b->up.credit = o->credit_valid != 0;
  if (member_starts(b))
    uplink_ref_drop(&b->up);
}

/* On its own a member answers its leader's roll alone. */
static void clock_own(struct buddy_cluster_ref *c, struct buddy_member *b) {
  const bool start = member_starts(b);
  if (b->reach > 1)
    clock_master_port(c, b);
  slave_port_ref_leave(&b->slave);
  b->slave.ungroup = b->parks && b->listens && b->park_out.differs;
  clock_park(b);
  clock_front_end(c, b);
  b->late.valid = b->leads && b->branch.valid && !start;
  if (b->late.valid)
    b->late = b->branch;
}

static void clock_follower(struct buddy_cluster_ref *c, struct buddy_member *b) {
  if (b->reach > 1 && member_starts(b))
    clock_master_port(c, b);
  clock_slave_port(b);
  clock_park(b);
  clock_front_end(c, b);
}

void buddy_member_clock(struct buddy_cluster_ref *c, struct buddy_member *b) {
  if (b->follows)
    clock_follower(c, b);
  else
    clock_own(c, b);
  if (!b->power)
    b->cold = true;
  else if (b->reset)
    b->cold = false;
}
