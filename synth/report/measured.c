/* Measured activity as text and as JSON. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "synth/report/report.h"

static const char *role(const struct synth_measured *m, unsigned member) {
  if (m->result.members == 1)
    return "";
  if (member == m->result.members)
    return " links and control";
  return member == 0 ? " leader" : " follower";
}

static void row_text(FILE *out, const char *name, const struct activity_row *w) {
  fprintf(out, "  %-40.40s %8" PRIu64 " %9.4f %9.4f %9.4f %9.4f %9.4f %9.4f %9.6f %9.6f\n", name,
          w->cells, w->changes, 1e3 * w->switching_w, 1e3 * w->internal_w, 1e3 * w->clock_w,
          1e3 * (w->switching_w + w->internal_w + w->clock_w), 1e3 * w->assumed_w,
          1e3 * w->leakage_w, 1e3 * w->gated_w);
}

static void memory_text(FILE *out, const struct activity_result *r, const char *name,
                        const struct activity_memory *m) {
  char shape[40] = "";
  if (m->words != 0)
    snprintf(shape, sizeof shape, "%u x %u", m->words, m->width);
  fprintf(out, "  %-40.40s %12s %9.4f %9.4f %9.4f %9.4f %9.4f\n", name, shape,
          (double)m->reads / (double)r->cycles, (double)m->writes / (double)r->cycles,
          1e3 * m->access_w, 1e3 * m->leakage_w, 1e3 * m->gated_w);
}

static void memories_text(FILE *out, const struct synth_measured *m) {
  const struct activity_result *r = &m->result;
  if (r->nmemories == 0)
    return;
  fprintf(out, "  %-40s %12s %9s %9s %9s %9s %9s\n", "memories (estimated)", "words x bits",
          "rd/cycle", "wr/cycle", "access", "leakage", "gated");
  for (unsigned k = 0; k < activity_parts(r); k++) {
    char name[64];
    const struct activity_memory sum = activity_memory_sum(r, k);
    snprintf(name, sizeof name, "all%s", role(m, k));
    memory_text(out, r, name, &sum);
    for (size_t i = 0; i < r->nmemories; i++)
      if (r->memories[i].member == k)
        memory_text(out, r, r->memories[i].path, &r->memories[i]);
  }
}

static void links_text(FILE *out, const struct activity_result *r) {
  if (r->nlinks != 0)
    fprintf(out, "  %-40s %12s %9s %9s %9s\n", "wires of links (estimated)", "flits/cycle",
            "chg/cycle", "low swing", "full");
  for (size_t i = 0; i < r->nlinks; i++) {
    const struct activity_link *l = &r->links[i];
    char name[64];
    snprintf(name, sizeof name, "from %u to %u", l->up ? l->follower : l->leader,
             l->up ? l->leader : l->follower);
    fprintf(out, "  %-40s %12.4f %9.4f %9.4f %9.4f\n", name, (double)l->flits / (double)r->cycles,
            (double)l->changes / (double)r->cycles, 1e3 * l->low_w, 1e3 * l->full_w);
  }
}

static void rows_text(FILE *out, const struct synth_measured *m) {
  const struct activity_result *r = &m->result;
  fprintf(out, "  %-40s %8s %9s %9s %9s %9s %9s %9s %9s %9s\n", "instance", "cells", "chg/cycle",
          "switching", "internal", "clock", "dynamic", "assumed", "leakage", "gated");
  for (unsigned k = 0; k < activity_parts(r); k++) {
    char name[64];
    const struct activity_row sum = activity_sum(r, k);
    snprintf(name, sizeof name, "all%s", role(m, k));
    row_text(out, name, &sum);
    for (size_t j = 0; j < r->nrows; j++)
      if (r->rows[j].member == k)
        row_text(out, r->rows[j].path, &r->rows[j]);
    if (r->off_cycles[k] != 0)
      fprintf(out, "  its front end was off in %" PRIu64 " of %" PRIu64 " cycles\n",
              r->off_cycles[k], r->cycles);
  }
}

void synth_measured_text(FILE *out, const struct synth_report *r) {
  for (size_t i = 0; i < r->nmeasured; i++) {
    const struct synth_measured *m = &r->measured[i];
    fprintf(out, "\npower with measured activity, mW: %s, %s, cycles %" PRIu64 " to %" PRIu64 "\n",
            m->way, m->kernel, m->from, m->to);
    rows_text(out, m);
    memories_text(out, m);
    links_text(out, &m->result);
  }
}

static json_t *row_json(const struct activity_row *w) {
  return json_pack("{s:i, s:s, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "member",
                   (int)w->member, "instance", w->path, "cells", (json_int_t)w->cells, "nets",
                   (json_int_t)w->nets, "changes", w->changes, "switching_w", w->switching_w,
                   "internal_w", w->internal_w, "clock_w", w->clock_w, "leakage_w", w->leakage_w,
                   "gated_leakage_w", w->gated_w, "assumed_dynamic_w", w->assumed_w);
}

static json_t *memory_json(const struct activity_memory *m) {
  return json_pack("{s:i, s:s, s:i, s:i, s:i, s:I, s:I, s:f, s:f, s:f}", "member", (int)m->member,
                   "instance", m->path, "words", (int)m->words, "width", (int)m->width, "ports",
                   (int)m->ports, "reads", (json_int_t)m->reads, "writes", (json_int_t)m->writes,
                   "access_w", m->access_w, "leakage_w", m->leakage_w, "gated_leakage_w",
                   m->gated_w);
}

static json_t *link_json(const struct activity_link *l) {
  return json_pack("{s:i, s:i, s:i, s:I, s:I, s:f, s:f}", "from",
                   (int)(l->up ? l->follower : l->leader), "to",
                   (int)(l->up ? l->leader : l->follower), "stages", (int)l->stages, "flits",
                   (json_int_t)l->flits, "changes", (json_int_t)l->changes, "low_swing_w", l->low_w,
                   "full_swing_w", l->full_w);
}

json_t *synth_measured_json(const struct synth_report *r) {
  json_t *list = json_array();
  for (size_t i = 0; i < r->nmeasured; i++) {
    const struct synth_measured *m = &r->measured[i];
    const struct activity_result *a = &m->result;
    json_t *rows = json_array(), *off = json_array(), *memories = json_array(),
           *links = json_array();
    for (size_t k = 0; k < a->nrows; k++)
      json_array_append_new(rows, row_json(&a->rows[k]));
    for (size_t k = 0; k < a->nmemories; k++)
      json_array_append_new(memories, memory_json(&a->memories[k]));
    for (size_t k = 0; k < a->nlinks; k++)
      json_array_append_new(links, link_json(&a->links[k]));
    for (unsigned k = 0; k < a->members; k++)
      json_array_append_new(off, json_integer((json_int_t)a->off_cycles[k]));
    json_array_append_new(
        list, json_pack("{s:s, s:s, s:I, s:I, s:I, s:i, s:o, s:o, s:o, s:o}", "way", m->way,
                        "kernel", m->kernel, "from", (json_int_t)m->from, "to", (json_int_t)m->to,
                        "compared", (json_int_t)a->compared, "members", (int)a->members,
                        "off_cycles", off, "rows", rows, "memories", memories, "links", links));
  }
  return list;
}
