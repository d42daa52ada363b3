/* Arithmetic in texts: numbers, names, + - * / %, signs, parentheses, min(a, b), max(a, b).
 *
 * Whole numbers have 64 bits and a sign, decimal or 0x hexadecimal; / rounds towards 0, and the
 * result of % has the sign of its first operand.  Real numbers are doubles.  The libraries of the
 * distribution compute with doubles alone, which are not exact beyond 53 bits, or are interpreters
 * of whole languages. */
#ifndef TANDEM_UTIL_EXPRESSION_H
#define TANDEM_UTIL_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>

#include "csim/util/error.h"

union expression_value {
  int64_t whole;
  double real;
};

/* The names that a text may have: letters, digits, '_' and '.'; the first is a letter or '_'. */
struct expression_names {
  /* The value of a name, of the kind that the expression has.  0, or a negative errno with the
   * reason in *err. */
  int (*value)(void *user, const char *name, union expression_value *v, struct tandem_error *err);
  void *user;
};

/* Computes the text.  names NULL: there are none.  0 or -EINVAL: *err has the expression, the
 * cause (syntax, unknown name, division by 0, beyond 64 bits) and the remedy. */
int expression_whole(const char *text, const struct expression_names *names, int64_t *value,
                     struct tandem_error *err);
int expression_real(const char *text, const struct expression_names *names, double *value,
                    struct tandem_error *err);

/* Returns whether the text is a name that may stand in an expression; min and max are functions. */
bool expression_is_name(const char *text);

#endif
