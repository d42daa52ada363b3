/* Arithmetic in texts, by recursive descent:
 *
 *   sum     = product (("+" | "-") product)*
 *   product = factor (("*" | "/" | "%") factor)*
 *   factor  = ("+" | "-") factor | "(" sum ")" | ("min" | "max") "(" sum "," sum ")" | number |
 * name
 */
#include "csim/util/expression.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64, NAME = 128 };

typedef union expression_value value_t;

struct scan {
  const char *text, *at;
  bool real;
  const struct expression_names *names;
  unsigned depth;
  struct tandem_error *err;
};

static const char first_letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.";

static int sum(struct scan *s, value_t *v);

static bool is_function(const char *name) {
  return strcmp(name, "min") == 0 || strcmp(name, "max") == 0;
}

bool expression_is_name(const char *text) {
  return strspn(text, first_letters) > 0 && text[strspn(text, letters)] == '\0' &&
         !is_function(text);
}

static int refuse(struct scan *s, const char *why) {
  return tandem_fail(s->err, -EINVAL, "in \"%s\": %s", s->text, why);
}

/* Reports that something is missing where the scan stands. */
static int missing(struct scan *s, const char *what) {
  if (*s->at == '\0')
    return tandem_fail(s->err, -EINVAL, "in \"%s\": %s is missing at the end", s->text, what);
  return tandem_fail(s->err, -EINVAL, "in \"%s\": %s is missing before \"%s\"", s->text, what,
                     s->at);
}

/* The next character that is no blank. */
static char next(struct scan *s) {
  s->at += strspn(s->at, " \t\n");
  return *s->at;
}

static int whole_result(struct scan *s, char op, int64_t a, int64_t b, int64_t *v) {
  bool beyond = false;
  if ((op == '/' || op == '%') && b == 0)
    return refuse(s, "division by 0; change what it is divided by");
  if (op == '+')
    beyond = __builtin_add_overflow(a, b, v);
  else if (op == '-')
    beyond = __builtin_sub_overflow(a, b, v);
  else if (op == '*')
    beyond = __builtin_mul_overflow(a, b, v);
  else if (b == -1) /* INT64_MIN has no positive counterpart */
    beyond = op == '/' ? __builtin_sub_overflow((int64_t)0, a, v) : (*v = 0) != 0;
  else
    *v = op == '/' ? a / b : a % b;
  return beyond ? refuse(s, "the result is beyond 64 bits; take smaller numbers") : 0;
}

static int real_result(struct scan *s, char op, double a, double b, double *v) {
  if ((op == '/' || op == '%') && b == 0)
    return refuse(s, "division by 0; change what it is divided by");
  *v = op == '+' ? a + b : op == '-' ? a - b : op == '*' ? a * b : op == '/' ? a / b : fmod(a, b);
  return 0;
}

static int result(struct scan *s, char op, value_t a, value_t b, value_t *v) {
  return s->real ? real_result(s, op, a.real, b.real, &v->real)
                 : whole_result(s, op, a.whole, b.whole, &v->whole);
}

static int number(struct scan *s, value_t *v) {
  char *end;
  errno = 0;
  if (s->real) {
    v->real = strtod(s->at, &end);
  } else {
    const bool hex = s->at[0] == '0' && (s->at[1] == 'x' || s->at[1] == 'X');
    v->whole = strtoll(s->at, &end, hex ? 16 : 10);
  }
  if (errno == ERANGE)
    return refuse(s, s->real ? "a number is beyond those of doubles"
                             : "a number is beyond 64 bits; take a smaller one");
  if (*end != '\0' && strchr(letters, *end) != NULL)
    return tandem_fail(s->err, -EINVAL, "in \"%s\": \"%.*s\" is not a %s number", s->text,
                       (int)strspn(s->at, letters), s->at, s->real ? "real" : "whole");
  s->at = end;
  return 0;
}

static int expect(struct scan *s, char c) {
  const char what[] = {'"', c, '"', '\0'};
  if (next(s) != c)
    return missing(s, what);
  s->at++;
  return 0;
}

static int function(struct scan *s, bool smaller, value_t *v) {
  value_t a = {0}, b = {0};
  TRY(expect(s, '('));
  TRY(sum(s, &a));
  TRY(expect(s, ','));
  TRY(sum(s, &b));
  TRY(expect(s, ')'));
  const bool first_less = s->real ? a.real < b.real : a.whole < b.whole;
  *v = first_less == smaller ? a : b;
  return 0;
}

static int name(struct scan *s, value_t *v) {
  char text[NAME];
  const size_t n = strspn(s->at, letters);
  struct tandem_error why = {{0}};
  if (n >= sizeof text)
    return refuse(s, "a name has more than 127 letters");
  memcpy(text, s->at, n);
  text[n] = '\0';
  s->at += n;
  if (is_function(text))
    return function(s, strcmp(text, "min") == 0, v);
  if (s->names == NULL)
    return tandem_fail(s->err, -EINVAL, "in \"%s\": there is no name \"%s\" here; write numbers",
                       s->text, text);
  if (s->names->value(s->names->user, text, v, &why) == 0)
    return 0;
  return tandem_fail(s->err, -EINVAL, "in \"%s\": %.800s", s->text, why.text);
}

static int factor(struct scan *s, value_t *v) {
  const char c = next(s);
  int status;
  if (s->depth == DEEPEST)
    return refuse(s, "it is nested more than 64 deep");
  s->depth++;
  if (c == '-' || c == '+') {
    s->at++;
    status = factor(s, v);
    const value_t zero = {0}; /* zero of both kinds */
    if (status == 0 && c == '-')
      status = result(s, '-', zero, *v, v);
  } else if (c == '(') {
    s->at++;
    status = sum(s, v);
    if (status == 0)
      status = expect(s, ')');
  } else if (c >= '0' && c <= '9') {
    status = number(s, v);
  } else if (c != '\0' && strchr(first_letters, c) != NULL) {
    status = name(s, v);
  } else {
    status = missing(s, "a number, a name or \"(\"");
  }
  s->depth--;
  return status;
}

/* Operands with operators of one rank between them, computed from the left. */
static int chain(struct scan *s, const char *operators, int (*operand)(struct scan *, value_t *),
                 value_t *v) {
  TRY(operand(s, v));
  while (next(s) != '\0' && strchr(operators, *s->at) != NULL) {
    const char op = *s->at++;
    value_t right = {0};
    TRY(operand(s, &right));
    TRY(result(s, op, *v, right, v));
  }
  return 0;
}

static int product(struct scan *s, value_t *v) { return chain(s, "*/%", factor, v); }
static int sum(struct scan *s, value_t *v) { return chain(s, "+-", product, v); }

static int compute(const char *text, bool real, const struct expression_names *names, value_t *v,
                   struct tandem_error *err) {
  struct scan s = {.text = text, .at = text, .real = real, .names = names, .err = err};
  TRY(sum(&s, v));
  return next(&s) != '\0' ? missing(&s, "an operator") : 0;
}

int expression_whole(const char *text, const struct expression_names *names, int64_t *value,
                     struct tandem_error *err) {
  value_t v = {0};
  TRY(compute(text, false, names, &v, err));
  *value = v.whole;
  return 0;
}

int expression_real(const char *text, const struct expression_names *names, double *value,
                    struct tandem_error *err) {
  value_t v = {.real = 0};
  TRY(compute(text, true, names, &v, err));
  *value = v.real;
  return 0;
}
