/* The compiler's parts that the machine has: clang, and libclc's library for it. */
#ifndef TANDEM_OPENCL_TOOLS_H
#define TANDEM_OPENCL_TOOLS_H

/* Names under which clang is looked for, NULL-terminated. */
extern const char *const opencl_clang[];

/* The path of libclc's bitcode for nvptx; NULL: it is not installed. */
const char *opencl_libclc(void);

#endif
