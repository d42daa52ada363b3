/* The options that clang gets. */
#include "csim/isa/opencl/clang.h"

#include <string.h>

static void add(struct clang_command *c, const char *arg) {
  if (c->n < CLANG_ARGUMENTS)
    c->argv[c->n++] = arg;
}

static void add_library(struct clang_command *c, const char *path) {
  add(c, "-Xclang");
  add(c, "-mlink-builtin-bitcode");
  add(c, "-Xclang");
  add(c, path);
}

static void add_all(struct clang_command *c, const char *const *args) {
  for (size_t i = 0; args != NULL && args[i] != NULL; i++)
    add(c, args[i]);
}

/* The intrinsics of clang's barrier and fences have the fault that prelude.cl describes. */
#define CUDA_ORDER(name, inst) "-D" name "()=({__asm__ volatile(\"" inst ";\":::\"memory\");})"

/* clang inlines functions of about a thousand operations at most: nests of larger ones took it
 * minutes.  The translator inlines the calls that are left. */
static void add_language(struct clang_command *c, const struct clang_work *w,
                         enum clang_output kind) {
  static const char extensions[] = "-cl-ext=+cl_khr_fp16,+cl_khr_int64_base_atomics,"
                                   "+cl_khr_int64_extended_atomics";
  static const char *const cuda[] = {"-fno-crash-diagnostics",
                                     "-x",
                                     "cuda",
                                     "--cuda-device-only",
                                     "-nocudainc",
                                     "-nocudalib",
                                     "--cuda-gpu-arch=sm_35",
                                     "-O2",
                                     CUDA_ORDER("__syncthreads", "bar.sync 0"),
                                     CUDA_ORDER("__nvvm_membar_cta", "membar.cta"),
                                     CUDA_ORDER("__nvvm_membar_gl", "membar.gl"),
                                     CUDA_ORDER("__nvvm_membar_sys", "membar.sys"),
                                     NULL};
  static const char *const cuda_ir[] = {"-fno-crash-diagnostics", "--target=nvptx64-nvidia-cuda",
                                        "-march=sm_35", "-O2", NULL};
  static const char *const opencl[] = {"--target=nvptx--nvidiacl",
                                       "-fno-crash-diagnostics",
                                       "-x",
                                       "cl",
                                       "-cl-std=CL1.2",
                                       "-O2",
                                       "-fgnu89-inline",
                                       "-mllvm",
                                       "-inline-threshold=5000",
                                       "-Xclang",
                                       "-finclude-default-header",
                                       "-Xclang",
                                       extensions,
                                       NULL};
  add_all(c, !w->cuda ? opencl : kind == CLANG_PTX_OF_IR ? cuda_ir : cuda);
}

/* Options by the kind of output. */
static void add_output(struct clang_command *c, const struct clang_work *w, const char *libclc,
                       enum clang_output kind) {
  static const char *const ptx[] = {"-S", "-gline-directives-only", "-MMD", NULL};
  static const char *const ir[] = {"-S",
                                   "-emit-llvm",
                                   "-cl-kernel-arg-info",
                                   "-gline-tables-only",
                                   "-Xclang",
                                   "-disable-llvm-passes",
                                   NULL};
  static const char *const optimised[] = {"-S", "-gline-directives-only", "-emit-llvm", NULL};
  static const char *const unsplit[] = {"-S",     "-gline-directives-only",  "-emit-llvm",
                                        "-mllvm", "-disable-vector-combine", NULL};
  static const char *const of_ir[] = {"-S", "-Qunused-arguments", "-Xclang", "-disable-llvm-passes",
                                      NULL};
  static const char *const inputs[] = {"-M", NULL};
  static const char *const *const all[] = {
      [CLANG_PTX] = ptx,         [CLANG_IR] = ir,           [CLANG_OPTIMISED] = optimised,
      [CLANG_UNSPLIT] = unsplit, [CLANG_PTX_OF_IR] = of_ir, [CLANG_INPUTS] = inputs};
  add_all(c, all[kind]);
  if (kind == CLANG_PTX || kind == CLANG_INPUTS) {
    add(c, "-MF");
    add(c, w->headers);
  }
  const bool is_optimised = kind == CLANG_OPTIMISED || kind == CLANG_UNSPLIT;
  if (!w->cuda && (kind == CLANG_PTX || is_optimised)) {
    add_library(c, w->library); /* before the other: what both have comes from it */
    add_library(c, libclc);
  }
  if (kind == CLANG_INPUTS)
    return;
  add(c, "-o");
  add(c, kind == CLANG_IR ? w->ir : is_optimised ? w->optimised : w->ptx);
}

/* The options of the user.  With -Os clang 14 cannot copy structures in private memory.  With -O0
 * it cannot compile pointers to local memory as arguments of kernels, but for another driver; the
 * libraries are of the usual one, and the linker would warn of each. */
static void add_options(struct clang_command *c, const struct clang_work *w,
                        const char *const *options) {
  static const char *const other_driver[] = {"--target=nvptx--nvcl", "-Wno-linker-warnings", NULL};
  bool none = false;
  for (size_t i = 0; options != NULL && options[i] != NULL; i++) {
    if (strncmp(options[i], "-O", 2) == 0)
      none = strcmp(options[i], "-O0") == 0;
    add(c, strcmp(options[i], "-Os") == 0 ? "-O2" : options[i]);
  }
  if (none && !w->cuda)
    add_all(c, other_driver);
}

void clang_command_build(struct clang_command *c, const char *const *defines, const char *libclc,
                         const struct clang_work *w, enum clang_output kind) {
  add(c, ""); /* the program's name, filled in when it runs */
  add_language(c, w, kind);
  add_output(c, w, libclc, kind);
  add_options(c, w, defines);
  if (kind == CLANG_PTX_OF_IR) {
    add(c, "-x");
    add(c, "ir");
    add(c, w->optimised);
    return;
  }
  if (!w->cuda) {
    add(c, "-I"); /* after the folders of the user */
    add(c, w->dir);
    add(c, "-include");
    add(c, w->include);
  }
  add(c, w->source);
}
