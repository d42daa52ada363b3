/* OpenCL C: what is read from and mended in the texts that clang writes. */
#ifndef TANDEM_OPENCL_TEXT_H
#define TANDEM_OPENCL_TEXT_H

#include "csim/isa/core/program.h"

/* Mends the rotations in clang 14's PTX: it takes their amounts modulo the width, but writes shifts
 * whose amounts clamp.  Lines keep their numbers.  A new text for the caller to free; NULL if
 * memory ends. */
char *opencl_mend_rotations(const char *ptx);

/* The IR of the same source, with line tables, says of a kernel's arguments what the PTX does not:
 * names, address spaces, and the work-group size that the kernel requires.  0, or -ENOMEM. */
int opencl_describe(struct isa_program *p, const char *ir);

/* -EINVAL and a message if a kernel takes an image or a sampler, else 0. */
int opencl_check_arguments(const char *path, const char *ir, struct tandem_error *err);

/* Returns whether the PTX calls a function of the language, other than for images, without a
 * definition. */
bool opencl_lacks_functions(const char *ptx);

/* Rewrites the message of a failed translation with the source's line, if it is about a function
 * that the source calls and does not define. */
void opencl_explain(const char *path, const char *ptx, const char *ir, struct tandem_error *err);

#endif
