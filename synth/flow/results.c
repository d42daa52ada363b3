/* Takes what a finished step of a unit found out. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "synth/flow/clock_gating.h"
#include "synth/flow/flow.h"

static int take_elaborated(struct synth_flow *f, size_t at, struct tandem_error *err) {
  char path[1100];
  snprintf(path, sizeof path, "%s/elaborated.json", f->nodes[at].step.folder);
  struct synth_elaborated e;
  int status = synth_parse_elaborated(path, f->report->units[at].name, &e, err);
  if (status != 0)
    return status;
  struct synth_child *children = calloc(e.n + 1, sizeof *children);
  size_t n = 0;
  for (size_t i = 0; children != NULL && i < e.n; i++) {
    const size_t unit = synth_flow_unit(f, &e.instances[i].spec, false);
    size_t k = 0;
    while (k < n && children[k].unit != unit)
      k++;
    children[k].unit = unit;
    children[k].count += e.instances[i].count;
    n = k == n ? n + 1 : n;
  }
  struct synth_unit *u = &f->report->units[at];
  u->children = children;
  u->nchildren = n;
  u->nmemories = e.nmemories;
  memcpy(u->memories, e.memories, sizeof e.memories);
  f->nodes[at].elaborated = e;
  if (children == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; status == 0 && i < u->nmemories; i++)
    if (!sram_figures(&f->sram, &u->memories[i]))
      status = synth_memory_figures(&f->report->technology, f->report->process, &f->macros,
                                    f->report->macros, &u->memories[i], err);
  return status;
}

/* A flat unit has the memories of all below it. */
static void memories_below(const struct synth_report *r, size_t at, uint64_t times,
                           struct synth_unit *to) {
  const struct synth_unit *from = &r->units[at];
  for (size_t i = 0; i < from->nmemories; i++) {
    struct synth_memory m = from->memories[i];
    size_t k = 0;
    while (k < to->nmemories && !synth_memory_same(&to->memories[k], &m))
      k++;
    m.count *= times;
    if (k < to->nmemories)
      to->memories[k].count += m.count;
    else if (k < SYNTH_SHAPES)
      to->memories[to->nmemories++] = m;
  }
  for (size_t i = 0; i < from->nchildren; i++)
    memories_below(r, from->children[i].unit, times * from->children[i].count, to);
}

static int take_mapped(struct synth_flow *f, size_t at, struct tandem_error *err) {
  char path[1100];
  struct synth_unit *u = &f->report->units[at];
  snprintf(path, sizeof path, "%s/stat.txt", f->nodes[at].step.folder);
  if (u->flat)
    memories_below(f->report, f->nodes[at].base, 1, u);
  int status = synth_parse_stat(path, u->name, &f->liberty, &u->own, err);
  snprintf(path, sizeof path, "%s/gates.txt", f->nodes[at].step.folder);
  if (status == 0)
    status = clock_gating_parse(path, &u->own, err);
  for (size_t i = 0; i < u->nmemories; i++)
    synth_memory_add(&u->own, &u->memories[i], f->report->mhz);
  return status;
}

static int take_timed(struct synth_flow *f, size_t at, struct tandem_error *err) {
  struct synth_unit *u = &f->report->units[at];
  char path[1100], fmax[1100], power[1100];
  const char *folder = f->nodes[at].step.folder;
  int status;
  free(u->timing.path);
  snprintf(path, sizeof path, "%s/path.txt", folder);
  snprintf(fmax, sizeof fmax, "%s/fmax.txt", folder);
  snprintf(power, sizeof power, "%s/power.txt", folder);
  if ((status = synth_parse_path(path, &u->timing, err)) != 0 ||
      (status = synth_parse_fmax(fmax, &u->timing, err)) != 0)
    return status;
  return synth_parse_power(power, &u->power, err);
}

int synth_take(struct synth_flow *f, size_t at, struct tandem_error *err) {
  static int (*const takers[])(struct synth_flow *, size_t,
                               struct tandem_error *) = {take_elaborated, take_mapped, take_timed};
  const int status = takers[f->nodes[at].stage](f, at, err);
  if (status == 0)
    f->nodes[at].stage++;
  return status;
}
