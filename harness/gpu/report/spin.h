/* The part of a report that says which warps wait in loops. */
#ifndef TANDEM_GPU_REPORT_SPIN_H
#define TANDEM_GPU_REPORT_SPIN_H

#include "harness/gpu/core/gpu.h"

/* Writes the reason of FAIL_HANG, FAIL_SPIN and FAIL_ENDLESS: CTAs that have not begun, loops with
 * their lanes and source lines, those that wait for them, and a remedy. */
void spin_reason(struct tandem *t);

/* Prints the instructions of the loops. */
void spin_print(const struct tandem *t, FILE *out);

#endif
