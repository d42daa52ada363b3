/* The scheme of a launch: the launch's own, or the configuration's. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gpu/flex/flex.h"

struct flex_gpu flex_gpu_of(const struct tandem_config *c) {
  return (struct flex_gpu){.sms = c->sms,
                           .threads = c->sm.threads,
                           .ctas = c->sm.ctas,
                           .registers = c->sm.registers,
                           .shared_bytes = c->sm.shared_bytes,
                           .own_memory = c->feature.flex.memory == FLEX_MEMORY_OWN,
                           .sides = c->feature.flex.placement == FLEX_PLACE_SIDES};
}

static struct flex_cta cta_of(const struct grid *g) {
  return (struct flex_cta){
      .threads = g->threads, .registers = grid_registers(g), .shared_bytes = g->shared_bytes};
}

static enum flex_scheme scheme_of(const struct tandem *t, const struct tandem_launch *l) {
  return l->flex != NULL ? (enum flex_scheme)l->flex->scheme : t->config.feature.flex.scheme;
}

/* Refuses a scheme that a caller of the library has made up, and trios where there are none. */
static int check_scheme(const struct tandem *t, enum flex_scheme scheme, const struct grid *g,
                        struct tandem_error *err) {
  const unsigned members = t->config.feature.flex.size;
  if ((unsigned)scheme > FLEX_BAL)
    return tandem_fail(err, -EINVAL, "kernel %s: there is no scheme %u", g->kernel->name,
                       (unsigned)scheme);
  if (scheme == FLEX_BAL && members < 3)
    return tandem_fail(err, -EINVAL,
                       "kernel %s: scheme bal needs trios, clusters of 6 SMs (flex.size), not of "
                       "%u",
                       g->kernel->name, members);
  return 0;
}

unsigned flex_launch_occupancy(const struct tandem *t, const struct tandem_launch *l,
                               const struct grid *g, struct tandem_error *err) {
  const enum flex_scheme scheme = scheme_of(t, l);
  const struct flex_gpu gpu = flex_gpu_of(&t->config);
  const struct flex_cta cta = cta_of(g);
  enum flex_limit limit;
  if (check_scheme(t, scheme, g, err) != 0)
    return 0;
  const unsigned n = flex_occupancy(&gpu, scheme, &cta, &limit);
  if (n == 0) {
    char why[400];
    flex_refusal(&gpu, scheme, &cta, t->config.feature.flex.size, why, sizeof why);
    (void)tandem_fail(err, -EINVAL, "kernel %s: %s", g->kernel->name, why);
  }
  return n;
}

/* Counts the launch with those of its kernel that had the same scheme.  False: out of memory. */
static bool note_chosen(struct flex *f, const char *kernel, bool own) {
  size_t i = 0;
  while (i < f->nchosen &&
         (strncmp(f->chosen[i].kernel, kernel, sizeof f->chosen[i].kernel - 1) != 0 ||
          f->chosen[i].scheme != f->now || f->chosen[i].own != own))
    i++;
  if (i == f->nchosen) {
    struct flex_chosen *more = realloc(f->chosen, (f->nchosen + 1) * sizeof *more);
    if (more == NULL)
      return false;
    f->chosen = more;
    more[i] = (struct flex_chosen){.scheme = f->now, .own = own};
    snprintf(more[i].kernel, sizeof more[i].kernel, "%s", kernel);
    f->nchosen++;
  }
  f->chosen[i].launches++;
  return true;
}

int flex_launch_place(struct tandem *t, const struct tandem_launch *l, struct tandem_error *err) {
  struct flex *f = t->own;
  const enum flex_scheme before = f->now;
  f->now = scheme_of(t, l);
  f->changes = f->now != before;
  if (!note_chosen(f, t->launch.grid.kernel->name, l->flex != NULL))
    return tandem_fail(err, -ENOMEM, "out of memory");
  return flex_set_shapes(t, err);
}
