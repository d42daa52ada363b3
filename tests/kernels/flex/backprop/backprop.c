/* Checks of the two kernels of a training of a neural network, in double precision. */
#include <math.h>

#include "tests/kernels/host.h"

enum { HIDDEN = 16, PITCH = HIDDEN + 1 };

/* The weighted inputs of unit x in a block of rows, and the tree over them. */
static bool check_column(const float *input, const float *weights, const float *after,
                         const float *partial, size_t block, size_t x) {
  double product[HIDDEN], all = 0.0;
  const size_t first = block * HIDDEN + 1;
  bool ok = true;
  for (size_t y = 0; y < HIDDEN; y++) {
    product[y] = (double)weights[(first + y) * PITCH + x + 1] * (double)input[first + y];
    all += fabs(product[y]);
  }
  for (size_t step = 2; step <= HIDDEN; step *= 2)
    for (size_t y = 0; y < HIDDEN; y += step)
      product[y] += product[y + step / 2];
  const double tolerance = 8.0 * HOST_EPS * all;
  for (size_t y = 0; ok && y < HIDDEN; y++) {
    const size_t at = (first + y) * PITCH + x + 1;
    ok = host_near("weights", at, (double)after[at], product[y], tolerance);
  }
  const size_t at = block * HIDDEN + x;
  return ok && host_near("partial", at, (double)partial[at], product[0], tolerance);
}

bool check_bp1(const struct host *h) {
  size_t n, inputs;
  const float *input = host_before(h, "input", sizeof *input, &n);
  const float *weights = host_before(h, "weights", sizeof *weights, &n);
  const float *after = host_after(h, "weights", sizeof *after, &n);
  const float *partial = host_after(h, "partial", sizeof *partial, &inputs);
  bool ok = n == PITCH * (inputs + 1);
  for (size_t block = 0; ok && block < inputs / HIDDEN; block++)
    for (size_t x = 0; ok && x < HIDDEN; x++)
      ok = check_column(input, weights, after, partial, block, x);
  for (size_t row = 0; ok && row <= inputs; row++) /* the bias */
    ok = after[row * PITCH] == weights[row * PITCH];
  return ok;
}

bool check_bp2(const struct host *h) {
  size_t n;
  const float *delta = host_before(h, "delta", sizeof *delta, &n);
  const float *input = host_before(h, "input", sizeof *input, &n);
  const float *weights = host_before(h, "weights", sizeof *weights, &n);
  const float *changes = host_before(h, "changes", sizeof *changes, &n);
  const float *weights_after = host_after(h, "weights", sizeof *weights_after, &n);
  const float *changes_after = host_after(h, "changes", sizeof *changes_after, &n);
  for (size_t at = 0; at < n; at++) {
    const size_t row = at / PITCH, unit = at % PITCH;
    const double in = row == 0 ? 1.0 : (double)input[row];
    const double change = 0.3 * (double)delta[unit] * in + 0.3 * (double)changes[at];
    const double want = unit == 0 ? (double)changes[at] : change;
    const double weight = (double)weights[at] + (unit == 0 ? 0.0 : change);
    if (!host_near("changes", at, (double)changes_after[at], want, 2.0 * HOST_EPS) ||
        !host_near("weights", at, (double)weights_after[at], weight, 4.0 * HOST_EPS))
      return false;
  }
  return n > PITCH;
}
