/* The state of a timeline, as timeline.c and timeline_events.c share it. */
#ifndef TANDEM_GPU_TIMELINE_RECORD_H
#define TANDEM_GPU_TIMELINE_RECORD_H

#include "csim/mem/mem.h"
#include "csim/sm/look.h"
#include "harness/gpu/core/gpu.h"
#include "harness/gpu/feature.h"
#include "harness/gpu/inside/timeline.h"
#include "harness/gpu/inside/trace_file.h"

enum { TIMELINE_SLOTS = 8 };

struct timeline_track {
  struct trace_place place;
  unsigned open; /* slices */
};

/* A CTA slot of an SM. */
struct timeline_slot {
  unsigned track; /* 0: none yet */
  bool taken, at_barrier;
  uint32_t ctaid[3], barrier;
};

struct timeline_sm {
  unsigned group;
  struct sm_progress progress;
  uint64_t issued;
  struct timeline_slot slot[TIMELINE_SLOTS];
};

/* The last value of a counter, by its place in the file. */
struct timeline_counter {
  const char *name;
  unsigned group;
  uint64_t value;
};

struct timeline {
  struct trace_file file;
  unsigned groups;
  struct timeline_track *track; /* by number, from 1 */
  unsigned tracks, room;
  unsigned gpu, launches; /* the group of the GPU, the track of launches */
  struct timeline_sm sm[GPU_ALL];
  struct mem_stats mem;  /* at the last value of the counters */
  uint64_t launch;       /* number of the launch that is open, plus one; 0: none */
  uint32_t every;        /* cycles between values of counters */
  uint64_t due, written; /* cycle of the next value; of the last block */
  struct timeline_counter *counter;
  size_t counters, last; /* last: that was looked for */
  const struct feature_tracks *tracks_of;
  void *own; /* theirs */
  bool failed;
};

/* Puts what was counted in an interval that began in cycle `from`: each value but 0 is there, so
 * that their sum is the count. */
void timeline_count_more(struct timeline *l, unsigned group, uint64_t from, const char *name,
                         uint64_t more);

#endif
