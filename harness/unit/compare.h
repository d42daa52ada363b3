/* The comparison of a unit's engines, for those who bring both sides (unit.c, log.c). */
#ifndef TANDEM_UNIT_COMPARE_H
#define TANDEM_UNIT_COMPARE_H

#include "harness/unit/unit.h"

/* Compares outputs of a cycle.  False, with the reason in u->failure, if they differ. */
bool unit_compare_outputs(struct unit *u, const void *rtl, const void *ref, uint64_t cycle);

/* Compares them, and the states of now that are due.  False likewise. */
bool unit_compare_now(struct unit *u, const void *rtl, const void *ref, uint64_t cycle);

/* Counts a look at the state of an SM, or of the unit without any.  Returns true if it is one in
 * which states are to be compared. */
bool unit_state_due(struct unit *u, unsigned sm, uint64_t cycle);

/* Compares the RTL's state with the one in u->state[sm].ref, which is that of `cycle`; on: also the
 * parts that can be switched off.  False likewise. */
bool unit_compare_view(struct unit *u, unsigned sm, bool on, uint64_t cycle);

/* Clocks the RTL with inputs.  False likewise if an assertion failed. */
bool unit_clock_rtl(struct unit *u, const void *in, uint64_t cycle);

#endif
