/* Check of a step of the lattice Boltzmann method, in double precision. */
#include <math.h>
#include <stdlib.h>

#include "tests/kernels/host.h"

enum { ROW = 120, PITCH = 128, DIRECTIONS = 19 };
static const double omega = (double)1.95f;

struct lattice {
  size_t rows, planes, pitch;
  const float *source;
  const uint32_t *wall;
  double *want, *error; /* NAN in want: the step leaves this density as it was */
};

/* In pairs of opposite directions behind the first. */
static const int direction[DIRECTIONS][3] = {
    {0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},  {0, -1, 0}, {0, 0, 1},   {0, 0, -1},
    {1, 1, 0},  {-1, -1, 0}, {1, -1, 0},  {-1, 1, 0}, {1, 0, 1},  {-1, 0, -1}, {1, 0, -1},
    {-1, 0, 1}, {0, 1, 1},   {0, -1, -1}, {0, 1, -1}, {0, -1, 1}};

static int product(const int *a, const int *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* The equilibrium of a direction: its weight x density x (1 + 3 cu + 4.5 cu^2 - 1.5 u^2). */
static double equilibrium(const int *c, double density, const double u[3]) {
  static const double weight[3] = {1.0 / 3.0, 1.0 / 18.0, 1.0 / 36.0};
  const double cu = c[0] * u[0] + c[1] * u[1] + c[2] * u[2];
  const double uu = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
  return weight[product(c, c)] * density * (1.0 + 3.0 * cu + 4.5 * cu * cu - 1.5 * uu);
}

static void step_cell(const struct lattice *l, size_t at) {
  double f[DIRECTIONS], density = 0.0, u[3] = {0.0, 0.0, 0.0};
  for (size_t i = 0; i < DIRECTIONS; i++) {
    f[i] = (double)l->source[i * l->pitch + at];
    density += f[i];
    for (size_t d = 0; d < 3; d++)
      u[d] += direction[i][d] * f[i];
  }
  for (size_t d = 0; d < 3; d++)
    u[d] /= density;
  for (size_t i = 0; i < DIRECTIONS; i++) {
    const int *c = direction[i];
    const size_t opposite = i == 0 ? 0 : ((i - 1) ^ 1) + 1;
    const ptrdiff_t to = c[0] + c[1] * PITCH + c[2] * (ptrdiff_t)l->rows * PITCH;
    const size_t place = i * l->pitch + (size_t)((ptrdiff_t)at + to);
    const bool wall = l->wall[at] == 0;
    l->want[place] = wall ? f[opposite] : (1.0 - omega) * f[i] + omega * equilibrium(c, density, u);
    l->error[place] = wall ? 0.0 : 40.0 * HOST_EPS * (f[i] + density);
  }
}

bool check_lbm(const struct host *h) {
  struct lattice l;
  size_t n;
  l.source = host_before(h, "source", sizeof *l.source, &n);
  l.wall = host_before(h, "wall", sizeof *l.wall, &l.pitch);
  l.rows = (size_t)host_parameter(h, "rows"), l.planes = (size_t)host_parameter(h, "planes");
  const float *before = host_before(h, "target", sizeof *before, &n);
  const float *target = host_after(h, "target", sizeof *target, &n);
  l.want = malloc(n * sizeof *l.want), l.error = calloc(n, sizeof *l.error);
  bool ok = l.want != NULL && l.error != NULL;
  for (size_t i = 0; ok && i < n; i++)
    l.want[i] = (double)before[i];
  for (size_t row = 0; ok && row < l.rows * l.planes; row++)
    for (size_t x = 0; x < ROW; x++)
      step_cell(&l, (l.rows + row) * PITCH + x);
  for (size_t i = 0; ok && i < n; i++)
    ok = host_near("target", i, (double)target[i], l.want[i], l.error[i]);
  free(l.want);
  free(l.error);
  return ok;
}
