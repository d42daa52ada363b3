/* The library of built-in functions: what libclc lacks or gets wrong, as LLVM bitcode. */
#ifndef TANDEM_OPENCL_LIBRARY_H
#define TANDEM_OPENCL_LIBRARY_H

#include <stddef.h>

/* library/library.cl as the build compiled it. */
extern const char opencl_library[];
size_t opencl_library_bytes(void);

#endif
