/* Reference of rtl/buddy/master_port.sv. */
#include "csim/ref/buddy/master_port.h"

#include "csim/isa/core/isa.h"
#include "csim/ref/buddy/packet.h"

void master_port_ref_reset(struct master_port_ref *m, unsigned members, unsigned delay) {
  *m = (struct master_port_ref){.members = members, .delay = delay};
  for (unsigned k = 0; k < members - 1; k++)
    m->credits[k] = MASTER_CREDITS;
}

/* Returns the contents of the issue registers. */
static struct master_pair issued_of(const struct master_port_in *in) {
  return (struct master_pair){
      {{in->iss0_valid != 0, in->iss0_inst, (uint16_t)in->iss0_pc, (uint32_t)in->iss0_mask},
       {in->iss1_valid != 0, in->iss1_inst, (uint16_t)in->iss1_pc, (uint32_t)in->iss1_mask}}};
}

static struct master_branch branch_of(const struct master_port_in *in) {
  return (struct master_branch){
      .valid = in->rs_valid != 0,
      .warp = (uint8_t)in->rs_warp,
      .outcome = {.dirs = (unsigned)in->rs_dirs, .rpc = (uint16_t)in->rs_rpc}};
}

/* Instructions in order, and the outcome of a branch always in the second slot. */
void master_port_ref_pack(const struct master_pair *issued, const struct master_branch *branch,
                          struct flits *slots) {
  const struct master_issue *iss = issued->iss;
  slots->valid[0] = iss[0].valid || iss[1].valid;
  slots->valid[1] = branch->valid || (iss[0].valid && iss[1].valid);
  slots->packet[0] = iss[0].valid ? iss[0].inst : iss[1].inst;
  slots->packet[1] =
      branch->valid ? packet_of_mask(branch->warp, branch->outcome.dirs) : iss[1].inst;
}

/* Fills slots with packets of the roll, and with the PC to park at: two cycles after a verdict that
 * differs, when the hold that follows it has emptied the slot. */
void master_port_ref_call(const struct master_port_ref *m, const struct master_port_in *in,
                          struct flits *slots) {
  if ((m->differed >> 1 & 1) != 0) {
    slots->valid[0] = true;
    slots->packet[0] = packet_of_park(m->park_pc);
  }
  if (in->call0_valid || in->last_valid)
    slots->valid[0] = true;
  if (in->call0_valid)
    slots->packet[0] = packet_of_call(in->call0_warp, in->call0_depth);
  else if (in->last_valid)
    slots->packet[0] = packet_of_end(in->last_count);
  if (in->call1_valid) {
    slots->valid[1] = true;
    slots->packet[1] = packet_of_call(in->call1_warp, in->call1_depth);
  }
}

/* Cycles in which a verdict is open. */
static unsigned window_of(const struct master_port_ref *m) { return 2 * m->delay + 2; }

/* The oldest window, which is the first to close; NULL: none is open. */
static const struct master_window *oldest_window(const struct master_port_ref *m) {
  return m->opened == m->closed ? NULL : &m->window[m->closed % MASTER_WINDOWS];
}

static bool ends_now(const struct master_port_ref *m) {
  const struct master_window *w = oldest_window(m);
  return w != NULL && m->cycle - w->opened == window_of(m);
}

uint16_t master_port_ref_ending_rpc(const struct master_port_ref *m) {
  return ends_now(m) ? oldest_window(m)->rpc : ISA_NO_RPC;
}

bool master_port_ref_at_rest(const struct master_port_ref *m) {
  return m->differed == 0 && m->left == 0 && m->away == 0;
}

bool master_port_ref_members_ok(const struct master_port_ref *m, unsigned slaves) {
  for (; slaves != 0; slaves &= slaves - 1)
    if (m->credits[__builtin_ctz(slaves)] == 0)
      return false;
  return true;
}

void master_port_ref_eval(const struct master_port_ref *m, const struct master_port_in *in,
                          struct master_port_out *out) {
  const struct master_pair now = issued_of(in);
  const struct master_issue *to = in->master ? master_port_ref_late(m)->iss : now.iss;
  const struct master_branch branch = branch_of(in);
  struct flits slots = {0};
  *out = (struct master_port_out){.out0_valid = to[0].valid,
                                  .out0_inst = to[0].inst,
                                  .out0_pc = to[0].pc,
                                  .out0_mask = to[0].mask,
                                  .out1_valid = to[1].valid,
                                  .out1_inst = to[1].inst,
                                  .out1_pc = to[1].pc,
                                  .out1_mask = to[1].mask,
                                  .verdict = m->verdict,
                                  .members_ok = 1,
                                  .split_rpc = master_port_ref_ending_rpc(m)};
  if (in->master) {
    master_port_ref_pack(&now, &branch, &slots);
    out->verdict |= warpset_if(in->rs_valid, in->rs_warp);
    out->members_ok = master_port_ref_members_ok(m, (unsigned)in->slaves);
  }
  master_port_ref_call(m, in, &slots);
  out->p0_valid = slots.valid[0];
  out->p0 = slots.packet[0];
  out->p1_valid = slots.valid[1];
  out->p1 = slots.packet[1];
  out->empty = out->verdict == 0 && master_port_ref_at_rest(m);
}

/* A cycle of the verdicts: one whose time is over closes, another one may open. */
static void step_windows(struct master_port_ref *m, const struct master_branch *branch) {
  if (ends_now(m)) {
    m->verdict &= ~warpset_of(oldest_window(m)->warp);
    m->closed++;
  }
  if (branch == NULL || !branch->valid)
    return;
  m->window[m->opened++ % MASTER_WINDOWS] =
      (struct master_window){branch->warp, branch->outcome.rpc, m->cycle};
  m->verdict |= warpset_of(branch->warp);
}

/* A cycle of the line. */
static void step_line(struct master_port_ref *m, const struct master_pair *issued) {
  static const struct master_pair none;
  if (issued == NULL)
    issued = &none;
  if (issued->iss[0].valid || issued->iss[1].valid)
    m->left = m->delay;
  else if (m->left == 0)
    return; /* all places are alike */
  else
    m->left--;
  m->line[m->now] = *issued;
  m->now = m->now + 1 == m->delay ? 0 : m->now + 1;
}

void master_port_ref_advance(struct master_port_ref *m, const struct master_pair *issued,
                             const struct master_branch *branch, bool differs) {
  step_line(m, issued);
  if (differs)
    m->park_pc = master_port_ref_ending_rpc(m);
  m->differed = (m->differed << 1 | differs) & ((1U << (m->delay + 2)) - 1);
  step_windows(m, branch);
  m->cycle++;
}

void master_port_ref_settle(struct master_port_ref *m, unsigned slaves, bool take, unsigned back) {
  if (!take && back == 0)
    return;
  for (; slaves != 0; slaves &= slaves - 1) {
    const unsigned k = (unsigned)__builtin_ctz(slaves);
    const unsigned change = (back >> k & 1) - (unsigned)take;
    m->credits[k] += change;
    m->away -= change;
  }
}

void master_port_ref_step(struct master_port_ref *m, const struct master_port_in *in) {
  if (in->kernel_start) {
    master_port_ref_reset(m, m->members, m->delay);
    return;
  }
  const struct master_pair issued = issued_of(in);
  const struct master_branch branch = branch_of(in);
  master_port_ref_advance(m, in->master ? &issued : NULL, in->master ? &branch : NULL,
                          in->set != 0);
  if (in->master)
    master_port_ref_settle(m, (unsigned)in->slaves, in->take_mem != 0, (unsigned)in->credit);
}

void master_port_ref_view(const struct master_port_ref *m, struct master_port_view *view) {
  *view = (struct master_port_view){.verdict = {m->verdict}, .park = {m->differed}};
  for (unsigned k = 0; k < m->members - 1; k++)
    view->count[0] |= (uint64_t)(m->credits[k] & 15) << 4 * k;
  for (unsigned i = 0; i < m->delay; i++) { /* the newest first */
    const struct master_issue *iss = m->line[(m->now + m->delay - 1 - i) % m->delay].iss;
    view->line0[0] |= (uint64_t)iss[0].valid << i;
    view->line1[0] |= (uint64_t)iss[1].valid << i;
  }
}
