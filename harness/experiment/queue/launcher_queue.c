/* The launcher whose processes are those of workers: the front end's side of the folder. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csim/util/scratch.h"
#include "harness/experiment/queue/slots.h"

/* EMPTY_S: without a job for so long there is none.  NOWHERE_S, STOOD_S: defaults of launcher.h. */
enum {
  EMPTY_S = 10,
  NOWHERE_S = 10,
  STOOD_S = 55,
  WAIT_MS = 200,
  LOOK_S = 1,
  ASK_S = 2,
  QUIET_S = 10
};

/* ---- names ---- */

void slot_name(const struct queue *q, const struct slot *s, char name[QUEUE_NAME]) {
  snprintf(name, QUEUE_NAME, "%s-%010llu", q->front.session, s->number);
}

struct slot *slot_of(const struct queue *q, const char *name) {
  const size_t n = strlen(q->front.session);
  if (strncmp(name, q->front.session, n) != 0 || name[n] != '-')
    return NULL;
  const unsigned long long number = strtoull(name + n + 1, NULL, 10);
  for (size_t i = 0; i < q->slots; i++)
    if (q->slot[i].number == number && number != 0)
      return &q->slot[i];
  return NULL;
}

/* True of names that front ends and workers give, of any session. */
static bool is_run(const char *name) {
  enum { SESSION = QUEUE_ID - 1 };
  return strspn(name, "0123456789abcdef") == SESSION && strchr("-.", name[SESSION]) != NULL &&
         name[SESSION] != '\0';
}

static void drop(const struct queue *q, const char *part, const char *name, const char *ending) {
  char whole[QUEUE_NAME + 8];
  snprintf(whole, sizeof whole, "%s%s", name, ending);
  queue_drop(q->folder, part, whole);
}

/* ---- the folder ---- */

struct part {
  const struct queue *q;
  const char *name;
};

static void drop_one(void *user, const char *name) {
  const struct part *p = user;
  if (is_run(name))
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
  q->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
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

int slot_give_out(const struct queue *q, struct slot *s, struct tandem_error *err) {
  char name[QUEUE_NAME], path[QUEUE_PATH];
  slot_name(q, s, name);
  TRY(queue_path(q->folder, "queue", name, path, err));
  TRY(queue_write(path, s->text, err));
  s->seen = queue_now();
  return 0;
}

static int start(void *self, size_t slot, const struct launcher_job *job,
                 struct tandem_error *err) {
  struct queue *q = self;
  struct slot *s = &q->slot[slot];
  TRY(open_session(q, err));
  *s = (struct slot){.results = job->results != NULL ? strdup(job->results) : NULL,
                     .error = strdup(job->error),
                     .text = queue_job_text(job, err)};
  if (s->text == NULL)
    return -EINVAL;
  if ((job->results != NULL && s->results == NULL) || s->error == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  s->number = q->last + 1;
  const int status = slot_give_out(q, s, err);
  if (status == 0)
    q->last++;
  else
    s->number = 0;
  return status;
}

void slot_free(struct slot *s) {
  free(s->results);
  free(s->error);
  free(s->text);
  *s = (struct slot){0};
}

/* Puts the output of a run in its place, in a folder of this process; there may be none.  A bad one
 * is removed: -EPERM. */
static int move(const struct queue *q, const char *name, const char *ending, const char *to,
                struct tandem_error *err) {
  char from[QUEUE_PATH], whole[QUEUE_NAME + 8];
  const char *slash = to != NULL ? strrchr(to, '/') : NULL;
  struct stat st;
  snprintf(whole, sizeof whole, "%s%s", name, ending);
  TRY(queue_path(q->folder, "done", whole, from, err));
  if (slash == NULL || (rename(from, to) != 0 && errno == ENOENT))
    return 0;
  char *folder = strndup(to, (size_t)(slash - to));
  const bool good = folder != NULL && queue_has(folder, "", slash + 1, &st);
  free(folder);
  if (good)
    return 0;
  scratch_remove(to);
  return tandem_fail(err, -EPERM, "done/%s is no regular file of this user", whole);
}

/* Reads the end of a slot's run and takes what it wrote.  A bad file is this run's failure. */
static void read_end(const struct queue *q, const char *name, struct slot *s,
                     struct launcher_end *end) {
  struct tandem_error why;
  if (queue_end_read(q->folder, name, end, &why) == 0 &&
      move(q, name, ".json", s->results, &why) == 0 && move(q, name, ".err", s->error, &why) == 0)
    return;
  *end = (struct launcher_end){.exit = -1};
  snprintf(end->cause, sizeof end->cause, "has left no end that can be read: %.100s", why.text);
  (void)unlink(s->error); /* the cause is the message */
}

struct taking {
  struct queue *q;
  struct launcher_end *end;
  bool got;
};

/* Takes the end of a run, once one is wanted, by a name that is not that of what it wrote.  The
 * first end of a run counts. */
static void take(void *user, const char *name) {
  struct taking *t = user;
  struct queue *q = t->q;
  const char *dot = strchr(name, '.');
  if (t->got || !is_run(name) || dot == NULL || strchr(dot + 1, '.') != NULL)
    return;
  struct slot *s = slot_of(q, name);
  char run[QUEUE_NAME];
  if (s != NULL) {
    read_end(q, name, s, t->end);
    t->end->slot = (size_t)(s - q->slot);
    slot_name(q, s, run);
    drop(q, "queue", run, ""); /* it was put back meanwhile */
    slot_free(s);
    t->got = true;
  }
  drop(q, "done", name, "");
  drop(q, "done", name, ".json");
  drop(q, "done", name, ".err");
}

/* The reason of a worker that this front end has started, and that takes no runs. */
static void find_refusal(void *user, const char *name) {
  struct queue *q = user;
  struct tandem_error unused;
  if (q->refusal == NULL && strncmp(name, q->front.session, strlen(q->front.session)) == 0)
    (void)queue_read(q->folder, "refused", name, &q->refusal, &unused);
}

/* Renews the sign of this front end.  Workers that it has started have ended if it stood still for
 * long: others start. */
static int beat(struct queue *q, struct tandem_error *err) {
  const double silence = queue_now() - q->beaten;
  char path[QUEUE_PATH];
  struct stat st;
  if (silence <= QUEUE_BEAT_S && silence <= q->stood_s)
    return 0;
  q->beaten = queue_now();
  TRY(queue_path(q->folder, QUEUE_FRONT, "", path, err));
  if (access(q->folder, F_OK) != 0 && errno == ENOENT)
    return tandem_fail(err, -ENOENT, "the folder of the runs is gone: %s", q->folder);
  TRY(queue_make(q->folder, err));
  if (queue_has(q->folder, "", QUEUE_FRONT, &st))
    (void)queue_beat(path);
  else
    TRY(queue_front_write(q->folder, &q->front, err));
  if (silence <= q->stood_s || q->batch.template == NULL)
    return 0;
  q->jobs_seen = q->beaten;
  return batch_submit(&q->batch, q->folder, &q->front, err);
}

/* Looks at workers once a second, or as often as runs may be nowhere: a negative errno if runs
 * wait, and no worker will take them. */
static int look(struct queue *q, struct tandem_error *err) {
  const double now = queue_now();
  if (now - q->looked < (q->nowhere_s < LOOK_S ? q->nowhere_s : LOOK_S))
    return 0;
  q->looked = now;
  TRY(beat(q, err));
  if (q->batch.slurm && now > q->ask_at) {
    const bool answered = batch_look(&q->batch);
    q->ask_at = queue_now() + (answered ? ASK_S : QUIET_S);
  }
  TRY(slots_look(q, err));
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
    struct taking t = {.q = q, .end = end};
    queue_each(q->folder, "done", take, &t);
    if (t.got)
      return 1;
    if (slots_lost(q, end))
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
    slot_free(&q->slot[i]);
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
                      .nowhere_s = w->nowhere_s > 0 ? w->nowhere_s : NOWHERE_S,
                      .stood_s = w->stood_s > 0 ? w->stood_s : STOOD_S,
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
