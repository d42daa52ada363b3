/* The check of a program, whatever it was made from. */
#ifndef TANDEM_PROGRAM_CHECK_H
#define TANDEM_PROGRAM_CHECK_H

#include "csim/isa/core/program.h"

enum { ISA_NAME_MAX = 4000 }; /* characters of any name */

extern const char *const isa_space_names[ISA_SPACE_PARAM + 1];

/* Letters, digits, _, $ and ., from a letter, _, $ or % on: what PTX and clang have as names. */
bool isa_is_name(const char *text);

/* Kernels and parameters with such names, words without a warp, kernels in ascending order of
 * disjoint PCs within the code, relocations on movi words and whole words of the data, none twice,
 * parameters within their block.  0, -EINVAL, or -ENOMEM. */
int isa_program_check(const struct isa_program *p, struct tandem_error *err);

#endif
