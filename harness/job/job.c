/* Launch descriptions: read, the GPU that one is for, made in a GPU, closed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/job/config.h"
#include "harness/job/inputs.h"
#include "harness/job/job.h"

/* Checks that a file can be a launch description, and reads its parameters, n of them as given. */
static int read_head(struct tandem_job *job, const struct tandem_parameter *given, size_t n,
                     struct tandem_error *err) {
  static const char *const keys[] = {"parameters", "gpu",   "program", "options",
                                     "buffers",    "steps", "expect",  NULL};
  yaml_node_t *root = yaml_root(&job->file);
  if (root == NULL)
    return yaml_fail(&job->file, NULL, err, "the launch description is empty");
  TRY(yaml_map(&job->file, root, "the launch description", keys, err));
  return job_parameters(&job->file, given, n, &job->parameters, &job->nparameters, err);
}

/* text NULL: the file of that path. */
static enum tandem_status read_as(const char *path, const char *text,
                                  const struct tandem_parameter *given, size_t n,
                                  struct tandem_job **out, struct tandem_error *err) {
  *out = NULL;
  if (path == NULL || (given == NULL && n != 0)) {
    tandem_fail(err, -EINVAL, "a launch description needs %s",
                path == NULL ? "a path" : "the parameters that it is to have");
    return TANDEM_USAGE;
  }
  const char *slash = strrchr(path, '/');
  struct tandem_job *job = calloc(1, sizeof *job);
  if (job != NULL)
    job->folder = strndup(path, slash != NULL ? (size_t)(slash - path) + 1 : 0);
  if (job == NULL || job->folder == NULL) {
    free(job);
    tandem_fail(err, -ENOMEM, "out of memory");
    return TANDEM_USAGE;
  }
  job->trust = text != NULL;
  int status =
      text != NULL ? yaml_open_text(&job->file, text, path, err) : yaml_open(&job->file, path, err);
  if (status == 0)
    status = read_head(job, given, n, err);
  if (status != 0) {
    tandem_job_close(job);
    return TANDEM_USAGE;
  }
  *out = job;
  return TANDEM_OK;
}

enum tandem_status tandem_job_read(const char *path, const struct tandem_parameter *parameters,
                                   size_t n, struct tandem_job **job, struct tandem_error *err) {
  return read_as(path, NULL, parameters, n, job, err);
}

enum tandem_status tandem_job_read_text(const char *text, const char *name, struct tandem_job **job,
                                        struct tandem_error *err) {
  return read_as(name, text != NULL ? text : "", NULL, 0, job, err);
}

/* A GPU by its name, or by its description beside the launch description. */
static int name_gpu(struct tandem_job *job, const yaml_node_t *node, struct tandem_config *c,
                    struct tandem_error *err) {
  const char *name;
  struct tandem_error why;
  TRY(yaml_text(&job->file, node, "gpu", &name, err));
  if (config_has_gpu(name, &why))
    return config_start(c, name, NULL, err);
  char *path = job_path(job, name);
  if (path == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  int status = 0;
  if (!config_is_path(name) && access(path, F_OK) != 0)
    status = yaml_fail(&job->file, node, err, "gpu: %s", why.text);
  if (status == 0)
    status = job_reach(&job->file, job->trust || c->trust, node, path, err);
  if (status == 0)
    status = tandem_config_load(c, path, err) == TANDEM_OK ? 0 : -EINVAL;
  free(path);
  return status;
}

enum tandem_status tandem_job_config(struct tandem_job *job, struct tandem_config *c,
                                     struct tandem_error *err) {
  yaml_node_t *gpu = yaml_get(&job->file, yaml_root(&job->file), "gpu");
  int status = 0;
  if (gpu != NULL)
    status = gpu->type == YAML_MAPPING_NODE ? config_read(c, &job->file, gpu, NULL, err)
                                            : name_gpu(job, gpu, c, err);
  return status != 0 ? TANDEM_USAGE : TANDEM_OK;
}

enum tandem_status tandem_job_bind(struct tandem_job *job, struct tandem *t,
                                   struct tandem_error *err) {
  if (job->t != NULL) {
    tandem_fail(err, -EINVAL, "the launch description %s is bound to a GPU already",
                job->file.name);
    return TANDEM_USAGE;
  }
  job->t = t;
  job->trust = job->trust || t->config.trust;
  return job_read_contents(job, err) != 0 ? TANDEM_USAGE : TANDEM_OK;
}

/* Binds what was read; closes it after an error. */
static enum tandem_status bind_read(struct tandem *t, enum tandem_status status,
                                    struct tandem_job **job, struct tandem_error *err) {
  if (status == TANDEM_OK && (status = tandem_job_bind(*job, t, err)) != TANDEM_OK) {
    tandem_job_close(*job);
    *job = NULL;
  }
  return status;
}

enum tandem_status tandem_job_open(struct tandem *t, const char *path, struct tandem_job **job,
                                   struct tandem_error *err) {
  return bind_read(t, tandem_job_read(path, NULL, 0, job, err), job, err);
}

enum tandem_status tandem_job_open_with(struct tandem *t, const char *path,
                                        const struct tandem_parameter *parameters, size_t n,
                                        struct tandem_job **job, struct tandem_error *err) {
  return bind_read(t, tandem_job_read(path, parameters, n, job, err), job, err);
}

enum tandem_status tandem_job_open_text(struct tandem *t, const char *text, const char *name,
                                        struct tandem_job **job, struct tandem_error *err) {
  return bind_read(t, tandem_job_read_text(text, name, job, err), job, err);
}

bool tandem_job_buffer(const struct tandem_job *job, const char *name, uint32_t *address,
                       uint64_t *bytes) {
  const struct job_buffer *b = job_find(job, name);
  if (b == NULL)
    return false;
  *address = b->address;
  *bytes = b->bytes;
  return true;
}

void tandem_job_close(struct tandem_job *job) {
  if (job == NULL)
    return;
  for (size_t i = 0; i < job->nbuffers; i++)
    free(job->buffers[i].name);
  for (size_t i = 0; i < job->nexpects; i++)
    free(job->expects[i].data);
  job_free_steps(&job->steps);
  free(job->buffers);
  free(job->expects);
  free(job->parameters);
  free(job->folder);
  yaml_close(&job->file);
  free(job);
}
