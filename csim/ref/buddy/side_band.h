/* The wires between group control and the members of a cluster (docs/buddy.md, side_band), part of
 * the reference of buddy_cluster. */
#ifndef TANDEM_REF_SIDE_BAND_H
#define TANDEM_REF_SIDE_BAND_H

#include "csim/ref/buddy/flight.h"
#include "csim/ref/buddy/group_control.h"

/* What members answer, a bit a member. */
struct member_answers {
  uint8_t drained, parked, cancel;
};

struct side_band_ref {
  unsigned delay;                /* D */
  struct group_control_out now;  /* roles as group control has them */
  struct group_control_out seen; /* and as they have arrived at the members */

  /* Changes of roles that are under way, the oldest first, and in how many cycles each arrives. */
  struct {
    struct group_control_out roles;
    unsigned left;
  } change[FLIGHT_DELAY];
  unsigned changes;

  /* The answers of the last D cycles, that of `at` the oldest; `left`: cycles after which all are
   * 0. */
  struct member_answers answers[FLIGHT_DELAY];
  unsigned at, left;
};

/* With the roles of group control's reset. */
void side_band_ref_reset(struct side_band_ref *b, unsigned delay,
                         const struct group_control_out *roles);
/* What group control hears in this cycle, in which the members answer `answers`.  Once a cycle. */
struct member_answers side_band_ref_answers(struct side_band_ref *b, struct member_answers answers);
/* The cycle ends; roles: those of group control from the next one on, NULL if they do not change.
 * True if a member sees others then. */
bool side_band_ref_step(struct side_band_ref *b, const struct group_control_out *roles);
/* Members that see `hold`: a leader as soon as its control says so. */
uint64_t side_band_ref_hold(const struct side_band_ref *b);

#endif
