/* The profile of a kernel: counters and stall slots of one SM by instruction.
 *
 * A slot is one scheduler's cycle.  The instruction that waits in a slot is, by the slot's cause:
 *
 *   issued                 the issued instruction
 *   control, verdict       the branch or exit that the scheduler issued last
 *   barrier                the barrier that the scheduler issued last
 *   idle, gated            none
 *   others                 the instruction that the scheduler issues next; if it issues none, the
 *                          last one
 */
#ifndef TANDEM_SM_PROFILE_H
#define TANDEM_SM_PROFILE_H

#include <stdint.h>

#include "csim/ports/stalls.h"

struct sm;

struct sm_profile {
#define PROFILE(field, ...) uint64_t field;
#include "csim/sm/profile.def"
  uint64_t stalls[STALL_CODES]; /* slots by cause */
};

/* From now on counters are added to rows[pc], for each PC that the kernel may execute, and slots of
 * no instruction to rows[none]. */
void sm_profile_begin(struct sm *sm, struct sm_profile *rows, uint32_t none);

/* Adds the slots that wait for the next issue to the last instruction, and ends the profile. */
void sm_profile_end(struct sm *sm);

#endif
