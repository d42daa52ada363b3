/* The compiler's output: PTX and LLVM IR, separated by a line "----". */
#include <stdlib.h>
#include <string.h>

#include "csim/isa/opencl/text.h"
#include "csim/isa/ptx/ptx.h"
#include "tests/fuzz/fuzz.h"

void fuzz_one(const char *text, size_t n) {
  static const char between[] = "\n----\n";
  const char *at = strstr(text, between), *ir = at != NULL ? at + strlen(between) : "";
  char *ptx = strndup(text, at != NULL ? (size_t)(at - text) : n);
  struct isa_program *p;
  struct tandem_error err = {""};
  char *mended = opencl_mend_rotations(ptx);
  (void)opencl_lacks_functions(ptx);
  (void)opencl_check_arguments("x.cl", ir, &err);
  opencl_explain("x.cl", ptx, ir, &err);
  if (mended != NULL && ptx_translate(mended, "x.cl.ptx", NULL, &p, &err) == 0) {
    (void)opencl_describe(p, ir);
    isa_program_free(p);
  }
  free(mended);
  free(ptx);
}
