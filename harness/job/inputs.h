/* The files that decide what a launch description does. */
#ifndef TANDEM_JOB_INPUTS_H
#define TANDEM_JOB_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "csim/util/error.h"

struct tandem_parameter;

struct job_inputs {
  void *user;
  /* A file that the description names. */
  int (*file)(void *user, const char *path, struct tandem_error *err);
  /* Its program, of OpenCL C, with the options of its compilation, NULL-terminated. */
  int (*source)(void *user, const char *path, const char *const *options, struct tandem_error *err);
};

/* Reads a launch description as tandem_job_read, and names its inputs: regular files that there
 * are.  0, a negative errno, or what a function has returned that is not 0. */
int job_inputs(const char *path, const struct tandem_parameter *parameters, size_t n,
               const struct job_inputs *inputs, struct tandem_error *err);

/* Returns true if a word that names a GPU is the path of its description: it has a "/" or ends as
 * YAML files do. */
bool config_is_path(const char *word);

#endif
