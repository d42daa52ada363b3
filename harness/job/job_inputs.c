/* The files that decide what a launch description does. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/job/inputs.h"
#include "harness/job/job.h"

static bool is_file(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Options that are refused leave the run to say so. */
static int name_source(struct tandem_job *job, const char *path, const struct job_inputs *inputs,
                       struct tandem_error *err) {
  char **options = NULL;
  int status = job_options(job, &options, err);
  if (status == 0)
    status = inputs->source(inputs->user, path, (const char *const *)options, err);
  else if (status != -ENOMEM)
    status = inputs->file(inputs->user, path, err);
  job_options_free(options);
  return status;
}

/* Any text may be the name of a file. */
static int name_files(struct tandem_job *job, const struct job_inputs *inputs,
                      struct tandem_error *err) {
  yaml_node_t *program = yaml_get(&job->file, yaml_root(&job->file), "program");
  int status = 0;
  for (yaml_node_t *node = job->file.document.nodes.start;
       status == 0 && node < job->file.document.nodes.top; node++) {
    const char *text;
    struct tandem_error unused;
    if (yaml_text(&job->file, node, "", &text, &unused) != 0 || *text == '\0')
      continue;
    char *path = job_path(job, text);
    const size_t n = path != NULL ? strlen(path) : 0;
    if (path == NULL)
      status = tandem_fail(err, -ENOMEM, "out of memory");
    else if (is_file(path))
      status = node == program && n > 3 &&
                       (strcmp(path + n - 3, ".cl") == 0 || strcmp(path + n - 3, ".cu") == 0)
                   ? name_source(job, path, inputs, err)
                   : inputs->file(inputs->user, path, err);
    free(path);
  }
  return status;
}

int job_inputs(const char *path, const struct tandem_parameter *parameters, size_t n,
               const struct job_inputs *inputs, struct tandem_error *err) {
  struct tandem_job *job;
  if (tandem_job_read(path, parameters, n, &job, err) != TANDEM_OK)
    return -EINVAL;
  const int status = name_files(job, inputs, err);
  tandem_job_close(job);
  return status;
}
