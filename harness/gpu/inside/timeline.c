/* A timeline of a run: launches, CTAs with their barriers, and counters.  Before each cycle it
 * looks at the machine, between cycles; features look at their own. */
#include "harness/gpu/inside/timeline.h"

#include <errno.h>
#include <stdlib.h>

#include "csim/mem/look.h"
#include "csim/sm/look.h"
#include "harness/gpu/core/gpu.h"
#include "harness/gpu/core/machine.h"
#include "harness/gpu/core/open.h"
#include "harness/gpu/feature.h"
#include "harness/gpu/inside/timeline_record.h"

enum { BLOCK_CYCLES = 1 << 14 /* the file is written at least so often */ };

/* ---- CTAs ---- */

/* The slices of a slot end, with that of the CTA. */
static void leave(struct timeline *l, struct timeline_slot *s, uint64_t cycle) {
  if (s->at_barrier)
    timeline_end(l, s->track, cycle);
  if (s->taken)
    timeline_end(l, s->track, cycle);
  s->taken = s->at_barrier = false;
  s->barrier = 0;
}

static void enter(struct timeline *l, struct timeline_slot *s, unsigned group, unsigned slot,
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
static void look_at_barrier(struct timeline *l, struct timeline_slot *s,
                            const struct sm_cta_look *cta, uint64_t cycle) {
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

static void look_at_slots(struct timeline *l, const struct sm *sm, struct timeline_sm *o, bool new,
                          uint64_t cycle) {
  for (unsigned i = 0; i < TIMELINE_SLOTS; i++) {
    struct timeline_slot *s = &o->slot[i];
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
    struct timeline_sm *o = &l->sm[i];
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
    struct timeline_sm *o = &l->sm[i];
    const uint64_t issued = sm_issued(t->sms[i].sm);
    if (o->group != 0)
      timeline_count_more(l, o->group, from, "warp instructions", issued - o->issued);
    o->issued = issued;
  }
  timeline_count_more(l, l->gpu, from, "DRAM reads", mem.dram_reads - l->mem.dram_reads);
  timeline_count_more(l, l->gpu, from, "DRAM writes", mem.dram_writes - l->mem.dram_writes);
  timeline_count_more(l, l->gpu, from, "DRAM bus, busy cycles", mem.dram_busy - l->mem.dram_busy);
  timeline_count_more(l, l->gpu, from, "crossbar flits", mem.xbar_flits - l->mem.xbar_flits);
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
