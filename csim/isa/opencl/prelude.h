/* Texts for clang. */
#ifndef TANDEM_OPENCL_PRELUDE_H
#define TANDEM_OPENCL_PRELUDE_H

/* Included before every OpenCL C file.  Its functions have no debug information (nodebug):
 * instructions of theirs have the line of the call. */
extern const char opencl_prelude[];
/* The header <spu.h> of sources that include it, in two parts. */
extern const char opencl_spu_header[], opencl_spu_interface[];

#endif
