/* Features of designs.yaml: variables, units, clusters, and the tables that are made of them. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "synth/input/features.h"

/* A feature as it is read: its variables are those of the file, or of a variant. */
struct reading {
  struct yaml_file *f;
  const struct synth_setting *setting;
  yaml_node_t *units;
  struct synth_variables v;
};

static int count_to(struct yaml_file *f, yaml_node_t *map, const char *key,
                    const struct synth_variables *v, unsigned most, unsigned *to,
                    struct tandem_error *err) {
  int64_t value = *to;
  yaml_node_t *node = yaml_get(f, map, key);
  const int status = node != NULL ? synth_number_read(f, node, key, v, 1, most, &value, err) : 0;
  *to = (unsigned)value;
  return status;
}

int synth_spec_read(struct yaml_file *f, yaml_node_t *node, const struct synth_variables *v,
                    struct synth_spec *s, struct tandem_error *err) {
  yaml_node_pair_t *pairs = NULL;
  memset(s, 0, sizeof *s);
  int status = synth_text_read(f, node, "module", s->module, sizeof s->module, err);
  yaml_node_t *map = yaml_get(f, node, "parameters");
  const int n = status == 0 ? synth_pairs(f, map, "parameters", &pairs, err) : status;
  if (n > SYNTH_PARAMETERS)
    return yaml_fail(f, map, err, "at most %d parameters", SYNTH_PARAMETERS);
  status = n < 0 ? n : 0;
  for (int i = 0; status == 0 && i < n; i++) {
    struct synth_parameter *to = &s->parameters[s->n++];
    const char *name;
    int64_t value = 0;
    yaml_node_t *is = synth_pair(f, &pairs[i], &name, err);
    status = is != NULL ? synth_number_read(f, is, name, v, 0, UINT32_MAX, &value, err) : -EINVAL;
    to->value = (uint64_t)value;
    if (status == 0 && snprintf(to->name, sizeof to->name, "%s", name) >= (int)sizeof to->name)
      return yaml_fail(f, map, err, "%s is too long", name);
  }
  synth_spec_sort(s);
  return status;
}

/* Units, rows and figures. */

static int label_find(const struct synth_feature *to, const char *name) {
  for (size_t i = 0; i < to->nlabels; i++)
    if (strcmp(to->labels[i].name, name) == 0)
      return (int)i;
  return -1;
}

static int unit_read(struct yaml_file *f, yaml_node_t *node, const char *name,
                     const struct synth_variables *v, struct synth_label *to,
                     struct tandem_error *err) {
  static const char *const keys[] = {"module", "parameters", NULL};
  const int status = yaml_map(f, node, "a unit", keys, err);
  if (status != 0)
    return status;
  if (snprintf(to->name, sizeof to->name, "%s", name) >= (int)sizeof to->name)
    return yaml_fail(f, node, err, "%s is too long", name);
  return synth_spec_read(f, node, v, &to->spec, err);
}

static int units_read(struct reading *r, struct synth_feature *to, struct tandem_error *err) {
  yaml_node_pair_t *pairs = NULL;
  const int n = synth_pairs(r->f, r->units, "units", &pairs, err);
  if (n > SYNTH_LABELS)
    return yaml_fail(r->f, r->units, err, "at most %d units", SYNTH_LABELS);
  int status = n < 0 ? n : 0;
  for (int i = 0; status == 0 && i < n; i++) {
    const char *name;
    yaml_node_t *node = synth_pair(r->f, &pairs[i], &name, err);
    status = node != NULL ? unit_read(r->f, node, name, &r->v, &to->labels[to->nlabels++], err)
                          : -EINVAL;
  }
  return status;
}

static int row_read(struct reading *r, yaml_node_t *node, struct synth_feature *to,
                    struct tandem_error *err) {
  static const char *const keys[] = {"part", "unit", "own", "times", "count", NULL};
  struct yaml_file *f = r->f;
  if (to->nrows == SYNTH_ROWS)
    return yaml_fail(f, node, err, "at most %d rows", SYNTH_ROWS);
  struct synth_row *row = &to->rows[to->nrows++];
  char label[SYNTH_LABEL];
  row->times = row->count = 1;
  int status = yaml_map(f, node, "a row", keys, err);
  if (status == 0)
    status = synth_text_read(f, node, "part", row->part, sizeof row->part, err);
  if (status == 0)
    status = synth_text_read(f, node, "unit", label, sizeof label, err);
  if (status == 0 && label_find(to, label) < 0)
    return yaml_fail(f, node, err, "%s has no unit \"%s\"", to->name, label);
  if (status == 0)
    row->label = (size_t)label_find(to, label);
  if (status == 0)
    status = count_to(f, node, "times", &r->v, 1 << 20, &row->times, err);
  if (status == 0)
    status = count_to(f, node, "count", &r->v, 1 << 20, &row->count, err);
  if (status == 0 && yaml_get(f, node, "own") != NULL)
    status = yaml_bool(f, yaml_get(f, node, "own"), "own", &row->own, err);
  return status;
}

static int figure_read(struct reading *r, yaml_node_t *node, struct synth_feature *to,
                       struct tandem_error *err) {
  static const char *const keys[] = {"figure",    "unit",       "name",           "source",
                                     "published", "recomputed", "recomputed_how", "ours",
                                     "ours_how",  NULL};
  if (to->nfigures == SYNTH_FIGURES)
    return yaml_fail(r->f, node, err, "at most %d figures", SYNTH_FIGURES);
  struct synth_figure_rule *x = &to->figures[to->nfigures++];
  const struct {
    char *text;
    size_t size;
    bool expression;
  } texts[] = {{x->figure, sizeof x->figure, false},
               {x->unit, sizeof x->unit, false},
               {x->name, sizeof x->name, false},
               {x->source, sizeof x->source, false},
               {x->published, sizeof x->published, true},
               {x->recomputed, sizeof x->recomputed, true},
               {x->recomputed_how, sizeof x->recomputed_how, false},
               {x->ours, sizeof x->ours, true},
               {x->ours_how, sizeof x->ours_how, false}};
  int status = yaml_map(r->f, node, "a figure", keys, err);
  for (unsigned i = 0; status == 0 && keys[i] != NULL; i++) {
    yaml_node_t *text = yaml_get(r->f, node, keys[i]);
    struct tandem_error why;
    if (text == NULL && i >= 2)
      continue;
    status = synth_text_read(r->f, node, keys[i], texts[i].text, texts[i].size, err);
    if (status == 0 && texts[i].expression && r->setting->check(to, texts[i].text, &why) != 0)
      return yaml_fail(r->f, text, err, "%s: %.300s", keys[i], why.text);
  }
  return status;
}

/* Clusters. */

static int part_read(const struct reading *r, yaml_node_t *node, struct synth_part *p,
                     struct tandem_error *err) {
  static const char *const keys[] = {"count", "unit", "module", "parameters", "own", NULL};
  struct yaml_file *f = r->f;
  char label[SYNTH_LABEL];
  int status = yaml_map(f, node, "a part", keys, err);
  yaml_node_t *spec = node;
  p->count = 1;
  p->own = false;
  if (status == 0 && yaml_get(f, node, "unit") != NULL) {
    status = synth_text_read(f, node, "unit", label, sizeof label, err);
    spec = status == 0 && r->units != NULL ? yaml_get(f, r->units, label) : NULL;
    if (status == 0 && spec == NULL)
      return yaml_fail(f, node, err, "there is no unit \"%s\"", label);
  }
  if (status == 0)
    status = synth_spec_read(f, spec, &r->v, &p->spec, err);
  if (status == 0)
    status = count_to(f, node, "count", &r->v, 1024, &p->count, err);
  if (status == 0 && yaml_get(f, node, "own") != NULL)
    status = yaml_bool(f, yaml_get(f, node, "own"), "own", &p->own, err);
  return status;
}

static int cluster_read(const struct reading *r, yaml_node_t *node, struct synth_cluster *c,
                        struct tandem_error *err) {
  struct yaml_file *f = r->f;
  int status = synth_text_read(f, node, "variant", c->variant, sizeof c->variant, err);
  if (status == 0 && yaml_get(f, node, "members") == NULL)
    return yaml_fail(f, node, err, "a cluster has no members");
  if (status == 0)
    status = count_to(f, node, "members", &r->v, 1024, &c->members, err);
  yaml_node_t *parts = yaml_get(f, node, "parts");
  if (status == 0)
    status = yaml_list(f, parts, "parts", err);
  for (size_t i = 0; status == 0 && i < yaml_count(parts); i++) {
    if (i == SYNTH_PARTS)
      return yaml_fail(f, parts, err, "at most %d parts", SYNTH_PARTS);
    status = part_read(r, yaml_item(f, parts, i), &c->parts[c->nparts++], err);
  }
  return status;
}

/* The variables of a variant: those of the feature, but for some.  1: beyond the limits. */
static int variant_variables(struct reading *r, yaml_node_t *with, const struct synth_feature *of,
                             struct synth_variable *v, struct tandem_error *err) {
  yaml_node_pair_t *pairs = NULL;
  const int n = synth_pairs(r->f, with, "with", &pairs, err);
  memcpy(v, of->variables, sizeof of->variables);
  r->v = (struct synth_variables){v, of->nvariables};
  for (int i = 0; i < n; i++) {
    const char *name;
    yaml_node_t *node = synth_pair(r->f, &pairs[i], &name, err);
    size_t k = 0;
    while (node != NULL && k < of->nvariables &&
           (strcmp(v[k].name, name) != 0 || v[k].is[0] != '\0'))
      k++;
    if (node == NULL || k == of->nvariables)
      return yaml_fail(r->f, with, err, "with: the name of a parameter with a value is expected");
    if (synth_number_read(r->f, node, name, &r->v, 1, UINT32_MAX, &v[k].value, err) != 0)
      return -EINVAL;
  }
  return n < 0 ? n : synth_variables_follow(v, of->nvariables, err);
}

static int clusters_read(struct reading *r, yaml_node_t *node, const struct synth_feature *of,
                         struct synth_designs *d, struct tandem_error *err) {
  static const char *const keys[] = {"members", "variant", "with", "parts", NULL};
  yaml_node_t *list = yaml_get(r->f, node, "clusters");
  int status = yaml_list(r->f, list, "clusters", err);
  for (size_t i = 0; status == 0 && i < yaml_count(list); i++) {
    struct synth_variable v[SYNTH_VARIABLES];
    yaml_node_t *item = yaml_item(r->f, list, i);
    status = yaml_map(r->f, item, "a cluster", keys, err);
    if (status == 0)
      status = variant_variables(r, yaml_get(r->f, item, "with"), of, v, err);
    if (status == 1) {
      status = 0;
      continue;
    }
    struct synth_cluster *more = realloc(d->clusters, (d->nclusters + 1) * sizeof *more);
    if (more == NULL)
      return tandem_fail(err, -ENOMEM, "out of memory");
    d->clusters = more;
    struct synth_cluster *c = &more[d->nclusters++];
    memset(c, 0, sizeof *c);
    memcpy(c->feature, of->name, sizeof of->name);
    c->sms = d->sms;
    if (status == 0)
      status = count_to(r->f, node, "sms", &r->v, 1024, &c->sms, err);
    if (status == 0)
      status = cluster_read(r, item, c, err);
    if (status == 0 && c->sms % c->members != 0)
      status = yaml_fail(r->f, list, err, "%u SMs are no clusters of %u", c->sms, c->members);
  }
  return status;
}

static int list_read(struct reading *r, yaml_node_t *node, const char *key,
                     int (*read)(struct reading *, yaml_node_t *, struct synth_feature *,
                                 struct tandem_error *),
                     struct synth_feature *to, struct tandem_error *err) {
  yaml_node_t *list = yaml_get(r->f, node, key);
  int status = list != NULL ? yaml_list(r->f, list, key, err) : 0;
  for (size_t i = 0; status == 0 && list != NULL && i < yaml_count(list); i++)
    status = read(r, yaml_item(r->f, list, i), to, err);
  return status;
}

int synth_feature_read(struct yaml_file *f, yaml_node_t *node, const struct synth_setting *s,
                       struct synth_designs *d, struct tandem_error *err) {
  static const char *const keys[] = {"name",     "parameters", "sms",     "units",
                                     "clusters", "rows",       "figures", NULL};
  struct synth_feature *more = realloc(d->features, (d->nfeatures + 1) * sizeof *more);
  if (more == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  d->features = more;
  struct synth_feature *to = &more[d->nfeatures++];
  memset(to, 0, sizeof *to);
  int status = yaml_map(f, node, "a feature", keys, err);
  if (status == 0)
    status = synth_text_read(f, node, "name", to->name, sizeof to->name, err);
  struct reading r = {.f = f, .setting = s};
  if (status == 0)
    status = synth_variables_read(f, yaml_get(f, node, "parameters"), s, to, err);
  r.units = status == 0 ? yaml_get(f, node, "units") : NULL;
  r.v = (struct synth_variables){to->variables, to->nvariables};
  if (status == 0)
    status = units_read(&r, to, err);
  if (status == 0)
    status = list_read(&r, node, "rows", row_read, to, err);
  if (status == 0)
    status = list_read(&r, node, "figures", figure_read, to, err);
  return status == 0 ? clusters_read(&r, node, to, d, err) : status;
}
