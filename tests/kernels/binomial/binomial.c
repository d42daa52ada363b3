/* Check of the options' values: the same trees in double precision. */
#include <math.h>
#include <stdlib.h>

#include "tests/kernels/host.h"

/* Rate and volatility of the launch description. */
static const double rate = (double)0.06f, volatility = (double)0.1f;

static double value(double s, double x, double years, int64_t steps, double *front) {
  const double dt = years / (double)steps, move = volatility * sqrt(dt);
  const double probability = (exp(rate * dt) - exp(-move)) / (exp(move) - exp(-move));
  const double discount = exp(-rate * dt);
  for (int64_t i = 0; i <= steps; i++)
    front[i] = fmax(s * exp(move * (double)(2 * i - steps)) - x, 0.0);
  for (int64_t last = steps - 1; last >= 0; last--)
    for (int64_t i = 0; i <= last; i++)
      front[i] = discount * (probability * front[i + 1] + (1.0 - probability) * front[i]);
  return front[0];
}

/* Each step rounds the sum, a product, and both factors that add up to the discount. */
bool check_binomial(const struct host *h) {
  size_t n;
  const float *price = host_before(h, "price", sizeof *price, &n);
  const float *strike = host_before(h, "strike", sizeof *strike, &n);
  const float *years = host_before(h, "years", sizeof *years, &n);
  const float *call = host_after(h, "call", sizeof *call, &n);
  const int64_t steps = host_parameter(h, "steps");
  double *front = malloc((size_t)(steps + 1) * sizeof *front);
  bool ok = front != NULL;
  for (size_t i = 0; ok && i < n; i++) {
    const double s = (double)price[i];
    ok = host_near("call", i, (double)call[i],
                   value(s, (double)strike[i], (double)years[i], steps, front),
                   4.0 * (double)(steps + 16) * HOST_EPS * s);
  }
  free(front);
  return ok;
}
