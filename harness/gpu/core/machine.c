/* The machines and the units that every GPU has; what all machines make alike. */
#include "harness/gpu/core/machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gpu/core/gpu.h"
#include "harness/gpu/faults.h"
#include "harness/gpu/feature.h"

static const struct gpu_unit *const gpu_units[] = {
#define GPU_UNIT(name) &gpu_unit_##name,
#include "harness/gpu/core/gpu_units.def"
};
enum { GPU_UNITS = sizeof gpu_units / sizeof gpu_units[0] };

const struct machine *machine_of(const struct tandem_config *c) {
  for (size_t i = 0; i < features_count; i++)
    if (features[i]->machine != NULL && features[i]->machine->shape.wanted(c))
      return features[i]->machine;
  return &machine_sms;
}

unsigned machine_cell_sms(const struct tandem_config *c) {
  return machine_of(c)->shape.cell_sms(c);
}

unsigned machine_all_sms(const struct tandem_config *c) {
  const struct machine *m = machine_of(c);
  return c->sms + (m->shape.more_sms != NULL ? m->shape.more_sms(c) : 0);
}

/* "buddy.size": the key that asks for a feature. */
static void key_of(const struct feature *f, char *name, size_t size) {
  const struct config_key *k = &f->keys[0];
  snprintf(name, size, "%s%s%s", k->section, *k->section != '\0' ? "." : "", k->name);
}

/* A GPU is one machine. */
static int check_single(const struct tandem_config *c, struct tandem_error *err) {
  const struct feature *first = NULL;
  for (size_t i = 0; i < features_count; i++) {
    const struct feature *f = features[i];
    char names[2][64];
    if (f->machine == NULL || !f->machine->shape.wanted(c))
      continue;
    if (first == NULL) {
      first = f;
      continue;
    }
    key_of(first, names[0], sizeof names[0]);
    key_of(f, names[1], sizeof names[1]);
    return tandem_fail(err, -EINVAL, "%s (%s) and %s (%s) exclude each other", first->title,
                       names[0], f->title, names[1]);
  }
  return 0;
}

int machine_check(const struct tandem_config *c, struct tandem_error *err) {
  TRY(check_single(c, err));
  return features_check(c, err);
}

void gpu_sm_name(const struct tandem *t, unsigned sm, char name[GPU_SM_NAME]) {
  const int n = snprintf(name, GPU_SM_NAME, "SM %u", sm);
  if (sm >= t->config.sms && t->machine->shape.sm_place != NULL)
    t->machine->shape.sm_place(t, sm, name + n, GPU_SM_NAME - (size_t)n);
}

int machine_cells(struct tandem *t, struct tandem_error *err) {
  const unsigned sms = t->machine->shape.cell_sms(&t->config);
  t->ncells = t->nsms / sms;
  t->cells = aligned_alloc(64, t->ncells * sizeof *t->cells);
  if (t->cells == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory for %u cells of SMs", t->ncells);
  memset(t->cells, 0, t->ncells * sizeof *t->cells);
  for (unsigned i = 0; i < t->ncells; i++) {
    struct cell *c = &t->cells[i];
    c->first = i * sms;
    c->sms = sms;
    c->sm = &t->sms[c->first];
    for (unsigned k = 0; k < sms; k++) {
      c->sm[k].cell = c;
      c->mem[k] = c->sm[k].mem;
    }
  }
  return 0;
}

/* Returns true if a fault is one of a unit of the GPU. */
static bool is_gpu_fault(unsigned bug) {
  const struct gpu_fault *fault = gpu_fault(bug);
  for (unsigned i = 0; fault != NULL && i < GPU_UNITS; i++)
    if (strcmp(fault->unit, gpu_units[i]->type->name) == 0)
      return true;
  return false;
}

struct unit *machine_add_unit(struct tandem *t, const struct unit_request *r,
                              struct tandem_error *err) {
  const struct tandem_config *c = &t->config;
  const struct unit_settings settings = {.engine = c->engine,
                                         .compare = c->compare,
                                         .assertions = c->assertions,
                                         .state_interval = c->state_interval,
                                         .core_mhz = c->mem.core_mhz,
                                         .sms = c->sms,
                                         .rtl = c->rtl,
                                         .instead = c->instead,
                                         .netlist = c->netlist,
                                         .netlist_seed = c->seed};
  struct unit *u = unit_open(r, &settings, err);
  if (u == NULL)
    return NULL;
  u->index = t->nunits;
  t->units[t->nunits++] = u;
  return follow_open(&t->follow, u, err) == 0 ? u : NULL;
}

void machine_switch(struct cell *c, uint64_t off) {
  for (unsigned m = 0; m < c->sms; m++) {
    struct gpu_sm *s = &c->sm[m];
    const bool now = (off >> m & 1) != 0;
    if (s->off != now) {
      s->off = now;
      sm_set_off(s->sm, now);
    }
  }
}

int machine_unit(struct tandem *t, struct cell *c, const struct unit_type *type,
                 const char *parameters, const unsigned *numbers, const char *what,
                 struct tandem_error *err) {
  const struct tandem_config *k = &t->config;
  const unsigned here = (1U << c->sms) - 1; /* UNIT_SMS at most */
  const bool bug = k->bug != 0 && k->bug_sm / c->sms == c->first / c->sms && !is_gpu_fault(k->bug);
  const struct unit_request r = {.type = type,
                                 .parameters = parameters,
                                 .numbers = numbers,
                                 .first = c->first,
                                 .sms = c->sms,
                                 .bug = bug ? k->bug : 0,
                                 .traced =
                                     k->trace != NULL && (k->trace_sms >> c->first & here) != 0,
                                 .opaque = c->first == 0 && k->netlist != NULL,
                                 .seed = k->seed + c->first};
  c->unit = machine_add_unit(t, &r, err);
  if (c->unit == NULL)
    return -ENOMEM;
  snprintf(c->unit->name, sizeof c->unit->name, "%s %u", what, c->first / c->sms);
  return 0;
}

/* ---- units of the GPU ---- */

unsigned gpu_units_count(void) { return GPU_UNITS; }

int gpu_units_open(struct tandem *t, struct tandem_error *err) {
  const struct tandem_config *c = &t->config;
  const struct gpu_fault *fault = gpu_fault(c->bug);
  for (unsigned i = 0; i < GPU_UNITS; i++) {
    const struct unit_type *type = gpu_units[i]->type;
    const bool bug = fault != NULL && strcmp(fault->unit, type->name) == 0;
    const struct unit_request r = {.type = type,
                                   .parameters = "",
                                   .bug = bug ? c->bug : 0,
                                   .traced = c->trace != NULL && c->trace_gpu,
                                   .seed = c->seed + c->sms + i};
    struct unit *u = machine_add_unit(t, &r, err);
    if (u == NULL)
      return -ENOMEM;
    strcpy(u->name, "the GPU");
  }
  return 0;
}

/* They are the last ones. */
static struct unit *gpu_unit(const struct tandem *t, unsigned i) {
  return t->units[t->nunits - GPU_UNITS + i];
}

void gpu_units_begin(struct tandem *t) {
  for (unsigned i = 0; i < GPU_UNITS; i++)
    gpu_units[i]->begin(t, gpu_unit(t, i));
}

void gpu_units_step(struct tandem *t) {
  for (unsigned i = 0; i < GPU_UNITS; i++)
    gpu_units[i]->step(t, gpu_unit(t, i));
}

void gpu_unit_look(struct tandem *t, struct unit *u) {
  unit_out(u, NULL);
  if (!unit_compare(u, t->cycle, NULL))
    set_failed(t);
}

void gpu_unit_cycle(struct tandem *t, struct unit *u) {
  gpu_unit_look(t, u);
  if (u->watched && t->end.failure.kind == FAIL_NONE)
    unit_record(u, t->cycle, true);
  unit_step_ref(u, NULL);
  follow_edge(&t->follow, u, t->cycle, 0);
}
