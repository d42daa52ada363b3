/* RTL that follows its references (harness/unit/log.h): which threads clock it, and when.
 *
 * A thread that does the machine's cycles and finds a log full lets the RTL follow itself, so
 * simulation goes on whether or not others have time. */
#ifndef TANDEM_GPU_FOLLOW_H
#define TANDEM_GPU_FOLLOW_H

#include <stdatomic.h>

#include "harness/gpu/config.h"
#include "harness/gpu/host/threads.h"
#include "harness/gpu/host/time.h"
#include "harness/unit/unit.h"

struct gpu_follow {
  struct unit **units; /* of the GPU, n of them so far */
  unsigned n;
  unsigned block; /* clock edges at a time; 0: none follows */
  struct gpu_threads *threads;
  struct gpu_time *time;
  atomic_bool *trouble; /* set when RTL differs from its reference */
};

/* Reports if units of such a GPU follow: in lockstep, unless something looks at the RTL in every
 * cycle. */
bool follow_wanted(const struct tandem_config *c);

/* The next unit of the GPU: gives it its log, if the GPU's follow and it can.  0 or a negative
 * errno. */
int follow_open(struct gpu_follow *f, struct unit *u, struct tandem_error *err);

/* Returns true if a unit of the GPU follows now. */
bool follow_runs(const struct gpu_follow *f);

/* The clock edge of a unit's RTL, in a cycle of the machine: at once, or later. */
void follow_edge(struct gpu_follow *f, struct unit *u, uint64_t cycle, unsigned thread);

/* The unit's cell has had its cycles of a stretch, and others wait for the thread: the RTL follows
 * through half a block or more, so that stretches take threads the same time. */
void follow_stretch(struct gpu_follow *f, struct unit *u, unsigned thread);

/* A piece of work for threads beside the machine (struct pool_work). */
bool follow_beside(struct gpu_follow *f, unsigned thread);

/* Lets all RTL catch up.  In the serial part of a cycle, or between launches. */
void follow_all(struct gpu_follow *f);

#endif
