/* Runs of candidates, each a process of `tandem run`, and whether they fail as they must. */
#ifndef TANDEM_SHRINK_JUDGE_H
#define TANDEM_SHRINK_JUDGE_H

#include <signal.h>

#include "harness/experiment/launcher.h"
#include "harness/regress/regress.h"
#include "harness/shrink/program.h"
#include "harness/shrink/reduce.h"

/* How a run ended. */
struct shrink_outcome {
  struct regress_failure place; /* kind "": it has not failed; "refused": it could not be run */
  uint64_t cycle;               /* of the failure */
  double wall_s;
  char digest[24], error[400]; /* of memory; the first line that was written to standard error */
};

struct judge {
  /* Set by the caller. */
  const char *program;      /* the executable of tandem */
  const char *const *words; /* further words of each run, NULL-ended */
  size_t slots;             /* runs at once */
  double until;             /* by CLOCK_MONOTONIC: nothing is tried from then on; 0: no limit */
  const volatile sig_atomic_t *stop; /* not 0: likewise */
  void (*on_try)(void *user);        /* after each try, and after each smaller program */
  void (*on_better)(void *user);
  void *user;
  /* A candidate must fail at this place, and end as `alone` with the reference alone. */
  struct regress_failure wanted;
  char alone[24];
  bool by_digest; /* in the place of a failure: leave another memory than the reference alone */
  double run_s;   /* limit of a run */
  uint64_t max_cycles; /* of a run; 0: the case's own */
  /* The judge's. */
  struct launcher launcher;
  struct judge_slot *slot;
  struct shrink_case best;    /* the smallest that fails so */
  struct shrink_outcome last; /* its outcome */
  size_t tries;
};

/* Takes a launcher and folders; what the caller sets is set before.  0 or a negative errno. */
int judge_open(struct judge *j, struct tandem_error *err);
void judge_close(struct judge *j);

/* Runs one case, NULL: the launch description of a path; alone: by the reference. */
int judge_run(struct judge *j, const struct shrink_case *c, const char *launch, bool alone,
              struct shrink_outcome *o, struct tandem_error *err);
/* Candidates of the judge: struct shrink_case.  The one that is found becomes the best. */
struct tries judge_tries(struct judge *j);
/* True if nothing more is tried. */
bool judge_late(const struct judge *j);

#endif
