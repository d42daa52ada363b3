/* Runs of launch descriptions with a fault of the RTL switched on, and what notices it: for the
 * command `bugs`. */
#ifndef TANDEM_CLI_BUGS_H
#define TANDEM_CLI_BUGS_H

#include "harness/internal.h"

/* How a run ended. */
struct bugs_outcome {
  bool failed;
  char kind[16], where[80]; /* of its failure */
  uint64_t cycle;
  uint64_t digest, words; /* of one that did not fail: memory; words off chip */
};

/* The configuration of a run of a description: the description's GPU if of_job, else c as it is,
 * and what all runs here have.  False: err tells. */
bool bugs_configure(const char *path, bool of_job, struct tandem_config *c,
                    struct tandem_error *err);

/* Runs a description.  False, with a message on stderr: it cannot be run. */
bool bugs_run(const char *path, const struct tandem_config *c, struct bugs_outcome *o);

/* Whether a run failed otherwise than the one without a fault. */
bool bugs_noticed(const struct bugs_outcome *o, const struct bugs_outcome *sound);

/* What notices the fault of c when its RTL runs without comparison, each of these by itself:
 * "shadow", "iss"; and without both the kind of failure, or if there is none "image" and "words".
 * Writes the names with spaces between them, "" if there are none. */
void bugs_detectors(const char *path, struct tandem_config c, const struct bugs_outcome *sound,
                    char *names, size_t size);

#endif
