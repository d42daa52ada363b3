/* Initial values of variables that hold vectors with a gap after their elements, such as vectors of
 * three. */
#ifndef TANDEM_OPENCL_INITIAL_H
#define TANDEM_OPENCL_INITIAL_H

#include <stdbool.h>

#include "csim/util/error.h"

/* Returns whether the LLVM IR gives such a variable an initial value other than zeros. */
bool opencl_has_gaps(const char *ir);

/* Rewrites the initial values of such variables in clang's PTX: clang 14 to 22 leave the gap out,
 * so that whatever comes after it is in the wrong place.  `ir` is the LLVM IR that the PTX was made
 * of. *ptx is replaced.  0, -EINVAL if the IR has a form that cannot be read, or -ENOMEM; path is
 * the source's, for messages. */
int opencl_fill_gaps(const char *path, const char *ir, char **ptx, struct tandem_error *err);

#endif
