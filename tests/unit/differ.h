/* Comparison and printing of any unit's ports and states, by its ports table. */
#ifndef TANDEM_TEST_DIFFER_H
#define TANDEM_TEST_DIFFER_H

#include "csim/ports/ports.h"

/* Prints each output that differs where its qualifier holds by the reference; returns how many. */
unsigned differ_out(const struct ports_table *t, uint64_t cycle, const void *ref, const void *dut);
/* The same for each element of state. */
unsigned differ_view(const struct ports_table *t, uint64_t cycle, const void *ref, const void *dut);

/* Prints the inputs that mean something and are not 0. */
void differ_print_in(const struct ports_table *t, const void *in);
/* Prints the outputs that are not 0. */
void differ_print_out(const struct ports_table *t, const void *ref, const void *dut);

#endif
