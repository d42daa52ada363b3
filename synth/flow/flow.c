/* Takes each unit through its steps, several at a time:
 *
 *   1. elaborate: yosys, the module alone; the modules that it instantiates become units
 *   2. map: yosys, to the library's cells; a flat unit when all below it are elaborated
 *   3. time: OpenSTA, when all below it are mapped
 */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csim/util/process.h"
#include "csim/util/scratch.h"
#include "synth/flow/flow.h"
#include "synth/flow/tcl.h"

static const char *const stage_names[] = {"elaborate", "map", "time"};
static const char *const outputs[] = {"elaborated.json", "stat.txt", "fmax.txt"};

size_t synth_flow_unit(struct synth_flow *f, const struct synth_spec *s, bool flat) {
  struct synth_report *r = f->report;
  const size_t found = synth_find(r, s, flat);
  if (found != SIZE_MAX)
    return found;
  size_t base = SIZE_MAX;
  if (flat && (base = synth_flow_unit(f, s, false)) == SIZE_MAX)
    return SIZE_MAX;
  struct synth_unit *units = realloc(r->units, (r->nunits + 1) * sizeof *units);
  if (units != NULL)
    r->units = units;
  struct synth_node *nodes = realloc(f->nodes, (r->nunits + 1) * sizeof *nodes);
  if (nodes != NULL)
    f->nodes = nodes;
  if (units == NULL || nodes == NULL)
    return SIZE_MAX;
  struct synth_unit *u = &units[r->nunits];
  memset(u, 0, sizeof *u);
  memset(&nodes[r->nunits], 0, sizeof *nodes);
  u->spec = *s;
  u->flat = flat;
  synth_spec_name(s, u->name, sizeof u->name - 8);
  if (flat)
    strcat(u->name, "_flat");
  nodes[r->nunits].base = base;
  nodes[r->nunits].stage = flat ? MAP : ELABORATE;
  snprintf(u->folder, sizeof u->folder, "%s/%.40s-%.8s%s/%s", f->build, r->library.name,
           r->library.key, r->gated ? "" : "-ungated", u->name);
  return r->nunits++;
}

/* Returns true if all units below this one are past the stage. */
static bool ready(const struct synth_flow *f, size_t at, enum synth_stage past, size_t *list) {
  const size_t n = synth_descendants(f->report, at, list);
  for (size_t i = 0; i < n; i++)
    if (list[i] != at && f->nodes[list[i]].stage <= past)
      return false;
  return n > 0;
}

int synth_flow_job(struct synth_flow *f, size_t at, char **text, struct tandem_error *err) {
  struct synth_node *node = &f->nodes[at];
  size_t size;
  struct hash h;
  hash_start(&h);
  *text = NULL;
  FILE *job = open_memstream(text, &size);
  if (job == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  tcl_link(job, "scripts", "%s/synth/flow/scripts", f->config->root);
  tcl_set(job, "unit", "%s", f->report->units[at].name);
  int status = synth_job(f, at, job, &h, err);
  const char *const files[] = {"elaborate.tcl", "map.tcl", "timing.tcl"};
  fprintf(job, "source scripts/%s\n", files[node->stage]);
  fclose(job);
  const char *const roots[] = {f->build, f->config->root};
  hash_without(&h, *text, roots, 2);
  hash_end(&h, node->keys[node->stage]);
  return status;
}

/* Starts the unit's next step.  1: nothing to do; 0: started. */
static int start(struct synth_flow *f, size_t at, struct tandem_error *err) {
  struct synth_node *node = &f->nodes[at];
  const struct synth_unit *u = &f->report->units[at];
  const char *script = stage_names[node->stage];
  char *text;
  int status = synth_flow_job(f, at, &text, err);
  node->step = (struct synth_step){.tool = node->stage == TIME ? f->sta : f->yosys,
                                   .script = script,
                                   .output = outputs[node->stage]};
  if (node->stage == ELABORATE)
    snprintf(node->step.folder, sizeof node->step.folder, "%s/rtl/%s", f->build, u->name);
  else
    snprintf(node->step.folder, sizeof node->step.folder, "%s/%s", u->folder, script);
  memcpy(node->step.key, node->keys[node->stage], sizeof node->step.key);
  if (status == 0)
    status = synth_step_start(&node->step, text, err);
  free(text);
  return status;
}

/* OpenSTA links every instance of a unit, of which it needs 4 KB a cell.  Designs of more cells
 * take it too much memory: their power is the sum of their parts', and timing within the parts is
 * all that is reported.  A cluster of eight and the SPU of 4 x 4 are below. */
enum { TIMED_CELLS = 1500000 };

static uint64_t timed_cells(const struct synth_flow *f) {
  return f->config->timed != 0 ? f->config->timed : TIMED_CELLS;
}

static uint64_t cells_of(const struct synth_report *r, size_t at) {
  uint64_t n = r->units[at].own.cells;
  for (size_t i = 0; i < r->units[at].nchildren; i++)
    n += r->units[at].children[i].count * cells_of(r, r->units[at].children[i].unit);
  return n;
}

/* Children come first: they are smaller. */
static bool too_large(struct synth_flow *f, size_t at) {
  struct synth_report *r = f->report;
  struct synth_unit *u = &r->units[at];
  if (f->nodes[at].stage != TIME || cells_of(r, at) <= timed_cells(f))
    return false;
  memset(&u->power, 0, sizeof u->power);
  u->timing.slack_ns = u->timing.fmax_mhz = NAN;
  for (size_t i = 0; i < u->nchildren; i++) {
    const struct synth_power *p = &r->units[u->children[i].unit].power;
    u->power.internal_w += u->children[i].count * p->internal_w;
    u->power.switching_w += u->children[i].count * p->switching_w;
    u->power.leakage_w += u->children[i].count * p->leakage_w;
    u->power.macro_internal_w += u->children[i].count * p->macro_internal_w;
    u->power.macro_leakage_w += u->children[i].count * p->macro_leakage_w;
  }
  f->nodes[at].stage = DONE;
  return true;
}

static void report_progress(const struct synth_flow *f, size_t at) {
  struct synth_progress p = {.unit = f->report->units[at].name,
                             .step = stage_names[f->nodes[at].stage]};
  for (size_t i = 0; i < f->report->nunits; i++) {
    p.done += (size_t)f->nodes[i].stage - (f->report->units[i].flat ? 1 : 0);
    p.known += f->report->units[i].flat ? 2 : 3;
  }
  if (f->config->progress != NULL)
    f->config->progress(f->config->user, &p);
}

static bool may_start(const struct synth_flow *f, size_t at, size_t *list) {
  const struct synth_node *n = &f->nodes[at];
  const bool flat = f->report->units[at].flat;
  if (n->stage == DONE || n->step.pid != 0)
    return false;
  if (n->stage == MAP && flat)
    return f->nodes[n->base].stage > ELABORATE && ready(f, n->base, ELABORATE, list);
  if (n->stage == TIME && cells_of(f->report, at) > timed_cells(f))
    return ready(f, at, TIME, list);
  return n->stage == TIME ? ready(f, at, MAP, list) : true;
}

/* Fails with a message: the step, its unit, and the remedy if the library may be at fault. */
static int failed(const struct synth_flow *f, size_t at, int status, struct tandem_error *err) {
  const enum synth_stage stage = f->nodes[at].stage;
  const struct tandem_error why = err != NULL ? *err : (struct tandem_error){""};
  const char *library =
      stage != ELABORATE && f->config->nliberty > 0 ? f->config->liberty[0] : NULL;
  return tandem_fail(err, status, "cannot %s %s: %.800s%s%.200s%s", stage_names[stage],
                     f->report->units[at].name, why.text, library != NULL ? "\n(if " : "",
                     library != NULL ? library : "",
                     library != NULL ? " is at fault, name another library with --liberty)" : "");
}

/* Nothing of a step stays whose result is of no use. */
static int take(struct synth_flow *f, size_t at, struct tandem_error *err) {
  f->report->units[at].seconds += f->nodes[at].step.seconds;
  const int status = synth_take(f, at, err);
  if (status == 0)
    return 0;
  scratch_remove(f->nodes[at].step.folder);
  return failed(f, at, status, err);
}

/* Starts the steps that can start, up to the number of processes; takes results that are there
 * already.  Elaboration comes before all mapping: several units may instantiate the same one. */
static int start_all(struct synth_flow *f, unsigned processes, unsigned *running,
                     struct tandem_error *err) {
  size_t *list = NULL;
  int status = 0;
  for (int stage = ELABORATE; stage < DONE && status >= 0; stage++)
    for (size_t i = 0; i < f->report->nunits && status >= 0; i++) {
      size_t *more = realloc(list, f->report->nunits * sizeof *list);
      list = more != NULL ? more : list;
      if (more == NULL)
        status = tandem_fail(err, -ENOMEM, "out of memory");
      if (status < 0 || *running == processes || (int)f->nodes[i].stage != stage ||
          !may_start(f, i, list) || too_large(f, i))
        continue;
      status = start(f, i, err);
      if (status == 1) {
        status = take(f, i, err);
      } else if (status == 0) {
        ++*running;
        report_progress(f, i);
      }
    }
  free(list);
  return status < 0 ? status : 0;
}

/* Waits for one of the processes. */
static int finish_one(struct synth_flow *f, unsigned *running, struct tandem_error *err) {
  for (;;) {
    for (size_t i = 0; i < f->report->nunits; i++) {
      struct synth_node *n = &f->nodes[i];
      struct rusage used = {0};
      int ended = 0;
      if (n->step.pid == 0 || process_end_used(n->step.pid, false, &ended, &used) == 0)
        continue;
      n->step.seconds = process_seconds(&used);
      --*running;
      int status = synth_step_end(&n->step, ended, err);
      status = status == 0 ? take(f, i, err) : failed(f, i, status, err);
      return status;
    }
    usleep(5000);
  }
}

static size_t left(const struct synth_flow *f) {
  size_t n = 0;
  for (size_t i = 0; i < f->report->nunits; i++)
    n += f->nodes[i].stage != DONE;
  return n;
}

int synth_flow_run(struct synth_flow *f, struct tandem_error *err) {
  const unsigned processes = f->config->processes != 0 ? f->config->processes : 2;
  unsigned running = 0;
  int status = 0;
  while (status == 0 && left(f) > 0) {
    status = start_all(f, processes, &running, err);
    if (status == 0 && running > 0)
      status = finish_one(f, &running, err);
  }
  while (running > 0) {
    struct tandem_error later;
    (void)finish_one(f, &running, &later);
  }
  return status;
}

void synth_flow_free(struct synth_flow *f) {
  for (size_t i = 0; f->report != NULL && i < f->report->nunits; i++)
    synth_elaborated_free(&f->nodes[i].elaborated);
  free(f->nodes);
  liberty_free(&f->liberty);
  liberty_free(&f->macros);
  sram_free(&f->sram);
  synth_designs_free(&f->designs);
}
