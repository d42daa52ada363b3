/* Which netlists of a report are measured, and with what. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "synth/activity_local.h"

/* Names of files, freed together. */
struct files {
  char **name;
  size_t n;
  bool *seen; /* units */
};

static void files_free(struct files *f) {
  for (size_t i = 0; i < f->n; i++)
    free(f->name[i]);
  free(f->name);
  free(f->seen);
  *f = (struct files){0};
}

/* The netlists of a unit and of all below it. */
static bool files_add(const struct synth_report *r, size_t at, struct files *f) {
  const struct synth_unit *u = &r->units[at];
  if (f->seen[at])
    return true;
  f->seen[at] = true;
  if (asprintf(&f->name[f->n], "%s/map/netlist.v", u->folder) < 0)
    return false;
  f->n++;
  for (size_t i = 0; i < u->nchildren; i++)
    if (!files_add(r, u->children[i].unit, f))
      return false;
  return true;
}

static bool files_of(const struct synth_report *r, size_t at, struct files *f) {
  f->name = calloc(r->nunits, sizeof *f->name);
  f->seen = calloc(r->nunits, sizeof *f->seen);
  return f->name != NULL && f->seen != NULL && files_add(r, at, f);
}

static uint64_t parameter(const struct synth_unit *u, const char *name, uint64_t by_default) {
  for (unsigned i = 0; i < u->spec.n; i++)
    if (strcmp(u->spec.parameters[i].name, name) == 0)
      return u->spec.parameters[i].value;
  return by_default;
}

/* The member of a cluster of two that leads so many; SIZE_MAX: not in the report. */
static size_t find_member(const struct synth_report *r, unsigned leads) {
  for (size_t i = 0; i < r->nunits; i++) {
    const struct synth_unit *u = &r->units[i];
    if (strcmp(u->spec.module, "buddy_member") == 0 && !u->flat &&
        parameter(u, "Leads", 4) == leads && parameter(u, "Delay", 2) == 1 &&
        parameter(u, "Entries", 1) == 1)
      return i;
  }
  return SIZE_MAX;
}

/* A name of tests/kernels, or a path. */
static void find_kernel(const char *root, const char *name, char *path, size_t size) {
  snprintf(path, size, "%s/tests/kernels/%s/%s.yaml", root, name, name);
  if (strchr(name, '/') != NULL || access(path, R_OK) != 0)
    snprintf(path, size, "%s", name);
}

static int measure(struct synth_report *r, const char *way, const size_t *units,
                   struct activity_request *q, char **report, struct tandem_error *err) {
  struct files files[ACTIVITY_WAYS] = {{0}};
  struct synth_measured *m = &r->measured[r->nmeasured];
  int status = 0;
  memset(q->ways, 0, sizeof q->ways);
  for (unsigned w = 0; status == 0 && w < ACTIVITY_WAYS && units[w] != SIZE_MAX; w++) {
    if (!files_of(r, units[w], &files[w]))
      status = tandem_fail(err, -ENOMEM, "out of memory");
    q->ways[w] = (struct activity_netlist){r->units[units[w]].name,
                                           (const char *const *)files[w].name, files[w].n};
  }
  if (status == 0)
    status = activity_measure(q, &m->result, report, err);
  if (status == 0) {
    m->way = way;
    m->from = q->from;
    m->to = q->to;
    snprintf(m->kernel, sizeof m->kernel, "%s", q->kernel);
    r->nmeasured++;
  } else if (err != NULL) {
    const struct tandem_error why = *err;
    (void)tandem_fail(err, status, "activity (%s): %.900s", way, why.text);
  }
  for (unsigned w = 0; w < ACTIVITY_WAYS; w++)
    files_free(&files[w]);
  return status;
}

int activity_report(const struct synth_config *c, const char *kernel, uint64_t from, uint64_t to,
                    struct synth_report *r, char **report, struct tandem_error *err) {
  static const struct activity_clock clocks[] = {{"clk_i", 1}, {"units_clk_i", 1}, {NULL, 0}};
  char path[4096], folder[1000];
  struct activity_request q = {.root = c->root,
                               .folder = folder,
                               .liberty = r->library.path,
                               .mhz = r->mhz,
                               .assumed = 0.1,
                               .clocks = clocks,
                               .kernel = path,
                               .from = from,
                               .to = to};
  *report = NULL;
  find_kernel(c->root, kernel, path, sizeof path);
  snprintf(folder, sizeof folder, "%.900s/synth/activity", c->build);
  if (r->baseline == SIZE_MAX)
    return tandem_fail(err, -EINVAL, "activity is measured with the designs: leave the units out");
  int status = synth_folder(folder, err);
  tandem_config_default(&q.config);
  q.config.buddy = 1;
  const size_t baseline[ACTIVITY_WAYS] = {r->baseline, SIZE_MAX, SIZE_MAX, SIZE_MAX};
  if (status == 0)
    status = measure(r, "baseline", baseline, &q, report, err);
  const size_t members[ACTIVITY_WAYS] = {find_member(r, 1), find_member(r, 2), SIZE_MAX, SIZE_MAX};
  if (status != 0 || members[0] == SIZE_MAX || members[1] == SIZE_MAX)
    return status;
  q.config.buddy = 2;
  status = measure(r, "grouped", members, &q, report, err);
  q.config.formation = TANDEM_FORM_APART;
  return status != 0 ? status : measure(r, "apart", members, &q, report, err);
}
