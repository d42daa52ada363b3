/* Check of the potential within a cutoff, in double precision. */
#include <math.h>

#include "tests/kernels/host.h"

enum { EDGE = 8, ATOMS = 8 };
static const double spacing = 0.5, bin = EDGE * 0.5, cutoff = EDGE * 0.5;

struct point {
  double at[3], sum, error;
};

/* A term falls with the square of what is left to the cutoff, so that an atom at the cutoff may
 * count or not. */
static void add(struct point *p, const float *atom, const double corner[3]) {
  double square = 0.0;
  for (size_t d = 0; d < 3; d++) {
    const double distance = corner[d] + bin * (double)atom[d] - p->at[d];
    square += distance * distance;
  }
  if (square >= cutoff * cutoff * (1.0 + 1e-5))
    return;
  const double screen = 1.0 - square / (cutoff * cutoff), charge = (double)atom[3];
  const double term = charge / sqrt(square) * screen * screen;
  const double moved = 4.0 * bin * HOST_EPS / sqrt(square); /* of the distance, relative */
  p->sum += term;
  p->error += term * HOST_EPS * 256.0 + charge * moved * (1.0 / sqrt(square) + 1.0);
}

/* Adds the atoms of the bin of a point and of its 26 neighbours. */
static void add_near(struct point *p, const float *bins, const size_t corner[3],
                     const size_t size[3]) {
  for (size_t near = 0; near < 27; near++) {
    const size_t step[3] = {near % 3, near / 3 % 3, near / 9};
    size_t number = 0;
    double low[3];
    for (size_t d = 3; d-- > 0;) {
      number = number * (size[d] + 2) + corner[d] + step[d];
      low[d] = bin * ((double)(corner[d] + step[d]) - 1.0);
    }
    for (size_t a = 0; a < ATOMS; a++)
      add(p, bins + 4 * (number * ATOMS + a), low);
  }
}

bool check_cutcp(const struct host *h) {
  size_t n, points;
  const float *bins = host_before(h, "bins", sizeof *bins, &n);
  const float *potential = host_after(h, "potential", sizeof *potential, &points);
  const size_t size[3] = {(size_t)host_parameter(h, "width"), (size_t)host_parameter(h, "depth"),
                          (size_t)host_parameter(h, "height")};
  for (size_t i = 0; i < points; i++) {
    size_t at[3], corner[3], left = i;
    struct point p = {.sum = 0.0};
    for (size_t d = 0; d < 3; d++) {
      at[d] = left % (size[d] * EDGE), corner[d] = at[d] / EDGE, left /= size[d] * EDGE;
      p.at[d] = spacing * (double)at[d];
    }
    add_near(&p, bins, corner, size);
    if (!host_near("potential", i, (double)potential[i], p.sum, p.error))
      return false;
  }
  return points == size[0] * size[1] * size[2] * EDGE * EDGE * EDGE;
}
