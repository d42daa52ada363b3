/* tandem shrink: a failing program becomes small (docs/use/shrink.md). */
#ifndef TANDEM_SHRINK_H
#define TANDEM_SHRINK_H

#include "harness/shrink/judge.h"

struct shrink_request {
  const char *launch, *command; /* what fails; the call, for the head of the program */
  const char *folder;           /* for the small program */
  double run_s;                 /* limit of the first run */
};

struct shrink_result {
  struct regress_failure place;
  struct shrink_size before, after;
  size_t tries;
  double seconds;
  uint64_t cycle;
  bool whole; /* nothing smaller was found; false: the time was over */
};

/* Makes a case small, with a judge that is open; the smallest that fails likewise is in the folder
 * at any time from the first run on.  0, or a negative errno: -ENOENT: it does not fail. */
int shrink(struct judge *j, const struct shrink_case *from, const struct shrink_request *q,
           struct shrink_result *r, struct tandem_error *err);

/* True if a launch description fails at a place (regress_place_text), and with the reference alone
 * ends with a failure of kind `alone`, "" none. */
bool shrink_fails(struct judge *j, const char *launch, const char *place, const char *alone);

/* out.c: checks that a folder may be written: it is not there, empty, or of this command.  0 or a
 * negative errno. */
int out_check(const char *folder, struct tandem_error *err);
/* Writes a case in the place of all that the folder has; at any time it is there whole. */
int out_write(const char *folder, const struct shrink_case *c, const char *head,
              struct tandem_error *err);

#endif
