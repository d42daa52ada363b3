/* One kernel, from its first cycle to its last. */
#ifndef TANDEM_GPU_LAUNCH_H
#define TANDEM_GPU_LAUNCH_H

#include "harness/tandem.h"

/* Runs one kernel to its end.  TANDEM_FAULT: t->end.failure has the cause, or it was cut off;
 * the grid is kept for the report, and the caller drops it. */
enum tandem_status gpu_launch(struct tandem *t, const struct tandem_launch *launch,
                              struct tandem_error *err);

#endif
