/* OpenCL C: what is read from and mended in the texts that clang writes. */
#ifndef TANDEM_OPENCL_TEXT_H
#define TANDEM_OPENCL_TEXT_H

#include "csim/isa/core/program.h"

/* Mends two faults of clang 14's PTX: rotations, whose amounts it takes modulo the width but writes
 * as shifts that clamp; and a widened value shifted by 31 or 15, for which it multiplies by the
 * negative power of two.  Lines keep their numbers.  A new text for the caller to free; NULL if
 * memory ends. */
char *opencl_mend_ptx(const char *ptx);

/* The IR of the same source, with line tables, says of a kernel's arguments what the PTX does not:
 * names, address spaces, and the work-group size that the kernel requires.  0, or -ENOMEM. */
int opencl_describe(struct isa_program *p, const char *ir);

/* -EINVAL and a message if a kernel takes an image or a sampler, else 0. */
int opencl_check_arguments(const char *path, const char *ir, struct tandem_error *err);

/* Rewrites the message of a failed translation with the source's line, if it is about a function
 * that the source calls and does not define. */
void opencl_explain(const char *path, const char *ptx, const char *ir, struct tandem_error *err);

#endif
