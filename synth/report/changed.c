/* The check of those rows of a baseline whose key is no longer that of the tree. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "synth/report/rows.h"

/* Units of at most this share of the budget are checked before the others. */
enum { SMALL_SHARE = 8 };

struct check {
  struct synth_report *r; /* no figures: keys of the tree, children and seconds of the rows */
  const json_t *rows;
  struct candidate {
    size_t unit;
    double seconds; /* of it and all below it */
  } * candidates;   /* rows of another key */
  size_t ncandidates;
  bool *in;       /* units that are synthesised */
  size_t *list;   /* room for units */
  double seconds; /* of them */
};

static size_t find(const struct synth_report *r, const char *name) {
  for (size_t i = 0; i < r->nunits; i++)
    if (strcmp(r->units[i].name, name) == 0)
      return i;
  return SIZE_MAX;
}

static bool has_row(const struct check *c, size_t unit) {
  return json_object_get(c->rows, c->r->units[unit].name) != NULL;
}

/* Names of all rows of the file. */
static int names_take(const json_t *root, const char ***names, size_t *n,
                      struct tandem_error *err) {
  const char *library, *name;
  json_t *value, *row;
  *names = NULL;
  *n = 0;
  json_object_foreach((json_t *)root, library, value) {
    const json_t *rows = json_object_get(value, "units");
    const char **more = realloc(*names, (*n + json_object_size(rows) + 1) * sizeof *more);
    if (more == NULL)
      return tandem_fail(err, -ENOMEM, "out of memory");
    *names = more;
    json_object_foreach((json_t *)rows, name, row) more[(*n)++] = name;
  }
  return 0;
}

/* Takes children and seconds from the rows.  A child without a row has no key. */
static int rows_take(struct check *c, struct tandem_error *err) {
  for (size_t i = 0; i < c->r->nunits; i++) {
    struct synth_unit *u = &c->r->units[i];
    const json_t *row = json_object_get(c->rows, u->name);
    const json_t *children = json_object_get(row, "children");
    u->seconds = json_number_value(json_object_get(row, "seconds"));
    u->children = calloc(json_array_size(children) + 1, sizeof *u->children);
    if (u->children == NULL)
      return tandem_fail(err, -ENOMEM, "out of memory");
    for (size_t k = 0; k < json_array_size(children); k++) {
      const char *name = json_string_value(json_array_get(children, k));
      const size_t child = name != NULL ? find(c->r, name) : SIZE_MAX;
      if (child == SIZE_MAX)
        u->key[0] = '\0';
      else
        u->children[u->nchildren++].unit = child;
    }
  }
  return 0;
}

/* Puts a unit and all below it among those that are synthesised, if their seconds fit, too. */
static bool add(struct check *c, size_t unit, double most) {
  const size_t n = synth_descendants(c->r, unit, c->list);
  double more = 0;
  for (size_t i = 0; i < n; i++)
    more += c->in[c->list[i]] ? 0 : c->r->units[c->list[i]].seconds;
  if (c->seconds + more > most)
    return false;
  c->seconds += more;
  for (size_t i = 0; i < n; i++)
    c->in[c->list[i]] = true;
  return true;
}

static int by_seconds(const void *a, const void *b) {
  const struct candidate *x = a, *y = b;
  if (x->seconds != y->seconds)
    return x->seconds < y->seconds ? -1 : 1;
  return (x->unit > y->unit) - (x->unit < y->unit);
}

/* Finds the rows of another key among those that the designs need.  Prints rows that the designs
 * lack, and those that they do not need: true if there are any. */
static bool candidates_take(struct check *c, FILE *out) {
  const struct synth_report *r = c->r;
  bool differs = false;
  for (size_t i = 0; i < r->nunits; i++)
    if (r->units[i].top)
      (void)add(c, i, HUGE_VAL);
  for (size_t i = 0; i < r->nunits; i++) {
    char key[HASH_KEY];
    if (!c->in[i])
      continue;
    if (!has_row(c, i)) {
      fprintf(out, "%s: new, the baseline does not have it\n", r->units[i].name);
      differs = true;
      continue;
    }
    const json_t *row = json_object_get(c->rows, r->units[i].name);
    const char *old = json_string_value(json_object_get(row, "key"));
    synth_rows_key(r, i, key);
    if (old != NULL && strcmp(old, key) == 0)
      continue;
    const size_t n = synth_descendants(r, i, c->list);
    struct candidate *to = &c->candidates[c->ncandidates++];
    *to = (struct candidate){.unit = i};
    for (size_t k = 0; k < n; k++)
      to->seconds += r->units[c->list[k]].seconds;
  }
  const char *name;
  json_t *row;
  json_object_foreach((json_t *)c->rows, name, row) {
    const size_t unit = find(r, name);
    if (json_is_true(json_object_get(row, "flat")) || (unit != SIZE_MAX && c->in[unit]))
      continue;
    fprintf(out, "%s: gone, the baseline has it\n", name);
    differs = true;
  }
  qsort(c->candidates, c->ncandidates, sizeof *c->candidates, by_seconds);
  return differs;
}

/* Chooses the candidates that are checked as far as they fit: small ones, the cheapest first, then
 * the others from that on whose turn it is, which is checked whatever it takes. */
static void choose(struct check *c, const struct synth_turn *turn) {
  const double most = turn->seconds > 0 ? turn->seconds : HUGE_VAL;
  size_t small = 0;
  while (small < c->ncandidates && c->candidates[small].seconds <= most / SMALL_SHARE)
    small++;
  const size_t large = c->ncandidates - small;
  memset(c->in, 0, c->r->nunits * sizeof *c->in);
  c->seconds = 0;
  for (size_t i = 0; i < c->ncandidates; i++)
    (void)add(c, c->candidates[i < small ? i : small + (i - small + turn->number) % large].unit,
              i == small ? HUGE_VAL : most);
}

/* Prints the candidates that are checked, or those that are not, with their seconds. */
static size_t print(FILE *out, const struct check *c, bool in, const char *between) {
  size_t n = 0;
  for (size_t i = 0; i < c->ncandidates; i++) {
    const struct candidate *it = &c->candidates[i];
    if (c->in[it->unit] != in)
      continue;
    fprintf(out, "%s%s", n++ > 0 ? between : "", c->r->units[it->unit].name);
    if (!in)
      fprintf(out, " (%.0f s)", it->seconds);
  }
  return n;
}

/* Synthesises what was chosen and compares it with its rows. */
static int compare(struct check *c, FILE *out, const char *path, const struct synth_config *config,
                   enum synth_verdict *verdict, struct tandem_error *err) {
  struct synth_config chosen = *config;
  struct synth_report *r;
  const char **names = calloc(c->ncandidates + 1, sizeof *names);
  if (names == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; i < c->ncandidates; i++)
    if (c->in[c->candidates[i].unit])
      names[chosen.nunits++] = c->r->units[c->candidates[i].unit].name;
  chosen.units = names;
  int status = synth_run(&chosen, &r, err);
  free(names);
  if (status != 0)
    return status;
  status = synth_baseline_check(out, path, r, false, verdict, err);
  synth_free(r);
  return status;
}

static int check(struct check *c, FILE *out, const char *path, const struct synth_config *config,
                 const struct synth_turn *turn, enum synth_verdict *verdict,
                 struct tandem_error *err) {
  int status = rows_take(c, err);
  if (status != 0)
    return status;
  const bool differs = candidates_take(c, out);
  choose(c, turn);
  fprintf(out, "%zu rows, %zu with another key than the tree's\n", json_object_size(c->rows),
          c->ncandidates);
  if (c->ncandidates > 0) {
    fputs("checked: ", out);
    const size_t n = print(out, c, true, " ");
    fprintf(out, "%s (%.0f processor seconds by their rows)\n", n > 0 ? "" : "none", c->seconds);
    if (n < c->ncandidates) {
      fprintf(out, "left for another turn, beyond %.0f processor seconds: ", turn->seconds);
      print(out, c, false, ", ");
      fputc('\n', out);
    }
    fflush(out);
    if (n > 0 && (status = compare(c, out, path, config, verdict, err)) != 0)
      return status;
    if (n > 0 && *verdict == SYNTH_SAME)
      fputs("figures are as in the rows of what was checked: --update UNIT... renews their keys\n",
            out);
  }
  if (differs)
    *verdict = SYNTH_CHANGED;
  return 0;
}

int synth_changed_check(FILE *out, const char *path, const struct synth_config *config,
                        const struct synth_turn *turn, enum synth_verdict *verdict,
                        struct tandem_error *err) {
  struct synth_config keys = *config;
  struct check c = {0};
  json_t *root, *rows;
  const char **names;
  int status = synth_rows_load(path, &root, err);
  if (status != 0)
    return status;
  status = names_take(root, &names, &keys.nunits, err);
  keys.units = names;
  keys.keys = true;
  if (status == 0)
    status = synth_run(&keys, &c.r, err);
  if (status == 0)
    status = synth_rows_find(out, path, root, c.r, &rows, verdict, err);
  if (status == 0 && *verdict == SYNTH_SAME) {
    c.rows = rows;
    c.in = calloc(c.r->nunits, sizeof *c.in);
    c.list = calloc(c.r->nunits, sizeof *c.list);
    c.candidates = calloc(c.r->nunits, sizeof *c.candidates);
    status = c.in == NULL || c.list == NULL || c.candidates == NULL
                 ? tandem_fail(err, -ENOMEM, "out of memory")
                 : check(&c, out, path, config, turn, verdict, err);
  }
  synth_free(c.r);
  free(c.in);
  free(c.list);
  free(c.candidates);
  free(names);
  json_decref(root);
  return status;
}
