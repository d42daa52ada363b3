/* Expressions, whole and real. */
#include "csim/util/expression.h"
#include "tests/fuzz/fuzz.h"

void fuzz_one(const char *text, size_t n) {
  struct tandem_error err;
  int64_t whole;
  double real;
  (void)n;
  (void)expression_whole(text, NULL, &whole, &err);
  (void)expression_real(text, NULL, &real, &err);
}
