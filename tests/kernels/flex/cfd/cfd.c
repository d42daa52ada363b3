/* Checks of the four kernels of the flow of a gas, in double precision. */
#include <math.h>

#include "tests/kernels/host.h"

enum { VARIABLES = 5, FACES = 4 };

/* The state of an element, and what flows through a unit of area: flow[v][axis] of variable v. */
struct element {
  double variable[VARIABLES], velocity[3], pressure, speed, sound, flow[VARIABLES][3];
};

static double squared(const double v[3]) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

static void derive(struct element *e) {
  for (int a = 0; a < 3; a++)
    e->velocity[a] = e->variable[1 + a] / e->variable[0];
  e->speed = sqrt(squared(e->velocity));
  e->pressure = 0.4 * (e->variable[4] - 0.5 * e->variable[0] * e->speed * e->speed);
  e->sound = sqrt(1.4 * e->pressure / e->variable[0]);
  for (int a = 0; a < 3; a++) {
    e->flow[0][a] = e->variable[1 + a];
    for (int b = 0; b < 3; b++)
      e->flow[1 + b][a] = e->velocity[a] * e->variable[1 + b] + (a == b ? e->pressure : 0.0);
    e->flow[4][a] = e->velocity[a] * (e->variable[4] + e->pressure);
  }
}

/* Element i of `densities`, `momenta` and `energies`. */
static void element_at(const struct host *h, size_t i, struct element *e) {
  size_t n, m;
  const float *momenta = host_before(h, "momenta", sizeof *momenta, &m);
  const float *energies = host_before(h, "energies", sizeof *energies, &n);
  const float *densities = host_before(h, "densities", sizeof *densities, &n);
  e->variable[0] = (double)densities[i];
  for (size_t a = 0; a < 3; a++)
    e->variable[1 + a] = (double)momenta[i + a * n];
  e->variable[4] = (double)energies[i];
  derive(e);
}

bool check_cfd1(const struct host *h) {
  size_t count;
  const uint32_t *far = host_before(h, "far", sizeof *far, &count);
  const uint32_t *got = host_after(h, "variables", sizeof *got, &count);
  bool ok = true;
  for (size_t i = 0; ok && i < count; i++)
    ok = host_equal("variables", i, got[i], far[i / (count / VARIABLES)]);
  return ok;
}

bool check_cfd2(const struct host *h) {
  size_t n;
  const float *areas = host_before(h, "areas", sizeof *areas, &n);
  const float *got = host_after(h, "factors", sizeof *got, &n);
  bool ok = true;
  for (size_t i = 0; ok && i < n; i++) {
    struct element e;
    element_at(h, i, &e);
    const double want = 0.5 / (sqrt((double)areas[i]) * (e.speed + e.sound));
    ok = host_near("factors", i, (double)got[i], want, 32.0 * HOST_EPS * want);
  }
  return ok;
}

/* Adds the flux of each variable through a face to another element; magnitude: of the terms. */
static void through(const struct element *own, const struct element *to, const double normal[3],
                    double flux[VARIABLES], double *magnitude) {
  const double viscous =
      -sqrt(squared(normal)) * 0.2 * 0.5 * (own->speed + to->speed + own->sound + to->sound);
  for (int v = 0; v < VARIABLES; v++) {
    const double term = viscous * (own->variable[v] - to->variable[v]);
    flux[v] += term;
    *magnitude += fabs(term);
    for (int a = 0; a < 3; a++) {
      const double flow = 0.5 * normal[a] * (own->flow[v][a] + to->flow[v][a]);
      flux[v] += flow;
      *magnitude += fabs(flow);
    }
  }
}

/* The same for a face with the flow far away, and one at the body. */
static void outside(const struct element *own, const float *far, const double normal[3],
                    double flux[VARIABLES]) {
  for (size_t a = 0; a < 3; a++) {
    flux[0] += 0.5 * normal[a] * (own->flow[0][a] + (double)far[1 + a]);
    for (size_t v = 1; v < VARIABLES; v++)
      flux[v] += 0.5 * normal[a] * (own->flow[v][a] + (double)far[2 + 3 * v + a]);
  }
}

static void at_body(const struct element *own, const double normal[3], double flux[VARIABLES]) {
  for (int a = 0; a < 3; a++)
    flux[1 + a] += normal[a] * own->pressure;
}

bool check_cfd3(const struct host *h) {
  size_t count, n, met[3] = {0};
  const int32_t *neighbours = host_before(h, "neighbours", sizeof *neighbours, &count);
  const float *normals = host_before(h, "normals", sizeof *normals, &count);
  const float *far = host_before(h, "far", sizeof *far, &count);
  const float *got = host_after(h, "fluxes", sizeof *got, &count);
  bool ok = true;
  n = count / VARIABLES;
  for (size_t i = 0; ok && i < n; i++) {
    struct element own, other;
    double flux[VARIABLES] = {0.0}, magnitude = 1.0;
    element_at(h, i, &own);
    for (size_t face = 0; face < FACES; face++) {
      const int64_t to = (int64_t)i + neighbours[i + face * n];
      const double normal[3] = {(double)normals[i + face * n],
                                (double)normals[i + (face + FACES) * n],
                                (double)normals[i + (face + 2 * FACES) * n]};
      if (to == (int64_t)i) {
        met[0]++;
        at_body(&own, normal, flux);
      } else if (to < 0 || to >= (int64_t)n) {
        met[1]++;
        outside(&own, far, normal, flux);
      } else {
        met[2]++;
        element_at(h, (size_t)to, &other);
        through(&own, &other, normal, flux, &magnitude);
      }
    }
    for (size_t v = 0; ok && v < VARIABLES; v++)
      ok = host_near("fluxes", i + v * n, (double)got[i + v * n], flux[v],
                     16.0 * HOST_EPS * (magnitude + 20.0));
  }
  return ok && met[0] > 0 && met[1] > 0 && met[2] > 0;
}

bool check_cfd4(const struct host *h) {
  size_t n, count;
  const float *factors = host_before(h, "factors", sizeof *factors, &n);
  const float *old = host_before(h, "old", sizeof *old, &count);
  const float *fluxes = host_before(h, "fluxes", sizeof *fluxes, &count);
  const float *got = host_after(h, "variables", sizeof *got, &count);
  bool ok = count == VARIABLES * n;
  for (size_t i = 0; ok && i < count; i++) {
    const double want = (double)old[i] + (double)factors[i % n] * (double)fluxes[i];
    ok = host_near("variables", i, (double)got[i], want, 8.0 * HOST_EPS);
  }
  return ok;
}
