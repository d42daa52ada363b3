/* OpenCL C: what is read from the IR that clang writes. */
#ifndef TANDEM_OPENCL_TEXT_H
#define TANDEM_OPENCL_TEXT_H

#include "csim/isa/core/program.h"

/* The IR of the same source, with line tables, says of a kernel's arguments what the PTX does not:
 * names, address spaces, and the work-group size that the kernel requires.  0, or -ENOMEM. */
int opencl_describe(struct isa_program *p, const char *ir);

/* -EINVAL and a message if a kernel takes an image or a sampler, else 0. */
int opencl_check_arguments(const char *path, const char *ir, struct tandem_error *err);

/* Rewrites the message of a failed translation with the source's line, if it is about a function
 * that the source calls and does not define. */
void opencl_explain(const char *path, const char *ptx, const char *ir, struct tandem_error *err);

#endif
