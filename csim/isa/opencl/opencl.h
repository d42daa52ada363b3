/* OpenCL C and CUDA C (by the ending .cu) to programs, and programs from files of any kind. */
#ifndef TANDEM_OPENCL_H
#define TANDEM_OPENCL_H

#include "csim/isa/ptx/ptx.h"

/* OpenCL C through clang and libclc.  defines: NULL-terminated "-D..." and "-I..." options or NULL.
 */
int opencl_compile(const char *path, const char *const *defines, const struct ptx_options *opt,
                   struct isa_program **p, struct tandem_error *err);

/* Calls `each` with the path of every file that clang reads for an OpenCL C file (defines as for
 * opencl_compile), by clang's own list; nothing is compiled.  0, -EINVAL: clang finds fault with
 * the file, or another negative errno, as for a header that is a pipe: clang has a minute. */
int opencl_inputs(const char *path, const char *const *defines,
                  void (*each)(void *user, const char *path), void *user, struct tandem_error *err);

/* Adds the version of clang and the text of libclc's library, or that there are none: programs from
 * the same sources may differ by them.  0 or a negative errno. */
struct hash;
int opencl_tools(struct hash *h, struct tandem_error *err);

/* By the file's ending: .cl, .cu, .ptx, .s or .img. */
int isa_program_load(const char *path, const char *const *defines, const struct ptx_options *opt,
                     struct isa_program **p, struct tandem_error *err);

/* The PTX that clang and libclc make of an OpenCL C file (defines as for opencl_compile).  *ptx is
 * for the caller to free.  opencl_compile translates this text; its messages and the program name
 * lines of the source.  0 or a negative errno, err set. */
int opencl_to_ptx(const char *path, const char *const *defines, char **ptx,
                  struct tandem_error *err);

#endif
