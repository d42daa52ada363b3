/* Operands: edges of each type in all pairs, random ones, and neighbours of each other. */
#ifndef BUILTINS_OPERANDS_H
#define BUILTINS_OPERANDS_H

#include "tests/builtins/case.h"

/* Fills tuples[k][j], j < n, for each operand k of the case.  The same seed gives the same values.
 */
void operands_make(const struct builtin_case *c, uint64_t seed, size_t n, uint64_t *tuples[INPUTS]);

#endif
