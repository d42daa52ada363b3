/* Check of the points of a heart's walls: every move of every point, in double precision. */
#include <math.h>

#include "tests/kernels/host.h"

enum { SIDE = 51, AREA = SIDE * SIDE };

/* How well a template fits the frame at a place. */
static double correlation(const float *template, const float *frame, size_t pitch) {
  double product = 0.0, sum = 0.0, square = 0.0, sum_t = 0.0, square_t = 0.0;
  for (size_t i = 0; i < AREA; i++) {
    const double t = (double)template[i], f = (double)frame[i / SIDE * pitch + i % SIDE];
    product += t * f;
    sum += f;
    square += f * f;
    sum_t += t;
    square_t += t * t;
  }
  return (product - sum * sum_t / AREA) /
         sqrt((square - sum * sum / AREA) * (square_t - sum_t * sum_t / AREA));
}

/* The kernel's correlation is off by some rounding errors of sums of AREA squares, which are about
 * ten times the variance: by less than this. */
#define TOLERANCE 5e-5

static bool check_point(const float *template, const float *frame, size_t pitch, size_t radius,
                        size_t point, int32_t move, float fit) {
  const size_t moves = 2 * radius + 1, side = SIDE + 2 * radius;
  bool ok = move >= 0 && (size_t)move / side < moves && (size_t)move % side < moves;
  if (!ok)
    return host_equal("moves", point, (uint32_t)move, 0);
  for (size_t y = 0; ok && y < moves; y++)
    for (size_t x = 0; ok && x < moves; x++) {
      const double c = correlation(template, &frame[y * pitch + x], pitch);
      ok = y * side + x == (size_t)move
               ? host_near("fits", point, (double)fit, c, TOLERANCE)
               : c <= (double)fit + TOLERANCE || host_near("fits", point, (double)fit, c, 0.0);
    }
  return ok;
}

bool check_hw(const struct host *h) {
  size_t points, n;
  const float *frame = host_before(h, "frame", sizeof *frame, &n);
  const float *templates = host_before(h, "templates", sizeof *templates, &n);
  const float *after = host_after(h, "templates", sizeof *after, &n);
  const int32_t *corners = host_before(h, "corners", sizeof *corners, &points);
  const int32_t *moves = host_after(h, "moves", sizeof *moves, &points);
  const float *fits = host_after(h, "fits", sizeof *fits, &points);
  const size_t pitch = (size_t)host_parameter(h, "pitch");
  const size_t radius = (size_t)host_parameter(h, "radius"), side = SIDE + 2 * radius;
  bool ok = points > 0;
  for (size_t p = 0; ok && p < points; p++) {
    const float *corner = &frame[corners[p]], *template = &templates[p * AREA];
    ok = check_point(template, corner, pitch, radius, p, moves[p], fits[p]);
    const size_t at = ok ? (size_t)moves[p] / side * pitch + (size_t)moves[p] % side : 0;
    for (size_t i = 0; ok && i < AREA; i++)
      ok = host_near("templates", p * AREA + i, (double)after[p * AREA + i],
                     0.87 * (double)template[i] +
                         0.13 * (double)corner[at + i / SIDE * pitch + i % SIDE],
                     4.0 * HOST_EPS);
  }
  return ok;
}
