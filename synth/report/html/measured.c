/* Power with measured activity on the HTML page: each run of the netlists with a kernel. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "synth/report/html/html.h"

/* Writes the name of an instance in a part: in a member, or in the cluster around the members. */
static void name_of(const struct activity_result *a, unsigned part, const char *path, char *name,
                    size_t size) {
  if (path[0] == '\0')
    path = "(its own)";
  if (a->members == 1)
    snprintf(name, size, "%s", path);
  else if (part == a->members)
    snprintf(name, size, "cluster: %s", path);
  else
    snprintf(name, size, "member %u: %s", part, path);
}

static void bars(struct html_page *p, const struct synth_measured *m) {
  const struct activity_result *a = &m->result;
  struct html_bar *rows = calloc(a->nrows + 1, sizeof *rows);
  char(*labels)[192] = calloc(a->nrows + 1, sizeof *labels);
  for (size_t i = 0; rows != NULL && labels != NULL && i < a->nrows; i++) {
    const struct activity_row *row = &a->rows[i];
    name_of(a, row->member, row->path, labels[i], sizeof labels[i]);
    rows[i] = (struct html_bar){
        .label = labels[i],
        .parts = {1e3 * row->switching_w, 1e3 * row->internal_w, 1e3 * row->clock_w}};
  }
  if (rows != NULL && labels != NULL)
    html_bars(p, &(struct html_bars){.title = "Dynamic power of each instance's own cells",
                                     .unit = "mW",
                                     .names = {"switching", "internal", "clock"},
                                     .bars = rows,
                                     .n = a->nrows});
  free(rows);
  free(labels);
}

static void row_of(const struct html_page *p, const char *name, const struct activity_row *row) {
  html_row(p, name);
  html_cells(p, "004333333", (double)row->cells, (double)row->nets, row->changes,
             1e3 * row->switching_w, 1e3 * row->internal_w, 1e3 * row->clock_w,
             1e6 * row->leakage_w, 1e6 * row->gated_w, 1e3 * row->assumed_w);
  fputs("</tr>\n", p->out);
}

static void memory_row(const struct html_page *p, const struct activity_result *a, const char *name,
                       const struct activity_memory *m) {
  html_row(p, name);
  html_cells(p, "0044333", m->words, m->width, (double)m->reads / (double)a->cycles,
             (double)m->writes / (double)a->cycles, 1e3 * m->access_w, 1e6 * m->leakage_w,
             1e6 * m->gated_w);
  fputs("</tr>\n", p->out);
}

static void memories(const struct html_page *p, const struct synth_measured *m) {
  static const char *const columns[] = {"memory <span class=\"mark assumed\">estimated</span>",
                                        "words",
                                        "bits",
                                        "reads a cycle",
                                        "writes a cycle",
                                        "access mW",
                                        "leakage µW",
                                        "with gating µW",
                                        NULL};
  const struct activity_result *a = &m->result;
  if (a->nmemories == 0)
    return;
  html_table(p, columns);
  for (size_t i = 0; i < a->nmemories; i++) {
    char name[192];
    name_of(a, a->memories[i].member, a->memories[i].path, name, sizeof name);
    memory_row(p, a, name, &a->memories[i]);
  }
  html_table_end(p);
}

static void links(const struct html_page *p, const struct activity_result *a) {
  static const char *const columns[] = {
      "wires of a link <span class=\"mark assumed\">estimated</span>",
      "flits a cycle",
      "changes a cycle",
      "low swing mW",
      "full swing mW",
      NULL};
  if (a->nlinks == 0)
    return;
  html_table(p, columns);
  for (size_t i = 0; i < a->nlinks; i++) {
    const struct activity_link *l = &a->links[i];
    fprintf(p->out, "<tr><td>from member %u to %u</td>", l->up ? l->follower : l->leader,
            l->up ? l->leader : l->follower);
    html_cells(p, "4433", (double)l->flits / (double)a->cycles,
               (double)l->changes / (double)a->cycles, 1e3 * l->low_w, 1e3 * l->full_w);
    fputs("</tr>\n", p->out);
  }
  html_table_end(p);
}

static void run(struct html_page *p, const struct synth_measured *m) {
  static const char *const columns[] = {"instance",
                                        "cells",
                                        "nets",
                                        "changes a cycle",
                                        "switching mW",
                                        "internal mW",
                                        "clock mW",
                                        "leakage µW",
                                        "with gating µW",
                                        "dynamic mW <span class=\"mark assumed\">assumed</span>",
                                        NULL};
  const struct activity_result *a = &m->result;
  const char *slash = strrchr(m->kernel, '/');
  html_write(p->out, "<h3>%s: %s", m->way, slash != NULL ? slash + 1 : m->kernel);
  fprintf(p->out, ", cycles %llu to %llu</h3>\n", (unsigned long long)m->from,
          (unsigned long long)m->to);
  bars(p, m);
  html_table(p, columns);
  for (size_t i = 0; i < a->nrows; i++) {
    char name[192];
    name_of(a, a->rows[i].member, a->rows[i].path, name, sizeof name);
    row_of(p, name, &a->rows[i]);
  }
  for (unsigned i = 0; i < activity_parts(a); i++) {
    const struct activity_row sum = activity_sum(a, i);
    char name[32];
    snprintf(name, sizeof name,
             a->members == 1  ? "all"
             : i < a->members ? "all of member %u"
                              : "all of the cluster",
             i);
    row_of(p, name, &sum);
  }
  html_table_end(p);
  memories(p, m);
  links(p, a);
}

void html_measured(struct html_page *p) {
  if (p->r->nmeasured == 0)
    return;
  fputs(
      "<h2>Power in runs <span class=\"mark measured\">measured</span></h2>\n<p class=\"note\">The "
      "netlists ran the kernel in lockstep with their reference; changes: of a net in a cycle, on "
      "average. With gating: what leaks while followers' front ends have no power. Memories and "
      "wires: "
      "accesses and changes are counted, their energies are those of "
      "synth/data/technology.yaml.</p>\n",
      p->out);
  for (size_t i = 0; i < p->r->nmeasured; i++)
    run(p, &p->r->measured[i]);
}
