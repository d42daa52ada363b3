/* Carrying out runs: as many at once as the launcher has slots. */
#include "harness/experiment/runner.h"
#include "csim/util/scratch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "csim/util/shell.h"

enum { PATH = 4096, MOST_ERROR = 1 << 16 };

struct runner {
  struct experiment_suite *s;
  struct experiment_store *store;
  const struct launcher *l;
  const struct experiment_request *q;
  size_t *list, n, next;
  char *work; /* a folder for what runs write */
  size_t *of; /* run of each slot; the number of runs: the slot is free */
  struct experiment_progress p;
  double wall_s; /* of the runs that have ended */
};

static int is_missing(struct experiment_store *store, const struct experiment_request *q,
                      const struct experiment_run *run, bool *missing, struct tandem_error *err) {
  struct experiment_result result;
  TRY(experiment_store_get(store, run->key, false, &result, err));
  *missing =
      result.status == NULL || q->again || (q->retry_failed && strcmp(result.status, "ok") != 0);
  experiment_result_free(&result);
  return 0;
}

static int list_missing(struct experiment_suite *s, struct experiment_store *store,
                        const struct experiment_request *q, bool *seen, size_t *list, size_t *n,
                        struct tandem_error *err) {
  for (size_t i = 0; i < s->nruns; i++) {
    bool missing;
    if (!q->chosen[i] || seen[s->runs[i].result])
      continue;
    seen[s->runs[i].result] = true;
    TRY(is_missing(store, q, &s->runs[i], &missing, err));
    if (missing)
      list[(*n)++] = i;
  }
  return 0;
}

int experiment_missing(struct experiment_suite *s, struct experiment_store *store,
                       const struct experiment_request *q, size_t **list, size_t *n,
                       struct tandem_error *err) {
  bool *seen = calloc(s->nruns + 1, sizeof *seen); /* of each result */
  *n = 0;
  *list = calloc(s->nruns + 1, sizeof **list);
  const int status = seen != NULL && *list != NULL ? list_missing(s, store, q, seen, *list, n, err)
                                                   : tandem_fail(err, -ENOMEM, "out of memory");
  free(seen);
  return status;
}

/* A file of a run in the folder for work. */
static int work_path(const struct runner *r, size_t run, const char *ending, char path[PATH],
                     struct tandem_error *err) {
  return snprintf(path, PATH, "%s/%s%s", r->work, r->s->runs[run].key, ending) < PATH
             ? 0
             : tandem_fail(err, -ENAMETOOLONG, "the path %s is too long", r->work);
}

static int start(struct runner *r, size_t slot, struct tandem_error *err) {
  const size_t run = r->list[r->next];
  char json[PATH], error[PATH];
  TRY(work_path(r, run, ".json", json, err));
  TRY(work_path(r, run, ".err", error, err));
  char **words = experiment_words(&r->s->runs[run], r->q->program, json);
  if (words == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  unlink(json);
  const struct launcher_job job = {words, error, r->s->runs[run].settings.timeout_s};
  const int status = r->l->start(r->l->self, slot, &job, err);
  experiment_words_free(words);
  TRY(status);
  r->of[slot] = run;
  r->next++;
  r->p.running++;
  return 0;
}

/* A command as a shell takes it; NULL: out of memory. */
static char *command_text(const struct experiment_run *run) {
  char *text = NULL, **words = experiment_words(run, "./tandem", NULL);
  size_t size;
  FILE *out = words != NULL ? open_memstream(&text, &size) : NULL;
  for (char **w = words; out != NULL && *w != NULL; w++) {
    fputs(w != words ? " " : "", out);
    shell_word(out, *w);
  }
  experiment_words_free(words);
  return out != NULL && fclose(out) == 0 ? text : NULL;
}

/* The cause of a failure of which the run itself says nothing; NULL: out of memory. */
static char *why_it_ended(const struct experiment_run *run, const struct launcher_end *end) {
  char *text;
  const int n = end->timeout     ? asprintf(&text, "the run took more than its timeout, %g s",
                                            run->settings.timeout_s)
                : end->exit == 0 ? asprintf(&text, "the results of the run cannot be read")
                                 : asprintf(&text, "the run %s", end->cause);
  return n < 0 ? NULL : text;
}

/* Puts the end of a run into the store, and removes its files. */
static int keep(struct runner *r, const struct launcher_end *end, struct tandem_error *err) {
  const size_t run = r->of[end->slot];
  char json_path[PATH], error_path[PATH], *json = NULL, *error = NULL;
  struct tandem_error unused;
  (void)work_path(r, run, ".json", json_path, NULL);
  (void)work_path(r, run, ".err", error_path, NULL);
  (void)files_read(json_path, &json, NULL, &unused);
  (void)files_read(error_path, &error, NULL, &unused);
  const bool good = end->exit == 0 && json != NULL;
  if (!good && (error == NULL || *error == '\0')) {
    free(error);
    error = why_it_ended(&r->s->runs[run], end);
  }
  if (error != NULL && strlen(error) > MOST_ERROR)
    error[MOST_ERROR] = '\0';
  char *command = command_text(&r->s->runs[run]);
  const struct experiment_row row = {
      .key = r->s->runs[run].key,
      .name = r->s->runs[run].name,
      .status = good           ? "ok"
                : end->timeout ? "timeout"
                               : "failed",
      .exit = end->exit,
      .wall_s = end->wall_s,
      .command = command != NULL ? command : "",
      .json = json,
      .error = error != NULL ? error : "",
  };
  int status = experiment_store_put(r->store, &row, err);
  r->of[end->slot] = r->s->nruns;
  r->wall_s += end->wall_s;
  r->p.running--;
  r->p.done++;
  r->p.failed += !good;
  r->p.left_s = r->wall_s / (double)r->p.done * (double)(r->p.all - r->p.done) /
                (double)(r->l->slots < r->p.all ? r->l->slots : r->p.all);
  r->p.of = &r->s->runs[run];
  r->p.status = row.status;
  r->p.error = row.error;
  if (status == 0 && r->q->on_progress != NULL) /* what is not in the store has not ended well */
    r->q->on_progress(r->q->user, &r->p);
  r->p.of = NULL;
  unlink(json_path);
  unlink(error_path);
  free(command);
  free(json);
  free(error);
  return status;
}

/* Fills the slots, and keeps the end of one run. */
static int run_one(struct runner *r, struct tandem_error *err) {
  struct launcher_end end;
  for (size_t slot = 0; slot < r->l->slots && r->next < r->n; slot++)
    if (r->of[slot] == r->s->nruns)
      TRY(start(r, slot, err));
  if (r->q->on_progress != NULL)
    r->q->on_progress(r->q->user, &r->p);
  while (r->l->wait(r->l->self, &end) == 0)
    if (*r->q->stop != 0)
      return tandem_fail(err, -EINTR, "ended early; the same command continues");
  return keep(r, &end, err);
}

/* Carries out what is missing; without it no folder is made. */
static int run_list(struct runner *r, struct tandem_error *err) {
  int status = 0;
  TRY(experiment_missing(r->s, r->store, r->q, &r->list, &r->n, err));
  if ((r->p.all = r->n) == 0)
    return 0;
  if ((r->of = calloc(r->l->slots + 1, sizeof *r->of)) == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; i < r->l->slots; i++)
    r->of[i] = r->s->nruns;
  if ((status = scratch_folder(r->q->beside, &r->work)) != 0)
    return tandem_fail(err, status, "cannot make a folder beside %s: %s", r->q->beside,
                       strerror(-status));
  while (status == 0 && r->p.done < r->n)
    status = run_one(r, err);
  if (status != 0)
    r->l->stop(r->l->self);
  return status;
}

int experiment_run_missing(struct experiment_suite *s, struct experiment_store *store,
                           const struct launcher *launcher, const struct experiment_request *q,
                           struct tandem_error *err) {
  struct runner r = {.s = s, .store = store, .l = launcher, .q = q, .p = {.left_s = -1}};
  const int status = run_list(&r, err);
  scratch_drop(r.work);
  free(r.list);
  free(r.of);
  return status;
}
