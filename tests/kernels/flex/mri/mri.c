/* Checks of the matrix Q and of the weights, in double precision. */
#include <math.h>

#include "tests/kernels/host.h"

static const double turn = 6.28318530717958648;

/* A sine or cosine is wrong by the roundings of its angle, at most three turns, and by its own. */
bool check_mri1(const struct host *h) {
  size_t n, samples;
  const float *k = host_before(h, "k", 4 * sizeof *k, &samples);
  const float *x = host_before(h, "x", sizeof *x, &n), *y = host_before(h, "y", sizeof *y, &n);
  const float *z = host_before(h, "z", sizeof *z, &n);
  const float *real = host_after(h, "real", sizeof *real, &n);
  const float *imaginary = host_after(h, "imaginary", sizeof *imaginary, &n);
  double error = 0.0;
  for (size_t s = 0; s < samples; s++)
    error += (double)k[4 * s + 3] * HOST_EPS * ((double)samples + 6.0 * 3.0 * turn + 32.0);
  for (size_t i = 0; i < n; i++) {
    double re = 0.0, im = 0.0;
    for (size_t s = 0; s < samples; s++) {
      const double angle =
          turn * ((double)k[4 * s] * (double)x[i] + (double)k[4 * s + 1] * (double)y[i] +
                  (double)k[4 * s + 2] * (double)z[i]);
      re += (double)k[4 * s + 3] * cos(angle);
      im += (double)k[4 * s + 3] * sin(angle);
    }
    if (!host_near("real", i, (double)real[i], re, error) ||
        !host_near("imaginary", i, (double)imaginary[i], im, error))
      return false;
  }
  return true;
}

bool check_mri2(const struct host *h) {
  size_t n;
  const float *real = host_before(h, "real", sizeof *real, &n);
  const float *imaginary = host_before(h, "imaginary", sizeof *imaginary, &n);
  const float *weight = host_after(h, "weight", sizeof *weight, &n);
  for (size_t i = 0; i < n; i++) {
    const double re = (double)real[i], im = (double)imaginary[i], want = re * re + im * im;
    if (!host_near("weight", i, (double)weight[i], want, 2.0 * HOST_EPS * want))
      return false;
  }
  return true;
}
