/* Carrying out runs: as many at once as the launcher has slots. */
#include "harness/experiment/runner.h"
#include "csim/util/scratch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "csim/util/shell.h"

enum { PATH = 4096, MOST_ERROR = 1 << 16 };

struct runner {
  struct experiment_suite *s;
  struct experiment_store *store;
  const struct launcher *l;
  const struct experiment_request *q;
  struct job {
    size_t run;
    int64_t rerun; /* of this attempt; 0: of none */
  } * jobs;        /* room for each run twice */
  size_t n, next;
  char *work;       /* a folder for what runs write */
  size_t *of;       /* run of each slot; the number of runs: the slot is free */
  int64_t *rerun;   /* of each slot: the attempt that it repeats; 0: none */
  int64_t *attempt; /* of each slot: its number in the database */
  struct experiment_progress p;
  double wall_s; /* of the runs that have ended */
};

/* Looks whether the last failure of a run is the one that the suite expects. */
static int is_expected(struct experiment_store *store, const struct experiment_request *q,
                       const struct experiment_run *run, bool *expected, struct tandem_error *err) {
  struct experiment_result result;
  *expected = run->settings.expects_failure == 1;
  if (!*expected || q->is_expected == NULL)
    return 0;
  TRY(experiment_store_get(store, run->key, true, &result, err));
  *expected = q->is_expected(run, &result);
  experiment_result_free(&result);
  return 0;
}

static int is_missing(struct experiment_store *store, const struct experiment_request *q,
                      const struct experiment_run *run, bool *missing, struct tandem_error *err) {
  struct experiment_result result;
  bool expected = false;
  TRY(experiment_store_get(store, run->key, false, &result, err));
  const bool failed = result.status != NULL && strcmp(result.status, "ok") != 0;
  *missing = result.status == NULL || q->again;
  experiment_result_free(&result);
  if (*missing || !failed || !q->retry_failed)
    return 0;
  TRY(is_expected(store, q, run, &expected, err));
  *missing = !expected;
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
  int status = seen != NULL && *list != NULL ? list_missing(s, store, q, seen, *list, n, err)
                                             : tandem_fail(err, -ENOMEM, "out of memory");
  if (status == 0 && q->likely_first)
    status = experiment_order(s, store, *list, *n, err);
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

/* The places of a run's program. */
static const struct experiment_places *places_of(const struct runner *r,
                                                 const struct experiment_run *run) {
  return run->places != NULL ? run->places : &r->q->places;
}

/* A run's command as a shell takes it; NULL: out of memory. */
static char *command_text(const struct runner *r, const struct experiment_run *run) {
  struct experiment_places shown = *places_of(r, run);
  if (run->places == NULL)
    shown.program = "./tandem";
  char *text = NULL, **words = experiment_words(run, &shown, NULL, NULL);
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
static int note_start(struct runner *r, size_t slot, const struct job *job,
                      struct tandem_error *err) {
  const struct experiment_run *run = &r->s->runs[job->run];
  char *command = command_text(r, run);
  const struct experiment_attempt a = {.key = run->key,
                                       .name = run->name,
                                       .kind = experiment_kinds[run->settings.kind],
                                       .host = r->q->revision.host,
                                       .seed = run->settings.seed,
                                       .rerun = job->rerun,
                                       .revision = places_of(r, run)->revision,
                                       .command = command};
  const int status = command != NULL ? experiment_store_start(r->store, &a, &r->attempt[slot], err)
                                     : tandem_fail(err, -ENOMEM, "out of memory");
  free(command);
  return status;
}

/* The folder for the report of a rerun: the run's name, and the number of the failed attempt. */
static int report_folder(const struct runner *r, const struct job *job, char path[PATH],
                         struct tandem_error *err) {
  const int n = snprintf(path, PATH, "%s/", r->q->failures);
  if (n >= PATH || snprintf(path + n, PATH - (size_t)n, "%.200s-%lld", r->s->runs[job->run].name,
                            (long long)job->rerun) >= PATH - n)
    return tandem_fail(err, -ENAMETOOLONG, "the path %s is too long", r->q->failures);
  for (char *c = path + n; *c != '\0'; c++)
    if (*c == '/' || *c == ' ')
      *c = '_';
  return 0;
}

static int start(struct runner *r, size_t slot, struct tandem_error *err) {
  const struct job *job = &r->jobs[r->next];
  const struct experiment_run *run = &r->s->runs[job->run];
  char json[PATH], error[PATH], report[PATH] = "";
  TRY(work_path(r, job->run, ".json", json, err));
  TRY(work_path(r, job->run, ".err", error, err));
  if (job->rerun != 0) {
    TRY(report_folder(r, job, report, err));
    TRY(files_folder(report, err));
  }
  TRY(note_start(r, slot, job, err));
  char **words = experiment_words(run, places_of(r, run), json, report);
  if (words == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  unlink(json);
  const struct launcher_job launch = {.argv = words,
                                      .error = error,
                                      .results = experiment_has_results(run) ? json : NULL,
                                      .timeout_s = run->settings.timeout_s,
                                      .memory_most = run->settings.memory_most};
  const int status = r->l->start(r->l->self, slot, &launch, err);
  experiment_words_free(words);
  TRY(status);
  r->of[slot] = job->run;
  r->rerun[slot] = job->rerun;
  r->next++;
  r->p.running++;
  return 0;
}

/* The cause of a failure of which the run itself says nothing; NULL: out of memory. */
static char *why_it_ended(const struct experiment_run *run, const struct launcher_end *end,
                          const char *why) {
  char *text;
  const int n =
      end->reason == LAUNCHER_TIMEOUT
          ? asprintf(&text, "the run took more than its timeout, %g s", run->settings.timeout_s)
      : end->reason == LAUNCHER_MEMORY
          ? asprintf(&text, "the run took more memory than it may, %g MB",
                     (double)run->settings.memory_most / 1e6)
      : end->exit == 0
          ? asprintf(&text, "%s", *why != '\0' ? why : "the results of the run cannot be read")
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
  r->p.failed += !good && r->rerun[end->slot] == 0;
  r->of[end->slot] = r->s->nruns;
  r->wall_s += end->wall_s;
  r->p.running--;
  r->p.done++;
  r->p.left_s = r->wall_s / (double)r->p.done * (double)(r->p.all - r->p.done) /
                (double)(r->l->slots < r->p.all ? r->l->slots : r->p.all);
}

/* The remains of a rerun: its files are kept, and their size is limited. */
static int keep_files(struct runner *r, size_t slot, struct tandem_error *err) {
  const struct job job = {r->of[slot], r->rerun[slot]};
  char report[PATH];
  TRY(report_folder(r, &job, report, err));
  TRY(experiment_store_add_files(r->store, job.rerun, report, err));
  (void)rmdir(report); /* if there is none */
  return r->q->disk_most != 0
             ? experiment_store_limit_files(r->store, r->q->failures, r->q->disk_most, err)
             : 0;
}

/* A failure that is not expected runs once more, with waveforms and report. */
static int run_again(struct runner *r, size_t slot, struct tandem_error *err) {
  const struct experiment_run *run = &r->s->runs[r->of[slot]];
  bool expected;
  if (r->q->failures == NULL || r->rerun[slot] != 0 || !experiment_has_report(run))
    return 0;
  TRY(is_expected(r->store, r->q, run, &expected, err));
  if (expected)
    return 0;
  r->jobs[r->n++] = (struct job){r->of[slot], r->attempt[slot]};
  r->p.all++;
  return 0;
}

/* Shows the end of a run; of a rerun nobody asks. */
static void show_end(struct runner *r, const struct experiment_run *run,
                     const struct experiment_ending *e, bool rerun) {
  r->p.of = rerun ? NULL : run;
  r->p.status = e->status;
  r->p.error = e->error;
  if (r->q->on_progress != NULL)
    r->q->on_progress(r->q->user, &r->p);
  r->p.of = NULL;
}

/* Puts the end of a run into the store, and removes its files. */
static int keep(struct runner *r, const struct launcher_end *end, struct tandem_error *err) {
  const struct experiment_run *run = &r->s->runs[r->of[end->slot]];
  const bool rerun = r->rerun[end->slot] != 0;
  struct written w;
  struct tandem_error why = {{0}};
  read_written(r, r->of[end->slot], &w);
  const bool good =
      end->exit == 0 && end->reason == LAUNCHER_EXIT && experiment_kind_good(run, w.json, &why);
  if (!good &&
      (w.error == NULL || *w.error == '\0' || end->reason != LAUNCHER_EXIT || *why.text != '\0')) {
    free(w.error);
    w.error = why_it_ended(run, end, why.text);
  }
  const struct experiment_ending e = {.status = status_of(end, good),
                                      .exit = end->exit,
                                      .signal = end->signal,
                                      .wall_s = end->wall_s,
                                      .cpu_s = end->cpu_s,
                                      .memory = end->memory,
                                      .host = end->host,
                                      .json = w.json,
                                      .error = w.error != NULL ? w.error : ""};
  int status = experiment_store_end(r->store, r->attempt[end->slot], &e, err);
  if (status == 0 && rerun)
    status = keep_files(r, end->slot, err);
  if (status == 0 && !good)
    status = run_again(r, end->slot, err);
  count_end(r, end, good);
  if (status == 0) /* what is not in the store has not ended well */
    show_end(r, run, &e, rerun);
  free(w.json);
  free(w.error);
  return status;
}

/* Leaves out what has not been started once the time is over, but for the first runs. */
static void hold_time(struct runner *r) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  if (r->next != 0 && r->q->until > 0 && (double)t.tv_sec + 1e-9 * (double)t.tv_nsec > r->q->until)
    r->p.all = r->n = r->next;
}

/* Fills the slots, and keeps the end of one run. */
static int run_one(struct runner *r, struct tandem_error *err) {
  struct launcher_end end;
  hold_time(r);
  if (r->p.done == r->n)
    return 0;
  for (size_t slot = 0; slot < r->l->slots && r->next < r->n; slot++)
    if (r->of[slot] == r->s->nruns)
      TRY(start(r, slot, err));
  if (r->q->on_progress != NULL)
    r->q->on_progress(r->q->user, &r->p);
  int got;
  while ((got = r->l->wait(r->l->self, &end, err)) == 0)
    if (*r->q->stop != 0)
      return tandem_fail(err, -EINTR, "ended early; the same command continues");
  return got < 0 ? got : keep(r, &end, err);
}

static int make_room(struct runner *r, const size_t *list, struct tandem_error *err) {
  r->of = calloc(r->l->slots + 1, sizeof *r->of);
  r->attempt = calloc(r->l->slots + 1, sizeof *r->attempt);
  r->rerun = calloc(r->l->slots + 1, sizeof *r->rerun);
  r->jobs = calloc(2 * r->n + 1, sizeof *r->jobs);
  if (r->of == NULL || r->attempt == NULL || r->rerun == NULL || r->jobs == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; i < r->l->slots; i++)
    r->of[i] = r->s->nruns;
  for (size_t i = 0; i < r->n; i++)
    r->jobs[i].run = list[i];
  return 0;
}

/* Carries out what is missing; without it no folder is made. */
static int run_list(struct runner *r, struct tandem_error *err) {
  size_t *list = NULL;
  int status = experiment_missing(r->s, r->store, r->q, &list, &r->n, err);
  if (status == 0 && r->n != 0)
    status = make_room(r, list, err);
  free(list);
  if (status != 0 || (r->p.all = r->n) == 0)
    return status;
  TRY(experiment_store_begin(r->store, r->s, &r->q->revision, r->q->command, err));
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
  free(r.jobs);
  free(r.of);
  free(r.rerun);
  free(r.attempt);
  return status;
}
