/* The report for programs: docs/synth.md. */
#include <jansson.h>

#include "synth/local.h"

static json_t *count(uint64_t v) { return json_integer((json_int_t)v); }

static json_t *size_json(const struct synth_report *r, const struct synth_size *s) {
  return json_pack("{s:o, s:o, s:f, s:f, s:f, s:f, s:o, s:o}", "cells", count(s->cells),
                   "sequential_cells", count(s->sequential_cells), "sequential_area", s->sequential,
                   "combinational_area", s->combinational, "area", synth_area(s), "gates",
                   synth_gates(r, synth_area(s)), "memory_bits", count(s->memory_bits), "memories",
                   count(s->memories));
}

static json_t *memories_json(const struct synth_unit *u) {
  json_t *a = json_array();
  for (size_t i = 0; i < u->nmemories; i++) {
    const struct synth_memory *m = &u->memories[i];
    json_array_append_new(a, json_pack("{s:i, s:i, s:i, s:i, s:o}", "words", (int)m->words, "width",
                                       (int)m->width, "reads", (int)m->reads, "writes",
                                       (int)m->writes, "count", count(m->count)));
  }
  return a;
}

static json_t *unit_json(const struct synth_report *r, const struct synth_unit *u) {
  json_t *children = json_array(), *parameters = json_object();
  for (size_t i = 0; i < u->nchildren; i++)
    json_array_append_new(children,
                          json_pack("{s:s, s:i}", "unit", r->units[u->children[i].unit].name,
                                    "count", (int)u->children[i].count));
  for (unsigned i = 0; i < u->spec.n; i++)
    json_object_set_new(parameters, u->spec.parameters[i].name, count(u->spec.parameters[i].value));
  const struct synth_timing *t = &u->timing;
  const struct synth_power *p = &u->power;
  json_t *o = json_pack("{s:s, s:s, s:o, s:b, s:b, s:o, s:o, s:o, s:o}", "name", u->name, "module",
                        u->spec.module, "parameters", parameters, "flat", (int)u->flat, "top",
                        (int)u->top, "children", children, "own", size_json(r, &u->own), "whole",
                        size_json(r, &u->whole), "memories", memories_json(u));
  json_object_set_new(o, "timing",
                      json_pack("{s:f, s:f, s:i, s:s, s:s, s:s}", "slack_ns", t->slack_ns,
                                "fmax_mhz", t->fmax_mhz, "depth", (int)t->depth, "start", t->start,
                                "end", t->end, "path", t->path != NULL ? t->path : ""));
  json_object_set_new(o, "power",
                      json_pack("{s:f, s:f, s:f, s:s}", "internal_w", p->internal_w, "switching_w",
                                p->switching_w, "leakage_w", p->leakage_w, "activity",
                                p->measured ? "measured" : "assumed"));
  return o;
}

static json_t *added_json(const struct synth_report *r, const struct synth_added *a) {
  return json_pack("{s:s, s:s, s:i, s:o, s:o, s:f, s:f, s:I, s:f, s:f, s:f, s:f}", "feature",
                   a->feature, "variant", a->variant, "members", (int)a->members, "cluster",
                   size_json(r, &a->cluster), "baseline", size_json(r, &a->baseline), "area",
                   a->area, "gates", synth_gates(r, a->area), "memory_bits",
                   (json_int_t)a->memory_bits, "percent", a->percent, "memory_percent",
                   a->memory_percent, "power_percent", a->power_percent, "area_16_sms",
                   a->area * 16 / a->members);
}

bool synth_json(FILE *out, const struct synth_report *r) {
  json_t *units = json_array(), *added = json_array();
  for (size_t i = 0; i < r->nunits; i++)
    json_array_append_new(units, unit_json(r, &r->units[i]));
  for (size_t i = 0; i < r->nadded; i++)
    json_array_append_new(added, added_json(r, &r->added[i]));
  json_t *o = json_pack("{s:{s:s, s:s, s:f, s:s}, s:f, s:{s:s, s:s}, s:o, s:o}", "library", "name",
                        r->library.name, "nand2", r->library.nand2_name, "nand2_area",
                        r->library.nand2, "key", r->library.key, "clock_mhz", r->mhz, "tools",
                        "yosys", r->yosys, "sta", r->sta, "units", units, "added", added);
  json_object_set_new(o, "activity", synth_measured_json(r));
  const bool good = o != NULL && json_dumpf(o, out, JSON_INDENT(2)) == 0 && fputc('\n', out) != EOF;
  json_decref(o);
  return good;
}
