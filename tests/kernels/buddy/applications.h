/* The applications of docs/results/applications.md. */
#ifndef TANDEM_TESTS_APPLICATIONS_H
#define TANDEM_TESTS_APPLICATIONS_H

#include "tests/kernels/host.h"

enum { APPLICATIONS = 17, LAUNCHES = 4, SMALL = 3 };

/* `times` launches of this grid and block. */
struct published {
  uint64_t times;
  uint32_t grid[3], block[3];
};

struct application {
  const char *name; /* of its description */
  bool (*check)(const struct host *h);
  struct published launches[LAUNCHES];  /* table II of the article; times 0: no more */
  struct tandem_parameter small[SMALL]; /* scale it down */
  bool diverges;                        /* warps of the SMs of a cluster go different ways */
};
extern const struct application applications[APPLICATIONS];

/* Against the host's own computation, from the definition of each problem, of whatever size the
 * launch description has. */
bool application_aes(const struct host *h);
bool application_binomial(const struct host *h);
bool application_coulomb(const struct host *h);
bool application_haar(const struct host *h);
bool application_histogram(const struct host *h);
bool application_libor(const struct host *h);
bool application_pathfinder(const struct host *h);
bool application_reduction(const struct host *h);
bool application_sad(const struct host *h);
bool application_scalarprod(const struct host *h);
bool application_scan(const struct host *h);
bool application_sgemm(const struct host *h);
bool application_sobol(const struct host *h);
bool application_transpose(const struct host *h);

#endif
