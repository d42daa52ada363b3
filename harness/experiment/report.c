/* Results of a suite: what there is, as text and as JSON. */
#include "harness/experiment/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiment/store.h"

/* The results that the store has and that are none of the suite's runs. */
static int count_others(const struct experiment_suite *s, struct experiment_store *store,
                        const struct experiment_result *results, size_t *others,
                        struct tandem_error *err) {
  TRY(experiment_store_count(store, others, err));
  for (size_t i = 0; i < s->nruns; i++)
    *others -= s->runs[i].result == i && results[i].status != NULL && *others != 0;
  return 0;
}

static int check_column(struct experiment_suite *s, const struct experiment_result *results,
                        yaml_node_t *node, struct tandem_error *err) {
  struct tandem_error first = {{0}};
  const char *path;
  TRY(yaml_text(&s->file, node, "a column", &path, err));
  for (size_t i = 0; i < s->nruns; i++)
    if (results[i].json != NULL &&
        experiment_check_path(results[i].json, path, first.text[0] == '\0' ? &first : NULL) == 0)
      return 0;
  return first.text[0] != '\0' ? yaml_fail(&s->file, node, err, "columns: %s", first.text) : 0;
}

/* Each path of `columns:` is in some result, if there are any. */
static int check_columns(struct experiment_suite *s, const struct experiment_result *results,
                         struct tandem_error *err) {
  const bool list = s->columns != NULL && s->columns->type == YAML_SEQUENCE_NODE;
  for (size_t i = 0; list && i < yaml_count(s->columns); i++)
    TRY(check_column(s, results, yaml_item(&s->file, s->columns, i), err));
  return 0;
}

int experiment_report_make(struct experiment_suite *s, struct experiment_store *store,
                           struct experiment_report *r, struct tandem_error *err) {
  struct experiment_result *results = calloc(s->nruns + 1, sizeof *results);
  struct experiment_cells *cells = calloc(s->ntables + 1, sizeof *cells);
  *r = (struct experiment_report){s, results, cells, 0};
  if (results == NULL || cells == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; i < s->nruns; i++)
    TRY(experiment_store_get(store, s->runs[i].key, true, &results[i], err));
  TRY(count_others(s, store, results, &r->others, err));
  TRY(check_columns(s, results, err));
  for (size_t i = 0; i < s->ntables; i++)
    TRY(experiment_compute(s, &s->tables[i], results, &cells[i], err));
  return 0;
}

void experiment_report_free(struct experiment_report *r) {
  struct experiment_result *results = (struct experiment_result *)(uintptr_t)r->results;
  struct experiment_cells *cells = (struct experiment_cells *)(uintptr_t)r->cells;
  for (size_t i = 0; results != NULL && i < r->s->nruns; i++)
    experiment_result_free(&results[i]);
  for (size_t i = 0; cells != NULL && i < r->s->ntables; i++)
    experiment_cells_free(&cells[i]);
  free(results);
  free(cells);
  *r = (struct experiment_report){0};
}

struct experiment_counts experiment_count(const struct experiment_report *r) {
  struct experiment_counts n = {0};
  for (size_t i = 0; i < r->s->nruns; i++) {
    const char *status = r->results[i].status;
    n.ok += status != NULL && strcmp(status, "ok") == 0;
    n.failed += status != NULL && strcmp(status, "ok") != 0;
    n.missing += status == NULL;
  }
  return n;
}

/* ---- text ---- */

/* A row of a table as texts: name, then for each column its value, and if it has published
 * figures, these and the difference. */
enum { TEXTS = 3 };
static size_t texts(const struct experiment_column *c, const struct experiment_cell *cell,
                    char to[TEXTS][EXPERIMENT_CELL]) {
  experiment_print_cell(c, cell, to[0]);
  if (c->published == NULL)
    return 1;
  experiment_print_published(c, cell, to[1]);
  experiment_print_difference(c, cell, to[2]);
  return 3;
}

static int larger(int a, size_t b) { return a > (int)b ? a : (int)b; }

/* Widths of a column's texts; the first is at least that of the title. */
static void widths(const struct experiment_table *t, const struct experiment_cells *cells,
                   size_t column, size_t rows, int width[TEXTS]) {
  const struct experiment_column *c = &t->columns[column];
  char text[TEXTS][EXPERIMENT_CELL];
  width[0] = (int)strlen(c->title);
  width[1] = (int)strlen("published");
  width[2] = (int)strlen(experiment_compared(c));
  for (size_t i = 0; i < rows; i++) {
    const size_t n = texts(c, &cells->cells[i * t->ncolumns + column], text);
    for (size_t k = 0; k < n; k++)
      width[k] = larger(width[k], strlen(text[k]));
  }
}

static void table_text(FILE *out, const struct experiment_suite *s,
                       const struct experiment_table *t, const struct experiment_cells *cells) {
  const size_t rows = experiment_rows(t, cells);
  const char *axis = s->axes[t->rows].name;
  int name = (int)strlen(axis), width[TEXTS];
  for (size_t i = 0; i < rows; i++)
    name = larger(name, strlen(experiment_row(t, cells, i)));
  fprintf(out, "\n%s\n", t->title);
  if (*t->text != '\0')
    fprintf(out, "%s\n", t->text);
  fprintf(out, "  %-*s", name, axis);
  for (size_t k = 0; k < t->ncolumns; k++) {
    widths(t, cells, k, rows, width);
    fprintf(out, "  %*s", width[0], t->columns[k].title);
    if (t->columns[k].published != NULL)
      fprintf(out, "  %*s  %*s", width[1], "published", width[2],
              experiment_compared(&t->columns[k]));
  }
  fputc('\n', out);
  for (size_t i = 0; i < rows; i++) {
    fprintf(out, "  %-*s", name, experiment_row(t, cells, i));
    for (size_t k = 0; k < t->ncolumns; k++) {
      char text[TEXTS][EXPERIMENT_CELL];
      const size_t n = texts(&t->columns[k], &cells->cells[i * t->ncolumns + k], text);
      widths(t, cells, k, rows, width);
      for (size_t j = 0; j < n; j++)
        fprintf(out, "  %*s", width[j], text[j]);
    }
    fputc('\n', out);
  }
  for (size_t k = 0; k < t->ncolumns; k++)
    if (experiment_new_source(t, k))
      fprintf(out, "  published: %s\n", t->columns[k].source);
}

void experiment_text(FILE *out, const struct experiment_report *r) {
  const struct experiment_counts n = experiment_count(r);
  fprintf(out, "%s: %zu runs, %zu ok, %zu failed, %zu missing\n", r->s->title, r->s->nruns, n.ok,
          n.failed, n.missing);
  if (r->others != 0)
    fprintf(out, "left out, of another version, engine, description or configuration: %zu\n",
            r->others);
  for (size_t i = 0; i < r->s->ntables; i++)
    table_text(out, r->s, &r->s->tables[i], &r->cells[i]);
  for (size_t i = 0; i < r->s->nruns; i++) {
    const struct experiment_result *result = &r->results[i];
    if (result->status == NULL || strcmp(result->status, "ok") == 0)
      continue;
    const char *error = result->error != NULL ? result->error : "";
    fprintf(out, "\n%s: %s, %.1f s: %.*s\n", r->s->runs[i].name, result->status, result->wall_s,
            (int)strcspn(error, "\n"), error);
  }
}

/* ---- Markdown ---- */

/* A text in which nothing means a table's border, a tag or another line. */
static void markdown_text(FILE *out, const char *text) {
  for (; *text != '\0'; text++)
    if (*text == '|')
      fputs("\\|", out);
    else if (*text == '<' || *text == '&')
      fputs(*text == '<' ? "&lt;" : "&amp;", out);
    else
      fputc(*text == '\n' ? ' ' : *text, out);
}

static void markdown_cell(FILE *out, const char *text) {
  fputc(' ', out);
  markdown_text(out, text);
  fputs(" |", out);
}

static void table_markdown(FILE *out, const struct experiment_table *t,
                           const struct experiment_cells *cells) {
  fputs("\n## ", out);
  markdown_text(out, t->title);
  fprintf(out, "\n\n%s%s| |", t->text, *t->text != '\0' ? "\n\n" : "");
  for (size_t k = 0; k < t->ncolumns; k++) {
    markdown_cell(out, t->columns[k].title);
    if (t->columns[k].published != NULL) {
      markdown_cell(out, "published");
      markdown_cell(out, experiment_compared(&t->columns[k]));
    }
  }
  fputs("\n| --- |", out);
  for (size_t k = 0; k < t->ncolumns; k++)
    fputs(t->columns[k].published != NULL ? " --- | --- | --- |" : " --- |", out);
  fputc('\n', out);
  for (size_t i = 0; i < experiment_rows(t, cells); i++) {
    fputc('|', out);
    markdown_cell(out, experiment_row(t, cells, i));
    for (size_t k = 0; k < t->ncolumns; k++) {
      char text[TEXTS][EXPERIMENT_CELL];
      const size_t n = texts(&t->columns[k], &cells->cells[i * t->ncolumns + k], text);
      for (size_t j = 0; j < n; j++)
        markdown_cell(out, text[j]);
    }
    fputc('\n', out);
  }
  for (size_t k = 0; k < t->ncolumns; k++)
    if (experiment_new_source(t, k)) {
      fputs("\nPublished figures: ", out);
      markdown_text(out, t->columns[k].source);
      fputc('\n', out);
    }
}

void experiment_markdown(FILE *out, const struct experiment_report *r) {
  for (size_t i = 0; i < r->s->ntables; i++)
    table_markdown(out, &r->s->tables[i], &r->cells[i]);
}

/* ---- JSON ---- */

static json_t *number(double v) { return isfinite(v) ? json_real(v) : json_null(); }

static json_t *run_json(const struct experiment_suite *s, const struct experiment_run *run,
                        const struct experiment_result *result) {
  json_t *o = json_object(), *axes = json_object();
  json_object_set_new(o, "name", json_string(run->name));
  for (size_t i = 0; i < s->naxes; i++)
    if (run->at[i] != NULL)
      json_object_set_new(axes, s->axes[i].name, json_string(run->at[i]->name));
  json_object_set_new(o, "axes", axes);
  json_object_set_new(o, "key", json_string(run->key));
  json_object_set_new(o, "status",
                      json_string(result->status != NULL ? result->status : "missing"));
  if (result->status != NULL)
    json_object_set_new(o, "wall_s", json_real(result->wall_s));
  if (result->error != NULL && *result->error != '\0')
    json_object_set_new(o, "error", json_string(result->error));
  if (result->json != NULL)
    json_object_set(o, "result", result->json);
  return o;
}

static json_t *table_json(const struct experiment_suite *s, const struct experiment_table *t,
                          const struct experiment_cells *cells) {
  json_t *o = json_object(), *rows = json_array();
  json_object_set_new(o, "title", json_string(t->title));
  json_object_set_new(o, "axis", json_string(s->axes[t->rows].name));
  for (size_t i = 0; i < experiment_rows(t, cells); i++) {
    json_t *row = json_object(), *columns = json_array();
    json_object_set_new(row, "name", json_string(experiment_row(t, cells, i)));
    for (size_t k = 0; k < t->ncolumns; k++) {
      const struct experiment_cell *c = &cells->cells[i * t->ncolumns + k];
      json_t *cell =
          json_pack("{s:s, s:o}", "title", t->columns[k].title, "value", number(c->value));
      if (t->columns[k].published != NULL)
        json_object_set_new(cell, "published", number(c->published));
      if (t->columns[k].published != NULL && !isnan(c->upto))
        json_object_set_new(cell, "published_up_to", number(c->upto));
      if (c->name != NULL)
        json_object_set_new(cell, "name", json_string(c->name));
      if (!isnan(c->deviation))
        json_object_set_new(cell, "deviation", number(c->deviation));
      json_array_append_new(columns, cell);
    }
    json_object_set_new(row, "cells", columns);
    json_array_append_new(rows, row);
  }
  json_object_set_new(o, "rows", rows);
  return o;
}

bool experiment_json(FILE *out, const struct experiment_report *r) {
  json_t *o = json_object(), *runs = json_array(), *tables = json_array();
  json_object_set_new(o, "suite", json_string(r->s->name));
  json_object_set_new(o, "title", json_string(r->s->title));
  json_object_set_new(o, "left_out", json_integer((json_int_t)r->others));
  for (size_t i = 0; i < r->s->nruns; i++)
    json_array_append_new(runs, run_json(r->s, &r->s->runs[i], &r->results[i]));
  for (size_t i = 0; i < r->s->ntables; i++)
    json_array_append_new(tables, table_json(r->s, &r->s->tables[i], &r->cells[i]));
  json_object_set_new(o, "runs", runs);
  json_object_set_new(o, "tables", tables);
  const bool good =
      json_dumpf(o, out, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) == 0 && fputc('\n', out) != EOF;
  json_decref(o);
  return good;
}
