/* Check of the portfolio's values and derivatives, in double precision.  Derivatives go forwards
 * with the rates (tangents), where the kernel's go backwards. */
#include <math.h>

#include "tests/kernels/host.h"

enum { STEPS = 40, RATES = 2 * STEPS };
static const double period = 0.25;

/* A number and its derivative by a shift of all forward rates. */
struct dual {
  double x, by;
};

static struct dual sum(struct dual a, double factor, struct dual b) {
  return (struct dual){a.x + factor * b.x, a.by + factor * b.by};
}

/* a / (1 + period * rate) */
static struct dual discounted(struct dual a, struct dual rate) {
  const double d = 1.0 / (1.0 + period * rate.x);
  return (struct dual){a.x * d, a.by * d - a.x * d * d * period * rate.by};
}

static void advance(struct dual *rate, size_t n, size_t rates, double z, const float *volatility) {
  struct dual drift = {0.0, 0.0};
  for (size_t i = n + 1; i < rates; i++) {
    const double sigma = (double)volatility[i - n - 1], step = period * sigma;
    drift = sum(drift, step, discounted(rate[i], rate[i]));
    const double growth = exp(sigma * sqrt(period) * z + step * (drift.x - 0.5 * sigma));
    rate[i].by = growth * (rate[i].by + rate[i].x * step * drift.by);
    rate[i].x *= growth;
  }
}

static struct dual payments(const struct dual *rate, size_t steps, const int32_t *maturity,
                            const float *swap_rate, size_t swaptions) {
  struct dual value = {0.0, 0.0};
  for (size_t k = 0; k < swaptions; k++) {
    struct dual bond = {1.0, 0.0}, annuity = {0.0, 0.0};
    for (size_t n = 0; n < (size_t)maturity[k]; n++) {
      bond = discounted(bond, rate[steps + n]);
      annuity = sum(annuity, period, bond);
    }
    const struct dual swap = sum(bond, (double)swap_rate[k], annuity);
    if (swap.x < 1.0)
      value = sum(sum(value, -100.0, swap), 100.0, (struct dual){1.0, 0.0});
  }
  return value;
}

/* Values are below 100 times the number of swaptions.  A rate gathers some roundings in each of its
 * steps, and a bond those of as many rates; the derivative is at most the value's times the
 * portfolio's length. */
bool check_libor(const struct host *h) {
  size_t paths, swaptions, n;
  const float *z = host_before(h, "z", sizeof *z, &n);
  const float *forward = host_before(h, "forward", sizeof *forward, &n);
  const float *volatility = host_before(h, "volatility", sizeof *volatility, &n);
  const int32_t *maturity = host_before(h, "maturity", sizeof *maturity, &swaptions);
  const float *swap_rate = host_before(h, "swap_rate", sizeof *swap_rate, &swaptions);
  const float *value = host_after(h, "value", sizeof *value, &paths);
  const float *again = host_after(h, "value_again", sizeof *again, &paths);
  const float *shift = host_after(h, "shift", sizeof *shift, &paths);
  const size_t steps = (size_t)host_parameter(h, "steps");
  const double tolerance = 100.0 * 15.0 * (double)steps * HOST_EPS;
  for (size_t path = 0; steps <= STEPS && path < paths; path++) {
    struct dual rate[RATES];
    for (size_t i = 0; i < 2 * steps; i++)
      rate[i] = (struct dual){(double)forward[i], 1.0};
    for (size_t i = 0; i < steps; i++)
      advance(rate, i, 2 * steps, (double)z[i * paths + path], volatility);
    struct dual v = payments(rate, steps, maturity, swap_rate, swaptions);
    for (size_t i = 0; i < steps; i++)
      v = discounted(v, rate[i]);
    if (!host_near("value", path, (double)value[path], v.x, tolerance) ||
        !host_near("value_again", path, (double)again[path], v.x, tolerance) ||
        !host_near("shift", path, (double)shift[path], v.by, tolerance * period * (double)steps))
      return false;
  }
  return steps <= STEPS;
}
