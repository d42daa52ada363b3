/* The command that runs clang, with the files that it reads and writes. */
#ifndef TANDEM_OPENCL_CLANG_H
#define TANDEM_OPENCL_CLANG_H

#include <stdbool.h>
#include <stddef.h>

enum { CLANG_ARGUMENTS = 128, CLANG_PATH = 1024 };

/* Files of one compilation, in a folder of their own. */
struct clang_work {
  char *dir;
  char *source; /* its path, as no option of clang begins */
  bool cuda;    /* CUDA C, not OpenCL C */
  char include[64], prelude[CLANG_PATH], spu[CLANG_PATH], library[CLANG_PATH];
  char ptx[CLANG_PATH], ir[CLANG_PATH], optimised[CLANG_PATH], headers[CLANG_PATH];
  char log[2][CLANG_PATH];
};

enum clang_output {
  CLANG_PTX,       /* of the source */
  CLANG_IR,        /* of the source, without optimisation */
  CLANG_OPTIMISED, /* the IR that the PTX is made of */
  CLANG_UNSPLIT,   /* the same, but loads of vectors are not split */
  CLANG_PTX_OF_IR, /* of the latter */
  CLANG_INPUTS     /* the files that the source includes */
};

struct clang_command {
  const char *argv[CLANG_ARGUMENTS + 1];
  size_t n; /* CLANG_ARGUMENTS: there are too many */
};

/* Fills a command that is all zeros; argv[0], the program's name, is left to the caller.  options
 * are the user's, NULL-ended or NULL; libclc is the path of its library, for PTX and optimised IR
 * of OpenCL C. */
void clang_command_build(struct clang_command *c, const char *const *options, const char *libclc,
                         const struct clang_work *w, enum clang_output kind);

#endif
