/* OpenCL C: what is not in program.h. */
#ifndef TANDEM_OPENCL_H
#define TANDEM_OPENCL_H

#include "csim/util/error.h"

/* The PTX that clang and libclc make of an OpenCL C file (defines as for opencl_compile).  *ptx is
 * for the caller to free.  opencl_compile translates this text under the name PATH.ptx, whose lines
 * its messages and the program's lines mean.  0 or a negative errno, err set. */
int opencl_to_ptx(const char *path, const char *const *defines, char **ptx,
                  struct tandem_error *err);

#endif
