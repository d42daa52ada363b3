/* The synthesis of the designs, unit by unit, into a report. */
#include "synth/flow/synth.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "csim/util/nearest.h"
#include "synth/flow/flow.h"
#include "synth/model/figures.h"

/* There must be a feature of this name, if one is named. */
static int feature_check(const struct synth_designs *d, const char *name,
                         struct tandem_error *err) {
  char names[256] = "";
  size_t n = 0;
  for (size_t i = 0; i < d->nfeatures && n < sizeof names; i++) {
    if (name == NULL || strcmp(d->features[i].name, name) == 0)
      return 0;
    n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", n > 0 ? ", " : "",
                          d->features[i].name);
  }
  return name == NULL
             ? 0
             : tandem_fail(err, -EINVAL, "there is no feature \"%s\"; there is: %s", name, names);
}

static int top_add(struct synth_flow *f, const struct synth_spec *s, struct tandem_error *err) {
  const size_t at = synth_flow_unit(f, s, false);
  size_t flat = 0;
  if (at != SIZE_MAX && f->config->flat)
    flat = synth_flow_unit(f, s, true);
  if (at == SIZE_MAX || flat == SIZE_MAX)
    return tandem_fail(err, -ENOMEM, "out of memory");
  f->report->units[at].top = true;
  if (f->config->flat)
    f->report->units[flat].top = true;
  return 0;
}

/* A module, or a unit as it is called in the report: MODULE_NameVALUE_NameVALUE. */
static int unit_parse(const struct synth_flow *f, const char *text, struct synth_spec *s,
                      struct tandem_error *err) {
  char path[1024];
  memset(s, 0, sizeof *s);
  const char *end = text + strlen(text);
  for (; end > text; end--) { /* the longest module name that it starts with */
    snprintf(s->module, sizeof s->module, "%.*s", (int)(end - text), text);
    if ((*end == '\0' || *end == '_') && strchr(s->module, '/') == NULL &&
        synth_source(&f->designs, f->config->root, s->module, path, sizeof path))
      break;
  }
  const char *p = end;
  while (end > text && *p == '_' && s->n < SYNTH_PARAMETERS) {
    struct synth_parameter *to = &s->parameters[s->n];
    const char *name = p + 1;
    const size_t n = strcspn(name, "0123456789");
    char *after;
    to->value = strtoull(name + n, &after, 10);
    if (n == 0 || n >= sizeof to->name || after == name + n)
      break;
    snprintf(to->name, sizeof to->name, "%.*s", (int)n, name);
    s->n++;
    p = after;
  }
  if (end > text && *p == '\0')
    return 0;
  char *modules = synth_modules(&f->designs, f->config->root);
  char *words = modules != NULL ? strdup(modules) : NULL, *rest;
  const char *near = NULL;
  for (char *w = words != NULL ? strtok_r(words, " ", &rest) : NULL; w != NULL;
       w = strtok_r(NULL, " ", &rest))
    near = nearest(text, near, w);
  const int status = tandem_fail(
      err, -EINVAL,
      "there is no unit \"%s\"; the nearest name is %s; units are the modules, followed "
      "by parameters if they are not as by default (uplink_Hops3_Slave2): %.800s",
      text, near != NULL ? near : "none", modules != NULL ? modules : "");
  free(words);
  free(modules);
  return status;
}

/* The parts of the designs that are reported: the baseline, clusters and units of features. */
static int designs_add(struct synth_flow *f, struct tandem_error *err) {
  const struct synth_designs *d = &f->designs;
  const char *feature = f->config->feature;
  int status = 0;
  if (feature == NULL)
    status = top_add(f, &d->baseline, err);
  for (size_t i = 0; i < d->nfeatures && status == 0; i++)
    if (feature == NULL || strcmp(feature, d->features[i].name) == 0)
      status = top_add(f, &d->features[i].baseline, err);
  f->report->baseline = 0;
  for (size_t i = 0; i < d->nclusters; i++)
    for (size_t k = 0; status == 0 && k < d->clusters[i].nparts; k++)
      if (feature == NULL || strcmp(feature, d->clusters[i].feature) == 0)
        status = top_add(f, &d->clusters[i].parts[k].spec, err);
  for (size_t i = 0; i < d->nfeatures; i++)
    for (size_t k = 0; status == 0 && k < d->features[i].nlabels; k++)
      if (feature == NULL || strcmp(feature, d->features[i].name) == 0)
        status = top_add(f, &d->features[i].labels[k].spec, err);
  return status;
}

/* The designs and the named units, but for those that are no more. */
static int known_add(struct synth_flow *f, struct tandem_error *err) {
  struct synth_spec s;
  int status = designs_add(f, err);
  for (size_t i = 0; i < f->config->nunits && status == 0; i++)
    if (unit_parse(f, f->config->units[i], &s, err) == 0 &&
        synth_flow_unit(f, &s, false) == SIZE_MAX)
      status = tandem_fail(err, -ENOMEM, "out of memory");
  return status;
}

static int tops_add(struct synth_flow *f, struct tandem_error *err) {
  const struct synth_config *c = f->config;
  struct synth_spec s;
  int status = 0;
  if (c->keys)
    return known_add(f, err);
  if (c->nunits == 0)
    return designs_add(f, err);
  for (size_t i = 0; i < c->nunits; i++)
    if ((status = unit_parse(f, c->units[i], &s, err)) != 0 || (status = top_add(f, &s, err)) != 0)
      break;
  return status;
}

static int tools_find(struct synth_flow *f, struct tandem_error *err) {
  struct synth_report *r = f->report;
  int status;
  if ((status = synth_tool("yosys", "yosys", f->yosys, sizeof f->yosys, err)) != 0 ||
      (status = synth_tool("sta", "opensta", f->sta, sizeof f->sta, err)) != 0 ||
      (status = synth_version(f->yosys, "-V", r->yosys, sizeof r->yosys, err)) != 0)
    return status;
  return synth_version(f->sta, "-version", r->sta, sizeof r->sta, err);
}

/* One report at a time in a build folder; -1 on failure. */
static int lock(const struct synth_flow *f, struct tandem_error *err) {
  char path[600];
  if (files_folder(f->build, err) != 0)
    return -1;
  snprintf(path, sizeof path, "%s/.lock", f->build);
  const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd < 0 || flock(fd, LOCK_EX) != 0) {
    (void)tandem_fail(err, -errno, "cannot lock %s: %s", path, strerror(errno));
    return -1;
  }
  return fd;
}

/* Loads technology.yaml, finds the library's process in it, and loads the memories' Liberty. */
static int technology_find(struct synth_flow *f, struct tandem_error *err) {
  struct synth_report *r = f->report;
  char path[1024];
  snprintf(path, sizeof path, "%s/synth/data/technology.yaml", f->config->root);
  const struct synth_config *c = f->config;
  int status = technology_load(&r->technology, path, err);
  if (status != 0)
    return status;
  (void)technology_process(&r->technology, r->library.name, &r->process);
  clock_gate_find(&f->liberty, &r->gate);
  clock_gate_area(&f->liberty, &r->gate, technology_latch_um2(&r->technology, r->library.name));
  r->gated = !c->ungated && r->gate.cells[0] != '\0';
  if (c->sram != NULL && c->macros == NULL)
    return tandem_fail(err, -EINVAL,
                       "--sram %s is of no use without --macros: it names cells of "
                       "that Liberty file",
                       c->sram);
  status = synth_macros_load(c->macros, c->sram != NULL, f->build, &f->macros, f->macros_path,
                             sizeof f->macros_path, err);
  char *real = c->macros != NULL ? realpath(c->macros, NULL) : NULL;
  snprintf(r->macros, sizeof r->macros, "%s", real != NULL ? real : "");
  free(real);
  return status == 0 && c->sram != NULL ? sram_load(c->sram, &f->macros, &f->sram, err) : status;
}

/* Everything that the steps depend on. */
static int prepare(struct synth_flow *f, struct tandem_error *err) {
  const struct synth_config *c = f->config;
  const struct synth_setting setting = {c->feature, c->values, c->nvalues, synth_figure_check};
  int status;
  if (c->nvalues > 0 && c->feature == NULL)
    return tandem_fail(err, -EINVAL,
                       "--param %s is of no use without --feature: parameters are a feature's",
                       c->values[0]);
  if ((status = synth_designs_load(c->root, &setting, &f->designs, err)) != 0 ||
      (status = feature_check(&f->designs, c->feature, err)) != 0 ||
      (status = tools_find(f, err)) != 0 ||
      (status = synth_library_load(c->liberty, c->nliberty, f->build, &f->liberty,
                                   &f->report->library, err)) != 0)
    return status;
  f->report->mhz = c->mhz > 0 ? c->mhz : f->designs.mhz;
  if ((status = technology_find(f, err)) != 0)
    return status;
  return tops_add(f, err);
}

static int run(struct synth_flow *f, struct tandem_error *err) {
  const char *feature = f->config->feature;
  int status = prepare(f, err);
  if (status != 0)
    return status;
  if (f->config->keys)
    return synth_unit_keys(f, err);
  const int fd = lock(f, err);
  if (fd < 0)
    return -EIO;
  status = synth_flow_run(f, err);
  close(fd);
  if (status != 0 || (status = synth_unit_keys(f, err)) != 0)
    return status;
  synth_rollup(f->report);
  if (f->report->baseline == SIZE_MAX)
    return 0;
  status = synth_added_all(f->report, &f->designs, feature, err);
  return status != 0 ? status : synth_figures_all(f->report, &f->designs, feature, err);
}

/* The tools run in folders of their own, and need it from the root of the file system. */
static int build_folder(struct synth_flow *f, struct tandem_error *err) {
  char path[700];
  if (snprintf(path, sizeof path, "%s/synth", f->config->build) >= (int)sizeof path)
    return tandem_fail(err, -ENAMETOOLONG, "the path %s is too long", f->config->build);
  int status = files_folder(path, err);
  char *real = status == 0 ? realpath(path, NULL) : NULL;
  if (status == 0 && (real == NULL || strlen(real) >= sizeof f->build))
    status = tandem_fail(err, -ENAMETOOLONG, "cannot keep netlists in %s", path);
  if (status == 0)
    strcpy(f->build, real);
  free(real);
  return status;
}

int synth_run(const struct synth_config *c, struct synth_report **report,
              struct tandem_error *err) {
  struct synth_flow f = {.config = c};
  f.report = calloc(1, sizeof *f.report);
  *report = NULL;
  if (f.report == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  f.report->baseline = SIZE_MAX;
  int status = build_folder(&f, err);
  if (status == 0)
    status = run(&f, err);
  synth_flow_free(&f);
  if (status != 0)
    synth_free(f.report);
  else
    *report = f.report;
  return status;
}

void synth_free(struct synth_report *r) {
  for (size_t i = 0; r != NULL && i < r->nunits; i++) {
    free(r->units[i].children);
    free(r->units[i].timing.path);
  }
  if (r != NULL) {
    for (size_t i = 0; i < r->nmeasured; i++)
      activity_free(&r->measured[i].result);
    free(r->units);
    free(r->added);
    free(r->parts);
    free(r->figures);
  }
  free(r);
}
