/* The parameters of a launch description. */
#include <errno.h>
#include <stdlib.h>

#include "harness/job/job.h"

int job_parameters(struct yaml_file *f, const struct tandem_parameter *given, size_t n,
                   struct yaml_parameter **list, size_t *count, struct tandem_error *err) {
  yaml_node_t *map = yaml_get(f, yaml_root(f), "parameters");
  struct yaml_parameter *others = calloc(n + 1, sizeof *others);
  int status = others != NULL ? 0 : tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; status == 0 && i < n; i++) {
    others[i] = (struct yaml_parameter){given[i].name, given[i].value};
    if (given[i].name == NULL)
      status = tandem_fail(err, -EINVAL, "a parameter needs a name");
  }
  if (status == 0)
    status = yaml_parameters(f, map, others, n, list, count, err);
  free(others);
  return status;
}

size_t tandem_job_parameters(const struct tandem_job *job, struct tandem_parameter *rows,
                             size_t max) {
  for (size_t i = 0; i < job->nparameters && i < max; i++)
    rows[i] = (struct tandem_parameter){job->parameters[i].name, job->parameters[i].value};
  return job->nparameters;
}
