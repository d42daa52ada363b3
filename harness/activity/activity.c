/* The measurement, from netlists to power by module. */
#include "harness/activity/activity.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/scratch.h"
#include "harness/activity/local.h"
#include "synth/flow/tcl.h"

/* The part of the run that belongs to one member, or to the cluster around the members. */
struct member {
  const struct gates *gates;
  unsigned index;
  const uint32_t *changes, *high; /* of its nets, in the order of their numbers */
  const struct netlist_counts *counts;
};

/* A net's line: changes a cycle, and the part of the time in which it is 1. */
static bool write_activity(const struct member *m, FILE *out) {
  bool *used = gates_used(m->gates);
  size_t at = 0;
  for (uint32_t n = GATES_FIRST; used != NULL && n < m->gates->nets; n++)
    if (used[n]) {
      fprintf(out, "n%u %.9g %.9g\n", n, (double)m->changes[at] / (double)m->counts->cycles,
              (double)m->high[at] / (double)m->counts->samples);
      at++;
    }
  free(used);
  return used != NULL && ferror(out) == 0;
}

static int write_file(const struct member *m, const char *path, const char *const *clocks,
                      struct tandem_error *err) {
  FILE *out = fopen(path, "w");
  bool good = out != NULL;
  if (good)
    good = clocks != NULL ? gates_write_timing(m->gates, out, clocks) : write_activity(m, out);
  good = out != NULL && fclose(out) == 0 && good;
  return good ? 0 : tandem_fail(err, -EIO, "cannot write %s: %s", path, strerror(errno));
}

static int run_sta(const struct activity_request *q, const struct member *m, const char *folder,
                   struct tandem_error *err) {
  char path[1200], sta[512], *job = NULL;
  const char *clocks[16] = {NULL};
  size_t size;
  int status = synth_tool("sta", "opensta", sta, sizeof sta, err);
  FILE *out = status == 0 ? open_memstream(&job, &size) : NULL;
  if (out == NULL)
    return status != 0 ? status : tandem_fail(err, -ENOMEM, "out of memory");
  tcl_set(out, "liberty", "%s", q->liberty);
  tcl_set(out, "gate_latch", "%s", q->gate != NULL ? q->gate->latch : "");
  tcl_link(out, "scripts", "%s/synth/flow/scripts", q->root);
  tcl_link(out, "source.lib", "%s/harness/activity/scripts/source.lib", q->root);
  tcl_link(out, "power.tcl", "%s/harness/activity/scripts/power.tcl", q->root);
  fprintf(out,
          "set netlist timing.v\nset activity activity.txt\nset period_ns %.6f\nset assumed %.6g\n"
          "set clocks [list",
          1000 / q->mhz, q->assumed);
  for (size_t i = 0; i < 15 && q->clocks[i].port != NULL; i++) {
    fputc(' ', out);
    tcl_word(out, "%s", q->clocks[i].port);
    fprintf(out, " %u", q->clocks[i].multiple);
    clocks[i] = q->clocks[i].port;
  }
  fputs("]\nset quiet {", out);
  for (size_t i = m->gates->own; i < m->gates->npins; i++)
    if (q->reset != NULL && strcmp(m->gates->pins[i].port, q->reset) == 0)
      fprintf(out, " n%u", m->gates->bits[m->gates->pins[i].first]);
  fputs("}\nsource power.tcl\n", out);
  fclose(out);
  snprintf(path, sizeof path, "%s/job.tcl", folder);
  status = files_write(path, job, size, err);
  free(job);
  snprintf(path, sizeof path, "%s/timing.v", folder);
  if (status == 0)
    status = write_file(m, path, clocks, err);
  snprintf(path, sizeof path, "%s/activity.txt", folder);
  if (status == 0)
    status = write_file(m, path, NULL, err);
  const char *const argv[] = {sta, "-no_splash", "-no_init", "-exit", "job.tcl", NULL};
  return status != 0 ? status : activity_tool(argv, folder, "OpenSTA (power)", err);
}

/* The row of a cell: that of the instance that it is in. */
static struct activity_row *row_of(struct activity_result *r, unsigned member, const char *cell) {
  const char *dot = strrchr(cell, '.');
  const size_t n = dot != NULL ? (size_t)(dot - cell) : 0;
  for (size_t i = 0; i < r->nrows; i++)
    if (r->rows[i].member == member && strlen(r->rows[i].path) == n &&
        strncmp(r->rows[i].path, cell, n) == 0)
      return &r->rows[i];
  struct activity_row *more = realloc(r->rows, (r->nrows + 1) * sizeof *more);
  if (more == NULL || n >= sizeof more->path)
    return NULL;
  r->rows = more;
  struct activity_row *row = &more[r->nrows++];
  *row = (struct activity_row){.member = member};
  memcpy(row->path, cell, n);
  return row;
}

static int read_power(const struct member *m, const char *folder, struct activity_result *r,
                      struct tandem_error *err) {
  char path[1200];
  size_t cell, found = 0, expected = 0;
  double switching, internal, clock, leakage, assumed;
  snprintf(path, sizeof path, "%s/power.txt", folder);
  FILE *in = fopen(path, "r");
  if (in == NULL)
    return tandem_fail(err, -EIO, "OpenSTA wrote no %s", path);
  while (fscanf(in, "c%zu %lf %lf %lf %lf %lf\n", &cell, &switching, &internal, &clock, &leakage,
                &assumed) == 6) {
    struct activity_row *row =
        cell < m->gates->ncells ? row_of(r, m->index, m->gates->cells[cell].name) : NULL;
    if (row == NULL)
      break;
    row->switching_w += switching;
    row->internal_w += internal;
    row->clock_w += clock;
    row->leakage_w += leakage;
    row->assumed_w += assumed;
    found++;
  }
  fclose(in);
  for (size_t i = 0; i < m->gates->ncells; i++)
    expected += m->gates->cells[i].kind == GATES_CELL;
  return found == expected ? 0
                           : tandem_fail(err, -EINVAL, "OpenSTA told the power of %zu of %zu cells",
                                         found, expected);
}

/* Where each net is in the counts, to be freed; NULL: out of memory. */
static uint32_t *net_places(const struct gates *g) {
  bool *used = gates_used(g);
  uint32_t *place = used != NULL ? calloc(g->nets, sizeof *place) : NULL;
  uint32_t at = 0;
  for (uint32_t n = GATES_FIRST; place != NULL && n < g->nets; n++)
    if (used[n])
      place[n] = at++;
  free(used);
  return place;
}

/* How many cells and driven nets a row has, and how often these change. */
static int count_nets(const struct member *m, struct activity_result *r) {
  const struct gates *g = m->gates;
  uint32_t *place = net_places(g);
  for (size_t i = 0; place != NULL && i < g->ncells; i++) {
    const struct gates_cell *c = &g->cells[i];
    struct activity_row *row = c->kind != GATES_CELL ? NULL : row_of(r, m->index, c->name);
    for (unsigned k = 0; row != NULL && k < c->pins; k++) {
      const struct gates_pin *p = &g->pins[c->first + k];
      for (unsigned b = 0; p->output && b < p->width; b++)
        if (g->bits[p->first + b] >= GATES_FIRST) {
          row->nets++;
          row->changes += m->changes[place[g->bits[p->first + b]]];
        }
    }
    if (row != NULL)
      row->cells++;
  }
  free(place);
  return place != NULL ? 0 : -ENOMEM;
}

/* The memories of a member; first: of all. */
static int count_memories(const struct member *m, size_t *first, struct activity_result *r) {
  const struct gates *g = m->gates;
  for (size_t i = 0; i < g->ncells; i++) {
    const struct gates_cell *c = &g->cells[i];
    if (c->kind != GATES_MEMORY)
      continue;
    struct activity_memory *more = realloc(r->memories, (r->nmemories + 1) * sizeof *more);
    if (more == NULL || *first >= m->counts->nmemories)
      return -ENOMEM;
    r->memories = more;
    struct activity_memory *to = &more[r->nmemories++];
    const char *dot = strrchr(c->name, '.');
    unsigned reads, writes;
    *to = (struct activity_memory){.member = m->index,
                                   .reads = m->counts->memories[*first].reads,
                                   .writes = m->counts->memories[*first].writes};
    snprintf(to->path, sizeof to->path, "%.*s", dot != NULL ? (int)(dot - c->name) : 0, c->name);
    gates_memory(c, &to->words, &to->width, &reads, &writes);
    to->ports = reads + writes;
    (*first)++;
  }
  return 0;
}

/* Adds the net of a link's register to the link.  Registers are called as in the RTL (link.sv):
 * g_stage[<stage>].flit_q[<bit>] and .valid_q. */
static void count_register(const struct member *m, const struct gates_cell *c, const char *name,
                           const uint32_t *place, struct activity_link *l) {
  unsigned stage;
  int end = 0;
  if (sscanf(name, "g_stage[%u].%n", &stage, &end) != 1 || end == 0)
    return;
  const bool valid = strncmp(name + end, "valid_q", 7) == 0;
  if (!valid && strncmp(name + end, "flit_q[", 7) != 0)
    return;
  for (unsigned k = 0; k < c->pins; k++) {
    const struct gates_pin *p = &m->gates->pins[c->first + k];
    const uint32_t net = m->gates->bits[p->first];
    if (!p->output || net < GATES_FIRST)
      continue;
    l->changes += m->changes[place[net]];
    /* A flit is in the first stage for a cycle of the NoC, of which a core cycle has two. */
    if (valid && stage == 0)
      l->flits += 2 * m->counts->cycles * m->high[place[net]] / m->counts->samples;
  }
}

/* The wires of links, by the registers at the ends of their stages in the cluster's netlist. */
static int count_links(const struct activity_model *model, const struct member *m,
                       struct activity_result *r) {
  struct activity_link link = {0};
  uint32_t *place = net_places(m->gates);
  int status = place != NULL ? 0 : -ENOMEM;
  while (status == 0 && activity_next_link(&link, model->members)) {
    char prefix[100];
    struct activity_link *more = realloc(r->links, (r->nlinks + 1) * sizeof *more);
    if (more == NULL) {
      status = -ENOMEM;
      break;
    }
    r->links = more;
    struct activity_link *l = &more[r->nlinks++];
    *l = link;
    l->stages = model->stages;
    const int n = snprintf(prefix, sizeof prefix, "g_from[%u].g_to[%u].u_%slink.u_link.", l->leader,
                           l->follower, l->up ? "up" : "down");
    for (size_t i = 0; i < m->gates->ncells; i++)
      if (strncmp(m->gates->cells[i].name, prefix, (size_t)n) == 0)
        count_register(m, &m->gates->cells[i], m->gates->cells[i].name + n, place, l);
  }
  free(place);
  return status;
}

static int one_member(const struct activity_request *q, const struct activity_model *model,
                      const struct member *m, struct activity_result *r, struct tandem_error *err) {
  char *folder;
  int status = scratch_folder(model->folder, &folder);
  if (status != 0)
    return tandem_fail(err, status, "cannot make a folder beside %s: %s", model->folder,
                       strerror(-status));
  status = run_sta(q, m, folder, err);
  if (status == 0)
    status = read_power(m, folder, r, err);
  if (status == 0 && (status = count_nets(m, r)) != 0)
    (void)tandem_fail(err, status, "out of memory");
  scratch_drop(folder);
  return status;
}

int activity_power(const struct activity_request *q, const struct activity_model *model,
                   const struct netlist_counts *counts, struct activity_result *r,
                   struct tandem_error *err) {
  int status = 0;
  size_t first = 0, memory = 0;
  r->members = model->members;
  r->cycles = counts->cycles;
  for (unsigned i = 0; status == 0 && i < activity_parts(r); i++) {
    const struct gates *g = &model->ways[activity_way(i, model->members)];
    const struct member m = {g, i, counts->changes + first, counts->high + first, counts};
    bool *used = gates_used(g);
    for (uint32_t n = GATES_FIRST; used != NULL && n < g->nets; n++)
      first += used[n];
    free(used);
    status = first <= counts->nets ? one_member(q, model, &m, r, err)
                                   : tandem_fail(err, -EINVAL, "the model has %zu nets, not %zu",
                                                 counts->nets, first);
    if (status == 0 && (status = count_memories(&m, &memory, r)) != 0)
      (void)tandem_fail(err, status, "out of memory");
    if (counts->off != NULL && model->members > 1 && i < model->members)
      r->off_cycles[i] = counts->off[i];
    if (status == 0 && m.gates == &model->ways[ACTIVITY_CLUSTER] &&
        (status = count_links(model, &m, r)) != 0)
      (void)tandem_fail(err, status, "out of memory");
  }
  for (size_t i = 0; i < r->nrows; i++)
    if (r->rows[i].nets != 0)
      r->rows[i].changes /= (double)(r->rows[i].nets * r->cycles);
  return status;
}

int activity_measure(const struct activity_request *q, struct activity_result *r, char **report,
                     struct tandem_error *err) {
  struct activity_model model = {0};
  struct activity_run run = {0};
  char path[1100];
  *r = (struct activity_result){0};
  *report = NULL;
  int status = activity_rehearse(q, err);
  if (status == 0)
    status = activity_model_make(q, &model, err);
  snprintf(path, sizeof path, "%s/model.so", model.folder);
  if (status == 0)
    status = activity_run(q, path, &run, report, err);
  if (status == 0)
    status = activity_power(q, &model, &run.counts, r, err);
  if (status == 0) {
    struct tandem_statistic compared;
    (void)tandem_statistic(run.t, "compared", &compared, NULL);
    r->compared = compared.count;
  }
  activity_run_end(&run);
  activity_model_free(&model);
  if (status != 0)
    activity_free(r);
  return status;
}
