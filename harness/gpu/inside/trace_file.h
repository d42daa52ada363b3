/* The file of a timeline: events of Chrome's trace format, a list in JSON. */
#ifndef TANDEM_GPU_TRACE_FILE_H
#define TANDEM_GPU_TRACE_FILE_H

#include <stdint.h>
#include <stdio.h>

#include "csim/util/output.h"

struct trace_file {
  struct output_claim claim;
  FILE *out;   /* NULL: not begun */
  FILE *block; /* events that are not in the file yet */
  char *text;
  size_t size;
  uint64_t arrows;
  bool compressed, failed;
};

/* Where an event is: group and track, from 1; 0: none. */
struct trace_place {
  unsigned group, track;
};

/* Claims the file's name.  0 or a negative errno. */
int trace_file_open(struct trace_file *f, const char *path, struct tandem_error *err);
/* Writes the events so far, if they are many, or in any case.  0 or a negative errno. */
int trace_file_flush(struct trace_file *f, bool all, struct tandem_error *err);
/* Ends the list.  0 or a negative errno. */
int trace_file_finish(struct trace_file *f, struct tandem_error *err);
void trace_file_close(struct trace_file *f);

/* Events by the letters of the format: B, E, i, C, s, f, M.  `value` is of a counter, `text` the
 * name of a group or track (M), `id` of an arrow. */
struct trace_event {
  char phase;
  struct trace_place place;
  uint64_t cycle, value, id;
  const char *name, *text;
};
void trace_file_put(struct trace_file *f, const struct trace_event *e);

#endif
