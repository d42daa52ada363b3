/* Parameters that scale down the kernels that are large by default, for tests. */
#ifndef TANDEM_TESTS_KERNELS_SMALL_H
#define TANDEM_TESTS_KERNELS_SMALL_H

#include <string.h>

#include "harness/tandem.h"

enum { SMALL = 4 };

/* The parameters of a kernel and, in *n, how many; 0: it is small as it is. */
static inline const struct tandem_parameter *kernel_small(const char *name, size_t *n) {
  static const struct {
    const char *kernel;
    struct tandem_parameter parameters[SMALL];
  } small[] = {
      {"aes", {{"blocks", 17}}},
      {"binomial", {{"blocks", 5}, {"steps", 480}}},
      {"blackscholes", {{"blocks", 20}, {"n", 8000}}},
      {"coulomb", {{"across", 2}, {"down", 9}, {"atoms", 30}}},
      {"haar", {{"blocks", 16}}},
      {"histogram", {{"words", 8000}, {"blocks256", 20}, {"times", 1}}},
      {"libor", {{"blocks", 5}, {"steps", 12}}},
      {"mergesort", {{"threads", 64}}},
      {"pathfinder", {{"blocks", 7}}},
      {"reduction", {{"times", 2}}},
      {"sad", {{"across", 3}, {"down", 1}}},
      {"scalarprod", {{"blocks", 8}, {"elements", 2048}, {"times", 1}}},
      {"scan", {{"blocks", 18}}},
      {"sgemm", {{"blocks", 9}, {"k", 16}}},
      {"sobol", {{"dimensions", 10}, {"n", 3000}}},
      {"transpose", {{"tiles", 5}}},
#define FLEX(kernel, NAME, program, check, threads, limit, ...) {"flex/" #kernel, {__VA_ARGS__}},
#include "tests/kernels/flex/kernels.def"
  };
  *n = 0;
  for (size_t i = 0; i < sizeof small / sizeof small[0]; i++)
    if (strcmp(small[i].kernel, name) == 0) {
      while (*n < SMALL && small[i].parameters[*n].name != NULL)
        ++*n;
      return small[i].parameters;
    }
  return NULL;
}

#endif
