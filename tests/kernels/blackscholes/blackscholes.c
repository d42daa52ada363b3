/* Check of the option prices, in double precision. */
#include <math.h>

#include "tests/kernels/host.h"

/* Rate and volatility of the launch description. */
static const double rate = (double)0.02f, volatility = (double)0.3f;

static double normal(double d) { return 0.5 * erfc(-d / sqrt(2.0)); }

/* Both prices are differences of terms up to s and x.  Of each the kernel's polynomial is wrong by
 * 7.5e-8, and d1, d2 and the exponentials by some roundings more: 1e-6 of both covers them. */
bool check_blackscholes(const struct host *h) {
  size_t n;
  const float *price = host_before(h, "price", sizeof *price, &n);
  const float *strike = host_before(h, "strike", sizeof *strike, &n);
  const float *years = host_before(h, "years", sizeof *years, &n);
  const float *call = host_after(h, "call", sizeof *call, &n);
  const float *put = host_after(h, "put", sizeof *put, &n);
  for (size_t i = 0; i < n; i++) {
    double s = (double)price[i], x = (double)strike[i], t = (double)years[i];
    double spread = volatility * sqrt(t);
    double d1 = (log(s / x) + (rate + 0.5 * volatility * volatility) * t) / spread;
    double d2 = d1 - spread, discounted = x * exp(-rate * t);
    double tolerance = 1e-6 * (s + x);
    if (!host_near("call", i, (double)call[i], s * normal(d1) - discounted * normal(d2),
                   tolerance) ||
        !host_near("put", i, (double)put[i], discounted * normal(-d2) - s * normal(-d1), tolerance))
      return false;
  }
  return true;
}
