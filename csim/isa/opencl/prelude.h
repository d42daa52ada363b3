/* Text that clang includes before every OpenCL C file. */
#ifndef TANDEM_OPENCL_PRELUDE_H
#define TANDEM_OPENCL_PRELUDE_H

extern const char opencl_prelude[], opencl_prelude_more[];

#endif
