/* Verdicts about all runs, and groups of failures. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/regress/regress.h"

const char *const regress_verdicts[] = {"passed", "failed", "failed as expected",
                                        "passed unexpectedly", "missing"};

bool regress_bad(const struct regress_case *c) {
  return c->verdict == REGRESS_FAILED || c->verdict == REGRESS_UNEXPECTED;
}

bool regress_fine(const struct regress_report *r) {
  return r->counts[REGRESS_FAILED] == 0 && r->counts[REGRESS_UNEXPECTED] == 0 &&
         r->counts[REGRESS_MISSING] == 0;
}

/* ---- a run ---- */

static char *first_line(const char *text) {
  text = text != NULL ? text : "";
  text += strncmp(text, "tandem: ", 8) == 0 ? 8 : 0;
  return strndup(text, strcspn(text, "\n"));
}

/* A failure that is expected elsewhere is another one. */
static void check_place(struct regress_case *c) {
  const struct experiment_settings *s = &c->run->settings;
  char *text;
  if (c->verdict != REGRESS_EXPECTED || regress_is_expected(c->run, c->result))
    return;
  c->verdict = REGRESS_FAILED;
  if (asprintf(&text, "it was to fail at %s because: %s; it says: %s", s->place, s->because,
               c->text != NULL ? c->text : "") < 0)
    text = NULL;
  free(c->text);
  c->text = text;
}

static void judge(struct regress_report *r, struct regress_case *c) {
  const struct experiment_settings *s = &c->run->settings;
  const char *status = c->result->status;
  const bool expected = s->expects_failure == 1;
  if (status == NULL) {
    c->verdict = REGRESS_MISSING;
    return;
  }
  const bool ok = strcmp(status, "ok") == 0;
  c->verdict = ok ? (expected ? REGRESS_UNEXPECTED : REGRESS_PASSED)
                  : (expected ? REGRESS_EXPECTED : REGRESS_FAILED);
  if (!ok) {
    regress_place(c);
    c->text = first_line(c->result->error);
    check_place(c);
  }
  if (c->verdict == REGRESS_UNEXPECTED) {
    snprintf(c->failure.kind, sizeof c->failure.kind, "unexpected pass");
    if (asprintf(&c->text, "it passes, and was to fail because: %s", s->because) < 0)
      c->text = NULL;
  }
  regress_goldens_compare(r, c);
}

/* A fresh seed that no time was left for. */
static bool not_begun(const struct regress_case *c) {
  const struct experiment_settings *s = &c->run->settings;
  if (c->result->status != NULL || !experiment_has_seeds(s->kind))
    return false;
  const uint64_t seed = strtoull(s->seed, NULL, 10), first = s->special.seeds.first;
  return seed < first || seed - first >= s->special.seeds.count;
}

struct files {
  char **list;
  size_t n;
};

static void add_file(void *user, const char *path) {
  struct files *f = user;
  char **more = realloc(f->list, (f->n + 2) * sizeof *more);
  if (more == NULL)
    return;
  f->list = more;
  f->list[f->n] = strdup(path);
  f->n += f->list[f->n] != NULL;
  f->list[f->n] = NULL;
}

/* The rerun of a failure: its files, and whether it has failed, too. */
static int look_again(struct regress_case *c, struct experiment_store *store,
                      struct tandem_error *err) {
  struct files f = {0};
  bool known, failed;
  TRY(experiment_store_rerun(store, c->result->number, &known, &failed, err));
  c->once = known && !failed;
  const int status = experiment_store_files(store, c->result->number, add_file, &f, err);
  c->files = f.list;
  c->small = regress_small(c);
  return status;
}

/* ---- groups ---- */

static int by_place(const void *a, const void *b) {
  const struct regress_case *const *x = a, *const *y = b;
  const int kind = strcmp((*x)->failure.kind, (*y)->failure.kind),
            unit = strcmp((*x)->failure.unit, (*y)->failure.unit),
            field = strcmp((*x)->failure.field, (*y)->failure.field);
  if (kind != 0 || unit != 0 || field != 0)
    return kind != 0 ? kind : unit != 0 ? unit : field;
  if ((*x)->result->wall_s != (*y)->result->wall_s)
    return (*x)->result->wall_s < (*y)->result->wall_s ? -1 : 1;
  return strcmp((*x)->run->name, (*y)->run->name);
}

static int by_number(const void *a, const void *b) {
  const struct regress_group *x = a, *y = b;
  return x->n != y->n ? (x->n < y->n ? 1 : -1) : by_place(&x->first, &y->first);
}

static bool same_place(const struct regress_case *a, const struct regress_case *b) {
  return strcmp(a->failure.kind, b->failure.kind) == 0 &&
         strcmp(a->failure.unit, b->failure.unit) == 0 &&
         strcmp(a->failure.field, b->failure.field) == 0;
}

static int make_groups(struct regress_report *r, struct tandem_error *err) {
  const struct regress_case **bad = calloc(r->s->nruns + 1, sizeof(struct regress_case *));
  size_t n = 0;
  r->groups = calloc(r->s->nruns + 1, sizeof *r->groups);
  if (bad == NULL || r->groups == NULL) {
    free(bad);
    return tandem_fail(err, -ENOMEM, "out of memory");
  }
  for (size_t i = 0; i < r->s->nruns; i++)
    if (regress_bad(&r->cases[i]))
      bad[n++] = &r->cases[i];
  qsort(bad, n, sizeof *bad, by_place);
  for (size_t i = 0; i < n; i++) {
    if (i == 0 || !same_place(bad[i - 1], bad[i]))
      r->groups[r->ngroups++].first = bad[i];
    r->groups[r->ngroups - 1].n++;
  }
  qsort(r->groups, r->ngroups, sizeof *r->groups, by_number);
  free(bad);
  return 0;
}

/* ---- the report ---- */

int regress_report_make(struct experiment_suite *s, struct experiment_store *store,
                        const struct experiment_revision *revision, const bool *chosen,
                        struct regress_report *r, struct tandem_error *err) {
  *r = (struct regress_report){.s = s, .revision = revision};
  r->results = calloc(s->nruns + 1, sizeof *r->results);
  r->cases = calloc(s->nruns + 1, sizeof *r->cases);
  if (r->results == NULL || r->cases == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; i < s->nruns; i++)
    TRY(experiment_store_get(store, s->runs[i].key, true, &r->results[i], err));
  TRY(regress_goldens_read(r, err));
  for (size_t i = 0; i < s->nruns; i++) {
    struct regress_case *c = &r->cases[i];
    c->run = &s->runs[i];
    c->result = &r->results[i];
    c->verdict = REGRESS_MISSING;
    c->left_out = !chosen[i] || not_begun(c);
    if (c->left_out)
      continue;
    judge(r, c);
    r->counts[c->verdict]++;
    r->wall_s += c->result->wall_s;
    if (regress_bad(c))
      TRY(look_again(c, store, err));
  }
  return make_groups(r, err);
}

void regress_report_free(struct regress_report *r) {
  for (size_t i = 0; r->s != NULL && i < r->s->nruns; i++) {
    if (r->results != NULL)
      experiment_result_free(&r->results[i]);
    if (r->cases == NULL)
      continue;
    for (char **f = r->cases[i].files; f != NULL && *f != NULL; f++)
      free(*f);
    free(r->cases[i].files);
    free(r->cases[i].text);
    free(r->cases[i].small);
  }
  free(r->results);
  free(r->cases);
  free(r->groups);
  regress_goldens_free(&r->goldens);
  *r = (struct regress_report){0};
}
