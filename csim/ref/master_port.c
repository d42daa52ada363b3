#include "csim/ref/master_port.h"

#include <string.h>

#include "csim/isa/isa.h"
#include "csim/ref/packet.h"

void master_port_ref_reset(struct master_port_ref *m, unsigned members, unsigned delay) {
  *m = (struct master_port_ref){.members = members, .delay = delay};
  for (unsigned k = 0; k < members - 1; k++)
    m->credits[k] = MASTER_CREDITS;
}

/* What is in the issue registers. */
static struct master_pair issued(const struct master_port_in *in) {
  return (struct master_pair){
      {{in->iss0_valid != 0, in->iss0_inst, (uint16_t)in->iss0_pc, (uint32_t)in->iss0_mask},
       {in->iss1_valid != 0, in->iss1_inst, (uint16_t)in->iss1_pc, (uint32_t)in->iss1_mask}}};
}

/* The slots: instructions in order, and the outcome of a branch always in the second. */
static void fill_slots(const struct master_port_in *in, struct master_port_out *out) {
  const bool both = in->iss0_valid && in->iss1_valid;
  out->p0_valid = in->iss0_valid || in->iss1_valid;
  out->p0 = in->iss0_valid ? in->iss0_inst : in->iss1_inst;
  out->p1_valid = in->rs_valid || both;
  out->p1 = in->rs_valid
                ? packet_of_mask(in->rs_warp, in->rs_dirs, in->rs_hint, in->rs_pc, in->rs_taken)
                : in->iss1_inst;
}

/* Slots for the roll, and for where to park: two cycles after a verdict that differs, when the hold
 * that follows it has emptied the slot. */
static void fill_for_all(const struct master_port_ref *m, const struct master_port_in *in,
                         struct master_port_out *out) {
  if ((m->differed >> 1 & 1) != 0) {
    out->p0_valid = 1;
    out->p0 = packet_of_park(m->park_pc);
  }
  if (in->call0_valid || in->last_valid)
    out->p0_valid = 1;
  if (in->call0_valid)
    out->p0 = packet_of_call(in->call0_warp, in->call0_depth);
  else if (in->last_valid)
    out->p0 = packet_of_end(in->last_count);
  if (in->call1_valid) {
    out->p1_valid = 1;
    out->p1 = packet_of_call(in->call1_warp, in->call1_depth);
  }
}

/* Where the branch meets whose window ends now. */
static uint16_t ending_rpc(const struct master_port_ref *m) {
  for (unsigned i = 0; i < m->windows; i++)
    if (m->window[i].left == 1)
      return m->window[i].rpc;
  return ISA_NO_RPC;
}

static warpset open_windows(const struct master_port_ref *m) {
  warpset set = 0;
  for (unsigned i = 0; i < m->windows; i++)
    set |= warpset_of(m->window[i].warp);
  return set;
}

static bool at_rest(const struct master_port_ref *m) {
  if (m->differed != 0)
    return false;
  for (unsigned i = 0; i < m->delay; i++)
    if (m->line[i].iss[0].valid || m->line[i].iss[1].valid)
      return false;
  for (unsigned k = 0; k < m->members - 1; k++)
    if (m->credits[k] != MASTER_CREDITS)
      return false;
  return true;
}

static bool followers_have_credit(const struct master_port_ref *m, uint64_t slaves) {
  for (unsigned k = 0; k < m->members - 1; k++)
    if ((slaves >> k & 1) != 0 && m->credits[k] == 0)
      return false;
  return true;
}

void master_port_ref_eval(const struct master_port_ref *m, const struct master_port_in *in,
                          struct master_port_out *out) {
  const struct master_pair now = issued(in);
  const struct master_issue *to = in->master ? m->line[m->delay - 1].iss : now.iss;
  *out = (struct master_port_out){.out0_valid = to[0].valid,
                                  .out0_inst = to[0].inst,
                                  .out0_pc = to[0].pc,
                                  .out0_mask = to[0].mask,
                                  .out1_valid = to[1].valid,
                                  .out1_inst = to[1].inst,
                                  .out1_pc = to[1].pc,
                                  .out1_mask = to[1].mask,
                                  .verdict = open_windows(m),
                                  .members_ok = 1,
                                  .split_rpc = ending_rpc(m)};
  if (in->master) {
    fill_slots(in, out);
    out->verdict |= warpset_if(in->rs_valid, in->rs_warp);
    out->members_ok = followers_have_credit(m, in->slaves);
  }
  fill_for_all(m, in, out);
  out->empty = out->verdict == 0 && at_rest(m);
}

/* A cycle of the verdicts: those whose time is over close, another one may open. */
static void step_windows(struct master_port_ref *m, const struct master_port_in *in) {
  unsigned kept = 0;
  for (unsigned i = 0; i < m->windows; i++) {
    struct master_window w = m->window[i];
    if (--w.left != 0)
      m->window[kept++] = w;
  }
  m->windows = kept;
  if (in->master && in->rs_valid)
    m->window[m->windows++] =
        (struct master_window){(uint8_t)in->rs_warp, (uint16_t)in->rs_rpc, 2 * m->delay + 2};
}

static void step_park(struct master_port_ref *m, const struct master_port_in *in) {
  m->differed = (m->differed << 1 | (in->set != 0)) & ((1U << (m->delay + 2)) - 1);
  if (in->set)
    m->park_pc = ending_rpc(m);
}

void master_port_ref_step(struct master_port_ref *m, const struct master_port_in *in) {
  if (in->kernel_start) {
    master_port_ref_reset(m, m->members, m->delay);
    return;
  }
  memmove(&m->line[1], &m->line[0], (m->delay - 1) * sizeof m->line[0]);
  m->line[0] = in->master ? issued(in) : (struct master_pair){0};
  step_park(m, in);
  step_windows(m, in);
  for (unsigned k = 0; k < m->members - 1; k++) {
    const bool follows = in->master && (in->slaves >> k & 1) != 0;
    if (follows)
      m->credits[k] += (unsigned)(in->credit >> k & 1) - (unsigned)(in->take_mem != 0);
  }
}

void master_port_ref_view(const struct master_port_ref *m, struct master_port_view *view) {
  *view = (struct master_port_view){.verdict = {open_windows(m)}, .park = {m->differed}};
  for (unsigned k = 0; k < m->members - 1; k++)
    view->count[0] |= (uint64_t)(m->credits[k] & 15) << 4 * k;
  for (unsigned i = 0; i < m->delay; i++) {
    view->line0[0] |= (uint64_t)m->line[i].iss[0].valid << i;
    view->line1[0] |= (uint64_t)m->line[i].iss[1].valid << i;
  }
}
