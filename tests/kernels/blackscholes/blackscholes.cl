/* Prices of European call and put options after Black and Scholes, one option at a time, the
 * threads of the grid striding over all of them.  With -DNATIVE exponentials and logarithms are
 * those of the special-function units. */
#ifdef NATIVE
#define EXP native_exp
#define LOG native_log
#else
#define EXP exp
#define LOG log
#endif

/* Cumulative normal distribution: polynomial 26.2.17 of Abramowitz and Stegun, error below 7.5e-8.
 */
static float normal(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabs(d));
  float p = k * (0.31938153f +
                 k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  float tail = 0.39894228f * EXP(-0.5f * d * d) * p;
  return d > 0.0f ? 1.0f - tail : tail;
}

__kernel void blackscholes(__global float *call, __global float *put, __global const float *price,
                           __global const float *strike, __global const float *years, float rate,
                           float volatility, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    float s = price[i], x = strike[i], t = years[i];
    float root = sqrt(t);
    float d1 = (LOG(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
    float d2 = d1 - volatility * root;
    float n1 = normal(d1), n2 = normal(d2);
    float discounted = x * EXP(-rate * t);
    call[i] = s * n1 - discounted * n2;
    put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
  }
}
