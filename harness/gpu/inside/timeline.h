/* A timeline of a run, in the trace format of Chrome, which Perfetto shows (docs/use/inside.md).
 *
 * Tracks have slices, one after the other or one within the other, and belong to groups, which have
 * counters, too.  An event stands at the first cycle at whose beginning it is seen.  The file grows
 * while the run goes on, so that one that is killed leaves a file with all but the last events.
 * A feature adds its own tracks (struct feature_tracks, feature.h). */
#ifndef TANDEM_GPU_TIMELINE_H
#define TANDEM_GPU_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

struct tandem;
struct tandem_error;
struct timeline;

/* ---- for tracks ---- */

/* A new group; a new track of a group. */
unsigned timeline_group(struct timeline *l, const char *name);
unsigned timeline_track(struct timeline *l, unsigned group, const char *name);
/* The group of the GPU; of an SM that CTA dispatch serves. */
unsigned timeline_gpu(const struct timeline *l);
unsigned timeline_sm(const struct timeline *l, unsigned sm);

/* A slice of a track begins, within those that are open; the one that began last ends, if one is
 * open. */
void timeline_begin(struct timeline *l, unsigned track, uint64_t cycle, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void timeline_end(struct timeline *l, unsigned track, uint64_t cycle);
/* A mark at one cycle of a track. */
void timeline_mark(struct timeline *l, unsigned track, uint64_t cycle, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* An arrow from the slice that is open in one track in a cycle to that of another one. */
void timeline_arrow(struct timeline *l, const char *name, unsigned from, uint64_t from_cycle,
                    unsigned to, uint64_t to_cycle);
/* A counter of a group has a value from this cycle on. */
void timeline_count(struct timeline *l, unsigned group, uint64_t cycle, const char *name,
                    uint64_t value);

/* A track that shows one role after the other, each as a slice. */
struct timeline_role {
  unsigned track;
  int shown; /* -1: none yet */
};
/* A new one of an SM that CTA dispatch serves. */
struct timeline_role timeline_role(struct timeline *l, unsigned sm, const char *name);
/* Ends the slice of the role before.  False: this role is shown. */
bool timeline_turn(struct timeline *l, struct timeline_role *r, int role, uint64_t cycle);

/* ---- for the program ---- */

/* Begins a timeline of all launches to come, in a file that ends in .json or .json.gz.  Counters
 * have a value each `every` cycles.  0 or a negative errno; *l is NULL then. */
int timeline_open(struct tandem *t, const char *path, uint32_t every, struct timeline **l,
                  struct tandem_error *err);
/* Ends the timeline and the file.  0 or a negative errno. */
int timeline_finish(struct tandem *t, struct timeline *l, struct tandem_error *err);
void timeline_close(
    struct timeline *l); /* NULL allowed; without timeline_finish the file ends early */

#endif
