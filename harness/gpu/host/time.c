/* The time that a run takes on the host. */
#include "harness/gpu/host/time.h"

#include <time.h>

double gpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
