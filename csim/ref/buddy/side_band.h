/* The wires between group control and the members of a cluster (docs/hardware/buddy_control.md,
 * side_band), part of the reference of buddy_cluster. */
#ifndef TANDEM_REF_SIDE_BAND_H
#define TANDEM_REF_SIDE_BAND_H

#include "csim/ref/buddy/flight.h"
#include "csim/ref/buddy/group_control.h"

/* The answers of the members; bit m for member m. */
struct member_answers {
  uint8_t drained, parked, cancel;
};

struct side_band_ref {
  unsigned delay;                /* D */
  struct group_control_out now;  /* roles as group control has them */
  struct group_control_out seen; /* roles as they have arrived at the members */

  /* Changes of roles under way, the oldest first, each with the cycles until it arrives. */
  struct {
    struct group_control_out roles;
    unsigned left;
  } change[FLIGHT_DELAY];
  unsigned changes;

  /* The answers of the last D cycles; that of `at` is the oldest.  After `left` cycles all are 0.
   */
  struct member_answers answers[FLIGHT_DELAY];
  unsigned at, left;
};

/* Resets the wires; `roles` are those of group control's reset. */
void side_band_ref_reset(struct side_band_ref *b, unsigned delay,
                         const struct group_control_out *roles);

/* Returns the answers that arrive at group control in this cycle, in which the members send
 * `answers`.  Called once a cycle. */
struct member_answers side_band_ref_answers(struct side_band_ref *b, struct member_answers answers);

/* Ends a cycle.  `roles` are those of group control from the next cycle on, NULL if they do not
 * change.  Returns whether a member sees other roles in the next cycle. */
bool side_band_ref_step(struct side_band_ref *b, const struct group_control_out *roles);

/* Returns the members that see `hold`; a leader sees it without delay. */
uint64_t side_band_ref_hold(const struct side_band_ref *b);

#endif
