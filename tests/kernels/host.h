/* The buffers of a launch description before and after it ran, and the kernels' checks: each
 * computes on the host, from the definition of the problem, what the kernel should have left. */
#ifndef TANDEM_TESTS_HOST_H
#define TANDEM_TESTS_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/gpu/config.h"
#include "harness/gpu/results/statistics.h"

enum { HOST_BUFFERS = 16, HOST_PARAMETERS = 16 };
#define HOST_EPS 5.9604644775390625e-8 /* 2^-24: half an ulp of 1.0f */

struct host_buffer {
  const char *name;
  uint32_t address;
  size_t bytes;
  void *before, *after;
};
struct host {
  struct host_buffer buffer[HOST_BUFFERS];
  size_t count;
  struct tandem_parameter parameter[HOST_PARAMETERS];
  size_t parameters;
};

/* Opens a GPU, and on it the launch description with n parameters given other values.  Here and
 * below whatever goes wrong fails the test. */
void host_open(const struct tandem_config *config, const char *path,
               const struct tandem_parameter *given, size_t n, struct tandem **gpu,
               struct tandem_job **job);

struct host_outcome {
  struct gpu_stats stats;
  uint64_t digest;
};
/* Runs the launch description on a GPU of its own; check sees all its buffers and parameters. */
void host_run(const struct tandem_config *config, const char *path,
              const struct tandem_parameter *given, size_t n, bool (*check)(const struct host *h),
              struct host_outcome *out);
/* Fails the test if two runs differ in cycles, statistics or memory image. */
void host_assert_same(const struct host_outcome *a, const struct host_outcome *b);

/* Returns a buffer's contents before the run; *n is its number of elements of `size` bytes.  A name
 * that the description lacks ends the test. */
const void *host_before(const struct host *h, const char *name, size_t size, size_t *n);
/* Returns a buffer's contents after the run, otherwise as host_before. */
const void *host_after(const struct host *h, const char *name, size_t size, size_t *n);

/* Returns the value of a parameter.  A name that the description lacks ends the test. */
int64_t host_parameter(const struct host *h, const char *name);

/* Returns true if element i of the buffer `name` equals `want`, else prints both. */
bool host_equal(const char *name, size_t i, uint32_t got, uint32_t want);
/* The same for a value that may differ from `want` by `tolerance`. */
bool host_near(const char *name, size_t i, double got, double want, double tolerance);

/* One a kernel; the name of the kernel names its folder and its launch description. */
#define HOST_KERNELS(X)                                                                            \
  X(vecadd)                                                                                        \
  X(matmul)                                                                                        \
  X(prefix)                                                                                        \
  X(nbody)                                                                                         \
  X(stencil2d)                                                                                     \
  X(spill)                                                                                         \
  X(atomics)                                                                                       \
  X(atomics64)                                                                                     \
  X(bfs)                                                                                           \
  X(blackscholes)                                                                                  \
  X(histogram)                                                                                     \
  X(mergesort)                                                                                     \
  X(reduction)                                                                                     \
  X(transpose)                                                                                     \
  X(aes)                                                                                           \
  X(binomial)                                                                                      \
  X(coulomb)                                                                                       \
  X(haar)                                                                                          \
  X(libor)                                                                                         \
  X(pathfinder)                                                                                    \
  X(sad)                                                                                           \
  X(scalarprod)                                                                                    \
  X(scan)                                                                                          \
  X(sgemm)                                                                                         \
  X(smith_waterman)                                                                                \
  X(sobol)
#define HOST_CHECK(kernel) bool check_##kernel(const struct host *h);
HOST_KERNELS(HOST_CHECK)
#define FLEX(kernel, NAME, program, check, ...) HOST_CHECK(check)
#include "tests/kernels/flex/kernels.def"
#undef HOST_CHECK

#endif
