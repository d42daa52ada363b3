/* The scheme of a launch: the launch's own, the configuration's, or one that is chosen. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/lanes/lanes.h"
#include "harness/gpu/flex/flex.h"
#include "harness/gpu/results/statistics.h"

struct flex_gpu flex_gpu_of(const struct tandem_config *c) {
  return (struct flex_gpu){.sms = c->sms,
                           .threads = c->sm.threads,
                           .ctas = c->sm.ctas,
                           .registers = c->sm.registers,
                           .shared_bytes = c->sm.shared_bytes,
                           .own_memory = c->feature.flex.memory == FLEX_MEMORY_OWN,
                           .sides = c->feature.flex.placement == FLEX_PLACE_SIDES,
                           .trios = c->feature.flex.size == FLEX_MEMBERS};
}

static struct flex_cta cta_of(const struct grid *g) {
  return (struct flex_cta){
      .threads = g->threads, .registers = grid_registers(g), .shared_bytes = g->shared_bytes};
}

static struct flex_launch launch_of(const struct grid *g) {
  struct flex_launch l = {.cta = cta_of(g), .ctas = g->ctas};
  for (unsigned pc = g->kernel->entry; pc < g->kernel->end; pc++, l.instructions++)
    l.memory += g->uops[pc].pipe == ISA_PIPE_MEM;
  return l;
}

/* ---- choice ---- */

static bool is_of(const struct flex_known *k, const struct grid *g) {
  return k->kernel == g->kernel && k->shared_bytes == g->shared_bytes &&
         memcmp(k->dim, g->dim, sizeof k->dim) == 0 &&
         memcmp(k->block, g->block, sizeof k->block) == 0;
}

static struct flex_known *find_known(const struct flex *f, const struct grid *g) {
  for (size_t i = 0; i < f->nknown; i++)
    if (is_of(&f->known[i], g))
      return &f->known[i];
  return NULL;
}

static struct flex_choice choose(const struct tandem *t, const struct tandem_launch *l,
                                 const struct grid *g) {
  const struct flex_config *c = &t->config.feature.flex;
  const struct flex_gpu gpu = flex_gpu_of(&t->config);
  const enum flex_scheme asked = l->flex != NULL ? (enum flex_scheme)l->flex->scheme : c->scheme;
  if (asked != FLEX_AUTO) {
    struct flex_choice fixed = {.scheme = asked, .own_memory = gpu.own_memory};
    snprintf(fixed.why, sizeof fixed.why, "%s",
             l->flex != NULL ? "the launch says so" : "as configured");
    return fixed;
  }
  const struct flex_launch launch = launch_of(g);
  if (c->choice == FLEX_RULE_STATIC)
    return flex_choose_static(&gpu, &launch);
  const struct flex_known *known = find_known(t->own, g);
  const struct flex_measured *first = known != NULL && known->measured ? &known->is : NULL;
  if (c->choice == FLEX_RULE_FIRST)
    return flex_choose_first(&gpu, &launch, first);
  const struct flex_watts watts = flex_watts_of(&t->config);
  return flex_choose_power(&gpu, &launch, first, &watts);
}

unsigned flex_launch_occupancy(const struct tandem *t, const struct tandem_launch *l,
                               const struct grid *g, struct tandem_error *err) {
  const struct flex_choice choice = choose(t, l, g);
  const unsigned members = t->config.feature.flex.size;
  struct flex_gpu gpu = flex_gpu_of(&t->config);
  const struct flex_cta cta = cta_of(g);
  enum flex_limit limit;
  if (choice.scheme == FLEX_BAL && members < 3) {
    (void)tandem_fail(err, -EINVAL,
                      "kernel %s: scheme bal needs trios, clusters of 6 SMs (flex.size), not of %u",
                      g->kernel->name, members);
    return 0;
  }
  gpu.own_memory = choice.own_memory;
  const unsigned n = flex_occupancy(&gpu, choice.scheme, &cta, &limit);
  if (n == 0) {
    char why[400];
    flex_refusal(&gpu, choice.scheme, &cta, members, why, sizeof why);
    (void)tandem_fail(err, -EINVAL, "kernel %s: %s", g->kernel->name, why);
  }
  return n;
}

/* ---- records ---- */

static bool note_known(struct flex *f, const struct grid *g) {
  struct flex_known *more = realloc(f->known, (f->nknown + 1) * sizeof *more);
  if (more == NULL)
    return false;
  f->known = more;
  more[f->nknown] = (struct flex_known){.kernel = g->kernel, .shared_bytes = g->shared_bytes};
  memcpy(more[f->nknown].dim, g->dim, sizeof g->dim);
  memcpy(more[f->nknown].block, g->block, sizeof g->block);
  f->nknown++;
  return true;
}

static bool same_choice(const struct flex_chosen *c, const struct flex *f, const char *kernel) {
  return strncmp(c->kernel, kernel, sizeof c->kernel - 1) == 0 &&
         c->choice.scheme == f->now.scheme && c->choice.own_memory == f->now.own_memory &&
         strcmp(c->choice.why, f->now.why) == 0;
}

static bool note_chosen(struct flex *f, const char *kernel) {
  size_t i = 0;
  while (i < f->nchosen && !same_choice(&f->chosen[i], f, kernel))
    i++;
  if (i == f->nchosen) {
    struct flex_chosen *more = realloc(f->chosen, (f->nchosen + 1) * sizeof *more);
    if (more == NULL)
      return false;
    f->chosen = more;
    more[f->nchosen] = (struct flex_chosen){.choice = f->now};
    snprintf(more[f->nchosen++].kernel, sizeof more->kernel, "%s", kernel);
  }
  f->chosen[i].launches++;
  return true;
}

/* The counts up to now. */
static struct flex_counts counts(const struct tandem *t) {
  struct gpu_stats s;
  struct energy e;
  gpu_statistics(t, &s);
  features_energy(&t->config, &s, &e);
  return (struct flex_counts){.cycles = t->cycle,
                              .thread_instructions = s.sm.thread_instructions,
                              .time = e.time,
                              .dynamic = e.dynamic_all - e.dynamic_base};
}

int flex_launch_place(struct tandem *t, const struct tandem_launch *l, struct tandem_error *err) {
  struct flex *f = t->own;
  const struct grid *g = &t->launch.grid;
  const struct flex_choice before = f->now;
  f->now = choose(t, l, g);
  f->changes = f->now.scheme != before.scheme || f->now.own_memory != before.own_memory;
  f->open = NULL;
  f->from.cycles = UINT64_MAX; /* not begun */
  if ((find_known(f, g) == NULL && !note_known(f, g)) || !note_chosen(f, g->kernel->name))
    return tandem_fail(err, -ENOMEM, "out of memory");
  if (f->now.scheme == FLEX_BASE && !find_known(f, g)->measured)
    f->open = find_known(f, g);
  return flex_set_shapes(t, err);
}

void flex_launch_measure(struct tandem *t) {
  struct flex *f = t->own;
  if (f->open != NULL)
    f->from = counts(t);
}

/* The launch has ended, or could not begin: then no cycle went by, and it is not measured. */
void flex_launch_drop(struct tandem *t) {
  struct flex *f = t->own;
  flex_usage_end(t);
  if (f->open != NULL && f->from.cycles < t->cycle) {
    const struct flex_counts now = counts(t), from = f->from;
    f->open->is = (struct flex_measured){
        .cycles = now.cycles - from.cycles,
        .thread_instructions = now.thread_instructions - from.thread_instructions,
        .dynamic_w = (now.dynamic - from.dynamic) / (now.time - from.time)};
    f->open->measured = true;
  }
  f->open = NULL;
}
