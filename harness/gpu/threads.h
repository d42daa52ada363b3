/* How many host threads there are, and which cells each has. */
#ifndef TANDEM_GPU_THREADS_H
#define TANDEM_GPU_THREADS_H

#include "harness/gpu/gpu.h"

enum { THREADS_WINDOW = 256 };

/* Before the first cycle of a launch. */
void threads_begin(struct tandem *t);
/* At the end of every cycle whose age divides by THREADS_WINDOW. */
void threads_step(struct tandem *t);

#endif
