/* Goldens: figures that runs have had, in a file beside the suite.
 *
 *     goldens: {file: goldens/smoke.yaml, metrics: {cycles: exact, warp_instructions: exact,
 *               energy.total: 2}}
 *
 * The file is a mapping from names of runs to mappings from metrics to numbers. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/files.h"
#include "csim/util/input.h"
#include "harness/regress/regress.h"

double regress_metric(const json_t *result, const char *path) {
  const json_t *at = result;
  while (at != NULL && *path != '\0') {
    const size_t n = strcspn(path, ".");
    at = json_object_getn(at, path, n);
    path += n + (path[n] == '.');
  }
  return json_is_number(at) ? json_number_value(at) : NAN;
}

static int read_metric(struct experiment_suite *s, struct regress_goldens *g, yaml_node_t *key,
                       yaml_node_t *node, struct tandem_error *err) {
  const char *text;
  if (g->nmetrics == REGRESS_METRICS)
    return yaml_fail(&s->file, key, err, "there are more than %d metrics", REGRESS_METRICS);
  TRY(yaml_text(&s->file, key, "a metric", &g->metrics[g->nmetrics], err));
  TRY(yaml_text(&s->file, node, "a tolerance", &text, err));
  double *tolerance = &g->tolerance[g->nmetrics++];
  *tolerance = 0;
  if (strcmp(text, "exact") == 0)
    return 0;
  TRY(yaml_real(&s->file, node, "a tolerance (exact, or %)", tolerance, err));
  return *tolerance >= 0 ? 0
                         : yaml_fail(&s->file, node, err, "a tolerance is exact, or at least 0 %%");
}

/* The suite's `goldens`. */
static int read_settings(struct experiment_suite *s, yaml_node_t *map, struct regress_goldens *g,
                         struct tandem_error *err) {
  static const char *const keys[] = {"file", "metrics", NULL};
  const char *file;
  TRY(yaml_map(&s->file, map, "goldens", keys, err));
  yaml_node_t *path = yaml_get(&s->file, map, "file"),
              *metrics = yaml_get(&s->file, map, "metrics");
  if (path == NULL)
    return yaml_fail(&s->file, map, err, "goldens need a file");
  TRY(yaml_text(&s->file, path, "file", &file, err));
  if (asprintf(&g->path, "%s%s", *file == '/' ? "" : s->folder, file) < 0)
    return tandem_fail(err, -ENOMEM, "out of memory");
  if (metrics == NULL) {
    g->metrics[0] = "cycles";
    g->metrics[1] = "warp_instructions";
    g->nmetrics = 2;
    return 0;
  }
  if (metrics->type != YAML_MAPPING_NODE)
    return yaml_fail(&s->file, metrics, err, "metrics must be a mapping (metric: tolerance)");
  for (yaml_node_pair_t *p = metrics->data.mapping.pairs.start; p < metrics->data.mapping.pairs.top;
       p++)
    TRY(read_metric(s, g, yaml_document_get_node(&s->file.document, p->key),
                    yaml_document_get_node(&s->file.document, p->value), err));
  return 0;
}

/* The golden figures of a run. */
static int read_run(struct yaml_file *f, yaml_node_t *map, struct regress_goldens *g, size_t run,
                    struct tandem_error *err) {
  if (map->type != YAML_MAPPING_NODE)
    return yaml_fail(f, map, err, "the goldens of a run must be a mapping (metric: number)");
  for (size_t m = 0; m < g->nmetrics; m++) {
    yaml_node_t *node = yaml_get(f, map, g->metrics[m]);
    if (node != NULL)
      TRY(yaml_real(f, node, g->metrics[m], &g->golden[run * g->nmetrics + m], err));
  }
  return 0;
}

/* The file with goldens; one that is not there has none. */
static int read_file(struct regress_report *r, struct tandem_error *err) {
  struct yaml_file f = {0};
  struct tandem_error why;
  const int opened = yaml_open(&f, r->goldens.path, &why);
  if (opened == -ENOENT)
    return 0;
  if (opened != 0)
    return tandem_fail(err, opened, "%s", why.text);
  yaml_node_t *root = yaml_root(&f);
  int status = 0;
  if (root != NULL && root->type != YAML_MAPPING_NODE)
    status = yaml_fail(&f, root, err, "goldens must be a mapping (run: figures)");
  for (size_t i = 0; status == 0 && root != NULL && i < r->s->nruns; i++) {
    yaml_node_t *map = yaml_get(&f, root, r->s->runs[i].name);
    if (map != NULL)
      status = read_run(&f, map, &r->goldens, i, err);
  }
  yaml_close(&f);
  return status;
}

int regress_goldens_read(struct regress_report *r, struct tandem_error *err) {
  struct regress_goldens *g = &r->goldens;
  yaml_node_t *map = yaml_get(&r->s->file, yaml_root(&r->s->file), "goldens");
  if (map == NULL)
    return 0;
  TRY(read_settings(r->s, map, g, err));
  const size_t n = r->s->nruns * g->nmetrics;
  g->golden = calloc(n + 1, sizeof *g->golden);
  g->value = calloc(n + 1, sizeof *g->value);
  if (g->golden == NULL || g->value == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; i < n; i++) {
    g->golden[i] = NAN;
    g->value[i] = regress_metric(r->results[i / g->nmetrics].json, g->metrics[i % g->nmetrics]);
  }
  return read_file(r, err);
}

/* Simulations of launches alone have goldens. */
static bool has_goldens(const struct regress_report *r, const struct regress_case *c) {
  return r->goldens.path != NULL && c->run->settings.kind == EXPERIMENT_LAUNCH &&
         c->verdict == REGRESS_PASSED;
}

void regress_goldens_compare(struct regress_report *r, struct regress_case *c) {
  const struct regress_goldens *g = &r->goldens;
  const size_t run = (size_t)(c->run - r->s->runs);
  for (size_t m = 0; has_goldens(r, c) && m < g->nmetrics; m++) {
    const double golden = g->golden[run * g->nmetrics + m], v = g->value[run * g->nmetrics + m];
    const double change = 100 * (v / golden - 1);
    const bool same = g->tolerance[m] == 0 ? v == golden : fabs(change) <= g->tolerance[m];
    if (same)
      continue;
    const int n =
        isnan(golden)
            ? asprintf(&c->text, "%s: %.12g, and there is no golden; --update writes it",
                       g->metrics[m], v)
            : asprintf(&c->text, "%s: %.12g, golden %.12g (%+.2f %%); --update accepts it",
                       g->metrics[m], v, golden, change);
    c->text = n < 0 ? NULL : c->text;
    c->verdict = REGRESS_FAILED;
    snprintf(c->failure.kind, sizeof c->failure.kind, "golden");
    snprintf(c->failure.field, sizeof c->failure.field, "%s", g->metrics[m]);
  }
}

/* A run's line. */
static void write_run(FILE *out, const struct regress_report *r, size_t run, const double *v) {
  const struct regress_goldens *g = &r->goldens;
  const char *separator = "";
  if (isnan(v[0]))
    return;
  fprintf(out, "\"%s\": {", r->s->runs[run].name);
  for (size_t m = 0; m < g->nmetrics; m++)
    if (!isnan(v[m])) {
      fprintf(out, "%s%s: %.12g", separator, g->metrics[m], v[m]);
      separator = ", ";
    }
  fputs("}\n", out);
}

int regress_goldens_update(const struct regress_report *r, struct tandem_error *err) {
  const struct regress_goldens *g = &r->goldens;
  char *text = NULL;
  size_t size = 0;
  if (g->path == NULL)
    return tandem_fail(err, -EINVAL, "--update: suite %s has no goldens", r->s->name);
  FILE *out = open_memstream(&text, &size);
  if (out == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  fprintf(out, "# Figures of the suite %s; `./tandem regress %s --update` writes them.\n",
          r->s->name, r->s->name);
  for (size_t i = 0; i < r->s->nruns; i++) {
    const struct regress_case *c = &r->cases[i];
    const bool fresh = c->result->status != NULL && strcmp(c->result->status, "ok") == 0 &&
                       c->run->settings.kind == EXPERIMENT_LAUNCH;
    write_run(out, r, i, (fresh ? g->value : g->golden) + i * g->nmetrics);
  }
  int status = fclose(out) == 0 ? 0 : tandem_fail(err, -ENOMEM, "out of memory");
  const char *slash = strrchr(g->path, '/');
  char *folder = slash != NULL ? strndup(g->path, (size_t)(slash - g->path)) : NULL;
  if (status == 0 && folder != NULL)
    status = files_folder(folder, err);
  input_forget(g->path);
  if (status == 0)
    status = files_write(g->path, text, size, err);
  free(folder);
  free(text);
  return status;
}

void regress_goldens_free(struct regress_goldens *g) {
  free(g->path);
  free(g->golden);
  free(g->value);
}
