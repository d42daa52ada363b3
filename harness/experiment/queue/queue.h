/* A folder in which a front end and workers exchange runs (docs/use/workers.md).
 *
 *   front.json    the front end that is there; its time is renewed as long as it is
 *   lock          held by the front end
 *   queue/S-N     run N of session S waits
 *   taken/S-N.W   worker W runs it; the time of the file is renewed as long as it does
 *   done/S-N.W    how it ended; S-N.W.json and S-N.W.err beside it are what it wrote
 *   refused/W     the reason why worker W takes no runs
 *
 * A run goes from queue to taken by rename, so one worker gets it.  Each file is there whole.  What
 * is no regular file of this user is never read, followed or waited for. */
#ifndef TANDEM_EXPERIMENT_QUEUE_H
#define TANDEM_EXPERIMENT_QUEUE_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "csim/util/hash.h"
#include "harness/experiment/launcher.h"

enum { QUEUE_PATH = 4096, QUEUE_NAME = 160, QUEUE_ID = 17, QUEUE_WORKER = 100 };
enum { QUEUE_BEAT_S = 2 }; /* times of files are renewed so often */

#define QUEUE_FRONT "front.json"

/* A front end.  Its program runs the runs, so workers see the same file by its path. */
struct queue_front {
  char session[QUEUE_ID]; /* another one for each front end */
  char host[72];
  char *program; /* path; allocated */
  char key[HASH_KEY];
  char *version; /* of Tandem; allocated */
  long long format;
  struct json_t *environment; /* variables of runs: an object of texts */
};

/* The place of a file, DIR/PART/NAME: 0 or -ENAMETOOLONG. */
int queue_path(const char *folder, const char *part, const char *name, char path[QUEUE_PATH],
               struct tandem_error *err);
/* Makes the folder with its parts, which are folders of this user. */
int queue_make(const char *folder, struct tandem_error *err);
/* Looks at an entry of a part, "" for the folder itself: whether it is a regular file of this user,
 * by this name alone. */
bool queue_has(const char *folder, const char *part, const char *name, struct stat *st);
/* Reads it, and says in other cases what it is: 0 or a negative errno.  The caller frees *text. */
int queue_read(const char *folder, const char *part, const char *name, char **text,
               struct tandem_error *err);
/* Removes an entry, whatever it is. */
void queue_drop(const char *folder, const char *part, const char *name);
/* Renews the time of a file: 0 or a negative errno. */
int queue_beat(const char *path);
/* Gives the file of a taken run the time of a worker that is gone: the front end puts it back. */
enum { QUEUE_GONE = 0 };
void queue_gone(const char *path);
/* Calls each(user, name) for the names in a part of the folder, in no order, but for those that are
 * being written. */
void queue_each(const char *folder, const char *part, void (*each)(void *user, const char *name),
                void *user);
/* Seconds of a clock that only goes forward. */
double queue_now(void);
/* A watch of a part of the folder, -1: there is none; and a wait for a new file in it, which may
 * end early or late: the files may be on another machine. */
int queue_watch(const char *folder, const char *part);
void queue_await(int watch, int ms);

/* This program as a front end: its file's key and the variables TANDEM_* of its environment. */
int queue_front_make(const char *program, struct queue_front *f, struct tandem_error *err);
int queue_front_write(const char *folder, const struct queue_front *f, struct tandem_error *err);
/* -ENOENT: there is no front end.  The caller frees *f, also after an error. */
int queue_front_read(const char *folder, struct queue_front *f, struct tandem_error *err);
void queue_front_free(struct queue_front *f);
/* 0, or -EPROTO if this program, on this machine, is no worker for the front end; why: what is
 * different, and what to do. */
int queue_front_check(const char *folder, const struct queue_front *f, struct tandem_error *why);

/* A run in a file.  `job.results` is without a path: the words end with what stands before it. */
struct queue_job {
  struct launcher_job job;
  char *folder; /* where it runs */
  bool results; /* the last word ends with the path of the results */
};
/* The text of its file, allocated; NULL: err has the reason. */
char *queue_job_text(const struct launcher_job *job, struct tandem_error *err);
/* Writes a text as a file of the folder. */
int queue_write(const char *path, const char *text, struct tandem_error *err);
/* The caller frees *j, also after an error. */
int queue_job_read(const char *folder, const char *part, const char *name, struct queue_job *j,
                   struct tandem_error *err);
void queue_job_free(struct queue_job *j);

/* The end of a run, but for its slot. */
int queue_end_write(const char *path, const struct launcher_end *end, struct tandem_error *err);
int queue_end_read(const char *folder, const char *name, struct launcher_end *end,
                   struct tandem_error *err);

/* Takes runs of front ends and runs them (worker.c). */
struct worker_request {
  const char *folder;
  const char *session; /* the only front end that is served; NULL: all that come */
  size_t slots;
  double silent_s; /* a front end that gives no sign for so long is gone; 0: a minute */
  const volatile sig_atomic_t *stop; /* not 0: put back what is running, and end */
};
/* 0: the session is over, or *stop is not 0.  -EPROTO: it is no worker for the front end. */
int worker_run(const struct worker_request *q, struct tandem_error *err);

/* Workers as jobs of a batch system (batch.c). */
struct batch {
  const char *template; /* a command of the shell with %n and %c */
  bool slurm;           /* squeue knows the jobs */
  size_t workers;
  char *job;  /* of Slurm: number of the array; NULL: not submitted, or unknown */
  char *jobs; /* lines "job array state" of squeue; NULL: it has not answered */
};
extern const char BATCH_SLURM[]; /* the template for Slurm */
/* 0, or -EINVAL if a template is none. */
int batch_check(const char *template, struct tandem_error *err);
/* Writes the script that starts a worker, and starts the workers by the template. */
int batch_submit(struct batch *b, const char *folder, const struct queue_front *f,
                 struct tandem_error *err);
/* Asks Slurm for the jobs.  False: it does not answer. */
bool batch_look(struct batch *b);
/* By the last answer: whether a worker's job runs no more; whether no job of the array is left. */
bool batch_is_gone(const struct batch *b, const char *worker);
bool batch_all_gone(const struct batch *b);

#endif
