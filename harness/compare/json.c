/* The comparison as JSON. */
#include <math.h>

#include "harness/compare/report.h"

enum { VERDICT = 400 };

/* null for what is not known. */
static json_t *real(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *pair(double before, double after) {
  return json_pack("{s:o, s:o, s:o}", "before", real(before), "after", real(after), "percent",
                   real(compare_change(before, after)));
}

static json_t *side_json(const struct compare_side *s) {
  return json_pack("{s:s, s:s, s:s, s:b, s:s?}", "name", s->name, "tree", s->tree, "revision",
                   s->revision.text, "clean", (int)s->revision.clean, "failure", s->failure);
}

static json_t *case_json(const struct compare_case *c) {
  char before[VERDICT], after[VERDICT];
  compare_verdict(c, BEFORE, before, sizeof before);
  compare_verdict(c, AFTER, after, sizeof after);
  json_t *o =
      json_pack("{s:s, s:s, s:s, s:b, s:s?, s:s?}", "name", c->name, "before", before, "after",
                after, "changed", (int)compare_verdict_changed(c), "command_before",
                c->result[BEFORE].command, "command_after", c->result[AFTER].command);
  for (int f = 0; f < COMPARE_FIGURES; f++)
    json_object_set_new(o, compare_figures[f].name, pair(c->value[BEFORE][f], c->value[AFTER][f]));
  return o;
}

static json_t *sums_json(const struct compare_sum *sums, size_t n) {
  json_t *o = json_object();
  for (size_t i = 0; i < n; i++)
    json_object_set_new(o, sums[i].name, pair(sums[i].value[BEFORE], sums[i].value[AFTER]));
  return o;
}

static json_t *limits_json(const struct compare_report *r) {
  json_t *list = json_array();
  for (size_t i = 0; i < r->nlimits; i++)
    json_array_append_new(list, json_pack("{s:s, s:f, s:o, s:b}", "figure", r->limits[i].name,
                                          "most_percent", r->limits[i].most, "worse_percent",
                                          real(r->limits[i].worse), "exceeded",
                                          (int)r->limits[i].exceeded));
  return list;
}

/* Modules that a change concerns; null: their area was not to be compared. */
static json_t *modules_json(const struct compare_report *r) {
  static const char *const names[AREA_FIGURES] = {"area", "memory_bits", "fmax_mhz"};
  json_t *list = json_array();
  if (r->area == NULL) {
    json_decref(list);
    return json_null();
  }
  for (size_t i = 0; i < r->area->n; i++) {
    const struct compare_module *m = &r->area->at[i];
    json_t *o = json_pack("{s:s, s:b}", "name", m->name, "whole", (int)m->whole);
    for (int f = 0; f < AREA_FIGURES; f++)
      json_object_set_new(o, names[f], pair(m->value[f][BEFORE], m->value[f][AFTER]));
    json_array_append_new(list, o);
  }
  return list;
}

/* Proofs of units; null: none were to be made. */
static json_t *proofs_json(const struct compare_report *r) {
  json_t *list = json_array();
  for (size_t i = 0; r->proofs != NULL && i < r->proofs->n; i++) {
    const struct compare_proof *p = &r->proofs->at[i];
    json_array_append_new(
        list,
        json_pack("{s:s, s:s, s:o, s:s}", "unit", p->unit, "verdict", compare_outcomes[p->outcome],
                  "cycles", p->outcome == PROOF_EQUAL ? json_null() : json_integer(p->cycle),
                  "text", p->text));
  }
  if (r->proofs != NULL)
    return list;
  json_decref(list);
  return json_null();
}

bool compare_json(FILE *out, const struct compare_report *r) {
  const struct compare_difference *d = r->d;
  json_t *runs = json_array(), *means = json_object(), *worst = json_array();
  for (size_t i = 0; i < d->n; i++)
    json_array_append_new(runs, case_json(&d->cases[i]));
  for (int f = 0; f < COMPARE_FIGURES; f++)
    json_object_set_new(means, compare_figures[f].name, real(100 * (d->mean[f] - 1)));
  for (size_t i = 0; i < COMPARE_WORST && d->worst[i] != NULL; i++)
    json_array_append_new(worst, json_string(d->worst[i]->name));
  json_t *o = json_pack(
      "{s:s, s:o, s:o, s:b, s:o, s:o, s:o, s:o, s:s?, s:o, s:o, s:o, s:o}", "suite", r->suite,
      "before", side_json(&d->sides[BEFORE]), "after", side_json(&d->sides[AFTER]), "equal",
      (int)compare_no_difference(d), "runs", runs, "mean_percent", means, "worst", worst, "stalls",
      sums_json(d->stalls, d->nstalls), "most_added_stalls",
      d->cause != NULL ? d->cause->name : NULL, "kernels", sums_json(d->kernels, d->nkernels),
      "modules", modules_json(r), "proofs", proofs_json(r), "limits", limits_json(r));
  const bool good =
      json_dumpf(o, out, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) == 0 && fputc('\n', out) != EOF;
  json_decref(o);
  return good;
}
