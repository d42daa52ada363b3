/* Reference of rtl/flex/flex_control.sv. */
#include "csim/ref/flex/flex_control.h"

enum { FLEX_DOMAINS = 7 };

/* Loans by the shape of the groups: pairs, and trios. */
struct flex_loan {
  uint8_t lender, borrower, banks;
};
static const struct flex_loan flex_pairs[] = {{1, 0, 3}, {3, 2, 3}, {4, 5, 3}};
static const struct flex_loan flex_trios[] = {{1, 0, 1}, {1, 2, 2}, {4, 3, 1}, {4, 5, 2}};

static unsigned lender_power(enum flex_mode mode, bool own_memory) {
  switch (mode) {
  case FLEX_OCC:
  case FLEX_BAL:
    return FLEX_CTX | FLEX_RF | (own_memory ? 0 : FLEX_MEM);
  case FLEX_BIGSM:
    return FLEX_RF | FLEX_SIMD | FLEX_MEM;
  case FLEX_BIGSM_OCC:
    return FLEX_CTX | FLEX_RF | FLEX_SIMD | FLEX_MEM;
  default:
    return FLEX_ALL;
  }
}

void flex_control_roles(struct flex_role *role, unsigned members, enum flex_mode mode,
                        bool own_memory) {
  const struct flex_loan *loans = mode == FLEX_BAL ? flex_trios : flex_pairs;
  const unsigned most = mode == FLEX_BAL ? sizeof flex_trios / sizeof *flex_trios
                                         : sizeof flex_pairs / sizeof *flex_pairs;
  for (unsigned m = 0; m < members; m++)
    role[m] = (struct flex_role){.lender = -1, .power = FLEX_ALL};
  for (unsigned i = 0; mode != FLEX_BASE && i < most; i++) {
    const struct flex_loan *l = &loans[i];
    if (l->lender >= members || l->borrower >= members)
      continue;
    role[l->lender].lends |= l->banks;
    role[l->lender].power = lender_power(mode, own_memory);
    role[l->borrower].lender = l->lender;
  }
}

void flex_control_ref_reset(struct flex_control_ref *c, unsigned members) {
  *c = (struct flex_control_ref){.members = members};
  flex_control_roles(c->role, members, FLEX_BASE, false);
}

static bool comes_up(const struct flex_control_ref *c) {
  for (unsigned m = 0; m < c->members; m++)
    if (c->role[m].rising != 0)
      return true;
  return false;
}

static void start_scheme(struct flex_control_ref *c, const struct flex_control_in *in) {
  unsigned up[FLEX_MEMBERS];
  for (unsigned m = 0; m < c->members; m++)
    up[m] = c->role[m].power & ~c->role[m].rising;
  c->mode = (enum flex_mode)in->mode;
  flex_control_roles(c->role, c->members, c->mode, in->own_memory);
  for (unsigned m = 0; m < c->members; m++)
    c->role[m].rising = c->role[m].power & ~up[m];
  c->count = (unsigned)in->power_up;
  c->woken = false;
}

bool flex_control_ref_rests(const struct flex_control_ref *c, const struct flex_control_in *in) {
  return !in->kernel_start && !comes_up(c);
}

void flex_control_ref_step(struct flex_control_ref *c, const struct flex_control_in *in) {
  if (in->kernel_start) {
    start_scheme(c, in);
  } else if (c->woken) {
    for (unsigned m = 0; m < c->members; m++)
      c->role[m].rising = 0;
    c->woken = false;
  } else if (comes_up(c)) {
    if (c->count == 0)
      c->woken = true;
    else
      c->count--;
  }
}

/* Returns whether a member has or uses a domain that comes up. */
static bool waits_for_power(const struct flex_control_ref *c, const struct flex_role *r) {
  return r->rising != 0 || (r->lender >= 0 && c->role[r->lender].rising != 0);
}

void flex_control_ref_eval(const struct flex_control_ref *c, const struct flex_control_in *in,
                           struct flex_control_out *out) {
  (void)in;
  *out = (struct flex_control_out){.mode = c->mode};
  for (unsigned m = 0; m < c->members; m++) {
    const struct flex_role *r = &c->role[m];
    const bool active = r->lends == 0;
    out->active |= (uint64_t)active << m;
    out->hold |= (uint64_t)(active && waits_for_power(c, r)) << m;
    out->reset_fe |= (uint64_t)(c->woken && (r->rising & FLEX_FE) != 0) << m;
    out->lend |= (uint64_t)r->lends << (2 * m);
    if (r->lender >= 0)
      out->from |= UINT64_C(1) << (2 * m + (r->lender > (int)m));
    out->power |= (uint64_t)r->power << (FLEX_DOMAINS * m);
  }
}

void flex_control_ref_view(const struct flex_control_ref *c, struct flex_control_view *view) {
  *view = (struct flex_control_view){.mode = {c->mode}, .count = {c->count}, .woken = {c->woken}};
  for (unsigned m = 0; m < c->members; m++)
    view->rising[0] |= (uint64_t)c->role[m].rising << (FLEX_DOMAINS * m);
}
