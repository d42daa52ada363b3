/* Events of a timeline: groups, tracks, slices, arrows and values of counters. */
#include <stdarg.h>
#include <stdlib.h>

#include "harness/gpu/inside/timeline_record.h"

enum { NAME = 160 };

unsigned timeline_group(struct timeline *l, const char *name) {
  const unsigned group = ++l->groups;
  trace_file_put(&l->file,
                 &(struct trace_event){
                     .phase = 'M', .place = {group, 0}, .name = "process_name", .text = name});
  return group;
}

unsigned timeline_track(struct timeline *l, unsigned group, const char *name) {
  if (l->tracks + 1 >= l->room) {
    const unsigned room = l->room != 0 ? 2 * l->room : 64;
    struct timeline_track *more = realloc(l->track, room * sizeof *more);
    l->failed = l->failed || more == NULL;
    if (more == NULL)
      return 0;
    l->track = more;
    l->room = room;
  }
  const unsigned track = ++l->tracks;
  l->track[track] = (struct timeline_track){.place = {group, track}};
  trace_file_put(&l->file, &(struct trace_event){.phase = 'M',
                                                 .place = l->track[track].place,
                                                 .name = "thread_name",
                                                 .text = name});
  return track;
}

unsigned timeline_gpu(const struct timeline *l) { return l->gpu; }

unsigned timeline_sm(const struct timeline *l, unsigned sm) { return l->sm[sm].group; }

static void put_named(struct timeline *l, char phase, unsigned track, uint64_t cycle,
                      const char *format, va_list args) {
  char name[NAME];
  vsnprintf(name, sizeof name, format, args);
  trace_file_put(&l->file,
                 &(struct trace_event){
                     .phase = phase, .place = l->track[track].place, .cycle = cycle, .name = name});
}

void timeline_begin(struct timeline *l, unsigned track, uint64_t cycle, const char *format, ...) {
  va_list args;
  if (track == 0)
    return;
  va_start(args, format);
  put_named(l, 'B', track, cycle, format, args);
  va_end(args);
  l->track[track].open++;
}

void timeline_end(struct timeline *l, unsigned track, uint64_t cycle) {
  if (track == 0 || l->track[track].open == 0)
    return;
  l->track[track].open--;
  trace_file_put(&l->file, &(struct trace_event){
                               .phase = 'E', .place = l->track[track].place, .cycle = cycle});
}

void timeline_mark(struct timeline *l, unsigned track, uint64_t cycle, const char *format, ...) {
  va_list args;
  if (track == 0)
    return;
  va_start(args, format);
  put_named(l, 'i', track, cycle, format, args);
  va_end(args);
}

void timeline_arrow(struct timeline *l, const char *name, unsigned from, uint64_t from_cycle,
                    unsigned to, uint64_t to_cycle) {
  if (from == 0 || to == 0)
    return;
  struct trace_event e = {.phase = 's',
                          .place = l->track[from].place,
                          .cycle = from_cycle,
                          .id = ++l->file.arrows,
                          .name = name};
  trace_file_put(&l->file, &e);
  e.phase = 'f';
  e.place = l->track[to].place;
  e.cycle = to_cycle;
  trace_file_put(&l->file, &e);
}

/* Finds or adds a counter. */
static struct timeline_counter *find_counter(struct timeline *l, unsigned group, const char *name) {
  for (size_t n = 0; n < l->counters; n++) { /* they come in the same order again */
    l->last = l->last + 1 < l->counters ? l->last + 1 : 0;
    if (l->counter[l->last].group == group && l->counter[l->last].name == name)
      return &l->counter[l->last];
  }
  struct timeline_counter *more = realloc(l->counter, (l->counters + 1) * sizeof *more);
  l->failed = l->failed || more == NULL;
  if (more == NULL)
    return NULL;
  l->counter = more;
  more[l->counters] = (struct timeline_counter){.name = name, .group = group};
  l->last = l->counters;
  return &more[l->counters++];
}

static void put_count(struct timeline *l, unsigned group, uint64_t cycle, const char *name,
                      uint64_t value) {
  trace_file_put(
      &l->file,
      &(struct trace_event){
          .phase = 'C', .place = {group, 0}, .cycle = cycle, .name = name, .value = value});
}

/* A value that stays is not repeated. */
void timeline_count(struct timeline *l, unsigned group, uint64_t cycle, const char *name,
                    uint64_t value) {
  struct timeline_counter *c = find_counter(l, group, name);
  if (c == NULL || c->value == value)
    return;
  c->value = value;
  put_count(l, group, cycle, name, value);
}

void timeline_count_more(struct timeline *l, unsigned group, uint64_t from, const char *name,
                         uint64_t more) {
  struct timeline_counter *c = find_counter(l, group, name);
  if (c == NULL || (more == 0 && c->value == 0))
    return;
  c->value = more;
  put_count(l, group, from, name, more);
}

struct timeline_role timeline_role(struct timeline *l, unsigned sm, const char *name) {
  return (struct timeline_role){timeline_track(l, timeline_sm(l, sm), name), -1};
}

bool timeline_turn(struct timeline *l, struct timeline_role *r, int role, uint64_t cycle) {
  if (role == r->shown)
    return false;
  timeline_end(l, r->track, cycle);
  r->shown = role;
  return true;
}
