/* How processes are started, apart from what is started: here, or by workers anywhere. */
#ifndef TANDEM_EXPERIMENT_LAUNCHER_H
#define TANDEM_EXPERIMENT_LAUNCHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csim/util/error.h"
#include "csim/util/process.h"

struct launcher_job {
  char *const *argv;    /* NULL-terminated; argv[0] is the path of a program */
  const char *error;    /* path that standard error goes to */
  const char *results;  /* path of the results; the last word ends with it; NULL: it writes none */
  const char *folder;   /* where it runs; NULL: here */
  double timeout_s;     /* 0: no limit */
  uint64_t memory_most; /* bytes; 0: no limit */
};

/* The reason why a process ended. */
enum launcher_reason {
  LAUNCHER_EXIT,    /* it ended by itself, or by a signal of somebody else */
  LAUNCHER_TIMEOUT, /* it was killed, as its time was over */
  LAUNCHER_MEMORY   /* its memory was larger than its limit */
};

struct launcher_end {
  size_t slot;
  int exit;   /* status; -1: a signal ended it */
  int signal; /* number; 0: none ended it */
  enum launcher_reason reason;
  double wall_s, cpu_s; /* cpu_s: of it and the processes that it waited for */
  uint64_t memory;      /* bytes, the largest that one of them had; at least this process's own */
  char cause[PROCESS_CAUSE]; /* of an end without a message */
  char host[72];             /* that it ran on; "": this one */
};

/* Each process has a slot, from 0 to slots - 1. */
struct launcher {
  void *self;
  size_t slots;
  int (*start)(void *self, size_t slot, const struct launcher_job *job, struct tandem_error *err);
  /* Waits a fraction of a second for a process to end.  1: *end describes it; 0: none has; a
   * negative errno: none will. */
  int (*wait)(void *self, struct launcher_end *end, struct tandem_error *err);
  void (*stop)(void *self);    /* ends all processes */
  void (*destroy)(void *self); /* after stop, if processes are running */
};

/* Processes of this machine, each with a process group of its own; they end with this process, and
 * end their own processes then.
 * 0 or -ENOMEM. */
int launcher_local(size_t slots, struct launcher *l, struct tandem_error *err);

/* Workers, which take runs from a folder (queue/queue.h). */
struct launcher_workers {
  const char *folder, *program; /* program: the path of this one */
  const char *submit;           /* a command that starts workers; NULL: people start them */
  bool slurm;                   /* Slurm starts them */
  size_t workers;               /* how many are started, or expected */
  double nowhere_s; /* a run of which no file is seen for so long waits again; 0: 10 s */
  double stood_s;   /* workers are started again after such a silence of this one; 0: 55 s */
};
/* The folder is this launcher's alone until it is destroyed.  Workers are started with the first
 * process.  0, -EBUSY if another front end has the folder, or another negative errno. */
int launcher_queue(const struct launcher_workers *w, struct launcher *l, struct tandem_error *err);

#endif
