/* Shared by all families of cases: their list, kernels' texts, verdicts. */
#include "tests/builtins/case.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const unsigned widths[6] = {1, 2, 3, 4, 8, 16};

struct builtin_case *case_add(struct cases *all) {
  if (all->n == all->room) {
    all->room = all->room ? 2 * all->room : 1024;
    all->list = realloc(all->list, all->room * sizeof *all->list);
    if (!all->list)
      abort();
  }
  struct builtin_case *c = &all->list[all->n++];
  memset(c, 0, sizeof *c);
  return c;
}

void body_add(struct builtin_case *c, const char *format, ...) {
  const size_t used = strlen(c->body);
  va_list args;
  va_start(args, format);
  if (vsnprintf(c->body + used, sizeof c->body - used, format, args) >=
      (int)(sizeof c->body - used))
    abort(); /* BODY is too small */
  va_end(args);
}

const char *type_text(char *text, enum type t, unsigned width) {
  if (width == 1)
    sprintf(text, "%s", type_names[t]);
  else
    sprintf(text, "%s%u", type_names[t], width);
  return text;
}

/* Halves travel as ushorts. */
static enum type stored(enum type t) { return t == HALF ? USHORT : t; }

const char *type_in_memory(enum type t) { return type_names[stored(t)]; }

void case_plain_input(struct builtin_case *c, enum type t, unsigned n) {
  c->in[c->nin++] = (struct operand){t, n};
}
void case_plain_output(struct builtin_case *c, enum type t, unsigned n) {
  c->out[c->nout++] = (struct operand){t, n};
}

void case_input(struct builtin_case *c, enum type t, unsigned n) {
  char type[16];
  const unsigned k = c->nin++;
  c->in[k] = (struct operand){t, n};
  body_add(c, "%s x%u = ", type_text(type, t, n), k);
  if (t == HALF)
    body_add(c, "as_%s(", type);
  body_add(c, n == 1 ? "a%u[i]" : "vload%2$u(i, a%1$u)", k, n);
  body_add(c, t == HALF ? "); " : "; ");
}

void case_output(struct builtin_case *c, enum type t, unsigned n, const char *value) {
  char type[16];
  const unsigned k = c->nout++;
  c->out[k] = (struct operand){t, n};
  const char *open = t == HALF ? "(" : "", *close = t == HALF ? ")" : "";
  char as[24] = "";
  if (t == HALF)
    sprintf(as, "as_%s", type_text(type, stored(t), n));
  if (n == 1)
    body_add(c, "r%u[i] = %s%s%s%s; ", k, as, open, value, close);
  else
    body_add(c, "vstore%u(%s%s%s%s, i, r%u); ", n, as, open, value, close, k);
}

/* ---- verdicts ---- */

static void fail(struct item *it, unsigned out, unsigned e, const char *wanted, const char *got) {
  it->worst = INFINITY;
  if (it->failed)
    return;
  it->failed = true;
  char *to = it->text, *end = to + sizeof it->text;
  to += snprintf(to, (size_t)(end - to), "(");
  for (unsigned k = 0; k < it->c->nin && end - to > 40; k++) {
    char value[64];
    type_print(it->c->in[k].type, item_in(it, k, e % it->c->in[k].n), value, sizeof value);
    to += snprintf(to, (size_t)(end - to), "%s%s", k > 0 ? ", " : "", value);
  }
  if (end - to > 0)
    snprintf(to, (size_t)(end - to), "), work-item %zu, result %u.%u: %s, expected %s", it->index,
             out, e, got, wanted);
}

void expect_either(struct item *it, unsigned out, unsigned e, uint64_t want, uint64_t other) {
  const enum type t = it->c->out[out].type;
  const uint64_t got = it->got[out][e];
  if (got == want || got == other || (type_is_nan(t, got) && type_is_nan(t, want)))
    return;
  char wanted[64], text[64];
  type_print(t, want, wanted, sizeof wanted);
  type_print(t, got, text, sizeof text);
  fail(it, out, e, wanted, text);
}
void expect_bits(struct item *it, unsigned out, unsigned e, uint64_t want) {
  expect_either(it, out, e, want, want);
}

/* The difference of a finite exact value and a result in units of `ulp`; an infinity counts as the
 * power of two behind the largest number. */
static double distance(enum type t, const mpfr_t want, uint64_t got, const mpfr_t unit) {
  mpfr_t g;
  mpfr_init2(g, 300);
  type_get(g, t, got);
  if (mpfr_inf_p(g))
    mpfr_set_si_2exp(g, mpfr_signbit(g) ? -1 : 1, type_emax(t), MPFR_RNDN);
  mpfr_sub(g, g, want, MPFR_RNDN);
  mpfr_div(g, g, unit, MPFR_RNDN);
  const double d = fabs(mpfr_get_d(g, MPFR_RNDN));
  mpfr_clear(g);
  return d;
}

static void within(struct item *it, unsigned out, unsigned e, const mpfr_t want, const mpfr_t unit,
                   double allowed) {
  const enum type t = it->c->out[out].type;
  const uint64_t got = it->got[out][e];
  const uint64_t rounded = type_round(t, want, RTE);
  const bool zero = (got << (64 - 8 * type_bytes(t) + 1)) == 0;
  double d = type_is_nan(t, got) ? INFINITY : distance(t, want, got, unit);
  if (got == rounded && d > 0.5)
    d = 0.5; /* beyond the largest number */
  if (zero && type_is_negative(t, got) != type_is_negative(t, rounded))
    d = INFINITY;
  if (d > it->worst)
    it->worst = d;
  if (d <= allowed)
    return;
  char wanted[64], text[64], ulps[160];
  type_print(t, rounded, wanted, sizeof wanted);
  type_print(t, got, text, sizeof text);
  snprintf(ulps, sizeof ulps, "%s within %g; off by %g", wanted, allowed, d);
  fail(it, out, e, ulps, text);
}

void expect_real(struct item *it, unsigned out, unsigned e, const mpfr_t want, double allowed) {
  const enum type t = it->c->out[out].type;
  if (allowed == 0 || !mpfr_number_p(want) || mpfr_zero_p(want)) {
    expect_bits(it, out, e, type_round(t, want, RTE));
    return;
  }
  mpfr_t unit;
  mpfr_init2(unit, 64);
  mpfr_exp_t ulp = mpfr_get_exp(want) - type_precision(t);
  mpfr_set_ui_2exp(unit, 1, ulp < type_emin(t) - 1 ? type_emin(t) - 1 : ulp, MPFR_RNDN);
  within(it, out, e, want, unit, allowed);
  mpfr_clear(unit);
}

void expect_within(struct item *it, unsigned out, unsigned e, const mpfr_t want,
                   const mpfr_t bound) {
  const double before = it->worst;
  within(it, out, e, want, bound, 1);
  if (!it->failed)
    it->worst = before;
}
