/* Runs of launch descriptions with a seeded fault switched on, and which checks notice it: for the
 * command `bugs`. */
#ifndef TANDEM_CLI_BUGS_H
#define TANDEM_CLI_BUGS_H

#include "harness/gpu/config.h"

/* How a run ended. */
struct bugs_outcome {
  bool failed, present;     /* present: the GPU has the feature whose faults are looked for */
  char kind[16], where[80]; /* of the failure */
  uint64_t cycle;           /* in which it failed */
  uint64_t digest;          /* of the memory of a run that did not fail */
};

/* Reads a description and the configuration of its run: the description's GPU if of_job, else c as
 * it is, with the limits of all runs here.  NULL, with err, for a bad description. */
struct tandem_job *bugs_read(const char *path, bool of_job, struct tandem_config *c,
                             struct tandem_error *err);

/* Runs a description that was read, and closes it.  False, with a message on stderr: it cannot be
 * run. */
bool bugs_run(struct tandem_job *job, const struct tandem_config *c, struct bugs_outcome *o);

/* The checks that notice the fault of c when its RTL runs without comparison, with spaces between
 * their names, "" if none does: "shadow" and "iss", each by itself; the kind of failure of a run
 * without both; "image" if that run does not fail and its memory is not `sound`. */
void bugs_detectors(const char *path, struct tandem_config c, uint64_t sound, char *names,
                    size_t size);

#endif
