/* Checks of the four kernels of the histogram, each from its own inputs. */
#include <math.h>
#include <stdlib.h>

#include "tests/kernels/host.h"

enum { HALF = 2048, RANGE = 2 * HALF };

/* The bounds are truncated sums of rounded numbers, so that they may be one off. */
bool check_histo1(const struct host *h) {
  size_t n, two;
  const uint32_t *bins = host_before(h, "bins", sizeof *bins, &n);
  const int32_t *bounds = host_after(h, "bounds", sizeof *bounds, &two);
  const size_t blocks = (size_t)host_parameter(h, "blocks"), share = n / blocks;
  double least = INFINITY, most = -INFINITY;
  for (size_t b = 0; b < blocks; b++) {
    double sum = 0.0, squares = 0.0;
    for (size_t i = b * share; i < (b + 1) * share; i++) {
      sum += (double)bins[i];
      squares += (double)bins[i] * (double)bins[i];
    }
    const double mean = sum / (double)share;
    const double deviation = sqrt(squares / (double)share - mean * mean);
    least = fmin(least, mean - 10.0 * deviation);
    most = fmax(most, mean + 10.0 * deviation);
  }
  return host_near("bounds", 0, bounds[0], trunc(least), 1.0) &&
         host_near("bounds", 1, bounds[1], trunc(most), 1.0);
}

bool check_histo2(const struct host *h) {
  size_t n;
  const uint32_t *bins = host_before(h, "bins", sizeof *bins, &n);
  const uint32_t *places = host_after(h, "places", sizeof *places, &n);
  for (size_t i = 0; i < n; i++) {
    const uint32_t range = bins[i] / RANGE, in = bins[i] % RANGE;
    const uint32_t want = range * RANGE + (in < HALF ? 2 * in : 2 * (in - HALF) + 1);
    if (!host_equal("places", i, places[i], want))
      return false;
  }
  return true;
}

bool check_histo3(const struct host *h) {
  size_t n, words;
  const uint32_t *places = host_before(h, "places", sizeof *places, &n);
  const uint32_t *partial = host_after(h, "partial", sizeof *partial, &words);
  const size_t parts = (size_t)host_parameter(h, "parts");
  const size_t ranges = (size_t)host_parameter(h, "ranges"), bins = ranges * RANGE;
  uint32_t *want = calloc(parts * bins, sizeof *want);
  bool ok = want != NULL && words == parts * bins / 2;
  for (size_t i = 0; ok && i < n; i++) /* a place counts the halves of a range's words up */
    want[i / (n / parts) * bins + places[i]]++;
  for (size_t i = 0; ok && i < words; i++)
    ok = host_equal("partial", i, partial[i], want[2 * i] | want[2 * i + 1] << 16);
  free(want);
  return ok;
}

bool check_histo4(const struct host *h) {
  size_t words, bins;
  const uint32_t *partial = host_before(h, "partial", sizeof *partial, &words);
  const uint8_t *histogram = host_after(h, "histogram", sizeof *histogram, &bins);
  const size_t parts = (size_t)host_parameter(h, "parts");
  bool full = false, below = false;
  for (size_t bin = 0; bin < bins; bin++) {
    const size_t in = bin % RANGE, word = bin / RANGE * HALF + in % HALF;
    uint32_t sum = 0;
    for (size_t p = 0; p < parts; p++)
      sum += partial[p * (bins / 2) + word] >> (in < HALF ? 0 : 16) & 0xffff;
    if (!host_equal("histogram", bin, histogram[bin], sum < 255 ? sum : 255))
      return false;
    full = full || sum > 255;
    below = below || sum < 255;
  }
  return words == parts * bins / 2 && full && below;
}
