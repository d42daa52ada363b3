/* Reference of rtl/flex/flex_cluster.sv. */
#include "csim/ref/flex/flex_cluster.h"

#include <stdlib.h>
#include <string.h>

#include "csim/ref/flex/flex_member.h"

struct flex_cluster_ref {
  unsigned members;
  struct flex_cluster_in in; /* registered */
  struct flex_control_ref control;
  struct flex_cluster_out out;
  struct flex_member_ref member[FLEX_MEMBERS];
};

/* The member's borrowed row 0, in the context of the SM that lends to it; NULL: it borrows nothing.
 * The right one of two borrowers has the rows from 12 on. */
static struct flex_row *flex_borrowed(struct flex_cluster_ref *c, unsigned m) {
  const int lender = c->control.role[m].lender;
  if (lender < 0)
    return NULL;
  const bool right = (int)m > lender;
  const bool shared = right && lender > 0 && c->control.role[lender - 1].lender == lender;
  return &c->member[lender].context.row[shared ? FLEX_BANK_ROWS : 0];
}

/* Gives the members their parts, by the control's registers. */
static void flex_assign(struct flex_cluster_ref *c) {
  struct flex_control_out o;
  flex_control_ref_eval(&c->control, &(struct flex_control_in){0}, &o);
  c->out = (struct flex_cluster_out){.mode = o.mode,
                                     .active = o.active,
                                     .hold = o.hold,
                                     .reset_fe = o.reset_fe,
                                     .lend = o.lend,
                                     .from = o.from,
                                     .power = o.power};
  for (unsigned m = 0; m < c->members; m++)
    c->member[m].part = (struct flex_part){.mode = c->control.mode,
                                           .power = (c->control.role[m].power & FLEX_FE) != 0,
                                           .reset = (o.reset_fe >> m & 1) != 0,
                                           .hold = (o.hold >> m & 1) != 0,
                                           .far = flex_borrowed(c, m)};
}

static void flex_see(struct flex_cluster_ref *c, bool changed) {
  for (unsigned m = 0; m < c->members; m++) {
    struct flex_member_ref *f = &c->member[m];
    f->part.next = (enum flex_mode)c->in.mode;
    if (changed || !f->quiet || !f->in_idle)
      flex_member_see(f);
  }
}

/* Returns whether the control's registers may have changed. */
static bool flex_clock_control(struct flex_cluster_ref *c) {
  const struct flex_control_in in = {.kernel_start = c->in.kernel_start,
                                     .mode = c->in.mode,
                                     .own_memory = c->in.own_memory,
                                     .power_up = c->in.power_up};
  if (flex_control_ref_rests(&c->control, &in))
    return false;
  flex_control_ref_step(&c->control, &in);
  return true;
}

void flex_cluster_ref_step(struct flex_cluster_ref *c, const struct flex_cluster_in *cluster,
                           const struct flex_sm_in sm[]) {
  for (unsigned m = 0; m < c->members; m++) {
    struct flex_sm_in in = sm[m];
    in.cfg_lrr = cluster->cfg_lrr;
    in.kernel_start = cluster->kernel_start;
    flex_member_clock(&c->member[m], &in);
  }
  const bool changed = flex_clock_control(c);
  c->in = *cluster;
  if (changed)
    flex_assign(c);
  flex_see(c, changed);
}

struct flex_cluster_ref *flex_cluster_ref_create(unsigned members, unsigned dummy) {
  static const unsigned warps[FLEX_MEMBERS] = {48, 24, 48, 48, 24, 48};
  struct flex_cluster_ref *c = aligned_alloc(64, sizeof *c);
  if (c == NULL)
    return NULL;
  memset(c, 0, sizeof *c);
  c->members = members;
  flex_control_ref_reset(&c->control, members);
  for (unsigned m = 0; m < members; m++)
    flex_member_reset(&c->member[m], warps[m], dummy);
  flex_assign(c);
  flex_see(c, true);
  return c;
}

void flex_cluster_ref_destroy(struct flex_cluster_ref *c) { free(c); }

void flex_cluster_ref_out(const struct flex_cluster_ref *c, struct flex_cluster_out *own,
                          struct flex_member_out member[]) {
  *own = c->out;
  for (unsigned m = 0; m < c->members; m++)
    member[m] = c->member[m].out;
}

bool flex_cluster_ref_state(struct flex_cluster_ref *c, unsigned m,
                            struct flex_member_state *state) {
  struct flex_member_ref *f = &c->member[m];
  const bool up = flex_member_is_up(f);
  flex_control_ref_view(&c->control, &state->control);
  if (up)
    flex_member_view(f, state);
  return up;
}
