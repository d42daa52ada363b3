/* The launcher whose processes are those of workers: the front end's side of the folder. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "harness/experiment/queue/queue.h"

/* SILENT_S: a worker that gives no sign for so long is gone.  LOSSES: a run that was lost with so
 * many workers is not given to another one; what a worker has put back itself was not lost.
 * EMPTY_S: without a job for so long there is none. */
enum {
  SILENT_S = 30,
  LOSSES = 5,
  EMPTY_S = 10,
  WAIT_MS = 200,
  LOOK_S = 1,
  ASK_S = 2,
  QUIET_S = 10
};

struct slot {
  unsigned long long number; /* of the run; 0: the slot is free */
  char *results, *error;     /* where what it writes goes; results NULL: it writes none */
  char taken[QUEUE_NAME];    /* name of the file as a worker has it; "": none is known */
  unsigned losses;
  struct timespec time; /* of that file */
  double heard;         /* when that time was new */
  bool lost;            /* it has no worker, and gets none */
};

struct queue {
  const char *folder;
  size_t slots;
  struct slot *slot;
  unsigned long long last; /* number of a run */
  int lock, watch;
  bool open; /* the front end's file is there, and workers were started */
  struct queue_front front;
  struct batch batch;
  double looked, beaten, ask_at, jobs_seen;
  char *refusal; /* why a worker takes no runs; NULL: none has refused */
};

/* ---- names ---- */

static void run_name(const struct queue *q, unsigned long long number, char name[QUEUE_NAME]) {
  snprintf(name, QUEUE_NAME, "%s-%010llu", q->front.session, number);
}

static struct slot *slot_of(const struct queue *q, const char *name) {
  const size_t n = strlen(q->front.session);
  if (strncmp(name, q->front.session, n) != 0 || name[n] != '-')
    return NULL;
  const unsigned long long number = strtoull(name + n + 1, NULL, 10);
  for (size_t i = 0; i < q->slots; i++)
    if (q->slot[i].number == number && number != 0)
      return &q->slot[i];
  return NULL;
}

static void drop(const struct queue *q, const char *part, const char *name, const char *ending) {
  char path[QUEUE_PATH], whole[QUEUE_NAME + 8];
  snprintf(whole, sizeof whole, "%s%s", name, ending);
  if (queue_path(q->folder, part, whole, path, NULL) == 0)
    (void)unlink(path);
}

/* ---- the folder ---- */

struct part {
  const struct queue *q;
  const char *name;
};

static void drop_one(void *user, const char *name) {
  const struct part *p = user;
  drop(p->q, p->name, name, "");
}

/* Removes what this or an earlier front end has left. */
static void clear(struct queue *q) {
  static const char *const parts[] = {"queue", "taken", "done", "refused"};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    queue_each(q->folder, parts[i], drop_one, &(struct part){q, parts[i]});
}

/* The folder is one front end's, as long as that lives. */
static int lock(struct queue *q, struct tandem_error *err) {
  char path[QUEUE_PATH];
  TRY(queue_path(q->folder, "lock", "", path, err));
  q->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (q->lock < 0)
    return tandem_fail(err, -errno, "cannot write %s: %s", path, strerror(errno));
  return flock(q->lock, LOCK_EX | LOCK_NB) == 0
             ? 0
             : tandem_fail(err, -EBUSY,
                           "another command gives runs to the workers of %s; wait for its end, or "
                           "name another folder (--on)",
                           q->folder);
}

/* Shows workers that the front end is there, and starts those that it is to start. */
static int open_session(struct queue *q, struct tandem_error *err) {
  if (q->open)
    return 0;
  TRY(queue_front_write(q->folder, &q->front, err));
  q->open = true;
  q->beaten = q->jobs_seen = queue_now();
  return q->batch.template != NULL ? batch_submit(&q->batch, q->folder, &q->front, err) : 0;
}

/* ---- runs ---- */

static int start(void *self, size_t slot, const struct launcher_job *job,
                 struct tandem_error *err) {
  struct queue *q = self;
  struct slot *s = &q->slot[slot];
  char name[QUEUE_NAME], path[QUEUE_PATH];
  TRY(open_session(q, err));
  run_name(q, q->last + 1, name);
  TRY(queue_path(q->folder, "queue", name, path, err));
  *s = (struct slot){.results = job->results != NULL ? strdup(job->results) : NULL,
                     .error = strdup(job->error)};
  if ((job->results != NULL && s->results == NULL) || s->error == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  TRY(queue_job_write(path, job, err));
  s->number = ++q->last;
  return 0;
}

static void free_slot(struct slot *s) {
  free(s->results);
  free(s->error);
  *s = (struct slot){0};
}

/* Puts the output of a run in its place; there may be none. */
static int move(const struct queue *q, const char *name, const char *ending, const char *to,
                struct tandem_error *err) {
  char from[QUEUE_PATH], whole[QUEUE_NAME + 8];
  snprintf(whole, sizeof whole, "%s%s", name, ending);
  TRY(queue_path(q->folder, "done", whole, from, err));
  if (to == NULL || rename(from, to) == 0 || errno == ENOENT)
    return 0;
  return tandem_fail(err, -errno, "cannot move %s to %s: %s", from, to, strerror(errno));
}

/* A name of a run that has ended, not of what it has written. */
static void find_end(void *user, const char *name) {
  char *found = user;
  const char *dot = strchr(name, '.');
  if (dot != NULL && strchr(dot + 1, '.') == NULL && *found == '\0')
    snprintf(found, QUEUE_NAME, "%s", name);
}

/* The first end of a run counts; 1: *end describes it; 0: it was a further one. */
static int take(struct queue *q, const char *name, struct launcher_end *end,
                struct tandem_error *err) {
  struct slot *s = slot_of(q, name);
  char path[QUEUE_PATH], run[QUEUE_NAME];
  int status = 0;
  if (s != NULL) {
    TRY(queue_path(q->folder, "done", name, path, err));
    TRY(queue_end_read(path, end, err));
    TRY(move(q, name, ".json", s->results, err));
    TRY(move(q, name, ".err", s->error, err));
    end->slot = (size_t)(s - q->slot);
    run_name(q, s->number, run);
    drop(q, "queue", run, ""); /* it was put back meanwhile */
    free_slot(s);
    status = 1;
  }
  drop(q, "done", name, "");
  drop(q, "done", name, ".json");
  drop(q, "done", name, ".err");
  return status;
}

static int take_any(struct queue *q, struct launcher_end *end, struct tandem_error *err) {
  for (;;) {
    char name[QUEUE_NAME] = "";
    queue_each(q->folder, "done", find_end, name);
    const int got = *name != '\0' ? take(q, name, end, err) : 0;
    if (*name == '\0' || got != 0)
      return got;
  }
}

/* ---- runs whose workers are gone ---- */

static void put_back(struct queue *q, struct slot *s) {
  char from[QUEUE_PATH], to[QUEUE_PATH], run[QUEUE_NAME];
  run_name(q, s->number, run);
  s->lost = ++s->losses >= LOSSES;
  if (s->lost)
    drop(q, "taken", s->taken, "");
  else if (queue_path(q->folder, "taken", s->taken, from, NULL) == 0 &&
           queue_path(q->folder, "queue", run, to, NULL) == 0) {
    (void)queue_beat(from); /* its next worker is not gone */
    (void)rename(from, to);
  }
}

static void look_at(void *user, const char *name) {
  struct queue *q = user;
  struct slot *s = slot_of(q, name);
  char path[QUEUE_PATH];
  struct stat st;
  const char *dot = strchr(name, '.');
  if (s == NULL || dot == NULL || queue_path(q->folder, "taken", name, path, NULL) != 0 ||
      stat(path, &st) != 0)
    return;
  const bool another = strcmp(name, s->taken) != 0;
  if (another || memcmp(&st.st_mtim, &s->time, sizeof s->time) != 0)
    s->heard = queue_now();
  s->time = st.st_mtim;
  snprintf(s->taken, sizeof s->taken, "%s", name);
  if (queue_now() - s->heard > SILENT_S || st.st_mtim.tv_sec == QUEUE_GONE ||
      batch_is_gone(&q->batch, dot + 1))
    put_back(q, s);
}

static int lost(struct queue *q, struct launcher_end *end) {
  for (struct slot *s = q->slot; s < q->slot + q->slots; s++)
    if (s->lost) {
      *end = (struct launcher_end){.slot = (size_t)(s - q->slot), .exit = -1};
      snprintf(end->cause, sizeof end->cause, "was lost with its worker %u times, last with %.80s",
               s->losses, strchr(s->taken, '.') + 1);
      free_slot(s);
      return 1;
    }
  return 0;
}

/* The reason of a worker that this front end has started, and that takes no runs. */
static void find_refusal(void *user, const char *name) {
  struct queue *q = user;
  char path[QUEUE_PATH], *text = NULL;
  struct tandem_error unused;
  if (q->refusal != NULL || strncmp(name, q->front.session, strlen(q->front.session)) != 0 ||
      queue_path(q->folder, "refused", name, path, NULL) != 0 ||
      files_read(path, &text, NULL, &unused) != 0)
    return;
  q->refusal = text;
}

/* Looks at workers once a second: a negative errno if runs wait, and no worker will take them. */
static int look(struct queue *q, struct tandem_error *err) {
  const double now = queue_now();
  char path[QUEUE_PATH];
  if (now - q->looked < LOOK_S)
    return 0;
  q->looked = now;
  if (now - q->beaten > QUEUE_BEAT_S && queue_path(q->folder, QUEUE_FRONT, "", path, NULL) == 0) {
    q->beaten = now;
    (void)queue_beat(path);
  }
  if (q->batch.slurm && now > q->ask_at) {
    const bool answered = batch_look(&q->batch);
    q->ask_at = queue_now() + (answered ? ASK_S : QUIET_S);
  }
  queue_each(q->folder, "taken", look_at, q);
  if (q->batch.template == NULL)
    return 0;
  queue_each(q->folder, "refused", find_refusal, q);
  if (q->refusal != NULL)
    return tandem_fail(err, -EPROTO, "a worker takes no runs: %s", q->refusal);
  if (!batch_all_gone(&q->batch))
    q->jobs_seen = now;
  return now - q->jobs_seen <= EMPTY_S
             ? 0
             : tandem_fail(err, -ECHILD,
                           "all workers of job %s have ended, and runs are left; see %s/log",
                           q->batch.job, q->folder);
}

static int wait_one(void *self, struct launcher_end *end, struct tandem_error *err) {
  struct queue *q = self;
  for (unsigned i = 0; i < 2; i++) {
    if (i != 0)
      queue_await(q->watch, WAIT_MS);
    const int got = take_any(q, end, err);
    if (got != 0)
      return got;
    if (lost(q, end) == 1)
      return 1;
    TRY(look(q, err));
  }
  return 0;
}

/* Workers that were started for this front end see that it is gone, and end. */
static void stop(void *self) {
  struct queue *q = self;
  char path[QUEUE_PATH];
  if (q->open && queue_path(q->folder, QUEUE_FRONT, "", path, NULL) == 0)
    (void)unlink(path);
  q->open = false;
  clear(q);
}

static void destroy(void *self) {
  struct queue *q = self;
  if (q->lock >= 0 && q->slot != NULL)
    stop(q);
  for (size_t i = 0; q->slot != NULL && i < q->slots; i++)
    free_slot(&q->slot[i]);
  free(q->slot);
  if (q->watch >= 0)
    close(q->watch);
  if (q->lock >= 0)
    close(q->lock);
  queue_front_free(&q->front);
  free(q->batch.job);
  free(q->batch.jobs);
  free(q->refusal);
  free(q);
}

static int prepare(struct queue *q, const char *program, struct tandem_error *err) {
  if (q->batch.template != NULL)
    TRY(batch_check(q->batch.template, err));
  TRY(queue_make(q->folder, err));
  TRY(lock(q, err));
  TRY(queue_front_make(program, &q->front, err));
  q->slot = calloc(q->slots, sizeof *q->slot);
  if (q->slot == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  clear(q);
  q->watch = queue_watch(q->folder, "done");
  return 0;
}

int launcher_queue(const struct launcher_workers *w, struct launcher *l, struct tandem_error *err) {
  enum { AHEAD = 4, SLOTS = 64 }; /* runs that wait for each worker; at least */
  const size_t slots = AHEAD * w->workers < SLOTS ? SLOTS : AHEAD * w->workers;
  struct queue *q = calloc(1, sizeof *q);
  if (q == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  *q = (struct queue){.folder = w->folder,
                      .slots = slots,
                      .lock = -1,
                      .watch = -1,
                      .batch = {.template = w->slurm ? BATCH_SLURM : w->submit,
                                .slurm = w->slurm,
                                .workers = w->workers}};
  const int status = prepare(q, w->program, err);
  if (status != 0)
    destroy(q);
  else
    *l = (struct launcher){q, slots, start, wait_one, stop, destroy};
  return status;
}
