/* Gamma functions. */

/* 1 / gamma(1 + w) = the sum of series[k] w^k (Abramowitz and Stegun, 6.1.34), for |w| <= 1 / 2. */
__constant static const double inverse_gamma[] = {1.0,
                                                  0.57721566490153287,
                                                  -0.6558780715202539,
                                                  -0.042002635034095237,
                                                  0.16653861138229148,
                                                  -0.042197734555544333,
                                                  -0.009621971527876973,
                                                  0.0072189432466630999,
                                                  -0.0011651675918590652,
                                                  -0.00021524167411495098,
                                                  0.0001280502823881162,
                                                  -2.0134854780788239e-05,
                                                  -1.2504934821426706e-06,
                                                  1.1330272319816959e-06,
                                                  -2.0563384169776071e-07,
                                                  6.1160951044814161e-09,
                                                  5.0020076444692229e-09,
                                                  -1.18127457048702e-09,
                                                  1.0434267116911005e-10,
                                                  7.7822634399050708e-12};
IN double gamma_beside_one(double w) {
  double s = inverse_gamma[19];
  for (int k = 18; k >= 0; k--)
    s = fma(s, w, inverse_gamma[k]);
  return 1 / s;
}

/* A product as a sum of two doubles, so that 170 factors do not add up their errors; one that comes
 * near the largest number has lost the factor 2^600. */
struct product {
  double high, low, lost;
};
IN void times(__private struct product *p, double x) {
  const double high = p->high * x;
  p->low = fma(p->high, x, -high) + p->low * x;
  p->high = high;
  if (fabs(high) > 0x1p600) {
    p->high *= 0x1p-600, p->low *= 0x1p-600;
    p->lost = 0x1p600;
  }
}

/* gamma(1 + w) = w gamma(w), as often as it takes to come to |w| <= 1 / 2; x is not a pole. */
IN double gamma_of(double x) {
  struct product p = {1, 0, 1};
  double w = x - 1;
  if (x >= 0.5) {
    for (; w > 0.5; w -= 1)
      times(&p, w);
    return (p.high + p.low) * gamma_beside_one(w) * p.lost;
  }
  times(&p, x);
  for (w = x; w < -0.5;) {
    w += 1;
    times(&p, w);
  }
  return gamma_beside_one(w) / (p.high + p.low) / p.lost;
}

/* True where gamma is negative: below 0 between an odd number and the even one behind it. */
#define IS_ODD(type)                                                                               \
  IN bool floor_is_odd(type x) {                                                                   \
    const type whole = floor(x);                                                                   \
    return trunc(whole * (type)0.5) * 2 != whole;                                                  \
  }
IS_ODD(float)
IS_ODD(double)

/* Above most is infinity, below least 0. */
#define TGAMMA(type, most, least)                                                                  \
  BUILTIN type tgamma(type x) {                                                                    \
    if (x == 0)                                                                                    \
      return 1 / x;                                                                                \
    if (x != x || (x < 0 && floor(x) == x))                                                        \
      return NAN;                                                                                  \
    if (x > most)                                                                                  \
      return INFINITY;                                                                             \
    return x < least ? (floor_is_odd(x) ? -(type)0 : (type)0) : (type)gamma_of(x);                 \
  }                                                                                                \
  SPLIT(SPLIT_1, FN, type, tgamma, type)
TGAMMA(float, 36, -50)
TGAMMA(double, 172, -190)

/* Near 0 the logarithm of 1 / |x|. */
#define LGAMMA(type, near)                                                                         \
  BUILTIN type lgamma(type x) {                                                                    \
    const type magnitude = fabs(x);                                                                \
    return isinf(x) ? (type)INFINITY : magnitude < near ? -log(magnitude) : clc_lgamma_##type(x);  \
  }                                                                                                \
  SPLIT(SPLIT_1, FN, type, lgamma, type)                                                           \
  IN type part_lgamma_r(type x, __private int *sign) {                                             \
    *sign = (x < 0 && floor_is_odd(x)) || (x == 0 && signbit(x)) ? -1 : 1;                         \
    return lgamma(x);                                                                              \
  }                                                                                                \
  OUT_1(lgamma_r, type, int)
LGAMMA(float, 0x1p-30f)
LGAMMA(double, 0x1p-60)
