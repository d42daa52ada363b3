/* Which netlists of a report are measured, and with what. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/activity/local.h"

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

/* The netlists of a unit and of all below it, but for the members of a cluster. */
static bool files_add(const struct synth_report *r, size_t at, struct files *f) {
  const struct synth_unit *u = &r->units[at];
  if (f->seen[at])
    return true;
  f->seen[at] = true;
  if (asprintf(&f->name[f->n], "%s/map/netlist.v", u->folder) < 0)
    return false;
  f->n++;
  for (size_t i = 0; i < u->nchildren; i++)
    if (strcmp(r->units[u->children[i].unit].spec.module, "buddy_member") != 0 &&
        !files_add(r, u->children[i].unit, f))
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

/* The baseline front end, and a cluster of two; SIZE_MAX: not in the report. */
static size_t find_baseline(const struct synth_report *r) {
  static const struct synth_spec spec = {.module = "sm_frontend"};
  return synth_find(r, &spec, false);
}

static size_t find_cluster(const struct synth_report *r) {
  static const struct synth_spec spec = {
      .module = "buddy_cluster", .parameters = {{.name = "Members", .value = 2}}, .n = 1};
  return synth_find(r, &spec, false);
}

/* A name of tests/kernels, or a path. */
static void find_kernel(const char *root, const char *name, char *path, size_t size) {
  snprintf(path, size, "%s/tests/kernels/%s/%s.yaml", root, name, name);
  if (strchr(name, '/') != NULL || access(path, R_OK) != 0)
    snprintf(path, size, "%s", name);
}

int activity_check(const struct synth_config *c, const char *kernel, uint64_t from, uint64_t to,
                   struct tandem_error *err) {
  char path[4096];
  struct tandem_config *config = tandem_config_create();
  const struct activity_request q = {.config = config, .kernel = path, .from = from, .to = to};
  find_kernel(c->root, kernel, path, sizeof path);
  const int status =
      config != NULL ? activity_rehearse(&q, err) : tandem_fail(err, -ENOMEM, "out of memory");
  tandem_config_destroy(config);
  return status;
}

/* A run: its netlists, by the way in which they are members. */
struct run {
  const char *way;
  size_t units[ACTIVITY_WAYS];   /* SIZE_MAX: none */
  const char *buddy, *formation; /* of buddy.size, buddy.formation */
  struct files files[ACTIVITY_WAYS];
  struct activity_request request;
  struct tandem_config *config; /* the request's */
};

static int prepare(const struct synth_report *r, struct run *run, struct tandem_error *err) {
  struct activity_request *q = &run->request;
  q->config = run->config = tandem_config_create();
  if (run->config == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  if (tandem_config_set(run->config, "buddy.size", run->buddy, err) != TANDEM_OK ||
      tandem_config_set(run->config, "buddy.formation", run->formation, err) != TANDEM_OK)
    return -EINVAL;
  for (unsigned w = 0; w < ACTIVITY_WAYS; w++) {
    if (run->units[w] == SIZE_MAX)
      continue;
    if (!files_of(r, run->units[w], &run->files[w]))
      return tandem_fail(err, -ENOMEM, "out of memory");
    q->ways[w] = (struct activity_netlist){
        r->units[run->units[w]].name, (const char *const *)run->files[w].name, run->files[w].n};
  }
  return activity_rehearse(q, err);
}

/* Makes the models, which take minutes, side by side.  The measurement makes a model that failed
 * again, and reports its error. */
static void make_models(const struct run *runs, size_t n) {
  pid_t pids[SYNTH_MEASURED];
  for (size_t i = 0; i < n; i++) {
    /* Runs of the same netlists have the same model. */
    pids[i] = i > 0 && runs[i].units[0] == runs[i - 1].units[0] ? -1 : fork();
    if (pids[i] != 0)
      continue;
    struct activity_model model;
    struct tandem_error err;
    _exit(activity_model_make(&runs[i].request, &model, &err) != 0);
  }
  for (size_t i = 0; i < n; i++)
    while (pids[i] > 0 && waitpid(pids[i], NULL, 0) < 0 && errno == EINTR)
      ;
}

static int measure(struct synth_report *r, const struct run *run, char **report,
                   struct tandem_error *err) {
  struct synth_measured *m = &r->measured[r->nmeasured];
  const struct activity_request *q = &run->request;
  TRY(activity_measure(q, &m->result, report, err));
  m->way = run->way;
  m->from = q->from;
  m->to = q->to;
  snprintf(m->kernel, sizeof m->kernel, "%s", q->kernel);
  r->nmeasured++;
  return activity_price(&r->technology, r->process, q->mhz, &m->result, err);
}

static void tell(const struct synth_config *c, size_t done, size_t known, const char *step,
                 const char *way) {
  const struct synth_progress p = {done, known, step, way};
  if (c->progress != NULL)
    c->progress(c->user, &p);
}

/* All runs; on failure *failed is the one. */
static int measure_all(const struct synth_config *c, struct synth_report *r, struct run *runs,
                       size_t n, size_t *failed, char **report, struct tandem_error *err) {
  for (size_t i = 0; i < n; i++) {
    *failed = i;
    TRY(prepare(r, &runs[i], err));
  }
  tell(c, 0, n, "model", "of the netlists");
  make_models(runs, n);
  for (size_t i = 0; i < n; i++) {
    *failed = i;
    tell(c, i, n, "activity", runs[i].way);
    TRY(measure(r, &runs[i], report, err));
  }
  return 0;
}

int activity_report(const struct synth_config *c, const char *kernel, uint64_t from, uint64_t to,
                    struct synth_report *r, char **report, struct tandem_error *err) {
  static const struct activity_clock clocks[] = {
      {"clk_i", 1}, {"units_clk_i", 1}, {"noc_clk_i", 2}, {NULL, 0}};
  const size_t baseline = find_baseline(r), cluster = find_cluster(r), none = SIZE_MAX;
  const size_t members[] = {find_member(r, 1), find_member(r, 2)};
  char path[4096], folder[1000];
  const struct activity_request q = {.root = c->root,
                                     .folder = folder,
                                     .liberty = r->library.path,
                                     .gate = r->gated ? &r->gate : NULL,
                                     .mhz = r->mhz,
                                     .assumed = 0.1,
                                     .clocks = clocks,
                                     .reset = "rst_ni",
                                     .kernel = path,
                                     .from = from,
                                     .to = to};
  const struct run all[SYNTH_MEASURED] = {
      {"baseline", {baseline, none, none, none, none}, "1", "default", {{0}}, q, NULL},
      {"grouped", {members[0], members[1], none, none, cluster}, "2", "default", {{0}}, q, NULL},
      {"apart", {members[0], members[1], none, none, cluster}, "2", "apart", {{0}}, q, NULL}};
  struct run runs[SYNTH_MEASURED];
  size_t n = 0, failed = 0;
  *report = NULL;
  find_kernel(c->root, kernel, path, sizeof path);
  snprintf(folder, sizeof folder, "%.900s/synth/activity", c->build);
  for (size_t i = 0; i < SYNTH_MEASURED; i++)
    if (all[i].units[0] != none && (i == 0 || (all[i].units[1] != none && cluster != none)))
      runs[n++] = all[i];
  if (n == 0)
    return tandem_fail(
        err, -EINVAL,
        "activity is measured of sm_frontend and of buddy_cluster_Members2: name one "
        "of these, or no units for the designs");
  int status = files_folder(folder, err);
  if (status == 0)
    status = measure_all(c, r, runs, n, &failed, report, err);
  if (status != 0 && err != NULL) {
    const struct tandem_error why = *err;
    (void)tandem_fail(err, status, "activity (%s): %.900s", runs[failed].way, why.text);
  }
  for (size_t i = 0; i < n; i++) {
    tandem_config_destroy(runs[i].config);
    for (unsigned w = 0; w < ACTIVITY_WAYS; w++)
      files_free(&runs[i].files[w]);
  }
  return status;
}
