/* A portfolio of swaptions by Monte Carlo in the LIBOR market model, a path a thread: forward rates
 * follow their dynamics for STEPS periods, then the swaptions are paid and discounted.  The first
 * kernel also has the derivative by the last forward rate, backwards through all steps (adjoint),
 * for which it keeps the rates of all steps. */
#ifndef STEPS
#define STEPS 40
#endif
#define RATES (2 * STEPS)
#define PERIOD 0.25f

/* Rates from n + 1 on after period n, whose rate is fixed then. */
static void advance(const float *now, float *next, int n, float z, __constant float *volatility) {
  const float shock = sqrt(PERIOD) * z;
  float drift = 0.0f;
  for (int i = n + 1; i < RATES; i++) {
    const float sigma = volatility[i - n - 1], step = PERIOD * sigma;
    drift += step * now[i] / (1.0f + PERIOD * now[i]);
    next[i] = now[i] * native_exp(sigma * shock + step * (drift - 0.5f * sigma));
  }
}

/* The swaptions' payments: each a swap from STEPS on until maturity[k], for swap_rate[k].  bond[n],
 * annuity[n]: of n + 1 periods.  by_bond, by_annuity: the payments' derivatives by them. */
static float payments(const float *rate, __constant int *maturity, __constant float *swap_rate,
                      int swaptions, float *bond, float *by_bond, float *by_annuity) {
  float annuity[STEPS], b = 1.0f, a = 0.0f, value = 0.0f;
  for (int n = 0; n < STEPS; n++) {
    b /= 1.0f + PERIOD * rate[STEPS + n];
    a += PERIOD * b;
    bond[n] = b;
    annuity[n] = a;
    by_bond[n] = by_annuity[n] = 0.0f;
  }
  for (int k = 0; k < swaptions; k++) {
    const int m = maturity[k] - 1;
    const float swap = bond[m] + swap_rate[k] * annuity[m] - 1.0f;
    if (swap < 0.0f) {
      value -= 100.0f * swap;
      by_bond[m] -= 100.0f;
      by_annuity[m] -= 100.0f * swap_rate[k];
    }
  }
  return value;
}

/* The worth at the beginning of a payment at STEPS. */
static float discount(const float *rate) {
  float d = 1.0f;
  for (int n = 0; n < STEPS; n++)
    d /= 1.0f + PERIOD * rate[n];
  return d;
}

/* The derivatives of the value, so far discounted by d, by the rates after all steps. */
static void derive(const float *rate, float value, float d, const float *bond, const float *by_bond,
                   const float *by_annuity, float *by) {
  float through_bond = 0.0f, through_annuity = 0.0f;
  for (int n = STEPS - 1; n >= 0; n--) {
    const float up = 1.0f / (1.0f + PERIOD * rate[STEPS + n]);
    through_annuity += by_annuity[n];
    through_bond += by_bond[n] + PERIOD * through_annuity;
    by[STEPS + n] = -PERIOD * d * bond[n] * up * through_bond;
    through_bond *= up;
    by[n] = -PERIOD * d * value / (1.0f + PERIOD * rate[n]);
  }
}

/* From the derivatives by the rates after period n to those by the rates before it. */
static void retreat(const float *now, const float *next, float *by, int n,
                    __constant float *volatility) {
  float by_drift = 0.0f;
  for (int i = RATES - 1; i > n; i--) {
    const float step = PERIOD * volatility[i - n - 1], up = 1.0f / (1.0f + PERIOD * now[i]);
    by_drift += by[i] * next[i] * step;
    by[i] = by[i] * next[i] / now[i] + by_drift * step * up * up;
  }
}

/* z: a number for each period and path, [period][path].  shift: the value's derivative by a shift
 * of all forward rates. */
__kernel void value_and_shift(__global const float *z, __constant float *forward,
                              __constant float *volatility, __constant int *maturity,
                              __constant float *swap_rate, __global float *value,
                              __global float *shift, int swaptions) {
  float rates[STEPS + 1][RATES], by[RATES], bond[STEPS], by_bond[STEPS], by_annuity[STEPS];
  const int path = get_global_id(0), paths = get_global_size(0);
  for (int i = 0; i < RATES; i++)
    rates[0][i] = forward[i];
  for (int n = 0; n < STEPS; n++) {
    for (int i = 0; i <= n; i++)
      rates[n + 1][i] = rates[n][i];
    advance(rates[n], rates[n + 1], n, z[n * paths + path], volatility);
  }
  const float paid =
      payments(rates[STEPS], maturity, swap_rate, swaptions, bond, by_bond, by_annuity);
  const float d = discount(rates[STEPS]);
  derive(rates[STEPS], paid, d, bond, by_bond, by_annuity, by);
  for (int n = STEPS - 1; n >= 0; n--)
    retreat(rates[n], rates[n + 1], by, n, volatility);
  float sum = 0.0f;
  for (int i = 0; i < RATES; i++)
    sum += by[i];
  value[path] = d * paid;
  shift[path] = sum;
}

__kernel void value_only(__global const float *z, __constant float *forward,
                         __constant float *volatility, __constant int *maturity,
                         __constant float *swap_rate, __global float *value, int swaptions) {
  float rate[RATES], bond[STEPS], by_bond[STEPS], by_annuity[STEPS];
  const int path = get_global_id(0), paths = get_global_size(0);
  for (int i = 0; i < RATES; i++)
    rate[i] = forward[i];
  for (int n = 0; n < STEPS; n++)
    advance(rate, rate, n, z[n * paths + path], volatility);
  const float paid = payments(rate, maturity, swap_rate, swaptions, bond, by_bond, by_annuity);
  value[path] = discount(rate) * paid;
}
