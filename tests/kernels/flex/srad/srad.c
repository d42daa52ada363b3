/* Checks of five kernels of speckle reducing anisotropic diffusion, in double precision. */
#include <math.h>

#include "tests/kernels/host.h"

/* The arguments in srad3.yaml and srad4.yaml. */
static const double speckle = 0.05, lambda = 0.5;

bool check_srad1(const struct host *h) {
  size_t n;
  const float *image = host_before(h, "image", sizeof *image, &n);
  const float *got = host_after(h, "image", sizeof *got, &n);
  bool ok = true;
  for (size_t i = 0; ok && i < n; i++) {
    const double want = exp((double)image[i] / 255.0);
    ok = host_near("image", i, (double)got[i], want, 8.0 * HOST_EPS * want);
  }
  return ok;
}

bool check_srad2(const struct host *h) {
  size_t n;
  const float *image = host_before(h, "image", sizeof *image, &n);
  const float *sums = host_after(h, "sums", sizeof *sums, &n);
  const float *squares = host_after(h, "squares", sizeof *squares, &n);
  bool ok = true;
  for (size_t i = 0; ok && i < n; i++) {
    const double value = (double)image[i], square = value * value;
    ok = host_near("sums", i, (double)sums[i], value, 0.0) &&
         host_near("squares", i, (double)squares[i], square, HOST_EPS * square);
  }
  return ok;
}

enum { NORTH, SOUTH, WEST, EAST, SIDES };
static const char *const to_side[SIDES] = {"to_north", "to_south", "to_west", "to_east"};

/* The place beside i on a side; i itself at the edge of the image. */
static size_t beside(size_t i, int side, size_t rows, size_t n) {
  const size_t row = i % rows;
  switch (side) {
  case NORTH:
    return row > 0 ? i - 1 : i;
  case SOUTH:
    return row + 1 < rows ? i + 1 : i;
  case WEST:
    return i >= rows ? i - rows : i;
  default:
    return i + rows < n ? i + rows : i;
  }
}

/* The diffusion coefficient of a place with a value and these differences to its neighbours. */
static double diffusion(double value, const double difference[SIDES]) {
  double gradient = 0.0, laplace = 0.0;
  for (int side = 0; side < SIDES; side++) {
    gradient += difference[side] * difference[side] / (value * value);
    laplace += difference[side] / value;
  }
  const double den = 1.0 + 0.25 * laplace;
  const double variation = (0.5 * gradient - laplace * laplace / 16.0) / (den * den);
  const double c = 1.0 / (1.0 + (variation - speckle) / (speckle * (1.0 + speckle)));
  return c < 0.0 ? 0.0 : c > 1.0 ? 1.0 : c;
}

bool check_srad3(const struct host *h) {
  size_t n, small = 0;
  const float *image = host_before(h, "image", sizeof *image, &n), *to[SIDES];
  const float *got = host_after(h, "coefficient", sizeof *got, &n);
  const size_t rows = (size_t)host_parameter(h, "rows");
  bool ok = true;
  for (int side = 0; side < SIDES; side++)
    to[side] = host_after(h, to_side[side], sizeof *to[side], &n);
  for (size_t i = 0; ok && i < n; i++) {
    double difference[SIDES];
    for (int side = 0; ok && side < SIDES; side++) {
      difference[side] = (double)image[beside(i, side, rows, n)] - (double)image[i];
      ok = host_near(to_side[side], i, (double)to[side][i], difference[side], 2.0 * HOST_EPS);
    }
    const double want = diffusion((double)image[i], difference);
    small += want < 1.0;
    ok = ok && host_near("coefficient", i, (double)got[i], want, 512.0 * HOST_EPS);
  }
  return ok && small > n / 2;
}

bool check_srad4(const struct host *h) {
  size_t n;
  const float *coefficient = host_before(h, "coefficient", sizeof *coefficient, &n), *to[SIDES];
  const float *image = host_before(h, "image", sizeof *image, &n);
  const float *got = host_after(h, "image", sizeof *got, &n);
  const size_t rows = (size_t)host_parameter(h, "rows");
  bool ok = true;
  for (int side = 0; side < SIDES; side++)
    to[side] = host_before(h, to_side[side], sizeof *to[side], &n);
  for (size_t i = 0; ok && i < n; i++) {
    double divergence = 0.0;
    for (int side = 0; side < SIDES; side++) {
      const size_t from = side == SOUTH || side == EAST ? beside(i, side, rows, n) : i;
      divergence += (double)coefficient[from] * (double)to[side][i];
    }
    ok = host_near("image", i, (double)got[i], (double)image[i] + 0.25 * lambda * divergence,
                   8.0 * HOST_EPS);
  }
  return ok;
}

bool check_srad5(const struct host *h) {
  size_t n;
  const float *image = host_before(h, "image", sizeof *image, &n);
  const float *got = host_after(h, "image", sizeof *got, &n);
  bool ok = true;
  for (size_t i = 0; ok && i < n; i++) {
    const double want = 255.0 * log((double)image[i]);
    ok = host_near("image", i, (double)got[i], want, 8.0 * HOST_EPS * want);
  }
  return ok;
}
