/* The time that a run takes on the host. */
#ifndef TANDEM_GPU_TIME_H
#define TANDEM_GPU_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/unit/unit.h"

/* Time stamps of one thread, in ticks of the processor's counter, of the sampled cycles. */
struct gpu_clock {
  _Alignas(64) uint64_t ticks[TANDEM_WALLS];
};

struct gpu_time {
  bool sampled;             /* this stretch is */
  uint64_t stretches;       /* so far */
  struct gpu_clock *clocks; /* one a thread */
  uint64_t sampled_ticks;   /* of the caller, over the sampled stretches */
  double wall_s;
};

double gpu_seconds(void); /* monotonic */

#endif
