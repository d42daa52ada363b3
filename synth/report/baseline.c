/* A baseline is JSON: {library: {"key", "yosys", "sta", "mhz", "units": {unit: row}}}.  A row is
 * {figure: value, "key": of all that they depend on, "seconds": that its own steps took a
 * processor, "children": [unit]}.
 */
#include "synth/report/baseline.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "synth/report/rows.h"

/* Figures of a unit that the baseline keeps, rounded to a decimal place that no tolerance sees. */
static double area(const struct synth_unit *u) { return synth_area(&u->whole); }
static double cells(const struct synth_unit *u) { return (double)u->whole.cells; }
static double memory(const struct synth_unit *u) { return (double)u->whole.memory_bits; }
static double fmax_of(const struct synth_unit *u) {
  return isnan(u->timing.fmax_mhz) ? 0 : u->timing.fmax_mhz;
}

static const struct figure {
  const char *key, *name, *unit;
  double (*get)(const struct synth_unit *u);
} figures[] = {
    {"area_um2", "area", "um2", area},
    {"cells", "cells", "cells", cells},
    {"memory_bits", "memory", "bits", memory},
    {"fmax_mhz", "fmax", "MHz", fmax_of},
};
enum { FIGURES = sizeof figures / sizeof figures[0] };

int synth_rows_load(const char *path, json_t **root, struct tandem_error *err) {
  FILE *f = fopen(path, "r");
  if (f == NULL && errno == ENOENT) {
    *root = json_object();
    return 0;
  }
  if (f == NULL)
    return tandem_fail(err, -errno, "cannot read the baseline %s: %s", path, strerror(errno));
  json_error_t error;
  *root = json_loadf(f, JSON_REJECT_DUPLICATES, &error);
  fclose(f);
  if (*root == NULL)
    return tandem_fail(err, -EINVAL, "%s:%d: not a baseline: %s", path, error.line, error.text);
  const char *name;
  json_t *library;
  json_object_foreach(*root, name, library) {
    if (!json_is_object(json_object_get(library, "units"))) {
      tandem_fail(err, -EINVAL, "%s: not a baseline: \"%s\" has no units", path, name);
      json_decref(*root);
      return -EINVAL;
    }
  }
  if (!json_is_object(*root)) {
    json_decref(*root);
    return tandem_fail(err, -EINVAL, "%s: not a baseline: no object", path);
  }
  return 0;
}

/* Origin of the figures: all that may change them but the hardware. */
static json_t *makers(const struct synth_report *r) {
  return json_pack("{s:s, s:s, s:s, s:f}", "key", r->library.key, "yosys", r->yosys, "sta", r->sta,
                   "mhz", r->mhz);
}

/* Returns true if the origin of the library's baseline is not the report's; prints the differences
 * unless out is NULL. */
static bool made_otherwise(FILE *out, const json_t *library, const struct synth_report *r) {
  static const struct {
    const char *key, *name;
  } kinds[] = {
      {"yosys", "yosys"}, {"sta", "OpenSTA"}, {"key", "library version"}, {"mhz", "clock"}};
  json_t *now = makers(r);
  bool other = false;
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    const json_t *was = json_object_get(library, kinds[i].key);
    const json_t *is = json_object_get(now, kinds[i].key);
    if (json_equal(was, is))
      continue;
    other = true;
    char *old = json_dumps(was, JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
    char *new = json_dumps(is, JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
    if (out != NULL)
      fprintf(out, "stale: %s of the baseline %s, of this report %s\n", kinds[i].name,
              old != NULL ? old : "unknown", new);
    free(old);
    free(new);
  }
  json_decref(now);
  return other;
}

/* Prints a figure that has moved, and returns true; null is one without a value. */
static bool print_figure(FILE *out, const struct synth_unit *u, const struct figure *f,
                         const json_t *old) {
  const double is = f->get(u);
  const bool had = json_is_number(old), has = isfinite(is);
  if (!had && !has)
    return false;
  const double was = json_number_value(old);
  if (had && has && fabs(is - was) <= SYNTH_TOLERANCE * fabs(was))
    return false;
  fprintf(out, "%s: %s ", u->name, f->name);
  if (!had || !has)
    fprintf(out, had ? "had a value, %.10g %s\n" : "had no value, now %.10g %s\n", had ? was : is,
            f->unit);
  else if (was == 0)
    fprintf(out, "0 -> %.10g %s\n", is, f->unit);
  else
    fprintf(out, "%.10g -> %.10g %s, %+.1f %%\n", was, is, f->unit, 100 * (is - was) / was);
  return true;
}

static const struct synth_unit *find(const struct synth_report *r, const char *name) {
  for (size_t i = 0; i < r->nunits; i++)
    if (strcmp(r->units[i].name, name) == 0)
      return &r->units[i];
  return NULL;
}

static bool any_flat(const struct synth_report *r) {
  for (size_t i = 0; i < r->nunits; i++)
    if (r->units[i].flat)
      return true;
  return false;
}

/* Prints the units that the report should have and lacks. */
static bool print_missing(FILE *out, const json_t *units, const struct synth_report *r) {
  const bool flat = any_flat(r);
  bool gone = false;
  const char *name;
  const json_t *u;
  json_object_foreach((json_t *)units, name, u) {
    if (find(r, name) != NULL || (json_is_true(json_object_get(u, "flat")) && !flat))
      continue;
    fprintf(out, "%s: gone, the baseline has it\n", name);
    gone = true;
  }
  return gone;
}

static bool compare(FILE *out, const json_t *units, const struct synth_report *r, bool whole) {
  bool changed = false;
  for (size_t i = 0; i < r->nunits; i++) {
    const struct synth_unit *u = &r->units[i];
    const json_t *old = json_object_get(units, u->name);
    if (old == NULL) {
      fprintf(out, "%s: new, the baseline does not have it\n", u->name);
      changed = true;
    } else {
      for (int f = 0; f < FIGURES; f++)
        changed |= print_figure(out, u, &figures[f], json_object_get(old, figures[f].key));
    }
  }
  return (whole && print_missing(out, units, r)) || changed;
}

/* The clock and the presence of a baseline are the project's own choice: no reason to skip a check.
 */
static int comparable(const char *path, const json_t *library, const struct synth_report *r,
                      struct tandem_error *err) {
  if (library == NULL)
    return tandem_fail(err, -ENOENT, "%s has no baseline of library %s%s (--update makes one)",
                       path, r->library.name,
                       access(path, F_OK) != 0 ? ": there is no such file" : "");
  const double mhz = json_number_value(json_object_get(library, "mhz"));
  return mhz == r->mhz
             ? 0
             : tandem_fail(err, -EINVAL, "%s is of a clock of %.10g MHz, this report of %.10g MHz",
                           path, mhz, r->mhz);
}

int synth_rows_find(FILE *out, const char *path, const json_t *root, const struct synth_report *r,
                    json_t **rows, enum synth_verdict *verdict, struct tandem_error *err) {
  const json_t *library = json_object_get(root, r->library.name);
  const int status = comparable(path, library, r, err);
  if (status == 0)
    *verdict = made_otherwise(out, library, r) ? SYNTH_STALE : SYNTH_SAME;
  *rows = json_object_get(library, "units");
  return status;
}

int synth_baseline_check(FILE *out, const char *path, const struct synth_report *r, bool whole,
                         enum synth_verdict *verdict, struct tandem_error *err) {
  json_t *root, *rows;
  int status = synth_rows_load(path, &root, err);
  if (status != 0)
    return status;
  status = synth_rows_find(out, path, root, r, &rows, verdict, err);
  if (status == 0 && *verdict == SYNTH_SAME && compare(out, rows, r, whole))
    *verdict = SYNTH_CHANGED;
  json_decref(root);
  return status;
}

void synth_rows_key(const struct synth_report *r, size_t at, char key[HASH_KEY]) {
  size_t *list = calloc(r->nunits, sizeof *list);
  const size_t n = list != NULL ? synth_descendants(r, at, list) : 0;
  struct hash h;
  hash_start(&h);
  for (size_t i = 0; i < n; i++)
    hash_text(&h, r->units[list[i]].key);
  hash_end(&h, key);
  free(list);
}

/* null for what is not a number. */
static json_t *value_json(double value) {
  const double rounded = round(100 * value) / 100;
  if (!isfinite(value))
    return json_null();
  return rounded == trunc(rounded) ? json_integer((json_int_t)rounded) : json_real(rounded);
}

/* The row of a unit.  Its seconds are those of its row before, if this has the same key: others
 * differ from run to run. */
static json_t *row_json(const struct synth_report *r, size_t at, const json_t *before) {
  const struct synth_unit *u = &r->units[at];
  char key[HASH_KEY];
  json_t *unit = json_object(), *children = json_array();
  for (int f = 0; f < FIGURES; f++)
    json_object_set_new(unit, figures[f].key, value_json(figures[f].get(u)));
  if (u->flat)
    json_object_set_new(unit, "flat", json_true());
  synth_rows_key(r, at, key);
  json_object_set_new(unit, "key", json_string(key));
  const bool same = json_equal(json_object_get(unit, "key"), json_object_get(before, "key"));
  json_object_set_new(unit, "seconds",
                      same ? json_incref(json_object_get(before, "seconds"))
                           : value_json(u->seconds));
  for (size_t i = 0; i < u->nchildren; i++)
    json_array_append_new(children, json_string(r->units[u->children[i].unit].name));
  json_object_set_new(unit, "children", children);
  return unit;
}

static int by_name(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

enum { FORMAT = JSON_ENCODE_ANY | JSON_REAL_PRECISION(12) };

static int write_text(FILE *out, const char *text) {
  json_t *string = json_string(text);
  const int status = string == NULL ? -1 : json_dumpf(string, out, FORMAT);
  json_decref(string);
  return status;
}

/* The object's members sorted by name, each on a line of its own, with so many blanks before it. */
static int write_members(FILE *out, json_t *object, int blanks,
                         int (*write)(FILE *out, json_t *member)) {
  const char **names = calloc(json_object_size(object) + 1, sizeof *names);
  if (names == NULL)
    return -1;
  size_t n = 0;
  const char *name;
  json_t *member;
  json_object_foreach(object, name, member) names[n++] = name;
  qsort(names, n, sizeof *names, by_name);
  int status = 0;
  fputs("{", out);
  for (size_t i = 0; i < n && status == 0; i++) {
    fprintf(out, "%s\n%*s", i > 0 ? "," : "", blanks, "");
    status = write_text(out, names[i]);
    fputs(": ", out);
    if (status == 0)
      status = write(out, json_object_get(object, names[i]));
  }
  fprintf(out, "\n%*s}", blanks - 2, "");
  free(names);
  return status;
}

static int write_line(FILE *out, json_t *value) { return json_dumpf(value, out, FORMAT); }

/* Writes an entry of a library; its units get a line each, so that versions of the file differ in
 * the lines of the units that do. */
static int write_entry(FILE *out, json_t *value) {
  return json_is_object(value) ? write_members(out, value, 6, write_line) : write_line(out, value);
}

static int write_library(FILE *out, json_t *library) {
  return write_members(out, library, 4, write_entry);
}

int synth_baseline_update(FILE *out, const char *path, const struct synth_report *r, bool whole,
                          struct tandem_error *err) {
  json_t *root;
  const int status = synth_rows_load(path, &root, err);
  if (status != 0)
    return status;
  json_t *library = json_object_get(root, r->library.name), *fresh = makers(r);
  const bool keep = !whole && library != NULL;
  if (keep && made_otherwise(NULL, library, r)) {
    json_decref(fresh);
    json_decref(root);
    return tandem_fail(err, -EINVAL,
                       "%s: the other units were made with other tools or at another clock; "
                       "update all of them, without naming units",
                       path);
  }
  json_t *before = json_incref(json_object_get(library, "units"));
  json_t *units = keep ? json_incref(before) : json_object();
  json_object_set_new(fresh, "units", units);
  json_object_set_new(root, r->library.name, fresh);
  for (size_t i = 0; i < r->nunits; i++) {
    const char *name = r->units[i].name;
    json_object_set_new(units, name, row_json(r, i, json_object_get(before, name)));
  }
  json_decref(before);
  const bool written = write_members(out, root, 2, write_library) == 0 && fputc('\n', out) != EOF;
  json_decref(root);
  return written ? 0 : tandem_fail(err, -EIO, "the baseline could not be written");
}
