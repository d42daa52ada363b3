/* Units: open, close, and the functions of a cycle. */
#include "harness/unit/unit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/netlist.h"
#include "harness/unit/compare.h"
#include "harness/unit/log.h"

uint64_t unit_ticks(void) {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_ia32_rdtsc();
#else
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
#endif
}

/* Memory of whole cache lines, all 0. */
static void *lines(size_t bytes) {
  const size_t whole = (bytes + 63) & ~(size_t)63;
  void *p = aligned_alloc(64, whole);
  if (p != NULL)
    memset(p, 0, whole);
  return p;
}

/* The model that is asked for; its parameters are text of the caller. */
static struct rtl_spec spec_of(const struct unit_request *r, const struct unit_settings *c) {
  const struct tandem_instead *instead = c->instead;
  const bool full = r->bug != 0 || r->traced || c->assertions;
  struct rtl_spec s = {.unit = r->type->name,
                       .parameters = r->parameters,
                       .kind = full ? RTL_FULL : RTL_PLAIN,
                       .rtl = c->rtl};
  if (instead != NULL && strcmp(instead->unit, s.unit) == 0 &&
      (instead->parameters == NULL || strcmp(instead->parameters, s.parameters) == 0)) {
    s.kind = instead->kind;
    s.files = instead->files;
  }
  return s;
}

static int create_rtl(struct unit *u, const struct rtl_type *type, struct tandem_error *err) {
  u->rtl = rtl_create(type, u->seed);
  rtl_assert_on(u->rtl, u->assertions);
  u->opaque = u->spec.kind == RTL_NETLIST;
  if (u->bug != 0 && rtl_bug(u->rtl, u->bug) != 0)
    return tandem_fail(err, -EINVAL, "the %s model of %s has no faults",
                       rtl_kind_names[u->spec.kind], u->type->name);
  return 0;
}

static bool same_spec(const struct rtl_spec *a, const struct rtl_spec *b) {
  return a->kind == b->kind && strcmp(a->unit, b->unit) == 0 &&
         strcmp(a->parameters, b->parameters) == 0;
}

int units_load(struct unit *const *units, unsigned n, const struct tandem_instead *instead,
               struct tandem_error *err) {
  struct rtl_spec *specs = calloc(n + 1, sizeof *specs);
  const struct rtl_type **types = calloc(n + 1, sizeof *types);
  unsigned *which = calloc(n + 1, sizeof *which), kinds = 0;
  int status = specs == NULL || types == NULL || which == NULL
                   ? tandem_fail(err, -ENOMEM, "out of memory for models")
                   : 0;
  for (unsigned i = 0; status == 0 && i < n; i++) {
    if (units[i]->engine == TANDEM_ENGINE_REF || units[i]->rtl != NULL)
      continue;
    for (which[i] = 0; which[i] < kinds && !same_spec(&specs[which[i]], &units[i]->spec);)
      which[i]++;
    if (which[i] == kinds)
      specs[kinds++] = units[i]->spec;
  }
  bool found = instead == NULL || instead->parameters != NULL;
  for (unsigned i = 0; i < kinds && !found; i++)
    found = strcmp(specs[i].unit, instead->unit) == 0;
  if (status == 0 && !found)
    status = tandem_fail(err, -EINVAL, "this GPU has no unit %s to be replaced", instead->unit);
  if (status == 0)
    status = models_get_all(specs, kinds, types, err);
  for (unsigned i = 0; status == 0 && i < n; i++)
    if (units[i]->engine != TANDEM_ENGINE_REF && units[i]->rtl == NULL)
      status = create_rtl(units[i], types[which[i]], err);
  free(specs);
  free(types);
  free(which);
  return status;
}

static int open_memory(struct unit *u, struct tandem_error *err) {
  const struct unit_type *t = u->type;
  bool good = true;
  for (unsigned i = 0; i < unit_states(u); i++) {
    u->state[i].rtl = calloc(1, t->view_bytes);
    u->state[i].ref = calloc(1, t->view_bytes);
    good = good && u->state[i].rtl != NULL && u->state[i].ref != NULL;
  }
  for (unsigned i = 0; i < t->nrows; i++) {
    u->compared[i] = calloc(t->rows[i].ports->outs + 1, sizeof *u->compared[i]);
    good = good && u->compared[i] != NULL;
  }
  u->compared_state = calloc(ports_part_lines(t->parts, t->nparts) + 1, sizeof *u->compared_state);
  u->in = lines(t->in_bytes);
  u->out = lines(t->out_bytes);
  u->room = lines(t->out_bytes);
  if (!good || u->compared_state == NULL || u->in == NULL || u->out == NULL || u->room == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory for a %s", t->name);
  u->ref_out = u->room;
  return 0;
}

struct unit *unit_open(const struct unit_request *r, const struct unit_settings *c,
                       struct tandem_error *err) {
  struct unit *u = lines(sizeof *u);
  if (u == NULL) {
    tandem_fail(err, -ENOMEM, "out of memory for a %s", r->type->name);
    return NULL;
  }
  u->type = r->type;
  u->first = r->first;
  u->sms = r->sms;
  u->engine = c->engine;
  u->compare = c->compare && c->engine == TANDEM_ENGINE_LOCKSTEP;
  u->assertions = c->assertions;
  u->interval = c->state_interval;
  u->core_mhz = c->core_mhz;
  u->fresh = true;
  for (unsigned i = 0; i < r->sms; i++) { /* not all in one cycle */
    u->state[i].left = (uint32_t)((uint64_t)((r->first + i) % c->sms) * c->state_interval / c->sms);
    u->state[i].due = true;
  }
  int status = open_memory(u, err);
  u->spec = spec_of(r, c);
  u->spec.parameters = u->parameters;
  snprintf(u->parameters, sizeof u->parameters, "%s", r->parameters);
  u->bug = r->bug;
  u->seed = r->seed;
  if (status == 0 && r->opaque && c->engine != TANDEM_ENGINE_REF) {
    u->opaque = true;
    u->rtl = c->netlist->open(c->netlist->user, c->netlist_seed);
    if (u->rtl == NULL)
      status = tandem_fail(err, -ENOMEM, "cannot create the netlist of %s", r->type->name);
  }
  if (status == 0 && c->engine != TANDEM_ENGINE_RTL &&
      (u->ref = r->type->ref.create(r->numbers)) == NULL)
    status = tandem_fail(err, -ENOMEM, "cannot create the reference of a %s", r->type->name);
  if (status == 0)
    return u;
  unit_close(u);
  return NULL;
}

void unit_close(struct unit *u) {
  if (u == NULL)
    return;
  rtl_destroy(u->rtl);
  unit_log_close(u->log);
  if (u->ref != NULL)
    u->type->ref.destroy(u->ref);
  for (unsigned i = 0; i < UNIT_SMS; i++)
    free(u->state[i].rtl), free(u->state[i].ref);
  for (unsigned i = 0; i < UNIT_ROWS; i++)
    free(u->compared[i]);
  free(u->compared_state);
  free(u->in), free(u->out), free(u->room);
  for (unsigned i = 0; u->history != NULL && i < UNIT_HISTORY; i++)
    free(u->history->ring[i].in);
  free(u->history);
  free(u);
}

/* The outputs of the reference alone, for the machine. */
static void ref_out(struct unit *u, uint64_t *ticks) {
  uint64_t last = ticks != NULL ? unit_ticks() : 0;
  const void *out = u->type->ref.out(u->ref, u->in, u->out);
  if (out != u->out)
    memcpy(u->out, out, u->type->out_bytes);
  unit_lap(ticks, TANDEM_WALL_REF, &last);
}

void unit_out(struct unit *u, uint64_t *ticks) {
  u->fresh = false;
  if (u->engine == TANDEM_ENGINE_REF || u->follows) {
    ref_out(u, ticks);
    return;
  }
  uint64_t last = ticks != NULL ? unit_ticks() : 0;
  if (u->type->combinational)
    rtl_eval(u->rtl, u->in, u->out);
  else
    rtl_out(u->rtl, u->out);
  unit_lap(ticks, TANDEM_WALL_RTL, &last);
  if (u->engine == TANDEM_ENGINE_LOCKSTEP) {
    u->ref_out = u->type->ref.out(u->ref, u->in, u->room);
    unit_lap(ticks, TANDEM_WALL_REF, &last);
  }
}

void unit_step_ref(struct unit *u, uint64_t *ticks) {
  uint64_t last = ticks != NULL ? unit_ticks() : 0;
  if (u->engine != TANDEM_ENGINE_RTL) {
    u->type->ref.step(u->ref, u->in);
    unit_lap(ticks, TANDEM_WALL_REF, &last);
  }
  u->fresh = true;
  for (unsigned i = 0; i < unit_states(u); i++)
    u->state[i].due = true;
}

bool unit_clock_rtl(struct unit *u, const void *in, uint64_t cycle) {
  rtl_step(u->rtl, in);
  if (rtl_assertions(u->rtl, NULL) == 0 || u->failure.kind != FAIL_NONE)
    return true;
  u->failure =
      (struct failure){.kind = FAIL_ASSERT, .unit = u->index, .sm = u->first, .cycle = cycle};
  return false;
}

bool unit_step_rtl(struct unit *u, uint64_t cycle, uint64_t *ticks) {
  if (u->engine == TANDEM_ENGINE_REF)
    return true;
  if (u->follows) {
    unit_log_edge(u, cycle, ticks);
    return true;
  }
  uint64_t last = ticks != NULL ? unit_ticks() : 0;
  if (u->trace_open)
    rtl_trace_time(u->rtl, cycle * 1000000 / u->core_mhz, 1000000 / u->core_mhz);
  const bool good = unit_clock_rtl(u, u->in, cycle);
  unit_lap(ticks, TANDEM_WALL_RTL, &last);
  return good;
}

bool unit_view(const struct unit *u, unsigned sm, void *view) {
  if (u->ref != NULL)
    return u->type->ref.view(u->ref, sm, view);
  rtl_view(u->rtl, sm, view);
  return true;
}

int unit_watch(struct unit *u, uint64_t views_from, struct tandem_error *err) {
  const struct unit_type *t = u->type;
  u->history = calloc(1, sizeof *u->history);
  for (unsigned i = 0; u->history != NULL && i < UNIT_HISTORY; i++) {
    struct unit_record *r = &u->history->ring[i];
    r->in = malloc(t->in_bytes + 2 * t->out_bytes);
    if (r->in == NULL)
      return tandem_fail(err, -ENOMEM, "out of memory for a history");
    r->rtl = (char *)r->in + t->in_bytes;
    r->ref = (char *)r->rtl + t->out_bytes;
  }
  if (u->history == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory for a history");
  u->watched = true;
  u->views_from = views_from;
  return 0;
}

void unit_record(struct unit *u, uint64_t cycle, bool stepped) {
  struct unit_record *r = &u->history->ring[u->history->filled++ % UNIT_HISTORY];
  r->cycle = cycle;
  r->stepped = stepped;
  memcpy(r->in, u->in, u->type->in_bytes);
  memcpy(r->rtl, u->out, u->type->out_bytes);
  memcpy(r->ref, u->ref_out, u->type->out_bytes);
}
