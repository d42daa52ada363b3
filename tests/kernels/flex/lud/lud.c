/* Checks of the three kernels of the LU decomposition: L and U multiplied give back what was
 * decomposed, within the rounding errors of the sums. */
#include <math.h>
#include <string.h>

#include "tests/kernels/host.h"

enum { TILE = 16 };

/* Element (row, column) of the product of the L of one matrix and the U of another, whose first
 * `depth` columns and rows count; *all gets the sum of its terms' magnitudes. */
static double product(const float *l, const float *u, size_t size, size_t row, size_t column,
                      size_t depth, double *all) {
  double sum = 0.0;
  *all = 0.0;
  for (size_t i = 0; i < depth; i++) {
    const double left = i < row ? (double)l[row * size + i] : i == row ? 1.0 : 0.0;
    const double term = i <= column ? left * (double)u[i * size + column] : 0.0;
    sum += term;
    *all += fabs(term);
  }
  return sum;
}

/* Elements of a matrix [top, bottom) x [left, right) are products of an L and a U, of depth TILE.
 */
static bool check_tile(const float *before, const float *l, const float *u, size_t size,
                       const size_t rows[2], const size_t columns[2]) {
  bool ok = true;
  for (size_t row = rows[0]; ok && row < rows[1]; row++)
    for (size_t column = columns[0]; ok && column < columns[1]; column++) {
      double all;
      const double got = product(l, u, size, row, column, TILE, &all);
      ok = host_near("(L U)", row * size + column, got, (double)before[row * size + column],
                     4.0 * TILE * HOST_EPS * all);
    }
  return ok;
}

static bool same(const float *before, const float *after, size_t size, const size_t rows[2],
                 const size_t columns[2]) {
  bool ok = true;
  for (size_t row = rows[0]; ok && row < rows[1]; row++)
    ok = memcmp(&before[row * size + columns[0]], &after[row * size + columns[0]],
                (columns[1] - columns[0]) * sizeof *before) == 0;
  return ok;
}

static bool check_diagonal(const float *before, const float *after, size_t size) {
  const size_t first[2] = {0, TILE}, others[2] = {TILE, size};
  return check_tile(before, after, after, size, first, first) &&
         same(before, after, size, first, others) && same(before, after, size, others, first) &&
         same(before, after, size, others, others);
}

static bool check_perimeter(const float *before, const float *after, size_t size) {
  const size_t first[2] = {0, TILE}, others[2] = {TILE, size};
  return same(before, after, size, first, first) && same(before, after, size, others, others) &&
         check_tile(before, before, after, size, first, others) &&
         check_tile(before, after, before, size, others, first);
}

static bool check_each(const struct host *h,
                       bool (*check)(const float *before, const float *after, size_t size)) {
  size_t n;
  const float *before = host_before(h, "m", sizeof *before, &n);
  const float *after = host_after(h, "m", sizeof *after, &n);
  const size_t size = (size_t)host_parameter(h, "size");
  bool ok = true;
  for (size_t at = 0; ok && at < n; at += size * size)
    ok = check(&before[at], &after[at], size);
  return ok && n > 0;
}

bool check_lud1(const struct host *h) { return check_each(h, check_diagonal); }

bool check_lud2(const struct host *h) { return check_each(h, check_perimeter); }

bool check_lud3(const struct host *h) {
  size_t n;
  const float *m = host_before(h, "m", sizeof *m, &n);
  const float *got = host_after(h, "m", sizeof *got, &n);
  const size_t size = (size_t)host_parameter(h, "size");
  bool ok = n == size * size;
  for (size_t row = 0; ok && row < size; row++)
    for (size_t column = 0; ok && column < size; column++) {
      const size_t at = row * size + column;
      double want = (double)m[at], all = fabs(want);
      for (size_t i = 0; row >= TILE && column >= TILE && i < TILE; i++) {
        const double term = (double)m[row * size + i] * (double)m[i * size + column];
        want -= term;
        all += fabs(term);
      }
      ok = host_near("m", at, (double)got[at], want, TILE * HOST_EPS * all);
    }
  return ok;
}
