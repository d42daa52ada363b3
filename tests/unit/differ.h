/* Comparison and printing of any unit's ports and states, by its ports table. */
#ifndef TANDEM_TEST_DIFFER_H
#define TANDEM_TEST_DIFFER_H

#include "csim/ports/ports.h"

/* Print each output, each element of state, that differs where its qualifier holds by the
 * reference; return how many. */
unsigned differ_out(const struct ports_table *t, uint64_t cycle, const void *ref, const void *dut);
unsigned differ_view(const struct ports_table *t, uint64_t cycle, const void *ref, const void *dut);

/* Print the inputs that mean something, and all outputs, that are not 0. */
void differ_print_in(const struct ports_table *t, const void *in);
void differ_print_out(const struct ports_table *t, const void *ref, const void *dut);

#endif
