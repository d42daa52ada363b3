/* The compiler's parts that the machine has. */
#include "csim/isa/opencl/tools.h"

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "csim/isa/opencl/opencl.h"
#include "csim/util/files.h"
#include "csim/util/process.h"

const char *const opencl_clang[] = {"clang-14", "clang", NULL};

const char *opencl_libclc(void) {
  static const char *const places[] = {"/usr/lib/clc/nvptx--nvidiacl.bc",
                                       "/usr/lib/llvm-14/lib/clc/nvptx--nvidiacl.bc",
                                       "/usr/lib/llvm-14/share/clc/nvptx--nvidiacl.bc",
                                       "/usr/share/clc/nvptx--nvidiacl.bc",
                                       "/usr/local/lib/clc/nvptx--nvidiacl.bc",
                                       "/usr/local/share/clc/nvptx--nvidiacl.bc"};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (access(places[i], R_OK) == 0)
      return places[i];
  return NULL;
}

/* The version that the first clang there is prints; NULL: there is none. */
static char *clang_version(void) {
  for (const char *const *name = opencl_clang; *name != NULL; name++) {
    const char *const argv[] = {*name, "--version", NULL};
    char *text = NULL;
    int status;
    if (process_output(&(struct process){.argv = argv}, &status, &text) == 0 && status == 0)
      return text;
    free(text);
  }
  return NULL;
}

int opencl_tools(struct hash *h, struct tandem_error *err) {
  char *version = clang_version();
  const char *libclc = opencl_libclc();
  hash_text(h, version != NULL ? version : "no clang");
  free(version);
  if (libclc != NULL)
    return files_hash(h, libclc, err);
  hash_text(h, "no libclc");
  return 0;
}
