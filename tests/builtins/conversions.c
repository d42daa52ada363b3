/* convert_ functions: each type to each, with each rounding, saturated or not; and as_ functions.
 */
#include <stdio.h>
#include <string.h>

#include "tests/builtins/case.h"

/* The value rounded to an integer in a direction; integers are themselves. */
static void round_whole(mpfr_t r, const mpfr_t x, enum mode mode) {
  switch (mode) {
  case RTE:
    mpfr_roundeven(r, x);
    break;
  case RTP:
    mpfr_ceil(r, x);
    break;
  case RTN:
    mpfr_floor(r, x);
    break;
  default:
    mpfr_trunc(r, x);
  }
}

/* To an integer: of what is out of range without saturation, integers wrap and reals are left open.
 * A NaN saturates to 0. */
static void judge_whole(struct item *it, unsigned e, const mpfr_t x) {
  const enum type t = it->c->out[0].type;
  mpfr_t r, bound;
  mpfr_inits2(64, r, bound, (mpfr_ptr)NULL);
  round_whole(r, x, it->c->mode);
  __int128 v = 0;
  bool inside = false;
  type_get(bound, t, type_wrap(t, type_most(t)));
  const bool above = mpfr_greater_p(r, bound);
  type_get(bound, t, type_wrap(t, type_least(t)));
  const bool below = mpfr_less_p(r, bound);
  if (above || below)
    v = above ? type_most(t) : type_least(t);
  else if (!mpfr_nan_p(r))
    inside = true,
    v = mpfr_signbit(r) ? mpfr_get_si(r, MPFR_RNDN) : (__int128)mpfr_get_ui(r, MPFR_RNDN);
  if (inside || it->c->saturated)
    expect_bits(it, 0, e, type_wrap(t, v));
  else if (!type_real(it->c->from))
    expect_bits(it, 0, e, type_wrap(t, type_value(it->c->from, item_in(it, 0, e))));
  mpfr_clears(r, bound, (mpfr_ptr)NULL);
}

static void judge_conversion(struct item *it) {
  const enum type t = it->c->out[0].type;
  mpfr_t x;
  mpfr_init2(x, 64);
  for (unsigned e = 0; e < it->c->width; e++) {
    type_get(x, it->c->from, item_in(it, 0, e));
    if (type_real(t))
      expect_bits(it, 0, e, type_round(t, x, it->c->mode));
    else
      judge_whole(it, e, x);
  }
  mpfr_clear(x);
}

static void add_conversion(struct cases *all, enum type to, enum type from, unsigned width,
                           enum mode mode, bool saturated) {
  struct builtin_case *c = case_add(all);
  char type[16], call[80];
  c->group = "conversion";
  snprintf(c->name, sizeof c->name, "convert_%s%s%s", type_names[to], saturated ? "_sat" : "",
           mode_suffixes[mode]);
  snprintf(c->type, sizeof c->type, "%s", type_names[from]);
  snprintf(c->variant, sizeof c->variant, "%s", type_text(type, from, width));
  c->width = width;
  c->from = from;
  c->mode = mode;
  c->saturated = saturated;
  c->judge = judge_conversion;
  case_input(c, from, width);
  snprintf(call, sizeof call, "convert_%s%s%s(x0)", type_text(type, to, width),
           saturated ? "_sat" : "", mode_suffixes[mode]);
  case_output(c, to, width, call);
}

/* The bytes of the operand.  Of a vector of three as one of four and back, the fourth is left open.
 */
static void judge_as(struct item *it) {
  const struct operand in = it->c->in[0], out = it->c->out[0];
  unsigned char bytes[256] = {0};
  for (unsigned e = 0; e < in.n; e++)
    type_store(in.type, bytes, e, it->in[0][e]);
  for (unsigned e = 0; e < out.n; e++)
    if ((e + 1) * type_bytes(out.type) <= in.n * type_bytes(in.type))
      expect_bits(it, 0, e, type_load(out.type, bytes, e));
}

static void add_as(struct cases *all, enum type to, unsigned n, enum type from, unsigned m) {
  struct builtin_case *c = case_add(all);
  char type[16], call[80];
  c->group = "conversion";
  snprintf(c->name, sizeof c->name, "as_%s", type_names[to]);
  snprintf(c->type, sizeof c->type, "%s", type_names[from]);
  snprintf(c->variant, sizeof c->variant, "%s", type_text(type, from, m));
  c->width = m;
  c->judge = judge_as;
  case_input(c, from, m);
  snprintf(call, sizeof call, "as_%s(x0)", type_text(type, to, n));
  case_output(c, to, n, call);
}

/* Sizes in memory are equal, where three components take the room of four. */
static bool same_size(enum type to, unsigned n, enum type from, unsigned m) {
  return (n == 3 ? 4 : n) * type_bytes(to) == (m == 3 ? 4 : m) * type_bytes(from);
}

void cases_of_conversions(struct cases *all) {
  for (enum type to = 0; to < TYPES; to++)
    for (enum type from = 0; from < TYPES; from++)
      for (unsigned w = 0; w < 6; w++) {
        for (enum mode mode = RTE; mode <= DEFAULT_MODE; mode++)
          for (unsigned saturated = 0; saturated <= !type_real(to); saturated++)
            add_conversion(all, to, from, widths[w], mode, saturated != 0);
        for (unsigned v = 0; v < 6; v++)
          if (same_size(to, widths[w], from, widths[v]))
            add_as(all, to, widths[w], from, widths[v]);
      }
}
