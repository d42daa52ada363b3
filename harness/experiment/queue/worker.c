/* A worker: takes runs, runs them here, and leaves their ends. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "harness/experiment/queue/queue.h"

/* SILENT_S: after so long without a sign of the front end it is gone, by default.  WAIT_MS: for a
 * run. LAST_MS: for the end of the worker, after that of its run, in steps. */
enum { SILENT_S = 60, WAIT_MS = 200, LAST_MS = 1000, STEP_MS = 20 };

struct worker {
  const struct worker_request *q;
  struct launcher l;
  char id[QUEUE_WORKER], host[72];
  char (*run)[QUEUE_NAME]; /* of each slot; "": it is free */
  size_t running;
  int watch;
  struct queue_front front; /* session "": there is none, or it is not for this worker */
  struct stat seen;         /* of the front end's file */
  double heard, beaten;     /* times: it was renewed; taken runs were */
};

/* ---- places ---- */

/* The file of a taken run in a part, with an ending. */
static int place(const struct worker *w, const char *part, const char *run, const char *ending,
                 char path[QUEUE_PATH], struct tandem_error *err) {
  char name[QUEUE_NAME + QUEUE_WORKER + 16];
  snprintf(name, sizeof name, "%s.%s%s", run, w->id, ending);
  return queue_path(w->q->folder, part, name, path, err);
}

static void drop(const struct worker *w, const char *part, const char *run, const char *ending) {
  char name[QUEUE_NAME + QUEUE_WORKER + 16];
  snprintf(name, sizeof name, "%s.%s%s", run, w->id, ending);
  queue_drop(w->q->folder, part, name);
}

/* Removes what a run has written. */
static void drop_outputs(const struct worker *w, const char *run) {
  drop(w, "done", run, ".json");
  drop(w, "done", run, ".err");
}

/* ---- runs ---- */

/* The command with the place of its results; NULL: out of memory. */
static char **with_results(const struct queue_job *j, const char *path) {
  char *const *from = j->job.argv;
  size_t n = 0;
  while (from[n] != NULL)
    n++;
  char **words = calloc(n + 1, sizeof *words);
  for (size_t i = 0; words != NULL && i < n; i++)
    if (asprintf(&words[i], "%s%s", from[i], j->results && i + 1 == n ? path : "") < 0)
      words[i] = NULL;
  return words;
}

static int start(struct worker *w, size_t slot, const char *run, struct tandem_error *err) {
  char name[QUEUE_NAME + QUEUE_WORKER], error[QUEUE_PATH], results[QUEUE_PATH];
  struct queue_job j;
  struct stat st;
  snprintf(name, sizeof name, "%s.%s", run, w->id);
  TRY(place(w, "done", run, ".err", error, err));
  TRY(place(w, "done", run, ".json", results, err));
  int status = queue_job_read(w->q->folder, "taken", name, &j, err);
  drop_outputs(w, run); /* nothing is written through what is there */
  if (status == 0 && (lstat(error, &st) == 0 || lstat(results, &st) == 0))
    status =
        tandem_fail(err, -EEXIST, "done/%s: its outputs are there and cannot be removed", name);
  char **words = status == 0 ? with_results(&j, results) : NULL;
  if (status == 0 && words == NULL)
    status = tandem_fail(err, -ENOMEM, "out of memory");
  const struct launcher_job job = {.argv = words,
                                   .error = error,
                                   .folder = j.folder,
                                   .timeout_s = j.job.timeout_s,
                                   .memory_most = j.job.memory_most};
  if (status == 0)
    status = w->l.start(w->l.self, slot, &job, err);
  for (char **word = words; word != NULL && *word != NULL; word++)
    free(*word);
  free(words);
  queue_job_free(&j);
  return status;
}

/* Leaves the end of a run: from then on it is the front end's. */
static int leave(struct worker *w, const char *run, struct launcher_end *end,
                 struct tandem_error *err) {
  char path[QUEUE_PATH];
  snprintf(end->host, sizeof end->host, "%s", w->host);
  TRY(place(w, "done", run, "", path, err));
  TRY(queue_end_write(path, end, err));
  drop(w, "taken", run, "");
  return 0;
}

struct search {
  const char *session;
  char first[QUEUE_NAME], after[QUEUE_NAME];
};

static void look_at(void *user, const char *name) {
  struct search *s = user;
  if (strncmp(name, s->session, strlen(s->session)) == 0 && strchr(name, '.') == NULL &&
      strcmp(name, s->after) > 0 && (*s->first == '\0' || strcmp(name, s->first) < 0))
    snprintf(s->first, sizeof s->first, "%s", name);
}

/* Takes the first run that waits and that no other worker takes: its name goes to `run`. */
static bool take(const struct worker *w, char run[QUEUE_NAME]) {
  struct search s = {.session = w->front.session};
  char from[QUEUE_PATH], to[QUEUE_PATH];
  for (;;) {
    *s.first = '\0';
    queue_each(w->q->folder, "queue", look_at, &s);
    if (*s.first == '\0' || queue_path(w->q->folder, "queue", s.first, from, NULL) != 0 ||
        place(w, "taken", s.first, "", to, NULL) != 0)
      return false;
    if (rename(from, to) == 0)
      break;
    snprintf(s.after, sizeof s.after, "%s", s.first);
  }
  snprintf(run, QUEUE_NAME, "%s", s.first);
  return true;
}

static bool has(const struct worker *w, const char *part, const char *run) {
  char path[QUEUE_PATH];
  struct stat st;
  return place(w, part, run, "", path, NULL) == 0 && (lstat(path, &st) == 0 || errno != ENOENT);
}

static bool is_running(const struct worker *w, const char *run) {
  size_t i = 0;
  while (i < w->q->slots && strcmp(w->run[i], run) != 0)
    i++;
  return i < w->q->slots;
}

/* Takes runs for the free slots.  One that cannot begin has ended. */
static int fill(struct worker *w, struct tandem_error *err) {
  char run[QUEUE_NAME];
  for (size_t i = 0; i < w->q->slots; i++) {
    struct tandem_error why;
    if (*w->run[i] != '\0')
      continue;
    if (!take(w, run))
      return 0;
    if (is_running(w, run)) /* it was put back, and is taken again */
      continue;
    if (has(w, "done", run)) { /* it was put back, and has ended: its outputs are the front end's */
      drop(w, "taken", run, "");
      continue;
    }
    if (start(w, i, run, &why) == 0) {
      snprintf(w->run[i], sizeof w->run[i], "%s", run);
      w->running++;
      continue;
    }
    if (!has(w, "taken", run)) { /* the front end has put it back meanwhile */
      drop_outputs(w, run);
      continue;
    }
    struct launcher_end end = {.exit = 127};
    snprintf(end.cause, sizeof end.cause, "did not begin: %.140s", why.text);
    TRY(leave(w, run, &end, err));
  }
  return 0;
}

/* Gives a run back: it waits again for a worker. */
static void put_back(const struct worker *w, const char *run) {
  char from[QUEUE_PATH], to[QUEUE_PATH];
  drop_outputs(w, run);
  if (place(w, "taken", run, "", from, NULL) == 0 &&
      queue_path(w->q->folder, "queue", run, to, NULL) == 0)
    (void)rename(from, to);
}

/* True if a run was ended with its worker, as batch systems end jobs: they signal all processes,
 * and the worker may be the last one to learn it.  A run may end by such a signal, or fail because
 * its own processes did. */
static bool ended_with_worker(const struct worker *w, const struct launcher_end *end) {
  const bool failed = end->reason == LAUNCHER_EXIT && end->exit != 0;
  for (unsigned i = 0; failed && *w->q->stop == 0 && i < LAST_MS / STEP_MS; i++)
    queue_await(-1, STEP_MS);
  return failed && *w->q->stop != 0;
}

static int end_one(struct worker *w, struct tandem_error *err) {
  struct launcher_end end;
  const int got = w->l.wait(w->l.self, &end, err);
  if (got != 1)
    return got;
  char run[QUEUE_NAME];
  const bool with_worker = ended_with_worker(w, &end);
  snprintf(run, sizeof run, "%s", w->run[end.slot]);
  *w->run[end.slot] = '\0';
  w->running--;
  if (!with_worker)
    return leave(w, run, &end, err);
  put_back(w, run);
  return 0;
}

static void drop_all(const struct worker *w, const char *run) {
  drop_outputs(w, run);
  drop(w, "taken", run, "");
}

/* Ends all that runs.  back: it waits again for a worker. */
static void stop(struct worker *w, bool back) {
  if (w->running != 0)
    w->l.stop(w->l.self);
  for (size_t i = 0; i < w->q->slots; i++) {
    if (*w->run[i] == '\0')
      continue;
    if (back)
      put_back(w, w->run[i]);
    else
      drop_all(w, w->run[i]);
    *w->run[i] = '\0';
  }
  w->running = 0;
}

/* Renews the times of what is taken. */
static void beat(struct worker *w) {
  char path[QUEUE_PATH];
  if (queue_now() - w->beaten < QUEUE_BEAT_S)
    return;
  w->beaten = queue_now();
  for (size_t i = 0; i < w->q->slots; i++)
    if (*w->run[i] != '\0' && place(w, "taken", w->run[i], "", path, NULL) == 0)
      (void)queue_beat(path);
}

/* ---- front ends ---- */

/* Slurm has started this job again: what it had taken before is lost. */
struct earlier {
  const struct worker *w;
  char job[QUEUE_WORKER];
};

static void lose_earlier(void *user, const char *name) {
  const struct earlier *e = user;
  const char *dot = strchr(name, '.');
  char path[QUEUE_PATH];
  if (dot == NULL || strncmp(dot + 1, e->job, strlen(e->job)) != 0 ||
      strcmp(dot + 1, e->w->id) == 0)
    return;
  if (queue_path(e->w->q->folder, "taken", name, path, NULL) == 0)
    queue_gone(path);
}

static void lose_all_earlier(struct worker *w) {
  struct earlier e = {.w = w};
  const char *end = strrchr(w->id, '-');
  snprintf(e.job, sizeof e.job, "%.*s", (int)(end - w->id) + 1, w->id);
  if (strncmp(w->id, "slurm-", 6) == 0)
    queue_each(w->q->folder, "taken", lose_earlier, &e);
}

static void set_variables(const struct queue_front *f) {
  const char *name;
  json_t *value;
  json_object_foreach(f->environment, name,
                      value) if (json_is_string(value) && strncmp(name, "TANDEM_", 7) == 0)
      setenv(name, json_string_value(value), 1);
}

/* Leaves the reason why this worker takes no runs, so that who has started it learns it. */
static int refuse(struct worker *w, const struct queue_front *f, const struct tandem_error *why,
                  struct tandem_error *err) {
  char path[QUEUE_PATH], name[QUEUE_NAME + QUEUE_WORKER];
  struct tandem_error unused;
  snprintf(name, sizeof name, "%s.%s", f->session, w->id);
  if (queue_path(w->q->folder, "refused", name, path, NULL) == 0)
    (void)queue_write(path, why->text, &unused);
  return tandem_fail(err, -EPROTO, "%s", why->text);
}

/* Serves a front end from now on: 0, or -EPROTO.  *f is the worker's, or freed. */
static int join(struct worker *w, struct queue_front *f, struct tandem_error *err) {
  struct tandem_error why;
  stop(w, false);
  queue_front_free(&w->front);
  if (queue_front_check(w->q->folder, f, &why) == 0) {
    set_variables(f);
    w->front = *f;
    return 0;
  }
  const int status = refuse(w, f, &why, err);
  queue_front_free(f);
  return status;
}

/* Reads the front end's file, which is new or renewed. */
static int read_front(struct worker *w, struct tandem_error *err) {
  struct queue_front f;
  struct tandem_error unused;
  const bool wanted = queue_front_read(w->q->folder, &f, &unused) == 0 &&
                      (w->q->session == NULL || strcmp(w->q->session, f.session) == 0) &&
                      strcmp(f.session, w->front.session) != 0;
  if (wanted)
    return join(w, &f, err);
  queue_front_free(&f);
  return 0;
}

/* A front end's file that is there, and which this worker may not read. */
static int refuse_foreign(const struct worker *w, struct tandem_error *err) {
  struct tandem_error why;
  char *text = NULL;
  const int status = queue_read(w->q->folder, "", QUEUE_FRONT, &text, &why);
  free(text);
  return status == 0 || status == -ENOENT
             ? 0
             : tandem_fail(err, status, "%s/%s", w->q->folder, why.text);
}

/* Looks at the front end: *serves: there is one.  One that is gone wants no runs any more.  Those
 * of a silent one wait again: it may stand still, and the next one of the folder removes them. */
static int look(struct worker *w, bool *serves, struct tandem_error *err) {
  const double silent_s = w->q->silent_s > 0 ? w->q->silent_s : SILENT_S;
  struct stat st;
  const bool there = queue_has(w->q->folder, "", QUEUE_FRONT, &st);
  if (!there && access(w->q->folder, F_OK) != 0 && errno == ENOENT && w->q->session == NULL)
    return tandem_fail(err, -ENOENT, "the folder %s is gone", w->q->folder);
  if (!there && w->heard == 0) /* another user's, perhaps */
    TRY(refuse_foreign(w, err));
  if (there && (st.st_ino != w->seen.st_ino ||
                memcmp(&st.st_mtim, &w->seen.st_mtim, sizeof st.st_mtim) != 0)) {
    w->seen = st;
    w->heard = queue_now();
    TRY(read_front(w, err));
  }
  *serves = there && *w->front.session != '\0' && queue_now() - w->heard < silent_s;
  if (!*serves)
    stop(w, there);
  return 0;
}

static int serve(struct worker *w, struct tandem_error *err) {
  bool serves = false;
  while (*w->q->stop == 0) {
    TRY(look(w, &serves, err));
    if (!serves && w->q->session != NULL)
      return 0;
    if (serves)
      TRY(fill(w, err));
    beat(w);
    if (w->running != 0)
      TRY(end_one(w, err));
    else
      queue_await(w->watch, WAIT_MS);
  }
  stop(w, true);
  return 0;
}

/* "slurm-JOB-RESTART", or "HOST-PID". */
static void name_worker(struct worker *w) {
  const char *job = getenv("SLURM_JOB_ID"), *restart = getenv("SLURM_RESTART_COUNT");
  if (gethostname(w->host, sizeof w->host - 1) != 0)
    snprintf(w->host, sizeof w->host, "unknown");
  if (job != NULL && *job != '\0')
    snprintf(w->id, sizeof w->id, "slurm-%.20s-%.10s", job, restart != NULL ? restart : "0");
  else
    snprintf(w->id, sizeof w->id, "%s-%ld", w->host, (long)getpid());
  for (char *c = w->id; *c != '\0'; c++)
    if (*c == '.' || *c == '/')
      *c = '_';
}

int worker_run(const struct worker_request *q, struct tandem_error *err) {
  struct worker w = {.q = q, .watch = -1};
  TRY(queue_make(q->folder, err));
  TRY(launcher_local(q->slots, &w.l, err));
  w.run = calloc(q->slots + 1, sizeof *w.run);
  w.watch = queue_watch(q->folder, "queue");
  name_worker(&w);
  lose_all_earlier(&w);
  const int status = w.run != NULL ? serve(&w, err) : tandem_fail(err, -ENOMEM, "out of memory");
  stop(&w, true);
  if (w.watch >= 0)
    close(w.watch);
  queue_front_free(&w.front);
  w.l.destroy(w.l.self);
  free(w.run);
  return status;
}
