/* The gpu: of a launch description: the GPU that it is for. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/job/config.h"
#include "harness/job/job.h"

/* A GPU description beside the launch description. */
static int load_beside(struct tandem_config *c, struct yaml_file *f, yaml_node_t *node,
                       const char *path, struct tandem_error *err) {
  const char *name, *slash = strrchr(path, '/');
  char *joined;
  int status = yaml_text(f, node, "gpu", &name, err);
  if (status != 0)
    return status;
  const int folder = *name == '/' || slash == NULL ? 0 : (int)(slash + 1 - path);
  if (asprintf(&joined, "%.*s%s", folder, path, name) < 0)
    return tandem_fail(err, -ENOMEM, "out of memory");
  status = job_reach(f, c->trust, node, joined, err);
  if (status == 0)
    status = tandem_config_load(c, joined, err) == TANDEM_OK ? 0 : -EINVAL;
  free(joined);
  return status;
}

static int read_gpu(struct tandem_config *c, struct yaml_file *f, const char *path,
                    const struct tandem_parameter *parameters, size_t n, struct tandem_error *err) {
  struct yaml_parameter *list = NULL;
  yaml_node_t *root = yaml_root(f);
  yaml_node_t *gpu =
      root != NULL && root->type == YAML_MAPPING_NODE ? yaml_get(f, root, "gpu") : NULL;
  size_t count;
  if (gpu == NULL)
    return 0;
  int status = job_parameters(f, parameters, n, &list, &count, err);
  if (status == 0)
    status = gpu->type == YAML_MAPPING_NODE ? config_read(c, f, gpu, err)
                                            : load_beside(c, f, gpu, path, err);
  free(list);
  return status;
}

enum tandem_status tandem_config_of_job(struct tandem_config *c, const char *path,
                                        const struct tandem_parameter *parameters, size_t n,
                                        struct tandem_error *err) {
  struct yaml_file f;
  if (path == NULL) {
    tandem_fail(err, -EINVAL, "a launch description needs a path");
    return TANDEM_USAGE;
  }
  int status = yaml_open(&f, path, err);
  if (status == 0) {
    status = read_gpu(c, &f, path, parameters, n, err);
    yaml_close(&f);
  }
  return status != 0 ? TANDEM_USAGE : TANDEM_OK;
}
