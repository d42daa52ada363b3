/* Cases of builtins.def: functions that work on each component. */
#include <stdio.h>
#include <string.h>

#include "tests/builtins/special.h"

/* ---- oracles, by macros of the table ---- */

typedef void real_fn(mpfr_t r, const mpfr_t *x);
typedef __int128 whole_fn(enum type t, __int128 x, __int128 y, __int128 z);
typedef bool test_fn(enum type t, const mpfr_t *x);

#define R r
#define X x[0]
#define Y x[1]
#define Z x[2]
#define N MPFR_RNDN
#define MATH(name, signature, types, f, d, h, domain, call)                                        \
  static void math_##name(mpfr_t r, const mpfr_t *x) { call; }
#define COMMON MATH
#include "tests/builtins/builtins.def"
#undef MATH
#undef COMMON

static bool test_normal(enum type t, const mpfr_t x) {
  return mpfr_regular_p(x) && mpfr_get_exp(x) >= type_emin(t) + type_precision(t) - 1;
}
#define TEST(name, signature, call)                                                                \
  static bool holds_##name(enum type t, const mpfr_t *x) {                                         \
    (void)t;                                                                                       \
    return (call) != 0;                                                                            \
  }
#include "tests/builtins/builtins.def"
#undef TEST
#undef R
#undef X
#undef Y
#undef Z
#undef N

#define WHOLE(name, signature, types, domain, call)                                                \
  static __int128 value_##name(enum type t, __int128 x, __int128 y, __int128 z) {                  \
    (void)t, (void)x, (void)y, (void)z;                                                            \
    return call;                                                                                   \
  }
#include "tests/builtins/builtins.def"
#undef WHOLE

/* ---- the rows ---- */

enum { F = 1 << FLOAT, D = 1 << DOUBLE, H = 1 << HALF, FDH = F | D | H };
enum { W = 1 << INT | 1 << UINT, I = (1 << HALF) - 1 };
static const struct row {
  const char *group, *name, *signature;
  unsigned types;
  double ulp[3]; /* float, double, half */
  enum domain domain;
  real_fn *real;
  whole_fn *whole;
  test_fn *test;
} rows[] = {
#define MATH(name, signature, types, f, d, h, domain, call)                                        \
  {"math", #name, signature, types, {f, d, h}, domain, math_##name, NULL, NULL},
#define COMMON(name, signature, types, f, d, h, domain, call)                                      \
  {"common", #name, signature, types, {f, d, h}, domain, math_##name, NULL, NULL},
#define WHOLE(name, signature, types, domain, call)                                                \
  {"integer", #name, signature, types, {0}, domain, NULL, value_##name, NULL},
#define TEST(name, signature, call)                                                                \
  {"relational", #name, signature, FDH, {0}, ANY, NULL, NULL, holds_##name},
#include "tests/builtins/builtins.def"
};

/* ---- judges ---- */

/* Subnormal operands and results of half_ functions may be taken for 0. */
static bool left_open(const struct item *it, unsigned e, const mpfr_t want) {
  const enum type t = it->c->out[0].type;
  const mpfr_exp_t normal = type_emin(t) + type_precision(t) - 1;
  mpfr_t x;
  bool open = mpfr_regular_p(want) && mpfr_get_exp(want) < normal;
  if (strncmp(it->c->name, "half_", 5) != 0)
    return false;
  mpfr_init2(x, 64);
  for (unsigned k = 0; k < it->c->nin; k++) {
    type_get(x, t, item_in(it, k, e));
    open = open || (mpfr_regular_p(x) && mpfr_get_exp(x) < normal);
  }
  mpfr_clear(x);
  return open;
}

static void judge_real(struct item *it) {
  const struct row *row = it->c->oracle;
  mpfr_t r, x[3];
  mpfr_init2(r, it->c->allowed == 0 ? SCRATCH_BITS : 200);
  for (unsigned k = 0; k < 3; k++)
    mpfr_init2(x[k], 64);
  for (unsigned e = 0; e < it->c->width; e++) {
    for (unsigned k = 0; k < it->c->nin; k++)
      type_get(x[k], it->c->in[k].type, item_in(it, k, e));
    row->real(r, x);
    if (!left_open(it, e, r))
      expect_approximate(it, e, r);
  }
  for (unsigned k = 0; k < 3; k++)
    mpfr_clear(x[k]);
  mpfr_clear(r);
}

static void judge_whole(struct item *it) {
  const struct row *row = it->c->oracle;
  for (unsigned e = 0; e < it->c->width; e++) {
    __int128 x[3] = {0};
    for (unsigned k = 0; k < it->c->nin; k++)
      x[k] = type_value(it->c->in[k].type, item_in(it, k, e));
    const __int128 want = row->whole(it->c->in[0].type, x[0], x[1], x[2]);
    if (want != WHOLE_OPEN)
      expect_bits(it, 0, e, type_wrap(it->c->out[0].type, want));
  }
}

/* 1 of a scalar, -1 of a vector. */
static void judge_test(struct item *it) {
  const struct row *row = it->c->oracle;
  mpfr_t x[2];
  mpfr_inits2(64, x[0], x[1], (mpfr_ptr)NULL);
  for (unsigned e = 0; e < it->c->width; e++) {
    for (unsigned k = 0; k < it->c->nin; k++)
      type_get(x[k], it->c->in[k].type, item_in(it, k, e));
    const bool holds = row->test(it->c->in[0].type, x);
    expect_bits(it, 0, e, type_wrap(it->c->out[0].type, !holds ? 0 : it->c->width > 1 ? -1 : 1));
  }
  mpfr_clears(x[0], x[1], (mpfr_ptr)NULL);
}

/* ---- cases ---- */

static void add_operands(struct builtin_case *c, const char *arguments) {
  for (const char *a = arguments; *a != '\0' && *a != '|'; a++)
    case_input(c, *a == 'i' || *a == 'I' ? INT : c->from, *a == 's' || *a == 'I' ? 1 : c->width);
}

static void add_case(struct cases *all, const struct row *row, const char *form, enum type t,
                     unsigned width) {
  struct builtin_case *c = case_add(all);
  char call[80], type[16];
  c->group = row->group;
  snprintf(c->name, sizeof c->name, "%s", row->name);
  snprintf(c->type, sizeof c->type, "%s", type_names[t]);
  snprintf(c->variant, sizeof c->variant, "%s%s", type_text(type, t, width),
           form != row->signature ? ", scalar argument" : "");
  c->from = t;
  c->width = width;
  c->domain = row->domain;
  c->oracle = row;
  c->judge = row->real ? judge_real : row->whole ? judge_whole : judge_test;
  c->allowed = row->ulp[t == DOUBLE ? 1 : t == HALF ? 2 : 0];
  add_operands(c, form + 1);
  static const char *const lists[] = {"", "x0", "x0, x1", "x0, x1, x2"};
  snprintf(call, sizeof call, "%s(%s)", row->name, lists[c->nin]);
  const enum type result = *form == 'u'   ? type_as_unsigned(t)
                           : *form != 'r' ? t
                           : width == 1   ? INT
                                          : type_as_signed(t);
  case_output(c, result, width, call);
}

/* The first form is of all widths, others are of vectors. */
void cases_of_table(struct cases *all) {
  for (size_t n = 0; n < sizeof rows / sizeof *rows; n++)
    for (enum type t = 0; t < TYPES; t++)
      for (unsigned w = 0; (rows[n].types >> t & 1) != 0 && w < 6; w++) {
        const char *other = strchr(rows[n].signature, '|');
        add_case(all, &rows[n], rows[n].signature, t, widths[w]);
        if (widths[w] == 1)
          case_add_constants(all, all->n - 1);
        if (other != NULL && widths[w] > 1)
          add_case(all, &rows[n], other + 1, t, widths[w]);
      }
}
