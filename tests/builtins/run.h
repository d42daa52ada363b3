/* Running cases on a simulated GPU. */
#ifndef BUILTINS_RUN_H
#define BUILTINS_RUN_H

#include "tests/builtins/case.h"

struct run_options {
  const char *engine; /* run.engine */
  uint64_t seed;
  size_t tuples; /* of each case; a multiple of 1536 */
};

enum run_state { RIGHT, WRONG, REFUSED };
struct run_result {
  enum run_state state;
  double worst;   /* ulp of what was right or wrong by a finite difference */
  size_t wrong;   /* elements' work-items */
  char text[600]; /* the first failure, or why it was refused */
};

/* Compiles and runs n cases in as few programs as possible.  False: the simulator itself failed,
 * and the text of result[0] says how. */
void run_cases(const struct run_options *o, const struct builtin_case *cases, size_t n,
               struct run_result *results);

#endif
