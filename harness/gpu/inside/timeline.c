/* A timeline of a run: launches, CTAs with their barriers, and counters.  Before each cycle it
 * looks at the machine, between cycles; features look at their own. */
#include "harness/gpu/inside/timeline.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include "csim/mem/look.h"
#include "csim/sm/look.h"
#include "harness/gpu/feature.h"
#include "harness/gpu/gpu.h"
#include "harness/gpu/inside/trace_file.h"

enum { SLOTS = 8, NAME = 160, BLOCK_CYCLES = 1 << 14 /* the file is written at least so often */ };

struct of_track {
  struct trace_place place;
  unsigned open; /* slices */
};

/* A CTA slot of an SM. */
struct of_slot {
  unsigned track; /* 0: none yet */
  bool taken, at_barrier;
  uint32_t ctaid[3], barrier;
};

struct of_sm {
  unsigned group;
  struct sm_progress progress;
  uint64_t issued;
  struct of_slot slot[SLOTS];
};

/* The last value of a counter, by its place in the file. */
struct of_counter {
  const char *name;
  unsigned group;
  uint64_t value;
};

struct timeline {
  struct trace_file file;
  unsigned groups;
  struct of_track *track; /* by number, from 1 */
  unsigned tracks, room;
  unsigned gpu, launches; /* the group of the GPU, the track of launches */
  struct of_sm sm[GPU_ALL];
  struct mem_stats mem;  /* at the last value of the counters */
  uint64_t launch;       /* number of the launch that is open, plus one; 0: none */
  uint32_t every;        /* cycles between values of counters */
  uint64_t due, written; /* cycle of the next value; of the last block */
  struct of_counter *counter;
  size_t counters, last; /* last: that was looked for */
  const struct feature_tracks *tracks_of;
  void *own; /* theirs */
  bool failed;
};

/* ---- events ---- */

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
    struct of_track *more = realloc(l->track, room * sizeof *more);
    l->failed = l->failed || more == NULL;
    if (more == NULL)
      return 0;
    l->track = more;
    l->room = room;
  }
  const unsigned track = ++l->tracks;
  l->track[track] = (struct of_track){.place = {group, track}};
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
static struct of_counter *find_counter(struct timeline *l, unsigned group, const char *name) {
  for (size_t n = 0; n < l->counters; n++) { /* they come in the same order again */
    l->last = l->last + 1 < l->counters ? l->last + 1 : 0;
    if (l->counter[l->last].group == group && l->counter[l->last].name == name)
      return &l->counter[l->last];
  }
  struct of_counter *more = realloc(l->counter, (l->counters + 1) * sizeof *more);
  l->failed = l->failed || more == NULL;
  if (more == NULL)
    return NULL;
  l->counter = more;
  more[l->counters] = (struct of_counter){.name = name, .group = group};
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
  struct of_counter *c = find_counter(l, group, name);
  if (c == NULL || c->value == value)
    return;
  c->value = value;
  put_count(l, group, cycle, name, value);
}

/* Puts what was counted in an interval: each value but 0 is there, so that their sum is the
 * count. */
static void count_more(struct timeline *l, unsigned group, uint64_t from, const char *name,
                       uint64_t more) {
  struct of_counter *c = find_counter(l, group, name);
  if (c == NULL || (more == 0 && c->value == 0))
    return;
  c->value = more;
  put_count(l, group, from, name, more);
}

/* ---- CTAs ---- */

/* The slices of a slot end, with that of the CTA. */
static void leave(struct timeline *l, struct of_slot *s, uint64_t cycle) {
  if (s->at_barrier)
    timeline_end(l, s->track, cycle);
  if (s->taken)
    timeline_end(l, s->track, cycle);
  s->taken = s->at_barrier = false;
  s->barrier = 0;
}

static void enter(struct timeline *l, struct of_slot *s, unsigned group, unsigned slot,
                  const struct sm_cta_look *cta, uint64_t cycle) {
  char name[32];
  if (s->track == 0) {
    snprintf(name, sizeof name, "CTA slot %u", slot);
    s->track = timeline_track(l, group, name);
  }
  s->taken = true;
  memcpy(s->ctaid, cta->ctaid, sizeof s->ctaid);
  timeline_begin(l, s->track, cycle, "CTA (%u, %u, %u)", cta->ctaid[0], cta->ctaid[1],
                 cta->ctaid[2]);
}

/* A barrier's slice lasts from its first warp to its last one. */
static void look_at_barrier(struct timeline *l, struct of_slot *s, const struct sm_cta_look *cta,
                            uint64_t cycle) {
  const bool new = cta->barrier != s->barrier;
  if (s->at_barrier && (new || cta->missing == 0)) {
    timeline_end(l, s->track, cycle);
    s->at_barrier = false;
  }
  if (!new)
    return;
  s->barrier = cta->barrier;
  timeline_begin(l, s->track, cycle, "barrier %u", cta->barrier);
  s->at_barrier = cta->missing != 0;
  if (!s->at_barrier)
    timeline_end(l, s->track, cycle);
}

static void look_at_slots(struct timeline *l, const struct sm *sm, struct of_sm *o, bool new,
                          uint64_t cycle) {
  for (unsigned i = 0; i < SLOTS; i++) {
    struct of_slot *s = &o->slot[i];
    struct sm_cta_look cta;
    const bool there = sm_cta_look(sm, i, &cta);
    if (s->taken && (!there || (new &&memcmp(s->ctaid, cta.ctaid, sizeof s->ctaid) != 0)))
      leave(l, s, cycle);
    if (there && !s->taken)
      enter(l, s, o->group, i, &cta, cycle);
    if (there)
      look_at_barrier(l, s, &cta, cycle);
  }
}

static bool same(const struct sm_progress *a, const struct sm_progress *b) {
  return a->resident == b->resident && a->live == b->live && a->ctas == b->ctas &&
         a->barriers == b->barriers;
}

static void look_at_sms(const struct tandem *t, struct timeline *l) {
  for (unsigned i = 0; i < t->nsms; i++) {
    const struct sm_progress now = sm_progress(t->sms[i].sm);
    struct of_sm *o = &l->sm[i];
    if (same(&now, &o->progress))
      continue;
    if (o->group == 0) {
      char name[GPU_SM_NAME];
      gpu_sm_name(t, i, name);
      o->group = timeline_group(l, name);
    }
    look_at_slots(l, t->sms[i].sm, o, now.ctas != o->progress.ctas, t->cycle);
    o->progress = now;
  }
}

/* ---- counters ---- */

/* Puts the counts of the interval that ends. */
static void count_interval(const struct tandem *t, struct timeline *l, uint64_t from) {
  struct mem_stats mem;
  gpu_mem_stats(t->mem, &mem);
  for (unsigned i = 0; i < t->nsms; i++) {
    struct of_sm *o = &l->sm[i];
    const uint64_t issued = sm_issued(t->sms[i].sm);
    if (o->group != 0)
      count_more(l, o->group, from, "warp instructions", issued - o->issued);
    o->issued = issued;
  }
  count_more(l, l->gpu, from, "DRAM reads", mem.dram_reads - l->mem.dram_reads);
  count_more(l, l->gpu, from, "DRAM writes", mem.dram_writes - l->mem.dram_writes);
  count_more(l, l->gpu, from, "DRAM bus, busy cycles", mem.dram_busy - l->mem.dram_busy);
  count_more(l, l->gpu, from, "crossbar flits", mem.xbar_flits - l->mem.xbar_flits);
  l->mem = mem;
}

/* Levels at the beginning of an interval. */
static void count_levels(const struct tandem *t, struct timeline *l) {
  for (unsigned i = 0; i < t->nsms; i++) {
    if (l->sm[i].group == 0)
      continue;
    timeline_count(l, l->sm[i].group, t->cycle, "live warps", l->sm[i].progress.live);
    timeline_count(l, l->sm[i].group, t->cycle, "L1D miss registers", sm_mem_misses(t->sms[i].mem));
  }
  timeline_count(l, l->gpu, t->cycle, "L2 miss registers", gpu_mem_misses(t->mem));
}

static void look_at_counters(const struct tandem *t, struct timeline *l, bool last) {
  if (t->cycle < l->due && !last)
    return;
  count_interval(t, l, l->due >= l->every ? l->due - l->every : 0);
  count_levels(t, l);
  l->due = t->cycle + l->every;
}

/* ---- launches ---- */

static void end_launch(const struct tandem *t, struct timeline *l) {
  if (l->launch != 0)
    timeline_end(l, l->launches, t->cycle);
  l->launch = 0;
}

static void look_at_launch(const struct tandem *t, struct timeline *l) {
  if (l->launch == t->launch.count + 1)
    return;
  end_launch(t, l);
  l->launch = t->launch.count + 1;
  timeline_begin(l, l->launches, t->cycle, "%s", t->launch.grid.kernel->name);
}

static int look(struct tandem *t, void *own, struct tandem_error *err) {
  struct timeline *l = own;
  look_at_launch(t, l);
  look_at_sms(t, l);
  if (l->tracks_of != NULL && l->own != NULL)
    l->tracks_of->look(t, l, l->own);
  look_at_counters(t, l, false);
  if (l->failed)
    return tandem_fail(err, -ENOMEM, "out of memory for a timeline");
  const bool long_ago = t->cycle >= l->written + BLOCK_CYCLES;
  if (long_ago)
    l->written = t->cycle;
  return trace_file_flush(&l->file, long_ago, err);
}

/* ---- */

/* The tracks of the feature whose machine it is. */
static void open_feature(struct tandem *t, struct timeline *l) {
  for (size_t i = 0; i < features_count; i++)
    if (features[i]->machine == t->machine && features[i]->tracks.look != NULL)
      l->tracks_of = &features[i]->tracks;
  if (l->tracks_of == NULL)
    return;
  l->own = l->tracks_of->open(t, l);
  l->failed = l->own == NULL;
}

int timeline_open(struct tandem *t, const char *path, uint32_t every, struct timeline **out,
                  struct tandem_error *err) {
  struct timeline *l = calloc(1, sizeof *l);
  *out = NULL;
  if (l == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory for a timeline");
  l->every = every;
  const int status = trace_file_open(&l->file, path, err);
  if (status != 0) {
    free(l);
    return status;
  }
  gpu_mem_stats(t->mem, &l->mem);
  l->due = t->cycle + every;
  l->gpu = timeline_group(l, "GPU");
  l->launches = timeline_track(l, l->gpu, "launches");
  for (unsigned i = 0; i < t->config.sms; i++) {
    char name[GPU_SM_NAME];
    gpu_sm_name(t, i, name);
    l->sm[i].group = timeline_group(l, name);
  }
  open_feature(t, l);
  if (!l->failed && gpu_observe(t, look, l)) {
    *out = l;
    return 0;
  }
  timeline_close(l);
  return tandem_fail(err, -ENOMEM, "out of memory for a timeline");
}

int timeline_finish(struct tandem *t, struct timeline *l, struct tandem_error *err) {
  look_at_sms(t, l);
  if (l->own != NULL)
    l->tracks_of->look(t, l, l->own);
  look_at_counters(t, l, true);
  for (unsigned i = l->tracks; i > 0; i--) /* of a run that has failed */
    while (i != l->launches && l->track[i].open != 0)
      timeline_end(l, i, t->cycle);
  end_launch(t, l);
  return trace_file_finish(&l->file, err);
}

void timeline_close(struct timeline *l) {
  if (l == NULL)
    return;
  if (l->own != NULL)
    l->tracks_of->close(l->own);
  trace_file_close(&l->file);
  free(l->counter);
  free(l->track);
  free(l);
}
