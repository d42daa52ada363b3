/* Cases of functions with results through pointers, of two kinds of operands, or with a choice. */
#include "tests/builtins/special.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  FDH = 1 << FLOAT | 1 << DOUBLE | 1 << HALF,
  ALL = (1 << TYPES) - 1,
  SIGNED = 1 << CHAR | 1 << SHORT | 1 << INT | 1 << LONG,
  WIDER = (1 << HALF) - (1 << SHORT)
};
/* Sets of places in widths[]. */
enum { ANY_WIDTH = 63, VECTORS = 62, SPATIAL = 15, CROSS = 12 };

/* Signature: results, a colon, arguments.  Of g s i I as in builtins.def, u the unsigned and v the
 * signed type of the same size, l the unsigned and h the own type of half the size, x an int; p and
 * q: results g and i through a pointer. */
struct special {
  const char *group, *name, *signature;
  unsigned types;
  unsigned widths; /* a set */
  double ulp[3];
  void (*judge)(struct item *, unsigned e, struct values *);
};

/* ---- judges ---- */

/* Judges element by element. */
static void judge_elements(struct item *it) {
  const struct special *s = it->c->oracle;
  struct values v;
  mpfr_inits2(64, v.x, v.y, v.z, (mpfr_ptr)NULL);
  mpfr_init2(v.r, SCRATCH_BITS);
  for (unsigned e = 0; e < it->c->width; e++) {
    mpfr_ptr values[] = {v.x, v.y, v.z};
    for (unsigned k = 0; k < it->c->nin; k++)
      type_get(values[k], it->c->in[k].type, item_in(it, k, e));
    mpfr_set_prec(v.r, it->c->allowed > 0 ? 200 : SCRATCH_BITS);
    s->judge(it, e, &v);
  }
  mpfr_clears(v.x, v.y, v.z, v.r, (mpfr_ptr)NULL);
}

/* ---- math with pointers and integers ---- */

/* min(x - floor(x), the largest number below 1); the floor. */
static void judge_fract(struct item *it, unsigned e, struct values *v) {
  const enum type t = it->c->in[0].type;
  mpfr_floor(v->z, v->x);
  mpfr_sub(v->r, v->x, v->z, MPFR_RNDN);
  if (mpfr_inf_p(v->x))
    mpfr_set_zero(v->r, 1);
  if (mpfr_zero_p(v->r)) /* an integer has a fraction of its sign only if it is a zero */
    mpfr_setsign(v->r, v->r, mpfr_signbit(v->x) && !mpfr_regular_p(v->x), MPFR_RNDN);
  uint64_t below_one = type_round(t, v->r, RTE);
  mpfr_set_ui(v->y, 1, MPFR_RNDN);
  if (below_one == type_round(t, v->y, RTE))
    below_one--;
  expect_bits(it, 0, e, below_one);
  expect_bits(it, 1, e, type_round(t, v->z, RTE));
}

static void judge_frexp(struct item *it, unsigned e, struct values *v) {
  mpfr_exp_t exponent = 0;
  mpfr_set(v->r, v->x, MPFR_RNDN);
  if (mpfr_regular_p(v->x)) {
    exponent = mpfr_get_exp(v->x);
    mpfr_set_exp(v->r, 0);
  }
  expect_bits(it, 0, e, type_round(it->c->in[0].type, v->r, RTE));
  if (mpfr_number_p(v->x))
    expect_bits(it, 1, e, type_wrap(INT, exponent));
}

static void judge_modf(struct item *it, unsigned e, struct values *v) {
  const enum type t = it->c->in[0].type;
  mpfr_frac(v->r, v->x, MPFR_RNDN);
  mpfr_setsign(v->r, v->r, mpfr_signbit(v->x), MPFR_RNDN);
  mpfr_trunc(v->z, v->x);
  mpfr_setsign(v->z, v->z, mpfr_signbit(v->x), MPFR_RNDN);
  expect_bits(it, 0, e, type_round(t, v->r, RTE));
  expect_bits(it, 1, e, type_round(t, v->z, RTE));
}

/* The quotient's low seven bits with its sign. */
static void judge_remquo(struct item *it, unsigned e, struct values *v) {
  long quotient = 0;
  mpfr_remquo(v->r, &quotient, v->x, v->y, MPFR_RNDN);
  expect_bits(it, 0, e, type_round(it->c->in[0].type, v->r, RTE));
  if (!mpfr_nan_p(v->r))
    expect_bits(it, 1, e, type_wrap(INT, quotient % 128));
}

static void judge_lgamma_r(struct item *it, unsigned e, struct values *v) {
  int sign;
  mpfr_lgamma(v->r, &sign, v->x, MPFR_RNDN);
  expect_approximate(it, e, v->r);
  const bool pole = mpfr_inf_p(v->r) || mpfr_nan_p(v->x);
  if (!pole)
    expect_bits(it, 1, e, type_wrap(INT, sign));
}

static void judge_sincos(struct item *it, unsigned e, struct values *v) {
  mpfr_sin(v->r, v->x, MPFR_RNDN);
  expect_real(it, 0, e, v->r, it->c->allowed);
  mpfr_cos(v->r, v->x, MPFR_RNDN);
  expect_real(it, 1, e, v->r, it->c->allowed);
}

/* FP_ILOGB0, FP_ILOGBNAN of clang's header. */
static void judge_ilogb(struct item *it, unsigned e, struct values *v) {
  const __int128 want = mpfr_zero_p(v->x)      ? INT32_MIN
                        : mpfr_regular_p(v->x) ? mpfr_get_exp(v->x) - 1
                                               : INT32_MAX;
  expect_bits(it, 0, e, type_wrap(INT, want));
}

static void judge_nan(struct item *it, unsigned e, struct values *v) {
  mpfr_set_nan(v->r);
  expect_bits(it, 0, e, type_round(it->c->out[0].type, v->r, RTE));
}

/* The neighbour of x towards y. */
static void judge_nextafter(struct item *it, unsigned e, struct values *v) {
  const enum type t = it->c->in[0].type;
  const uint64_t bits = item_in(it, 0, e), sign = 1ULL << (8 * type_bytes(t) - 1);
  uint64_t want;
  if (mpfr_unordered_p(v->x, v->y)) {
    mpfr_set_nan(v->r);
    want = type_round(t, v->r, RTE);
  } else if (mpfr_equal_p(v->x, v->y)) {
    want = item_in(it, 1, e);
  } else if (mpfr_zero_p(v->x)) {
    want = mpfr_signbit(v->y) ? sign | 1 : 1;
  } else {
    want = (mpfr_less_p(v->x, v->y) != 0) == (mpfr_signbit(v->x) != 0) ? bits - 1 : bits + 1;
  }
  expect_bits(it, 0, e, want);
}

/* ---- common functions of reals ---- */

static void judge_max(struct item *it, unsigned e, struct values *v) {
  if (!mpfr_unordered_p(v->x, v->y)) /* NaN: left open */
    expect_either(it, 0, e, item_in(it, mpfr_less_p(v->x, v->y) ? 1 : 0, e),
                  item_in(it, mpfr_greater_p(v->x, v->y) ? 0 : 1, e));
}
static void judge_min(struct item *it, unsigned e, struct values *v) {
  if (!mpfr_unordered_p(v->x, v->y))
    expect_either(it, 0, e, item_in(it, mpfr_less_p(v->y, v->x) ? 1 : 0, e),
                  item_in(it, mpfr_greater_p(v->y, v->x) ? 0 : 1, e));
}
/* Zeros of either sign are equal. */
static void judge_clamp(struct item *it, unsigned e, struct values *v) {
  if (mpfr_nan_p(v->x) || mpfr_unordered_p(v->y, v->z) || mpfr_greater_p(v->y, v->z))
    return;
  mpfr_set(v->r,
           mpfr_less_p(v->x, v->y)      ? v->y
           : mpfr_greater_p(v->x, v->z) ? v->z
                                        : v->x,
           MPFR_RNDN);
  const uint64_t want = type_round(it->c->in[0].type, v->r, RTE);
  const uint64_t sign = 1ULL << (8 * type_bytes(it->c->in[0].type) - 1);
  expect_either(it, 0, e, want, mpfr_zero_p(v->r) ? want ^ sign : want);
}

/* x + (y - x) z, of finite values whose difference is finite too; the bound is 1e-3 of the largest.
 */
static void judge_mix(struct item *it, unsigned e, struct values *v) {
  const enum type t = it->c->in[0].type;
  const bool sane = mpfr_number_p(v->x) && mpfr_number_p(v->y) && mpfr_number_p(v->z) &&
                    mpfr_sgn(v->z) >= 0 && mpfr_cmp_ui(v->z, 1) <= 0 &&
                    (mpfr_zero_p(v->x) || mpfr_get_exp(v->x) < type_emax(t)) &&
                    (mpfr_zero_p(v->y) || mpfr_get_exp(v->y) < type_emax(t));
  if (!sane)
    return;
  mpfr_sub(v->r, v->y, v->x, MPFR_RNDN);
  mpfr_mul(v->r, v->r, v->z, MPFR_RNDN);
  mpfr_add(v->r, v->r, v->x, MPFR_RNDN);
  mpfr_set(v->z, mpfr_cmpabs(v->x, v->y) > 0 ? v->x : v->y, MPFR_RNDN);
  mpfr_abs(v->z, v->z, MPFR_RNDN);
  mpfr_mul_2si(v->z, v->z, t == HALF ? -9 : -10, MPFR_RNDN);
  if (mpfr_zero_p(v->z))
    mpfr_set_ui_2exp(v->z, 1, type_emin(t) - 1, MPFR_RNDN);
  if (mpfr_zero_p(v->r) || mpfr_cmpabs(v->r, v->z) < 0)
    return; /* its sign is left open */
  expect_within(it, 0, e, v->r, v->z);
}

/* u^2 (3 - 2 u) with u = clamp((x - low) / (high - low), 0, 1), to 2^-16 (half: 2^-8). */
static void judge_smoothstep(struct item *it, unsigned e, struct values *v) {
  const enum type t = it->c->in[0].type;
  if (!mpfr_number_p(v->x) || !mpfr_number_p(v->y) || !mpfr_number_p(v->z) ||
      mpfr_greaterequal_p(v->x, v->y))
    return;
  const mpfr_exp_t limit = type_emax(t) / 2;
  if ((mpfr_regular_p(v->x) && labs(mpfr_get_exp(v->x)) > limit) ||
      (mpfr_regular_p(v->y) && labs(mpfr_get_exp(v->y)) > limit) ||
      (mpfr_regular_p(v->z) && labs(mpfr_get_exp(v->z)) > limit))
    return; /* differences and quotients may overflow */
  mpfr_t u;
  mpfr_init2(u, 300);
  mpfr_sub(v->r, v->z, v->x, MPFR_RNDN);
  mpfr_sub(u, v->y, v->x, MPFR_RNDN);
  mpfr_div(u, v->r, u, MPFR_RNDN);
  if (mpfr_sgn(u) < 0)
    mpfr_set_zero(u, 1);
  if (mpfr_cmp_ui(u, 1) > 0)
    mpfr_set_ui(u, 1, MPFR_RNDN);
  mpfr_mul_ui(v->r, u, 2, MPFR_RNDN);
  mpfr_ui_sub(v->r, 3, v->r, MPFR_RNDN);
  mpfr_mul(v->r, v->r, u, MPFR_RNDN);
  mpfr_mul(v->r, v->r, u, MPFR_RNDN);
  mpfr_set_ui_2exp(v->x, 1, t == HALF ? -8 : -16, MPFR_RNDN);
  expect_within(it, 0, e, v->r, v->x);
  mpfr_clear(u);
}

/* A product, rounded, and its sum, or both rounded once: the standard allows any. */
static void judge_mad(struct item *it, unsigned e, struct values *v) {
  const enum type t = it->c->in[0].type;
  mpfr_fma(v->r, v->x, v->y, v->z, MPFR_RNDN);
  const uint64_t once = type_round(t, v->r, RTE);
  mpfr_mul(v->r, v->x, v->y, MPFR_RNDN);
  type_get(v->x, t, type_round(t, v->r, RTE));
  mpfr_add(v->r, v->x, v->z, MPFR_RNDN);
  expect_either(it, 0, e, once, type_round(t, v->r, RTE));
}

/* ---- bits and choices ---- */

static void judge_bitselect(struct item *it, unsigned e, struct values *v) {
  const uint64_t mask = item_in(it, 2, e);
  (void)v;
  expect_bits(it, 0, e, (item_in(it, 0, e) & ~mask) | (item_in(it, 1, e) & mask));
}
/* A scalar's condition is not 0; a vector's has its highest bit set. */
static void judge_select(struct item *it, unsigned e, struct values *v) {
  const uint64_t c = item_in(it, 2, e);
  const bool holds = it->c->width == 1 ? c != 0 : type_is_negative(it->c->in[2].type, c);
  (void)v;
  expect_bits(it, 0, e, item_in(it, holds ? 1 : 0, e));
}
static void judge_any_all(struct item *it, unsigned e, struct values *v) {
  const bool any = it->c->name[1] == 'n';
  unsigned set = 0;
  (void)v;
  for (unsigned k = 0; k < it->c->width; k++)
    set += type_is_negative(it->c->in[0].type, item_in(it, 0, k));
  if (e == 0)
    expect_bits(it, 0, 0, any ? set > 0 : set == it->c->width);
}
/* {first, second} */
static void judge_upsample(struct item *it, unsigned e, struct values *v) {
  const enum type t = it->c->out[0].type;
  const uint64_t high = item_in(it, 0, e), low = item_in(it, 1, e);
  (void)v;
  expect_bits(it, 0, e, type_wrap(t, (__int128)(high << (4 * type_bytes(t)) | low)));
}

/* ---- the table ---- */

static const struct special specials[] = {
    {"math", "fract", "gp:g", FDH, ANY_WIDTH, {0}, judge_fract},
    {"math", "frexp", "gq:g", FDH, ANY_WIDTH, {0}, judge_frexp},
    {"math", "modf", "gp:g", FDH, ANY_WIDTH, {0}, judge_modf},
    {"math", "remquo", "gq:gg", FDH, ANY_WIDTH, {0}, judge_remquo},
    {"math", "lgamma_r", "gq:g", FDH, ANY_WIDTH, {64, 64, 4}, judge_lgamma_r},
    {"math", "sincos", "gp:g", FDH, ANY_WIDTH, {4, 4, 2}, judge_sincos},
    {"math", "ilogb", "i:g", FDH, ANY_WIDTH, {0}, judge_ilogb},
    {"math", "mad", "g:ggg", FDH, ANY_WIDTH, {0}, judge_mad},
    {"math", "nan", "g:u", FDH, ANY_WIDTH, {0}, judge_nan},
    {"math", "nextafter", "g:gg", FDH, ANY_WIDTH, {0}, judge_nextafter},
    {"common", "max", "g:gg", FDH, ANY_WIDTH, {0}, judge_max},
    {"common", "max", "g:gs", FDH, VECTORS, {0}, judge_max},
    {"common", "min", "g:gg", FDH, ANY_WIDTH, {0}, judge_min},
    {"common", "min", "g:gs", FDH, VECTORS, {0}, judge_min},
    {"common", "clamp", "g:ggg", FDH, ANY_WIDTH, {0}, judge_clamp},
    {"common", "clamp", "g:gss", FDH, VECTORS, {0}, judge_clamp},
    {"common", "mix", "g:ggg", FDH, ANY_WIDTH, {0}, judge_mix},
    {"common", "mix", "g:ggs", FDH, VECTORS, {0}, judge_mix},
    {"common", "smoothstep", "g:ggg", FDH, ANY_WIDTH, {0}, judge_smoothstep},
    {"common", "smoothstep", "g:ssg", FDH, VECTORS, {0}, judge_smoothstep},
    {"geometric", "cross", "g:gg", FDH, CROSS, {0}, judge_cross},
    {"geometric", "dot", "s:gg", FDH, SPATIAL, {0}, judge_dot},
    {"geometric", "length", "s:g", FDH, SPATIAL, {4.75, 9.5, 2.25}, judge_length},
    {"geometric", "distance", "s:gg", FDH, SPATIAL, {10.5, 13.5, 8}, judge_length},
    {"geometric", "normalize", "g:g", FDH, SPATIAL, {6, 8.5, 5}, judge_normalize},
    {"geometric", "fast_length", "s:g", 1 << FLOAT, SPATIAL, {8192}, judge_length},
    {"geometric", "fast_distance", "s:gg", 1 << FLOAT, SPATIAL, {8192}, judge_length},
    {"geometric", "fast_normalize", "g:g", 1 << FLOAT, SPATIAL, {8192}, judge_normalize},
    {"relational", "bitselect", "g:ggg", FDH, ANY_WIDTH, {0}, judge_bitselect},
    {"relational", "select", "g:ggu", ALL, ANY_WIDTH, {0}, judge_select},
    {"relational", "select", "g:ggv", ALL, ANY_WIDTH, {0}, judge_select},
    {"relational", "any", "x:g", SIGNED, ANY_WIDTH, {0}, judge_any_all},
    {"relational", "all", "x:g", SIGNED, ANY_WIDTH, {0}, judge_any_all},
    {"integer", "upsample", "g:hl", WIDER, ANY_WIDTH, {0}, judge_upsample},
};

/* ---- cases ---- */

static enum type type_of(char letter, enum type t) {
  static const enum type halves[TYPES] = {[SHORT] = CHAR,  [USHORT] = UCHAR, [INT] = SHORT,
                                          [UINT] = USHORT, [LONG] = INT,     [ULONG] = UINT};
  switch (letter) {
  case 'i':
  case 'I':
  case 'q':
  case 'x':
    return INT;
  case 'u':
    return type_as_unsigned(t);
  case 'v':
    return type_as_signed(t);
  case 'h':
    return halves[t];
  case 'l':
    return type_as_unsigned(halves[t]);
  default:
    return t;
  }
}
static unsigned count_of(char letter, unsigned width) {
  return strchr("sIx", letter) != NULL ? 1 : width;
}

static void add_call(struct builtin_case *c, const struct special *s, enum type t,
                     const char *space) {
  char type[16], call[120], target[80] = "";
  const char second = s->signature[1];
  const char *inputs = strchr(s->signature, ':') + 1;
  for (const char *a = inputs; *a; a++)
    case_input(c, type_of(*a, t), count_of(*a, c->width));
  if (second != ':') {
    type_text(type, type_of(second, t), c->width);
    if (strcmp(space, "private") == 0)
      body_add(c, "%s y; ", type);
    else if (strcmp(space, "local") == 0)
      body_add(c, "__local %s l[BLOCK]; ", type);
    if (*space == 'g')
      snprintf(target, sizeof target, ", (__global %s *)(scratch + i)", type);
    else
      snprintf(target, sizeof target, ", %s", *space == 'p' ? "&y" : "&l[get_local_id(0)]");
  }
  static const char *const lists[] = {"", "x0", "x0, x1", "x0, x1, x2"};
  snprintf(call, sizeof call, "%s(%s%s)", s->name, lists[c->nin], target);
  char result[16];
  body_add(c, "%s y0 = %s; ",
           type_text(result, type_of(s->signature[0], t), count_of(s->signature[0], c->width)),
           call);
  case_output(c, type_of(s->signature[0], t), count_of(s->signature[0], c->width), "y0");
  if (second != ':') {
    snprintf(call, sizeof call, "*(__global %s *)(scratch + i)", type);
    case_output(c, type_of(second, t), c->width,
                *space == 'p'   ? "y"
                : *space == 'l' ? "l[get_local_id(0)]"
                                : call);
  }
}

static void add_special(struct cases *all, const struct special *s, enum type t, unsigned width,
                        const char *space) {
  struct builtin_case *c = case_add(all);
  char type[16];
  c->group = s->group;
  snprintf(c->name, sizeof c->name, "%s", s->name);
  snprintf(c->type, sizeof c->type, "%s", type_names[t]);
  snprintf(c->variant, sizeof c->variant, "%s%s%s%s", type_text(type, t, width), *space ? ", " : "",
           space, s->widths == VECTORS ? ", scalar argument" : "");
  c->width = width;
  c->allowed = s->ulp[t == DOUBLE ? 1 : t == HALF ? 2 : 0];
  c->judge = judge_elements;
  c->oracle = s;
  add_call(c, s, t, space);
}

void cases_of_special(struct cases *all) {
  static const char *const spaces[] = {"private", "local", "global"};
  for (const struct special *s = specials; s < specials + sizeof specials / sizeof *specials; s++)
    for (enum type t = 0; t < TYPES; t++)
      for (unsigned w = 0; (s->types >> t & 1) != 0 && w < 6; w++)
        for (unsigned a = 0; (s->widths >> w & 1) != 0 && a < (s->signature[1] == ':' ? 1 : 3);
             a++) {
          add_special(all, s, t, widths[w], s->signature[1] == ':' ? "" : spaces[a]);
          if (widths[w] == 1 && s->signature[1] == ':')
            case_add_constants(all, all->n - 1);
        }
}
