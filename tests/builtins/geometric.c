/* Judges of the geometric functions. */
#include <stdlib.h>
#include <string.h>

#include "tests/builtins/special.h"

/* Element e of the vector that is measured: of distance, the difference. */
static void component(mpfr_t r, const struct item *it, unsigned e, mpfr_t scratch) {
  type_get(r, it->c->in[0].type, item_in(it, 0, e));
  if (it->c->nin > 1) {
    type_get(scratch, it->c->in[1].type, item_in(it, 1, e));
    mpfr_sub(r, r, scratch, MPFR_RNDN);
  }
}

/* True if the exponents of all operands' numbers are at most `limit` by magnitude, and all are
 * finite. */
static bool moderate(const struct item *it, mpfr_exp_t limit) {
  mpfr_t x;
  bool ok = true;
  mpfr_init2(x, 64);
  for (unsigned k = 0; k < it->c->nin; k++)
    for (unsigned e = 0; e < it->c->width; e++) {
      type_get(x, it->c->in[k].type, item_in(it, k, e));
      ok = ok && mpfr_number_p(x) && (mpfr_zero_p(x) || labs(mpfr_get_exp(x)) <= limit);
    }
  mpfr_clear(x);
  return ok;
}

/* r += sign * a b, bound += |a b| (times 1, of which the caller makes epsilons). */
static void add_product(mpfr_t r, mpfr_t bound, const struct item *it, unsigned a, unsigned b,
                        int sign) {
  mpfr_t x, y;
  mpfr_init2(x, 128);
  mpfr_init2(y, 64);
  type_get(x, it->c->in[0].type, item_in(it, 0, a));
  type_get(y, it->c->in[1].type, item_in(it, 1, b));
  mpfr_mul(x, x, y, MPFR_RNDN);
  mpfr_mul_si(x, x, sign, MPFR_RNDN);
  mpfr_add(r, r, x, MPFR_RNDN);
  mpfr_abs(x, x, MPFR_RNDN);
  mpfr_add(bound, bound, x, MPFR_RNDN);
  mpfr_clears(x, y, (mpfr_ptr)NULL);
}

/* The sum of products within so many epsilons of their magnitudes. */
static void expect_sum(struct item *it, unsigned e, mpfr_t r, mpfr_t bound,
                       unsigned long epsilons) {
  const enum type t = it->c->in[0].type;
  mpfr_t least;
  mpfr_init2(least, 64);
  mpfr_mul_ui(bound, bound, epsilons, MPFR_RNDU);
  mpfr_mul_2si(bound, bound, 1 - type_precision(t), MPFR_RNDU);
  mpfr_set_ui_2exp(least, 4, type_emin(t) - 1, MPFR_RNDN);
  mpfr_max(bound, bound, least, MPFR_RNDU);
  if (mpfr_cmpabs(r, bound) >= 0) /* a smaller one has any sign */
    expect_within(it, 0, e, r, bound);
  mpfr_clear(least);
}

/* The fourth component is 0. */
void judge_cross(struct item *it, unsigned e, struct values *v) {
  if (e == 3) {
    expect_bits(it, 0, 3, 0);
    return;
  }
  if (!moderate(it, type_emax(it->c->in[0].type) / 2 - 2))
    return;
  mpfr_set_zero(v->r, 1);
  mpfr_set_zero(v->z, 1);
  add_product(v->r, v->z, it, (e + 1) % 3, (e + 2) % 3, 1);
  add_product(v->r, v->z, it, (e + 2) % 3, (e + 1) % 3, -1);
  expect_sum(it, e, v->r, v->z, 2);
}

void judge_dot(struct item *it, unsigned e, struct values *v) {
  if (e > 0 || !moderate(it, type_emax(it->c->in[0].type) / 2 - 2))
    return;
  mpfr_set_zero(v->r, 1);
  mpfr_set_zero(v->z, 1);
  for (unsigned k = 0; k < it->c->width; k++)
    add_product(v->r, v->z, it, k, k, 1);
  expect_sum(it, 0, v->r, v->z, 2 * it->c->width - 1);
}

/* The length of the components as r; whether one is infinite, or NaN. */
static void measure(const struct item *it, mpfr_t r, bool *infinite, bool *nan) {
  mpfr_t x, y;
  mpfr_init2(x, SCRATCH_BITS);
  mpfr_init2(y, 64);
  *infinite = *nan = false;
  mpfr_set_zero(r, 1);
  for (unsigned e = 0; e < it->c->width; e++) {
    component(x, it, e, y);
    *infinite = *infinite || mpfr_inf_p(x);
    *nan = *nan || mpfr_nan_p(x);
    mpfr_sqr(x, x, MPFR_RNDN);
    mpfr_add(r, r, x, MPFR_RNDN);
  }
  mpfr_sqrt(r, r, MPFR_RNDN);
  mpfr_clears(x, y, (mpfr_ptr)NULL);
}

static bool fast(const struct item *it) { return strncmp(it->c->name, "fast_", 5) == 0; }

/* Infinity for an infinite component beside a NaN too, or NaN. */
void judge_length(struct item *it, unsigned e, struct values *v) {
  bool infinite, nan;
  const mpfr_exp_t most = type_emax(it->c->in[0].type);
  if (e > 0 || (fast(it) && !moderate(it, 50)) || (it->c->nin > 1 && !moderate(it, most - 2)))
    return;
  measure(it, v->r, &infinite, &nan);
  if (nan && infinite)
    return;
  expect_real(it, 0, 0, v->r, it->c->allowed);
}

/* NaN for a vector with one; of infinite components the signs count alone; zeros stay. */
void judge_normalize(struct item *it, unsigned e, struct values *v) {
  bool infinite, nan;
  if (fast(it) && !moderate(it, 50))
    return;
  measure(it, v->r, &infinite, &nan);
  if (nan) {
    mpfr_set_nan(v->r);
  } else if (infinite) {
    unsigned n = 0;
    for (unsigned k = 0; k < it->c->width; k++) {
      component(v->y, it, k, v->z);
      n += mpfr_inf_p(v->y) != 0;
    }
    mpfr_sqrt_ui(v->r, n, MPFR_RNDN);
    mpfr_ui_div(v->r, mpfr_inf_p(v->x) ? 1 : 0, v->r, MPFR_RNDN);
    mpfr_setsign(v->r, v->r, mpfr_signbit(v->x), MPFR_RNDN);
  } else if (mpfr_zero_p(v->r)) {
    mpfr_set(v->r, v->x, MPFR_RNDN);
  } else {
    mpfr_div(v->r, v->x, v->r, MPFR_RNDN);
  }
  expect_real(it, 0, e, v->r, it->c->allowed);
}
