/* The report for programs: docs/use/synth.md. */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "synth/report/estimates.h"
#include "synth/report/report.h"

static json_t *count(uint64_t v) { return json_integer((json_int_t)v); }

/* null for what is not known. */
static json_t *real(double v) { return isfinite(v) ? json_real(v) : json_null(); }

static json_t *size_json(const struct synth_report *r, const struct synth_size *s) {
  return json_pack(
      "{s:o, s:o, s:o, s:o, s:f, s:f, s:f, s:f, s:o, s:o, s:o, s:f, s:f, s:f}", "cells",
      count(s->cells), "sequential_cells", count(s->sequential_cells), "clock_gates",
      count(s->clock_gates), "gated_registers", count(s->gated_registers), "sequential_area",
      s->sequential, "combinational_area", s->combinational, "area", synth_area(s), "gates",
      synth_gates(r, synth_area(s)), "memory_bits", count(s->memory_bits), "memories",
      count(s->memories), "ideal_memories", count(s->ideal_memories), "memory_area", s->memory_area,
      "memory_access_w", s->memory_access_w, "memory_leakage_w", s->memory_leakage_w);
}

static json_t *memories_json(const struct synth_unit *u) {
  static const char *const sources[] = {[SYNTH_IDEAL] = "ideal",
                                        [SYNTH_ESTIMATED] = "estimated",
                                        [SYNTH_GIVEN] = "given",
                                        [SYNTH_MAPPED] = "mapped"};
  json_t *a = json_array();
  for (size_t i = 0; i < u->nmemories; i++) {
    const struct synth_memory *m = &u->memories[i];
    const struct technology_macro *f = &m->macro;
    json_t *o = json_pack("{s:i, s:i, s:i, s:i, s:o, s:s, s:f}", "words", (int)m->words, "width",
                          (int)m->width, "reads", (int)m->reads, "writes", (int)m->writes, "count",
                          count(m->count), "source", sources[m->source], "area", f->area_um2);
    if (m->source == SYNTH_ESTIMATED || m->source == SYNTH_MAPPED)
      json_object_update_new(o, json_pack("{s:f, s:f, s:f}", "access_ns", f->access_ns, "access_pj",
                                          f->access_pj, "leakage_uw", f->leakage_uw));
    if (m->source == SYNTH_MAPPED)
      json_object_update_new(o, json_pack("{s:s, s:i}", "cell", m->cell, "macros", (int)m->macros));
    json_array_append_new(a, o);
  }
  return a;
}

static json_t *scaled_json(const struct synth_report *r, size_t unit) {
  json_t *a = json_array();
  struct synth_scaled s;
  for (unsigned t = 0; t < r->technology.targets; t++)
    if (synth_scale(r, unit, r->technology.target_nm[t], &s))
      json_array_append_new(a, json_pack("{s:f, s:f, s:f, s:o, s:f, s:f}", "nm", s.nm, "area",
                                         s.area, "memory_area", s.memory_area, "fmax_mhz",
                                         real(s.fmax_mhz), "dynamic_w", s.dynamic_w,
                                         "memory_access_w", s.memory_access_w));
  return a;
}

static json_t *papers_json(const struct synth_report *r) {
  struct papers_row *rows;
  json_t *a = json_array();
  const size_t n = synth_papers(r, &rows);
  for (size_t i = 0; i < n; i++) {
    const struct papers_row *p = &rows[i];
    json_array_append_new(a, json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:s?, s:o, s:s?}", "feature",
                                       p->feature, "figure", p->figure, "unit", p->unit, "source",
                                       p->source, "published", real(p->paper), "recomputed",
                                       real(p->recomputed), "recomputed_how", p->recomputed_how,
                                       "ours", real(p->ours), "ours_how", p->ours_how));
  }
  free(rows);
  return a;
}

static json_t *parts_json(const struct synth_report *r) {
  json_t *a = json_array();
  for (size_t i = 0; i < r->nparts; i++) {
    const struct synth_of_part *p = &r->parts[i];
    json_array_append_new(a, json_pack("{s:s, s:s, s:s, s:b, s:i, s:i, s:o, s:o, s:o}", "feature",
                                       p->feature, "part", p->part + strspn(p->part, " "), "unit",
                                       r->units[p->unit].name, "own", (int)p->own, "times",
                                       (int)p->times, "count", (int)p->count, "size",
                                       size_json(r, &p->size), "leakage_45nm_w", real(p->leakage_w),
                                       "fmax_mhz", real(p->fmax_mhz)));
  }
  return a;
}

static json_t *wires_json(const struct synth_report *r, const struct synth_added *a) {
  struct synth_wires w;
  if (!synth_wires(r, a, &w))
    return json_null();
  return json_pack("{s:i, s:i, s:f, s:f, s:f, s:f}", "down", (int)w.down, "up", (int)w.up,
                   "length_mm", w.wiring.wire_mm, "area_mm2", w.wiring.area_mm2, "share_of_sm_l2",
                   w.wiring.share_crossbar, "power_w", w.watts);
}

static json_t *unit_json(const struct synth_report *r, size_t unit) {
  const struct synth_unit *u = &r->units[unit];
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
                      json_pack("{s:o, s:o, s:i, s:s, s:s, s:s}", "slack_ns", real(t->slack_ns),
                                "fmax_mhz", real(t->fmax_mhz), "depth", (int)t->depth, "start",
                                t->start, "end", t->end, "path", t->path != NULL ? t->path : ""));
  json_object_set_new(o, "power",
                      json_pack("{s:f, s:f, s:f, s:s}", "internal_w", p->internal_w, "switching_w",
                                p->switching_w, "leakage_w", p->leakage_w, "activity",
                                p->measured ? "measured" : "assumed"));
  json_object_set_new(o, "scaled", scaled_json(r, unit));
  return o;
}

static json_t *added_json(const struct synth_report *r, const struct synth_added *a) {
  json_t *o = json_pack(
      "{s:s, s:s, s:i, s:i, s:o, s:s, s:o, s:f, s:f, s:I, s:f, s:f, s:f, s:f, s:f, s:o}", "feature",
      a->feature, "variant", a->variant, "members", (int)a->members, "gpu_sms", (int)a->sms,
      "cluster", size_json(r, &a->cluster), "baseline_unit", r->units[a->baseline_unit].name,
      "baseline", size_json(r, &a->baseline), "area", a->area, "gates", synth_gates(r, a->area),
      "memory_bits", (json_int_t)a->memory_bits, "percent", a->percent, "memory_percent",
      a->memory_percent, "power_percent", a->power_percent, "area_gpu",
      a->area * a->sms / a->members, "memory_area", a->memory_area, "wires_16_sms",
      wires_json(r, a));
  json_object_set_new(o, "area_gpu_mm2_45nm",
                      real(synth_mm2_45nm(r, a->area * a->sms / a->members)));
  return o;
}

bool synth_json(FILE *out, const struct synth_report *r) {
  json_t *units = json_array(), *added = json_array();
  for (size_t i = 0; i < r->nunits; i++)
    json_array_append_new(units, unit_json(r, i));
  for (size_t i = 0; i < r->nadded; i++)
    json_array_append_new(added, added_json(r, &r->added[i]));
  json_t *o = json_pack("{s:{s:s, s:s, s:f, s:s}, s:f, s:{s:s, s:s}, s:o, s:o}", "library", "name",
                        r->library.name, "nand2", r->library.nand2_name, "nand2_area",
                        r->library.nand2, "key", r->library.key, "clock_mhz", r->mhz, "tools",
                        "yosys", r->yosys, "sta", r->sta, "units", units, "added", added);
  json_object_set_new(o, "process_nm", real(r->process.nm > 0 ? r->process.nm : NAN));
  json_object_set_new(o, "macros", r->macros[0] != '\0' ? json_string(r->macros) : json_null());
  json_object_set_new(o, "clock_gates", r->gated ? json_string(r->gate.cells) : json_null());
  json_object_set_new(o, "parts", parts_json(r));
  json_object_set_new(o, "papers", papers_json(r));
  json_object_set_new(o, "activity", synth_measured_json(r));
  const bool good = o != NULL && json_dumpf(o, out, JSON_INDENT(2)) == 0 && fputc('\n', out) != EOF;
  json_decref(o);
  return good;
}
