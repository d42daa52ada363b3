/* Reference of rtl/flex/flex_control.sv (docs/hardware/flex.md, flex_control). */
#ifndef TANDEM_REF_FLEX_CONTROL_H
#define TANDEM_REF_FLEX_CONTROL_H

#include <stdbool.h>
#include <stdint.h>

#include "csim/ports/units.h"

enum { FLEX_MEMBERS = 6 }; /* at most */

enum flex_mode { FLEX_BASE, FLEX_OCC, FLEX_BAL, FLEX_BIGSM, FLEX_BIGSM_OCC, FLEX_MODES };

/* Domains of power, as sets. */
enum flex_domain {
  FLEX_FE = 1,
  FLEX_CTX = 2,
  FLEX_RF = 4,
  FLEX_SIMD = 8,
  FLEX_MEM = 16,
  FLEX_LSU = 32,
  FLEX_MISC = 64,
  FLEX_ALL = 127
};

/* A member's part in the kernel. */
struct flex_role {
  unsigned lends;  /* its banks that are lent, as a set */
  int lender;      /* from which it borrows; -1: none */
  unsigned power;  /* domains that are on */
  unsigned rising; /* of these, those that come up */
};

struct flex_control_ref {
  unsigned members;
  enum flex_mode mode;
  struct flex_role role[FLEX_MEMBERS];
  unsigned count; /* cycles left until the last one */
  bool woken;     /* the last one */
};

/* Gives each of 2 or 6 members its part in a mode; nothing comes up.  own_memory: Occ and Bal do
 * not lend shared memory and L1D. */
void flex_control_roles(struct flex_role *role, unsigned members, enum flex_mode mode,
                        bool own_memory);

/* Resets the control of 2 or 6 members. */
void flex_control_ref_reset(struct flex_control_ref *c, unsigned members);
/* Returns whether a cycle changes nothing. */
bool flex_control_ref_rests(const struct flex_control_ref *c, const struct flex_control_in *in);
void flex_control_ref_eval(const struct flex_control_ref *c, const struct flex_control_in *in,
                           struct flex_control_out *out);
void flex_control_ref_step(struct flex_control_ref *c, const struct flex_control_in *in);
void flex_control_ref_view(const struct flex_control_ref *c, struct flex_control_view *view);

#endif
