/* Program, buffers and expectations of a launch description, made in its GPU. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/job/job.h"

/* Item i of the options, allocated; one that has its value in the next item is joined with it.
 * *items is how many that are. */
static int join_option(struct tandem_job *job, const yaml_node_t *list, size_t i, char **option,
                       size_t *items, struct tandem_error *err) {
  const char *text, *value = "";
  TRY(yaml_text(&job->file, yaml_item(&job->file, list, i), "option", &text, err));
  const bool two =
      (strcmp(text, "-I") == 0 || strcmp(text, "-D") == 0 || strcmp(text, "-U") == 0) &&
      i + 1 < yaml_count(list);
  if (two)
    TRY(yaml_text(&job->file, yaml_item(&job->file, list, i + 1), "option", &value, err));
  *items = two ? 2 : 1;
  if (asprintf(option, "%s%s", text, value) >= 0)
    return 0;
  *option = NULL;
  return tandem_fail(err, -ENOMEM, "out of memory");
}

int job_options(struct tandem_job *job, char ***options, struct tandem_error *err) {
  yaml_node_t *list = yaml_get(&job->file, yaml_root(&job->file), "options");
  *options = NULL;
  if (list != NULL)
    TRY(yaml_list(&job->file, list, "options", err));
  const size_t n = list != NULL ? yaml_count(list) : 0;
  *options = calloc(n + 1, sizeof **options);
  if (*options == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  char **option = *options;
  for (size_t i = 0, items; i < n; i += items, option++) {
    TRY(join_option(job, list, i, option, &items, err));
    TRY(job_option(job, yaml_item(&job->file, list, i), option, err));
  }
  return 0;
}

void job_options_free(char **options) {
  for (char **o = options; o != NULL && *o != NULL; o++)
    free(*o);
  free(options);
}

static int read_program(struct tandem_job *job, yaml_node_t *root, struct tandem_error *err) {
  yaml_node_t *node = yaml_get(&job->file, root, "program");
  const char *name;
  char **options = NULL;
  if (node == NULL)
    return yaml_fail(&job->file, root, err, "there is no program");
  TRY(yaml_text(&job->file, node, "program", &name, err));
  char *path = job_path(job, name);
  if (path == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  int status = job_reach(&job->file, job->trust, node, path, err);
  if (status == 0 && access(path, R_OK) != 0)
    status = yaml_fail(&job->file, node, err, "cannot read %s: %s", path, strerror(errno));
  if (status == 0)
    status = job_options(job, &options, err);
  if (status == 0 &&
      tandem_load(job->t, path, (const char *const *)options, &job->program, err) != TANDEM_OK)
    status = -EINVAL;
  free(path);
  job_options_free(options);
  return status;
}

static int read_buffer(struct tandem_job *job, yaml_node_t *node, struct job_buffer *b,
                       struct tandem_error *err) {
  static const char *const keys[] = {"name", "type", "count", "fill", NULL};
  struct yaml_file *f = &job->file;
  const char *name;
  unsigned type;
  TRY(yaml_map(f, node, "a buffer", keys, err));
  for (unsigned i = 0; i < 3; i++)
    if (yaml_get(f, node, keys[i]) == NULL)
      return yaml_fail(f, node, err, "a buffer needs a %s", keys[i]);
  TRY(yaml_text(f, yaml_get(f, node, "name"), "name", &name, err));
  if (job_find(job, name) != NULL)
    return yaml_fail(f, node, err, "buffer \"%s\" is there twice", name);
  TRY(yaml_choice(f, yaml_get(f, node, "type"), "type", job_type_names, &type, err));
  TRY(yaml_uint(f, yaml_get(f, node, "count"), "count", 1, 1U << 30, &b->count, err));
  b->type = (enum job_type)type;
  b->bytes = b->count * job_type_bytes(b->type);
  b->name = strdup(name);
  struct tandem_error why;
  if (b->name == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  if (tandem_alloc(job->t, b->bytes, &b->address, &why) != TANDEM_OK)
    return yaml_fail(f, node, err, "buffer \"%s\": %s", name, why.text);
  yaml_node_t *fill = yaml_get(f, node, "fill");
  if (fill == NULL)
    return 0;
  void *data = calloc(b->bytes, 1);
  int status = data == NULL ? tandem_fail(err, -ENOMEM, "out of memory for buffer \"%s\"", name)
                            : job_fill(job, fill, b, data, err);
  if (status == 0 && tandem_write(job->t, b->address, data, b->bytes, err) != TANDEM_OK)
    status = -EINVAL;
  free(data);
  return status;
}

/* They are looked for one by one. */
enum { MOST_BUFFERS = 4096 };

static int read_buffers(struct tandem_job *job, yaml_node_t *list, struct tandem_error *err) {
  if (list == NULL)
    return 0;
  TRY(yaml_list(&job->file, list, "buffers", err));
  const size_t n = yaml_count(list);
  if (n > MOST_BUFFERS)
    return yaml_fail(&job->file, list, err, "%zu buffers; there are at most %d", n, MOST_BUFFERS);
  job->buffers = calloc(n + 1, sizeof *job->buffers);
  if (job->buffers == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; i < n; i++) {
    const int status = read_buffer(job, yaml_item(&job->file, list, i), &job->buffers[i], err);
    job->nbuffers += job->buffers[i].name != NULL;
    TRY(status);
  }
  return 0;
}

static int read_tolerance(struct tandem_job *job, yaml_node_t *node, struct job_expect *e,
                          struct tandem_error *err) {
  static const char *const keys[] = {"ulp", "relative", NULL};
  TRY(yaml_map(&job->file, node, "tolerance", keys, err));
  yaml_node_t *ulp = yaml_get(&job->file, node, "ulp"),
              *relative = yaml_get(&job->file, node, "relative");
  if ((ulp == NULL) == (relative == NULL))
    return yaml_fail(&job->file, node, err, "a tolerance is either ulp or relative");
  TRY(yaml_real(&job->file, ulp != NULL ? ulp : relative, "tolerance", &e->limit, err));
  if (!(e->limit >= 0 && isfinite(e->limit)))
    return yaml_fail(&job->file, node, err, "a tolerance is a number from 0, and finite");
  e->tolerance = ulp != NULL ? JOB_ULP : JOB_RELATIVE;
  return 0;
}

static int read_expect(struct tandem_job *job, yaml_node_t *node, struct job_expect *e,
                       struct tandem_error *err) {
  static const char *const keys[] = {"buffer", "data", "file", "tolerance", NULL};
  struct yaml_file *f = &job->file;
  const char *name;
  TRY(yaml_map(f, node, "an expectation", keys, err));
  yaml_node_t *buffer = yaml_get(f, node, "buffer"), *data = yaml_get(f, node, "data"),
              *file = yaml_get(f, node, "file"), *tolerance = yaml_get(f, node, "tolerance");
  if (buffer == NULL || (data == NULL) == (file == NULL))
    return yaml_fail(f, node, err, "an expectation needs a buffer, and data or a file");
  TRY(yaml_text(f, buffer, "buffer", &name, err));
  e->buffer = job_find(job, name);
  e->line = yaml_line(node);
  if (e->buffer == NULL)
    return yaml_fail(f, buffer, err, "there is no buffer \"%s\"", name);
  TRY(data != NULL
          ? job_values(job, data, e->buffer->type, e->buffer->count, &e->data, &e->count, err)
          : job_file(job, file, e->buffer->type, e->buffer->count, &e->data, &e->count, err));
  if (e->count == 0)
    return yaml_fail(f, data != NULL ? data : file, err, "an expectation of no elements");
  if (tolerance != NULL && !job_type_float(e->buffer->type))
    return yaml_fail(f, tolerance, err, "a tolerance is for f32 and f64 only");
  if (tolerance != NULL)
    TRY(read_tolerance(job, tolerance, e, err));
  return 0;
}

static int read_expects(struct tandem_job *job, yaml_node_t *list, struct tandem_error *err) {
  if (list == NULL)
    return 0;
  TRY(yaml_list(&job->file, list, "expect", err));
  job->nexpects = yaml_count(list);
  job->expects = calloc(job->nexpects + 1, sizeof *job->expects);
  if (job->expects == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; i < job->nexpects; i++)
    TRY(read_expect(job, yaml_item(&job->file, list, i), &job->expects[i], err));
  return 0;
}

int job_read_contents(struct tandem_job *job, struct tandem_error *err) {
  yaml_node_t *root = yaml_root(&job->file), *steps = yaml_get(&job->file, root, "steps");
  TRY(read_program(job, root, err));
  TRY(read_buffers(job, yaml_get(&job->file, root, "buffers"), err));
  if (steps == NULL)
    return yaml_fail(&job->file, root, err, "there are no steps");
  TRY(job_read_steps(job, steps, 0, &job->steps, err));
  return read_expects(job, yaml_get(&job->file, root, "expect"), err);
}
