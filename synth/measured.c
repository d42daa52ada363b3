/* Results of measured activity, and how they are told. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include "synth/local.h"

void activity_free(struct activity_result *r) {
  free(r->rows);
  *r = (struct activity_result){0};
}

struct activity_row activity_sum(const struct activity_result *r, unsigned member) {
  struct activity_row sum = {.member = member};
  for (size_t i = 0; i < r->nrows; i++) {
    const struct activity_row *row = &r->rows[i];
    if (row->member != member)
      continue;
    sum.changes += row->changes * (double)row->nets;
    sum.cells += row->cells;
    sum.nets += row->nets;
    sum.switching_w += row->switching_w;
    sum.internal_w += row->internal_w;
    sum.clock_w += row->clock_w;
    sum.leakage_w += row->leakage_w;
    sum.assumed_w += row->assumed_w;
  }
  if (sum.nets != 0)
    sum.changes /= (double)sum.nets;
  return sum;
}

static const char *role(const struct synth_measured *m, unsigned member) {
  if (m->result.members == 1)
    return "";
  return member == 0 ? " leader" : " follower";
}

static void row_text(FILE *out, const char *name, const struct activity_row *w) {
  fprintf(out, "  %-40.40s %8" PRIu64 " %9.4f %9.4f %9.4f %9.4f %9.4f %9.4f\n", name, w->cells,
          w->changes, 1e3 * w->switching_w, 1e3 * w->internal_w, 1e3 * w->clock_w,
          1e3 * (w->switching_w + w->internal_w + w->clock_w), 1e3 * w->assumed_w);
}

void synth_measured_text(FILE *out, const struct synth_report *r) {
  for (size_t i = 0; i < r->nmeasured; i++) {
    const struct synth_measured *m = &r->measured[i];
    fprintf(out, "\npower with measured activity, mW: %s, %s, cycles %" PRIu64 " to %" PRIu64 "\n",
            m->way, m->kernel, m->from, m->to);
    fprintf(out, "  %-40s %8s %9s %9s %9s %9s %9s %9s\n", "instance", "cells", "chg/cycle",
            "switching", "internal", "clock", "dynamic", "assumed");
    for (unsigned k = 0; k < m->result.members; k++) {
      char name[64];
      const struct activity_row sum = activity_sum(&m->result, k);
      snprintf(name, sizeof name, "all%s", role(m, k));
      row_text(out, name, &sum);
      for (size_t j = 0; j < m->result.nrows; j++)
        if (m->result.rows[j].member == k)
          row_text(out, m->result.rows[j].path, &m->result.rows[j]);
      if (m->result.off_cycles[k] != 0)
        fprintf(out, "  its front end was off in %" PRIu64 " cycles of the run so far\n",
                m->result.off_cycles[k]);
    }
  }
}

static json_t *row_json(const struct activity_row *w) {
  return json_pack("{s:i, s:s, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f}", "member", (int)w->member,
                   "instance", w->path, "cells", (json_int_t)w->cells, "nets", (json_int_t)w->nets,
                   "changes", w->changes, "switching_w", w->switching_w, "internal_w",
                   w->internal_w, "clock_w", w->clock_w, "leakage_w", w->leakage_w,
                   "assumed_dynamic_w", w->assumed_w);
}

json_t *synth_measured_json(const struct synth_report *r) {
  json_t *list = json_array();
  for (size_t i = 0; i < r->nmeasured; i++) {
    const struct synth_measured *m = &r->measured[i];
    json_t *rows = json_array(), *off = json_array();
    for (size_t k = 0; k < m->result.nrows; k++)
      json_array_append_new(rows, row_json(&m->result.rows[k]));
    for (unsigned k = 0; k < m->result.members; k++)
      json_array_append_new(off, json_integer((json_int_t)m->result.off_cycles[k]));
    json_array_append_new(list, json_pack("{s:s, s:s, s:I, s:I, s:I, s:i, s:o, s:o}", "way", m->way,
                                          "kernel", m->kernel, "from", (json_int_t)m->from, "to",
                                          (json_int_t)m->to, "compared",
                                          (json_int_t)m->result.compared, "members",
                                          (int)m->result.members, "off_cycles", off, "rows", rows));
  }
  return list;
}
