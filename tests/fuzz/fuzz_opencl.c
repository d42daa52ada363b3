/* The compiler's output: PTX and LLVM IR, separated by a line "----". */
#include <stdlib.h>
#include <string.h>

#include "csim/isa/opencl/diagnostics.h"
#include "csim/isa/opencl/initial.h"
#include "csim/isa/opencl/lines.h"
#include "csim/isa/opencl/mend.h"
#include "csim/isa/opencl/text.h"
#include "csim/isa/ptx/ptx.h"
#include "tests/fuzz/fuzz.h"

static void fuzz_mends(const char *ptx, const char *ir) {
  struct tandem_error err = {""};
  char *filled = strdup(ptx);
  (void)opencl_may_convert_bits(ptx);
  free(opencl_mend_ir(ir));
  if (filled != NULL && opencl_has_gaps(ir))
    (void)opencl_fill_gaps("x.cl", ir, &filled, &err);
  free(filled);
}

void fuzz_one(const char *text, size_t n) {
  static const char between[] = "\n----\n";
  const char *at = strstr(text, between), *ir = at != NULL ? at + strlen(between) : "";
  char *ptx = strndup(text, at != NULL ? (size_t)(at - text) : n);
  struct isa_program *p;
  struct tandem_error err = {""};
  struct opencl_lines lines = {0};
  char *mended = opencl_mend_ptx(ptx), *log = strdup(ir);
  char *bare = mended != NULL ? opencl_take_lines(mended, "x.cl", "x.cl", "/x/", &lines) : NULL;
  (void)opencl_check_arguments("x.cl", ir, &err);
  opencl_explain("x.cl", ptx, ir, &err);
  fuzz_mends(ptx, ir);
  if (bare != NULL && ptx_translate(bare, "x.cl.ptx", NULL, &p, &err) == 0) {
    (void)opencl_place_lines(p, &lines);
    (void)opencl_describe(p, ir);
    isa_program_free(p);
  } else if (bare != NULL) {
    opencl_place_message(&lines, "x.cl.ptx", "x.cl", &err);
  }
  if (log != NULL)
    opencl_hide_diagnostics(log, "/x/");
  if (log != NULL)
    (void)opencl_cut_failure(log);
  opencl_lines_free(&lines);
  free(bare);
  free(log);
  free(mended);
  free(ptx);
}
