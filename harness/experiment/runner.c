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
  char *work;       /* a folder for what runs write */
  size_t *of;       /* run of each slot; the number of runs: the slot is free */
  int64_t *attempt; /* of each slot: its number in the database */
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

/* Notes in the database that a run begins. */
static int note_start(struct runner *r, size_t slot, const struct experiment_run *run,
                      struct tandem_error *err) {
  char *command = command_text(run);
  const struct experiment_attempt a = {.key = run->key,
                                       .name = run->name,
                                       .kind = "launch",
                                       .host = r->q->revision.host,
                                       .command = command};
  const int status = command != NULL ? experiment_store_start(r->store, &a, &r->attempt[slot], err)
                                     : tandem_fail(err, -ENOMEM, "out of memory");
  free(command);
  return status;
}

static int start(struct runner *r, size_t slot, struct tandem_error *err) {
  const size_t number = r->list[r->next];
  const struct experiment_run *run = &r->s->runs[number];
  char json[PATH], error[PATH];
  TRY(work_path(r, number, ".json", json, err));
  TRY(work_path(r, number, ".err", error, err));
  TRY(note_start(r, slot, run, err));
  char **words = experiment_words(run, r->q->program, json);
  if (words == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  unlink(json);
  const struct launcher_job job = {.argv = words,
                                   .error = error,
                                   .timeout_s = run->settings.timeout_s,
                                   .memory_most = run->settings.memory_most};
  const int status = r->l->start(r->l->self, slot, &job, err);
  experiment_words_free(words);
  TRY(status);
  r->of[slot] = number;
  r->next++;
  r->p.running++;
  return 0;
}

/* The cause of a failure of which the run itself says nothing; NULL: out of memory. */
static char *why_it_ended(const struct experiment_run *run, const struct launcher_end *end) {
  char *text;
  const int n =
      end->reason == LAUNCHER_TIMEOUT
          ? asprintf(&text, "the run took more than its timeout, %g s", run->settings.timeout_s)
      : end->reason == LAUNCHER_MEMORY
          ? asprintf(&text, "the run took more memory than it may, %g MB",
                     (double)run->settings.memory_most / 1e6)
      : end->exit == 0 ? asprintf(&text, "the results of the run cannot be read")
                       : asprintf(&text, "the run %s", end->cause);
  return n < 0 ? NULL : text;
}

/* Files of a run that has ended, read whole; NULL: there is none. */
struct written {
  char *json, *error;
};

static void read_written(const struct runner *r, size_t run, struct written *w) {
  char path[PATH];
  struct tandem_error unused;
  *w = (struct written){0};
  if (work_path(r, run, ".json", path, NULL) == 0) {
    (void)files_read(path, &w->json, NULL, &unused);
    unlink(path);
  }
  if (work_path(r, run, ".err", path, NULL) == 0) {
    (void)files_read(path, &w->error, NULL, &unused);
    unlink(path);
  }
  if (w->error != NULL && strlen(w->error) > MOST_ERROR)
    w->error[MOST_ERROR] = '\0';
}

static const char *status_of(const struct launcher_end *end, bool good) {
  return end->reason == LAUNCHER_TIMEOUT  ? "timeout"
         : end->reason == LAUNCHER_MEMORY ? "memory"
         : good                           ? "ok"
                                          : "failed";
}

static void count_end(struct runner *r, const struct launcher_end *end, bool good) {
  r->of[end->slot] = r->s->nruns;
  r->wall_s += end->wall_s;
  r->p.running--;
  r->p.done++;
  r->p.failed += !good;
  r->p.left_s = r->wall_s / (double)r->p.done * (double)(r->p.all - r->p.done) /
                (double)(r->l->slots < r->p.all ? r->l->slots : r->p.all);
}

/* Puts the end of a run into the store, and removes its files. */
static int keep(struct runner *r, const struct launcher_end *end, struct tandem_error *err) {
  const struct experiment_run *run = &r->s->runs[r->of[end->slot]];
  struct written w;
  read_written(r, r->of[end->slot], &w);
  const bool good = end->exit == 0 && w.json != NULL && end->reason == LAUNCHER_EXIT;
  if (!good && (w.error == NULL || *w.error == '\0' || end->reason != LAUNCHER_EXIT)) {
    free(w.error);
    w.error = why_it_ended(run, end);
  }
  const struct experiment_ending e = {.status = status_of(end, good),
                                      .exit = end->exit,
                                      .signal = end->signal,
                                      .wall_s = end->wall_s,
                                      .cpu_s = end->cpu_s,
                                      .memory = end->memory,
                                      .json = w.json,
                                      .error = w.error != NULL ? w.error : ""};
  const int status = experiment_store_end(r->store, r->attempt[end->slot], &e, err);
  count_end(r, end, good);
  r->p.of = run;
  r->p.status = e.status;
  r->p.error = e.error;
  if (status == 0 && r->q->on_progress != NULL) /* what is not in the store has not ended well */
    r->q->on_progress(r->q->user, &r->p);
  r->p.of = NULL;
  free(w.json);
  free(w.error);
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
  TRY(experiment_store_begin(r->store, r->s, &r->q->revision, r->q->command, err));
  r->of = calloc(r->l->slots + 1, sizeof *r->of);
  r->attempt = calloc(r->l->slots + 1, sizeof *r->attempt);
  if (r->of == NULL || r->attempt == NULL)
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
  free(r.attempt);
  return status;
}
