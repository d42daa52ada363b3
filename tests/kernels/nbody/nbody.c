/* Check of the bodies after the steps, computed in double precision. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/kernels/host.h"

enum { STEPS = 2, HEAVY = 256 /* bodies that attract, if there are as many */ };
static const double dt = (double)0.01f, soft = (double)0.05f;

struct body {
  double at[3], v[3], mass;
};

/* One step in double precision.  *pull: the largest sum of absolute accelerations on a body. */
static void step(struct body *to, const struct body *from, size_t n, double *pull) {
  for (size_t i = 0; i < n; i++) {
    double a[3] = {0.0, 0.0, 0.0}, size = 0.0;
    for (size_t j = 0; j < n && j < HEAVY; j++) {
      double d[3], r = soft;
      for (int k = 0; k < 3; k++) {
        d[k] = from[j].at[k] - from[i].at[k];
        r += d[k] * d[k];
      }
      double f = from[j].mass / (r * sqrt(r));
      for (int k = 0; k < 3; k++)
        a[k] += d[k] * f;
      size += sqrt(r) * f;
    }
    *pull = fmax(*pull, size);
    to[i] = from[i];
    for (int k = 0; k < 3; k++) {
      to[i].v[k] += a[k] * dt;
      to[i].at[k] += to[i].v[k] * dt;
    }
  }
}

static bool compare(const struct body *b, const float *here, const float *velocity, size_t n,
                    double pull) {
  /* Each step's acceleration is a sum of n terms of about ten roundings each; the factor 4 covers
   * the two steps and the second's start from rounded places. */
  double dv = 4.0 * (double)(n + 10) * HOST_EPS * pull * dt + 4.0 * HOST_EPS;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < 3; k++)
      if (!host_near("velocity", 4 * i + k, (double)velocity[4 * i + k], b[i].v[k], dv) ||
          !host_near("here", 4 * i + k, (double)here[4 * i + k], b[i].at[k],
                     2.0 * dv * dt + 4.0 * HOST_EPS * (fabs(b[i].at[k]) + 1.0)))
        return false;
  return true;
}

bool check_nbody(const struct host *h) {
  size_t n;
  const float *here = host_before(h, "here", 4 * sizeof *here, &n);
  const float *velocity = host_before(h, "velocity", 4 * sizeof *velocity, &n);
  struct body *now = calloc(n, sizeof *now), *next = calloc(n, sizeof *next);
  bool ok = now && next;
  double pull = 0.0;
  for (size_t i = 0; ok && i < n; i++) {
    for (size_t k = 0; k < 3; k++) {
      now[i].at[k] = (double)here[4 * i + k];
      now[i].v[k] = (double)velocity[4 * i + k];
    }
    now[i].mass = (double)here[4 * i + 3];
  }
  for (int s = 0; ok && s < STEPS; s++) {
    step(next, now, n, &pull);
    memcpy(now, next, n * sizeof *now);
  }
  here = host_after(h, "here", 4 * sizeof *here, &n);
  velocity = host_after(h, "velocity", 4 * sizeof *velocity, &n);
  ok = ok && compare(now, here, velocity, n, pull);
  free(now);
  free(next);
  return ok;
}
