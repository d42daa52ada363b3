/* Reading what fails: a launch description with its program, parameters put in. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/files.h"
#include "harness/gpu/core/program.h"
#include "harness/job/job.h"
#include "harness/shrink/open.h"
#include "harness/shrink/tree.h"

/* Marks the kernels that a list of steps launches. */
static void mark(const struct isa_program *p, const json_t *steps, bool *used) {
  size_t i;
  json_t *step, *map;
  const char *kind;
  json_array_foreach(steps, i, step) json_object_foreach(step, kind, map) {
    const char *name = json_string_value(json_object_get(map, "kernel"));
    if (strcmp(kind, "launch") != 0)
      mark(p, json_object_get(map, "steps"), used);
    for (size_t k = 0; strcmp(kind, "launch") == 0 && k < p->nkernels; k++)
      used[k] = used[k] || name == NULL || strcmp(p->kernels[k].name, name) == 0;
  }
}

static void drop_kernel(struct isa_program *p, size_t k) {
  for (size_t i = 0; i < p->kernels[k].nparams; i++)
    free(p->kernels[k].params[i].name);
  free(p->kernels[k].params);
  free(p->kernels[k].name);
  memmove(&p->kernels[k], &p->kernels[k + 1], (p->nkernels - k - 1) * sizeof *p->kernels);
  p->nkernels--;
}

/* The kernels that are launched, for blocks of any size, without source lines. */
static struct isa_program *launched(const struct isa_program *from, const json_t *steps) {
  struct isa_program *p = code_copy(from), *small = NULL;
  bool *used = calloc(from->nkernels + 1, sizeof *used),
       *gone = calloc(from->ncode + 1, sizeof *gone);
  if (p != NULL && used != NULL && gone != NULL) {
    mark(p, steps, used);
    memset(gone, true, p->ncode * sizeof *gone);
    for (size_t k = p->nkernels; k-- > 0;) {
      struct isa_kernel *kernel = &p->kernels[k];
      memset(kernel->reqntid, 0, sizeof kernel->reqntid);
      if (used[k])
        memset(gone + kernel->entry, false, (size_t)(kernel->end - kernel->entry) * sizeof *gone);
      else
        drop_kernel(p, k);
    }
    memset(p->lines, 0, p->ncode * sizeof *p->lines);
    free(p->source);
    p->source = NULL;
    small = code_without(p, gone);
  }
  isa_program_free(p);
  free(used);
  free(gone);
  return small;
}

/* The bytes of a buffer that a file fills become a file of their own. */
static int take_data(struct shrink_case *c, const struct tandem_job *job, json_t *fill,
                     const struct job_buffer *b, struct shrink_data *data,
                     struct tandem_error *err) {
  char name[32];
  *data = (struct shrink_data){strdup(b->name), malloc(b->bytes), b->bytes};
  c->ndata++;
  if (data->name == NULL || data->bytes == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  snprintf(name, sizeof name, "data%zu.bin", (size_t)(b - job->buffers));
  json_object_set_new(fill, "file", json_string(name));
  return tandem_read(job->t, b->address, data->bytes, b->bytes, err) == TANDEM_OK ? 0 : -EINVAL;
}

static int take_buffers(struct shrink_case *c, const struct tandem_job *job,
                        struct shrink_data *data, struct tandem_error *err) {
  json_t *buffers = json_object_get(c->tree, "buffers"), *b;
  size_t i;
  json_array_foreach(buffers, i, b) {
    json_t *fill = json_object_get(b, "fill");
    if (json_object_get(fill, "file") != NULL)
      TRY(take_data(c, job, fill, &job->buffers[i], &data[c->ndata], err));
  }
  return 0;
}

/* The text of the program, if it is a source that cvise can make smaller: it has no files of its
 * own beside it. */
static int take_source(struct shrink_case *c, struct tandem_job *job, struct tandem_error *err) {
  const char *name;
  size_t size;
  TRY(yaml_text(&job->file, yaml_get(&job->file, yaml_root(&job->file), "program"), "program",
                &name, err));
  const char *dot = strrchr(name, '.');
  if (dot == NULL || (strcmp(dot, ".cl") != 0 && strcmp(dot, ".cu") != 0))
    return 0;
  char *path = job_path(job, name);
  const int status = path != NULL ? files_read(path, &c->source, &size, err)
                                  : tandem_fail(err, -ENOMEM, "out of memory");
  free(path);
  TRY(status);
  if (strstr(c->source, "#include \"") != NULL) {
    free(c->source);
    c->source = NULL;
    return 0;
  }
  return asprintf(&c->source_name, "shrunk%s", dot) >= 0 ? 0
                                                         : tandem_fail(err, -ENOMEM, "no memory");
}

static int take_tree(struct shrink_case *c, struct tandem_job *job, struct tandem_error *err) {
  static const char *const keys[] = {"buffers", "steps", "options"};
  yaml_node_t *root = yaml_root(&job->file);
  c->tree = json_object();
  for (size_t i = 0; c->tree != NULL && i < sizeof keys / sizeof keys[0]; i++) {
    json_t *tree = tree_of(&job->file, yaml_get(&job->file, root, keys[i]));
    if (tree != NULL)
      json_object_set_new(c->tree, keys[i], tree);
  }
  return c->tree != NULL ? 0 : tandem_fail(err, -ENOMEM, "out of memory");
}

int case_open(struct shrink_case *c, struct tandem_job *job, const struct tandem_config *config,
              bool assembly, struct tandem_error *err) {
  struct tandem_config reading = *config;
  struct tandem *t;
  *c = (struct shrink_case){.config = *config};
  reading.engine = TANDEM_ENGINE_REF;
  reading.bug = 0;
  reading.instead = NULL;
  if (tandem_open(&reading, &t, err) != TANDEM_OK)
    return -EINVAL;
  int status = tandem_job_bind(job, t, err) == TANDEM_OK ? 0 : -EINVAL;
  struct shrink_data *data = calloc(job->nbuffers + 1, sizeof *data);
  c->data = data;
  if (status == 0 && data == NULL)
    status = tandem_fail(err, -ENOMEM, "out of memory");
  if (status == 0)
    status = take_tree(c, job, err);
  if (status == 0)
    status = take_buffers(c, job, data, err);
  if (status == 0 && !assembly)
    status = take_source(c, job, err);
  if (status == 0 && c->source == NULL) {
    c->code = launched(job->program->isa, json_object_get(c->tree, "steps"));
    if (c->code == NULL)
      status = tandem_fail(err, -EINVAL, "no kernel with code is launched");
  }
  tandem_close(t);
  return status;
}

void case_close(struct shrink_case *c) {
  for (size_t i = 0; i < c->ndata; i++) {
    free(c->data[i].name);
    free(c->data[i].bytes);
  }
  free((void *)(uintptr_t)c->data);
  case_free(c);
}
