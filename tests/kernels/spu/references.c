/* The reference computations: each has its kernel's operations in the same order. */
#include "tests/kernels/spu/references.h"
#include "tests/test.h"

#include <math.h>

/* A copy of a buffer from before the run, and the number of its words. */
static void *copy_of(const struct host *h, const char *name, size_t *n) {
  const void *from = host_before(h, name, 4, n);
  void *to = malloc(*n * 4);
  assert_non_null(to);
  memcpy(to, from, *n * 4);
  return to;
}

/* Words of a buffer after the run, from word `at`, against n words. */
static bool equal_at(const struct host *h, const char *name, size_t at, const void *want,
                     size_t n) {
  size_t size;
  const uint32_t *got = host_after(h, name, 4, &size), *w = want;
  assert_true(at + n <= size);
  for (size_t i = 0; i < n; i++)
    if (!host_equal(name, at + i, got[at + i], w[i]))
      return false;
  return true;
}

static bool equal(const struct host *h, const char *name, const void *want) {
  size_t n;
  (void)host_after(h, name, 4, &n);
  return equal_at(h, name, 0, want, n);
}

/* ---- the mean of three neighbours ---- */

struct cube {
  size_t n, words; /* points a side; words of a face */
  float *plane, *north, *west;
};

/* Takes the near faces from these buffers, and replaces them by the far ones. */
static struct cube mean(const struct host *h, const char *plane, const char *north,
                        const char *west) {
  struct cube c;
  c.plane = copy_of(h, plane, &c.words);
  c.north = copy_of(h, north, &c.words);
  c.west = copy_of(h, west, &c.words);
  c.n = (size_t)sqrt((double)c.words);
  assert_int_equal(c.n * c.n, c.words);
  for (size_t k = 0; k < c.n; k++)
    for (size_t y = 0; y < c.n; y++)
      for (size_t x = 0; x < c.n; x++) {
        float *left = &c.west[k * c.n + y], *above = &c.north[k * c.n + x];
        float *here = &c.plane[y * c.n + x];
        volatile float sum = *left + *above; /* rounded, as on the GPU */
        sum = sum + *here;
        *here = *left = *above = sum * 0.333333343f;
      }
  return c;
}

static void drop(struct cube *c) { free(c->plane), free(c->north), free(c->west); }

bool check_mean3d(const struct host *h) {
  struct cube c = mean(h, "first", "north", "west");
  const bool ok =
      equal(h, "last", c.plane) && equal(h, "south", c.north) && equal(h, "east", c.west);
  drop(&c);
  return ok;
}

bool check_mean3d_tickets(const struct host *h) {
  size_t n;
  struct cube c = mean(h, "first", "north", "west");
  (void)host_after(h, "across", 4, &n);
  const bool ok = equal(h, "last", c.plane) &&
                  equal_at(h, "across", n - c.words, c.north, c.words) &&
                  equal_at(h, "along", n - c.words, c.west, c.words);
  drop(&c);
  return ok;
}

bool check_mean3d_wavefront(const struct host *h) {
  struct cube c = mean(h, "plane", "across", "along");
  const bool ok =
      equal(h, "plane", c.plane) && equal(h, "across", c.north) && equal(h, "along", c.west);
  drop(&c);
  return ok;
}

/* ---- Jacobi and 7 points ---- */

enum { JACOBI_X = 224, JACOBI_STEPS = 32, CUBE_X = 60, CUBE_Y = 92, CUBE_STEPS = 4 };

/* The next value of an inner point; rows, planes are nx, nx * ny words apart. */
typedef float next_value(const float *at, size_t nx, size_t nxy);

static float jacobi(const float *at, size_t nx, size_t nxy) {
  (void)nxy;
  volatile float sum = at[0] + *(at - nx);
  sum = sum + at[nx];
  sum = sum + *(at - 1);
  sum = sum + at[1];
  return sum * 0.2f;
}

static float seven(const float *at, size_t nx, size_t nxy) {
  volatile float sum = *(at - 1) + at[1], centre = 0.4f * at[0];
  sum = sum + *(at - nx);
  sum = sum + at[nx];
  sum = sum + *(at - nxy);
  sum = sum + at[nxy];
  return fmaf(0.1f, sum, centre);
}

/* The grid after some steps, in `out`.  A plane has no border in z. */
static bool iterate(const struct host *h, size_t nx, size_t ny, unsigned steps, bool flat,
                    next_value *next) {
  size_t n;
  float *old = copy_of(h, "in", &n), *now = copy_of(h, "in", &n);
  const size_t nz = n / (nx * ny);
  for (unsigned t = 0; t < steps; t++) {
    for (size_t z = flat ? 0 : 1; z < (flat ? 1 : nz - 1); z++)
      for (size_t y = 1; y < ny - 1; y++)
        for (size_t x = 1; x < nx - 1; x++) {
          const size_t at = (z * ny + y) * nx + x;
          now[at] = next(&old[at], nx, nx * ny);
        }
    memcpy(old, now, n * sizeof *old);
  }
  const bool ok = equal(h, "out", now);
  free(old), free(now);
  return ok;
}

bool check_jacobi2d(const struct host *h) {
  size_t n;
  (void)host_before(h, "in", 4, &n);
  return iterate(h, JACOBI_X, n / JACOBI_X, JACOBI_STEPS, true, jacobi);
}

bool check_stencil7(const struct host *h) {
  return iterate(h, CUBE_X, CUBE_Y, CUBE_STEPS, false, seven);
}

/* ---- alignment ---- */

enum { PAIRS = 8, COLUMNS = 256, ROWS = 512, TILE = 64 };
enum { MATCH = 3, MISMATCH = -2, OPEN = 5, EXTEND = 1 };

static int32_t most(int32_t a, int32_t b) { return a > b ? a : b; }

/* h, e, f of a pair, with row and column 0 before the first letters. */
struct scores {
  int32_t h[ROWS + 1][COLUMNS + 1], e[ROWS + 1][COLUMNS + 1], f[ROWS + 1][COLUMNS + 1];
};

/* Returns the score of a gap that opens or goes on.  It is 0 before the first letters, as in the
 * kernel's faces; no h depends on that. */
static int32_t gap(int32_t h, int32_t open, bool first) {
  return first ? 0 : most(h - OPEN, open - EXTEND);
}

static void align(struct scores *s, const int32_t *columns, const int32_t *rows) {
  memset(s, 0, sizeof *s);
  for (unsigned r = 1; r <= ROWS; r++)
    for (unsigned c = 1; c <= COLUMNS; c++) {
      const int32_t diagonal =
          s->h[r - 1][c - 1] + (rows[r - 1] == columns[c - 1] ? MATCH : MISMATCH);
      s->e[r][c] = gap(s->h[r][c - 1], s->e[r][c - 1], c == 1);
      s->f[r][c] = gap(s->h[r - 1][c], s->f[r - 1][c], r == 1);
      s->h[r][c] = most(most(0, diagonal), most(s->e[r][c], s->f[r][c]));
    }
}

static int32_t best_of(const struct scores *s, unsigned block) {
  const unsigned r0 = block / (COLUMNS / TILE) * TILE, c0 = block % (COLUMNS / TILE) * TILE;
  int32_t best = 0;
  for (unsigned r = 1; r <= TILE; r++)
    for (unsigned c = 1; c <= TILE; c++)
      best = most(best, s->h[r0 + r][c0 + c]);
  return best;
}

bool check_smith_waterman(const struct host *h) {
  enum { BLOCKS = (COLUMNS / TILE) * (ROWS / TILE) };
  size_t n;
  const int32_t *columns = host_before(h, "columns", 4, &n), *rows = host_before(h, "rows", 4, &n);
  struct scores *s = malloc(sizeof *s);
  bool ok = true;
  assert_non_null(s);
  for (unsigned pair = 0; pair < PAIRS && ok; pair++) {
    int32_t best[BLOCKS], diagonals[ROWS];
    align(s, &columns[pair * COLUMNS], &rows[pair * ROWS]);
    for (unsigned block = 0; block < BLOCKS; block++)
      best[block] = best_of(s, block);
    for (unsigned r = 0; r < ROWS; r++)
      diagonals[r] = s->h[r][COLUMNS];
    ok = equal_at(h, "best", (size_t)pair * BLOCKS, best, BLOCKS) &&
         equal_at(h, "south", (PAIRS + pair) * COLUMNS, &s->h[ROWS][1], COLUMNS) &&
         equal_at(h, "east", (PAIRS + pair) * ROWS, diagonals, ROWS);
  }
  free(s);
  return ok;
}

/* ---- the matrix product ---- */

bool check_matmul_systolic(const struct host *h) {
  enum { M = 128, N = 256, K = 128 };
  size_t n;
  const float *a = host_before(h, "a", 4, &n), *b = host_before(h, "b", 4, &n);
  float *c = calloc((size_t)M * N, sizeof *c);
  assert_non_null(c);
  for (size_t y = 0; y < M; y++)
    for (size_t x = 0; x < N; x++)
      for (size_t k = 0; k < K; k++)
        c[y * N + x] = fmaf(a[y * K + k], b[k * N + x], c[y * N + x]);
  const bool ok = equal(h, "c", c) && equal(h, "a_out", a) && equal(h, "b_out", b);
  free(c);
  return ok;
}
