/* The kernels of this folder and of flex, how they are tested, and what is published of those of
 * docs/results/applications.md. */
#ifndef TANDEM_TESTS_KERNELS_H
#define TANDEM_TESTS_KERNELS_H

#include "tests/kernels/host.h"
#include "tests/kernels/small.h"

enum { LAUNCHES = 4 };

/* `times` launches of this grid and block. */
struct published {
  uint64_t times;
  uint32_t grid[3], block[3];
};

struct kernel {
  const char *name;
  const char *description; /* path of its launch description in this folder, without .yaml */
  bool (*check)(const struct host *h);
  struct published launches[LAUNCHES]; /* table II of the article; times 0: no more */
};
extern const struct kernel kernels[];
extern const size_t nkernels;

#endif
