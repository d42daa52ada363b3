/* Features of designs.yaml: variables, units, clusters, and the tables that are made of them. */
#include "synth/input/features.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A feature as it is read: its variables are those of the file, or of a variant. */
struct reading {
  struct reader *r;
  const struct synth_setting *setting;
  yaml_node_t *units;
  struct synth_variables v;
};

/* A number from 1 that may be left out: 1 then, or what it is before. */
static unsigned count_of(const struct reading *x, yaml_node_t *map, const char *key, unsigned most,
                         unsigned otherwise) {
  yaml_node_t *node = reader_get(x->r, map, key);
  return node != NULL ? (unsigned)synth_number(x->r, node, key, &x->v, 1, most) : otherwise;
}

static bool own_of(const struct reading *x, yaml_node_t *map) {
  yaml_node_t *node = reader_get(x->r, map, "own");
  return node != NULL && reader_bool(x->r, node, "own");
}

void synth_spec_read(struct reader *r, yaml_node_t *node, const struct synth_variables *v,
                     struct synth_spec *s) {
  memset(s, 0, sizeof *s);
  reader_copy(r, node, "module", s->module, sizeof s->module);
  yaml_node_t *map = reader_get(r, node, "parameters");
  const size_t n = reader_pairs(r, map, "parameters", SYNTH_PARAMETERS);
  for (size_t i = 0; i < n; i++) {
    struct synth_parameter *to = &s->parameters[s->n++];
    const char *name;
    yaml_node_t *is = reader_pair(r, map, i, &name);
    to->value = (uint64_t)synth_number(r, is, name, v, 0, UINT32_MAX);
    if (snprintf(to->name, sizeof to->name, "%s", name) >= (int)sizeof to->name)
      reader_fail(r, map, "%s is too long", name);
  }
  synth_spec_sort(s);
}

/* Units, rows and figures. */

static int label_find(const struct synth_feature *to, const char *name) {
  for (size_t i = 0; i < to->nlabels; i++)
    if (strcmp(to->labels[i].name, name) == 0)
      return (int)i;
  return -1;
}

static void units_read(struct reading *x, struct synth_feature *to) {
  static const char *const keys[] = {"module", "parameters", NULL};
  const size_t n = reader_pairs(x->r, x->units, "units", SYNTH_LABELS);
  for (size_t i = 0; i < n; i++) {
    struct synth_label *label = &to->labels[to->nlabels++];
    const char *name;
    yaml_node_t *node = reader_pair(x->r, x->units, i, &name);
    if (snprintf(label->name, sizeof label->name, "%s", name) >= (int)sizeof label->name)
      reader_fail(x->r, node, "%s is too long", name);
    reader_keys(x->r, node, "a unit", keys);
    synth_spec_read(x->r, node, &x->v, &label->spec);
  }
}

static void row_read(struct reading *x, yaml_node_t *node, struct synth_feature *to) {
  static const char *const keys[] = {"part", "unit", "own", "times", "count", NULL};
  struct synth_row *row = &to->rows[to->nrows++];
  char label[SYNTH_LABEL];
  reader_keys(x->r, node, "a row", keys);
  reader_copy(x->r, node, "part", row->part, sizeof row->part);
  reader_copy(x->r, node, "unit", label, sizeof label);
  const int at = label_find(to, label);
  if (at < 0)
    reader_fail(x->r, node, "%s has no unit \"%s\"", to->name, label);
  row->label = at < 0 ? 0 : (size_t)at;
  row->times = count_of(x, node, "times", 1 << 20, 1);
  row->count = count_of(x, node, "count", 1 << 20, 1);
  row->own = own_of(x, node);
}

static void figure_read(struct reading *x, yaml_node_t *node, struct synth_feature *to) {
  static const char *const keys[] = {"figure",    "unit",       "name",           "source",
                                     "published", "recomputed", "recomputed_how", "ours",
                                     "ours_how",  NULL};
  struct synth_figure_rule *f = &to->figures[to->nfigures++];
  const struct {
    char *text;
    size_t size;
    bool expression;
  } texts[] = {{f->figure, sizeof f->figure, false},
               {f->unit, sizeof f->unit, false},
               {f->name, sizeof f->name, false},
               {f->source, sizeof f->source, false},
               {f->published, sizeof f->published, true},
               {f->recomputed, sizeof f->recomputed, true},
               {f->recomputed_how, sizeof f->recomputed_how, false},
               {f->ours, sizeof f->ours, true},
               {f->ours_how, sizeof f->ours_how, false}};
  reader_keys(x->r, node, "a figure", keys);
  for (unsigned i = 0; keys[i] != NULL; i++) {
    yaml_node_t *text = reader_get(x->r, node, keys[i]);
    struct tandem_error why;
    if (text == NULL && i >= 2)
      continue;
    reader_copy(x->r, node, keys[i], texts[i].text, texts[i].size);
    if (texts[i].expression && x->setting->check(to, texts[i].text, &why) != 0)
      reader_fail(x->r, text, "%s: %.300s", keys[i], why.text);
  }
}

static void table_read(struct reading *x, yaml_node_t *node, const char *key, size_t most,
                       void (*read)(struct reading *, yaml_node_t *, struct synth_feature *),
                       struct synth_feature *to) {
  yaml_node_t *list = reader_get(x->r, node, key);
  const size_t n = reader_list(x->r, list, key, most);
  for (size_t i = 0; i < n && x->r->status == 0; i++)
    read(x, reader_item(x->r, list, i), to);
}

/* Clusters. */

static void part_read(const struct reading *x, yaml_node_t *node, struct synth_part *p) {
  static const char *const keys[] = {"count", "unit", "module", "parameters", "own", NULL};
  yaml_node_t *spec = node;
  reader_keys(x->r, node, "a part", keys);
  if (reader_get(x->r, node, "unit") != NULL) {
    char label[SYNTH_LABEL];
    reader_copy(x->r, node, "unit", label, sizeof label);
    spec = reader_get(x->r, x->units, label);
    if (spec == NULL)
      reader_fail(x->r, node, "there is no unit \"%s\"", label);
  }
  synth_spec_read(x->r, spec, &x->v, &p->spec);
  p->count = count_of(x, node, "count", 1024, 1);
  p->own = own_of(x, node);
}

static void cluster_read(const struct reading *x, yaml_node_t *node, struct synth_cluster *c) {
  reader_copy(x->r, node, "variant", c->variant, sizeof c->variant);
  (void)reader_need(x->r, node, "members", "a cluster");
  c->members = count_of(x, node, "members", 1024, 1);
  yaml_node_t *parts = reader_need(x->r, node, "parts", "a cluster");
  const size_t n = reader_list(x->r, parts, "parts", SYNTH_PARTS);
  for (size_t i = 0; i < n && x->r->status == 0; i++)
    part_read(x, reader_item(x->r, parts, i), &c->parts[c->nparts++]);
}

/* The variables of a variant: those of the feature, but for some.  True: one is beyond its limit.
 */
static bool variant_beyond(struct reading *x, yaml_node_t *with, const struct synth_feature *of,
                           struct synth_variable *v) {
  const size_t n = reader_pairs(x->r, with, "with", SYNTH_VARIABLES);
  memcpy(v, of->variables, sizeof of->variables);
  x->v = (struct synth_variables){v, of->nvariables};
  for (size_t i = 0; i < n; i++) {
    const char *name;
    yaml_node_t *node = reader_pair(x->r, with, i, &name);
    size_t k = 0;
    while (k < of->nvariables && (strcmp(v[k].name, name) != 0 || v[k].is[0] != '\0'))
      k++;
    if (k == of->nvariables)
      reader_fail(x->r, with, "with: the name of a parameter with a value is expected");
    else
      v[k].value = synth_number(x->r, node, name, &x->v, 1, UINT32_MAX);
  }
  const int status = x->r->status == 0 ? synth_variables_follow(v, of->nvariables, x->r->err) : 0;
  x->r->status = status < 0 ? status : x->r->status;
  return status == 1;
}

static struct synth_cluster *cluster_add(struct reader *r, struct synth_designs *d) {
  struct synth_cluster *more = realloc(d->clusters, (d->nclusters + 1) * sizeof *more);
  if (more == NULL) {
    reader_memory(r);
    return NULL;
  }
  d->clusters = more;
  return memset(&more[d->nclusters++], 0, sizeof *more);
}

static void clusters_read(struct reading *x, yaml_node_t *node, const struct synth_feature *of,
                          struct synth_designs *d) {
  static const char *const keys[] = {"members", "variant", "sms", "with", "parts", NULL};
  yaml_node_t *list = reader_need(x->r, node, "clusters", "a feature");
  const size_t n = reader_list(x->r, list, "clusters", SIZE_MAX);
  for (size_t i = 0; i < n && x->r->status == 0; i++) {
    struct synth_variable v[SYNTH_VARIABLES];
    yaml_node_t *item = reader_item(x->r, list, i);
    reader_keys(x->r, item, "a cluster", keys);
    if (variant_beyond(x, reader_get(x->r, item, "with"), of, v))
      continue;
    struct synth_cluster *c = cluster_add(x->r, d);
    if (c == NULL)
      return;
    memcpy(c->feature, of->name, sizeof of->name);
    c->sms = count_of(x, item, "sms", 1024, count_of(x, node, "sms", 1024, d->sms));
    c->baseline = of->baseline;
    cluster_read(x, item, c);
    if (x->r->status == 0 && c->sms % c->members != 0)
      reader_fail(x->r, list, "%u SMs are no clusters of %u", c->sms, c->members);
  }
}

void synth_feature_read(struct reader *r, yaml_node_t *node, const struct synth_setting *s,
                        struct synth_designs *d) {
  static const char *const keys[] = {"name",     "baseline", "parameters", "sms", "units",
                                     "clusters", "rows",     "figures",    NULL};
  struct synth_feature *more = realloc(d->features, (d->nfeatures + 1) * sizeof *more);
  if (more == NULL) {
    reader_memory(r);
    return;
  }
  d->features = more;
  struct synth_feature *to = memset(&more[d->nfeatures++], 0, sizeof *more);
  reader_keys(r, node, "a feature", keys);
  reader_copy(r, node, "name", to->name, sizeof to->name);
  yaml_node_t *baseline = reader_get(r, node, "baseline");
  to->baseline = d->baseline;
  if (baseline != NULL)
    synth_spec_read(r, baseline, NULL, &to->baseline);
  synth_variables_read(r, reader_get(r, node, "parameters"), s, to);
  struct reading x = {r, s, reader_get(r, node, "units"), {to->variables, to->nvariables}};
  units_read(&x, to);
  table_read(&x, node, "rows", SYNTH_ROWS, row_read, to);
  table_read(&x, node, "figures", SYNTH_FIGURES, figure_read, to);
  clusters_read(&x, node, to, d);
}
