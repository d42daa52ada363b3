/* The measurements of tandem bench, inside. */
#ifndef TANDEM_CLI_BENCH_H
#define TANDEM_CLI_BENCH_H

#include <jansson.h>
#include <stdio.h>

#include "harness/gpu/feature.h"
#include "harness/gpu/results/statistics.h"

/* One run, in a process of its own so that its memory can be measured. */
struct measured {
  struct gpu_stats stats;
  uint64_t peak_kib;
  double cpu_s; /* of user code, the process's */
  enum tandem_status status;
  char error[256];
};

/* Runs a kernel's <name>_bench.yaml; gpu: that of a feature, or NULL.  Returns the status of the
 * run; without one, as of a process that the machine has ended for want of memory, TANDEM_USAGE. */
enum tandem_status bench_measure(const char *kernel, enum tandem_engine engine, uint32_t threads,
                                 const struct bench_gpu *gpu, struct measured *m);

/* Lockstep on one, two and four threads, alone on the machine and beside a process that keeps a
 * processor busy: seconds as text, and in o as `threads`. */
enum tandem_status bench_threads(const char *kernel, FILE *text, json_t *o);

#endif
