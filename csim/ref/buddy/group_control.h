/* Reference of rtl/buddy/group_control.sv (docs/hardware/buddy_control.md, group_control). */
#ifndef TANDEM_REF_GROUP_CONTROL_H
#define TANDEM_REF_GROUP_CONTROL_H

#include <stdbool.h>

#include "csim/ports/units.h"

enum { GROUP_MEMBERS = 8 }; /* most members of a group */

enum group_state {
  GROUP_NONE,
  GROUP_GROUPED,
  GROUP_RAMP,
  GROUP_RESET, /* the last cycle of the ramp */
  GROUP_SOLO,
  GROUP_PARKING,
  GROUP_CALL,  /* all members are held; then the leader calls its roll */
  GROUP_WINDOW /* after the roll call: answers may come */
};

/* Members that a kernel starts with together: 1, 2, 4 or 8 from `first` on. */
struct member_group {
  unsigned first, size;
  enum group_state state; /* GROUP_NONE: a member by itself */
  unsigned count; /* cycles left of power-up, of the verdict window, or until the roll call */
  bool apart;     /* the members stay apart in this kernel */
};

struct group_control_ref {
  unsigned members;
  unsigned verdict, settle; /* cycles: the verdict window; to members and back */
  struct member_group group[GROUP_MEMBERS];
  unsigned groups;

  /* Leaders whose front ends come up at the start of the kernel; bit m for member m. */
  unsigned waking, wake_count;
  bool woken; /* their last cycle */
};

/* Resets the control of 2, 4 or 8 members, `hop` NoC cycles from one to the next. */
void group_control_ref_reset(struct group_control_ref *c, unsigned members, unsigned hop);

/* Returns whether a cycle changes nothing. */
bool group_control_ref_rests(const struct group_control_ref *c, const struct group_control_in *in);
void group_control_ref_eval(const struct group_control_ref *c, const struct group_control_in *in,
                            struct group_control_out *out);
void group_control_ref_step(struct group_control_ref *c, const struct group_control_in *in);
void group_control_ref_view(const struct group_control_ref *c, struct group_control_view *view);

#endif
