/* Figures of a feature that designs.yaml reckons from a report. */
#include "synth/model/figures.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/expression.h"

/* Context in which a feature's expressions look names up.  report NULL: names are only checked to
 * exist. */
struct lookup {
  const struct synth_feature *feature;
  const struct synth_report *report;
};

double synth_leakage_w(const struct synth_report *r, size_t baseline, const struct synth_size *s) {
  if (baseline >= r->nunits)
    return NAN;
  const struct synth_size *b = &r->units[baseline].whole;
  const double bit_w = 1e-6 * r->technology.memory.leakage_bit_uw;
  const double cells_w =
      r->technology.leakage.front_end_w - (double)b->memory_bits * bit_w; /* of the baseline's */
  return synth_area(s) / synth_area(b) * cells_w + (double)s->memory_bits * bit_w;
}

/* Figures of a unit. */

static double gates(const struct lookup *l, const struct synth_unit *u) {
  return synth_gates(l->report, synth_area(&u->whole));
}
static double own_gates(const struct lookup *l, const struct synth_unit *u) {
  return synth_gates(l->report, synth_area(&u->own));
}
static double flip_flops(const struct lookup *l, const struct synth_unit *u) {
  (void)l;
  return (double)u->whole.sequential_cells;
}
static double memory_bits(const struct lookup *l, const struct synth_unit *u) {
  (void)l;
  return (double)u->whole.memory_bits;
}
static double fmax_mhz(const struct lookup *l, const struct synth_unit *u) {
  (void)l;
  return u->timing.fmax_mhz;
}

/* From the library's process to 45 nm, by the published equations; NAN: it is not known. */
static struct technology_factors to45(const struct synth_report *r) {
  static const struct technology_corner at45 = {45, 0};
  struct technology_factors f = {NAN, NAN, NAN};
  if (r->process.nm > 0)
    (void)technology_scale(&r->technology, r->process, at45, &f, NULL);
  return f;
}
static double fmax45_mhz(const struct lookup *l, const struct synth_unit *u) {
  return u->timing.fmax_mhz / to45(l->report).delay;
}
static double mm2(const struct lookup *l, const struct synth_unit *u) {
  return 1e-6 * synth_area(&u->whole) * to45(l->report).area;
}
static double own_mm2(const struct lookup *l, const struct synth_unit *u) {
  return 1e-6 * synth_area(&u->own) * to45(l->report).area;
}
static double memory_mm2(const struct lookup *l, const struct synth_unit *u) {
  return 1e-6 * u->whole.memory_area * to45(l->report).area;
}
static double cycle_pj(const struct lookup *l, const struct synth_unit *u) {
  const double watts = (u->power.internal_w + u->power.switching_w) * to45(l->report).energy;
  return 1e6 * watts / l->report->mhz;
}

static size_t baseline_of(const struct synth_report *r, const struct synth_feature *f) {
  return synth_find(r, &f->baseline, false);
}
static double leakage(const struct lookup *l, const struct synth_unit *u) {
  return synth_leakage_w(l->report, baseline_of(l->report, l->feature), &u->whole);
}
static double access_pj(const struct lookup *l, const struct synth_unit *u) {
  struct technology_macro macro;
  if (u->nmemories == 0)
    return NAN;
  const struct synth_memory *m = &u->memories[0];
  const struct technology_memory shape = {m->words, m->width, m->reads + m->writes};
  const struct technology_corner at45 = {45, 0};
  return technology_macro(&l->report->technology, &shape, at45, &macro, NULL) == 0 ? macro.access_pj
                                                                                   : NAN;
}
static const struct {
  const char *name;
  double (*of)(const struct lookup *l, const struct synth_unit *u);
} functions[] = {
    {"gates", gates},
    {"own_gates", own_gates},
    {"flip_flops", flip_flops},
    {"memory_bits", memory_bits},
    {"fmax", fmax_mhz},
    {"fmax45", fmax45_mhz},
    {"leakage", leakage},
    {"access_pj", access_pj},
    {"mm2", mm2},
    {"own_mm2", own_mm2},
    {"memory_mm2", memory_mm2},
    {"cycle_pj", cycle_pj},
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static double count(const struct synth_report *r, size_t in, size_t unit) {
  double n = in == unit ? 1 : 0;
  for (size_t i = 0; i < r->units[in].nchildren; i++)
    n += r->units[in].children[i].count * count(r, r->units[in].children[i].unit, unit);
  return n;
}

/* The unit of a label of so many letters, SIZE_MAX: not in the report.  False: no such label. */
static bool unit_of(const struct lookup *l, const char *label, size_t length, size_t *unit) {
  for (size_t i = 0; i < l->feature->nlabels; i++) {
    const struct synth_label *x = &l->feature->labels[i];
    if (strlen(x->name) != length || strncmp(x->name, label, length) != 0)
      continue;
    *unit = l->report != NULL ? synth_find(l->report, &x->spec, false) : SIZE_MAX;
    return true;
  }
  return false;
}

/* FUNCTION.UNIT, count.UNIT.UNIT. */
static bool unit_value(const struct lookup *l, const char *name, double *value) {
  const size_t head = strcspn(name, ".");
  const char *label = name + head + (name[head] != '\0');
  const size_t length = strcspn(label, ".");
  size_t unit, inner;
  if (!unit_of(l, label, length, &unit))
    return false;
  *value = NAN;
  if (head == 5 && strncmp(name, "count", head) == 0) {
    const char *other = label + length + (label[length] != '\0');
    if (!unit_of(l, other, strlen(other), &inner))
      return false;
    if (unit != SIZE_MAX && inner != SIZE_MAX)
      *value = count(l->report, unit, inner);
    return true;
  }
  for (unsigned f = 0; label[length] == '\0' && f < FUNCTIONS; f++)
    if (strlen(functions[f].name) == head && strncmp(functions[f].name, name, head) == 0) {
      if (unit != SIZE_MAX)
        *value = functions[f].of(l, &l->report->units[unit]);
      return true;
    }
  return false;
}

/* ours.NAME, recomputed.NAME: of a figure before this one. */
static bool figure_value(const struct lookup *l, const char *name, double *value) {
  const bool ours = strncmp(name, "ours.", 5) == 0;
  if (!ours && strncmp(name, "recomputed.", 11) != 0)
    return false;
  const char *of = name + (ours ? 5 : 11);
  *value = NAN;
  for (size_t i = 0; l->report == NULL && i + 1 < l->feature->nfigures; i++)
    if (strcmp(l->feature->figures[i].name, of) == 0)
      return true;
  for (size_t i = 0; l->report != NULL && i < l->report->nfigures; i++) {
    const struct synth_figure *x = &l->report->figures[i];
    if (strcmp(x->feature, l->feature->name) == 0 && strcmp(x->rule.name, of) == 0) {
      *value = ours ? x->ours : x->recomputed;
      return true;
    }
  }
  return false;
}

static int value_of(void *user, const char *name, union expression_value *v,
                    struct tandem_error *err) {
  static const struct technology nothing;
  const struct lookup *l = user;
  for (size_t i = 0; i < l->feature->nvariables; i++)
    if (strcmp(l->feature->variables[i].name, name) == 0) {
      v->real = (double)l->feature->variables[i].value;
      return 0;
    }
  if (figure_value(l, name, &v->real) || unit_value(l, name, &v->real))
    return 0;
  if (technology_number(l->report != NULL ? &l->report->technology : &nothing, name, &v->real)) {
    v->real = l->report != NULL ? v->real : NAN;
    return 0;
  }
  return tandem_fail(err, -EINVAL,
                     "\"%s\" is no parameter of %s, no figure before this one, no figure of a "
                     "unit and none of technology.yaml (synth/model/figures.h)",
                     name, l->feature->name);
}

int synth_figure_check(const struct synth_feature *f, const char *text, struct tandem_error *err) {
  struct lookup l = {f, NULL};
  const struct expression_names names = {value_of, &l};
  double value;
  return expression_real(text, &names, &value, err);
}

/* The value of an expression that was checked; NAN: none. */
static double reckon(const struct synth_report *r, const struct synth_feature *f,
                     const char *text) {
  struct lookup l = {f, r};
  const struct expression_names names = {value_of, &l};
  double value = NAN;
  return text[0] != '\0' && expression_real(text, &names, &value, NULL) == 0 ? value : NAN;
}

static void row_add(struct synth_report *r, const struct synth_feature *f,
                    const struct synth_row *row) {
  const size_t at = synth_find(r, &f->labels[row->label].spec, false);
  if (at == SIZE_MAX)
    return;
  const struct synth_unit *u = &r->units[at];
  struct synth_of_part *to = &r->parts[r->nparts++];
  memset(to, 0, sizeof *to);
  memcpy(to->feature, f->name, sizeof to->feature);
  memcpy(to->part, row->part, sizeof to->part);
  to->unit = at;
  to->count = row->count;
  to->times = row->times;
  to->own = row->own;
  synth_size_add(&to->size, row->own ? &u->own : &u->whole, row->times);
  to->leakage_w = synth_leakage_w(r, baseline_of(r, f), &to->size);
  to->fmax_mhz = row->own ? NAN : u->timing.fmax_mhz;
}

static void figure_add(struct synth_report *r, const struct synth_feature *f,
                       const struct synth_figure_rule *x) {
  struct synth_figure *to = &r->figures[r->nfigures];
  memcpy(to->feature, f->name, sizeof to->feature);
  to->rule = *x;
  to->published = f->chosen ? NAN : reckon(r, f, x->published);
  to->recomputed = reckon(r, f, x->recomputed);
  to->ours = reckon(r, f, x->ours);
  r->nfigures++;
}

int synth_figures_all(struct synth_report *r, const struct synth_designs *d, const char *feature,
                      struct tandem_error *err) {
  size_t rows = 0, figures = 0;
  for (size_t i = 0; i < d->nfeatures; i++) {
    rows += d->features[i].nrows;
    figures += d->features[i].nfigures;
  }
  r->parts = calloc(rows + 1, sizeof *r->parts);
  r->figures = calloc(figures + 1, sizeof *r->figures);
  if (r->parts == NULL || r->figures == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; i < d->nfeatures; i++) {
    const struct synth_feature *f = &d->features[i];
    if (feature != NULL && strcmp(feature, f->name) != 0)
      continue;
    for (size_t k = 0; k < f->nrows; k++)
      row_add(r, f, &f->rows[k]);
    for (size_t k = 0; k < f->nfigures; k++)
      figure_add(r, f, &f->figures[k]);
  }
  return 0;
}
