/* Inside of the front end's side of the folder: the runs that it has given out. */
#ifndef TANDEM_EXPERIMENT_SLOTS_H
#define TANDEM_EXPERIMENT_SLOTS_H

#include "harness/experiment/queue/queue.h"

struct slot {
  unsigned long long number; /* of the run; 0: the slot is free */
  char *results, *error;     /* where what it writes goes; results NULL: it writes none */
  char *text;                /* of its file */
  char taken[QUEUE_NAME];    /* name of the file as a worker has it; "": none is known */
  unsigned losses;
  struct timespec time; /* of that file */
  double heard;         /* when that time was new */
  double seen;          /* when it had a file, wherever */
  bool there, held;     /* in this look it has a file; the one that `taken` names */
  bool lost;            /* it has no worker, and gets none */
};

struct queue {
  const char *folder;
  double nowhere_s, stood_s;
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

/* ---- launcher_queue.c ---- */

/* The name of a run's file. */
void slot_name(const struct queue *q, const struct slot *s, char name[QUEUE_NAME]);
/* The slot of a run whose file has this name; NULL: none has it. */
struct slot *slot_of(const struct queue *q, const char *name);
/* Puts the file of a run where workers take it. */
int slot_give_out(const struct queue *q, struct slot *s, struct tandem_error *err);
void slot_free(struct slot *s);

/* ---- slots.c ---- */

/* Looks for the files of all runs, in the order in which they move.  A run whose worker is gone, or
 * which has no file, waits again. */
int slots_look(struct queue *q, struct tandem_error *err);
/* Takes a run that was lost with too many workers: whether there is one. */
bool slots_lost(struct queue *q, struct launcher_end *end);

#endif
