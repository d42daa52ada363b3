/* The steps of a launch description. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/gpu/core/grid.h"
#include "harness/gpu/core/program.h"
#include "harness/gpu/feature.h"
#include "harness/job/job.h"

enum { DEEPEST = 16 };

static int buffer_of(struct tandem_job *job, yaml_node_t *map, const char *key,
                     const struct job_buffer **b, struct tandem_error *err) {
  yaml_node_t *node = yaml_get(&job->file, map, key);
  const char *name;
  if (node == NULL)
    return yaml_fail(&job->file, map, err, "this step needs \"%s\"", key);
  TRY(yaml_text(&job->file, node, key, &name, err));
  *b = job_find(job, name);
  return *b != NULL ? 0 : yaml_fail(&job->file, node, err, "there is no buffer \"%s\"", name);
}

/* A launch has as many dimensions as the longer of its two shapes. */
static int read_shape(struct tandem_job *job, yaml_node_t *map, const char *key, uint32_t shape[3],
                      uint32_t *dimensions, struct tandem_error *err) {
  yaml_node_t *list = yaml_get(&job->file, map, key);
  if (list == NULL)
    return yaml_fail(&job->file, map, err, "a launch needs a %s", key);
  TRY(yaml_list(&job->file, list, key, err));
  const size_t n = yaml_count(list);
  if (n < 1 || n > 3)
    return yaml_fail(&job->file, list, err, "%s has 1 to 3 numbers", key);
  if (n > *dimensions)
    *dimensions = (uint32_t)n;
  for (size_t i = 0; i < 3; i++) {
    uint64_t v = 1;
    if (i < n)
      TRY(yaml_uint(&job->file, yaml_item(&job->file, list, i), key, 1, UINT32_MAX, &v, err));
    shape[i] = (uint32_t)v;
  }
  return 0;
}

static bool find_buffer(void *user, const char *name, uint32_t *address, uint64_t *bytes) {
  const struct job_buffer *b = job_find(user, name);
  if (b == NULL)
    return false;
  *address = b->address;
  *bytes = b->bytes;
  return true;
}

/* The mappings of a launch that are features' own. */
static int read_parts(struct tandem_job *job, yaml_node_t *map, struct tandem_launch *l,
                      struct tandem_error *err) {
  const struct launch_reader reader = {&job->file, job, find_buffer};
  int status = 0;
  for (size_t i = 0; status == 0 && i < features_count; i++) {
    const struct feature *f = features[i];
    yaml_node_t *of = f->launch.bytes != 0 ? yaml_get(&job->file, map, f->launch.key) : NULL;
    if (of == NULL)
      continue;
    void *part = calloc(1, f->launch.bytes);
    if (part != NULL)
      status = f->launch.read(&reader, of, part, err);
    if (part == NULL || (status == 0 && !launch_part_put(l, f, part)))
      status = tandem_fail(err, -ENOMEM, "out of memory");
    free(part);
  }
  return status;
}

enum { LAUNCH_KEYS = 16 };
static void launch_keys(const char *keys[LAUNCH_KEYS]) {
  static const char *const of_all[] = {"kernel", "grid",           "block",
                                       "args",   "dynamic_shared", "registers"};
  size_t n = 0;
  for (; n < sizeof of_all / sizeof of_all[0]; n++)
    keys[n] = of_all[n];
  for (size_t i = 0; i < features_count && n < LAUNCH_KEYS - 1; i++)
    if (features[i]->launch.bytes != 0)
      keys[n++] = features[i]->launch.key;
  keys[n] = NULL;
}

/* Bytes of shared memory behind the kernel's own, where its .extern .shared arrays begin. */
static int read_dynamic(struct tandem_job *job, yaml_node_t *map, struct tandem_launch *l,
                        struct tandem_error *err) {
  yaml_node_t *node = yaml_get(&job->file, map, "dynamic_shared");
  uint64_t bytes = 0;
  if (node != NULL)
    TRY(yaml_uint(&job->file, node, "dynamic_shared (bytes)", 0, 1 << 20, &bytes, err));
  l->dynamic_shared = (uint32_t)bytes;
  return 0;
}

/* Registers that a thread is allocated, at least those that the kernel uses. */
static int read_registers(struct tandem_job *job, yaml_node_t *map, const struct isa_kernel *k,
                          struct tandem_launch *l, struct tandem_error *err) {
  yaml_node_t *node = yaml_get(&job->file, map, "registers");
  uint64_t registers = 0;
  char what[300];
  (void)snprintf(what, sizeof what, "registers (kernel %.200s uses %u)", k->name, k->regs);
  if (node != NULL)
    TRY(yaml_uint(&job->file, node, what, k->regs, LAUNCH_REGISTERS, &registers, err));
  l->registers = (uint32_t)registers;
  return 0;
}

static int read_launch(struct tandem_job *job, yaml_node_t *map, struct job_step *s,
                       struct tandem_error *err) {
  const char *keys[LAUNCH_KEYS], *name;
  launch_keys(keys);
  TRY(yaml_map(&job->file, map, "launch", keys, err));
  yaml_node_t *kernel = yaml_get(&job->file, map, "kernel");
  if (kernel == NULL && job->program->isa->nkernels != 1)
    return yaml_fail(&job->file, map, err, "a launch needs a kernel: the program has %zu",
                     job->program->isa->nkernels);
  if (kernel == NULL)
    name = job->program->isa->kernels[0].name;
  else
    TRY(yaml_text(&job->file, kernel, "kernel", &name, err));
  const struct isa_kernel *k = isa_program_kernel(job->program->isa, name);
  if (k == NULL)
    return yaml_fail(&job->file, kernel, err, "the program has no kernel \"%s\"", name);
  s->launch.program = job->program;
  s->launch.kernel = k->name;
  TRY(read_shape(job, map, "grid", s->launch.grid, &s->launch.work_dim, err));
  TRY(read_shape(job, map, "block", s->launch.block, &s->launch.work_dim, err));
  TRY(read_dynamic(job, map, &s->launch, err));
  TRY(read_registers(job, map, k, &s->launch, err));
  TRY(job_args(job, yaml_get(&job->file, map, "args"), map, k, s, err));
  TRY(read_parts(job, map, &s->launch, err));
  struct tandem_error why;
  if (gpu_check_launch(job->t, &s->launch, &why) != 0)
    return yaml_fail(&job->file, map, err, "%s", why.text);
  return 0;
}

static int read_write(struct tandem_job *job, yaml_node_t *map, struct job_step *s,
                      struct tandem_error *err) {
  static const char *const keys[] = {"buffer", "data", "offset", NULL};
  uint64_t count, offset = 0;
  TRY(yaml_map(&job->file, map, "write", keys, err));
  TRY(buffer_of(job, map, "buffer", &s->to, err));
  yaml_node_t *data = yaml_get(&job->file, map, "data"), *at = yaml_get(&job->file, map, "offset");
  if (data == NULL)
    return yaml_fail(&job->file, map, err, "a write needs data");
  if (at != NULL)
    TRY(yaml_uint(&job->file, at, "offset (elements)", 0, s->to->count, &offset, err));
  TRY(job_values(job, data, s->to->type, s->to->count - offset, &s->data, &count, err));
  s->offset = offset * job_type_bytes(s->to->type);
  s->bytes = count * job_type_bytes(s->to->type);
  return 0;
}

static int read_copy(struct tandem_job *job, yaml_node_t *map, struct job_step *s,
                     struct tandem_error *err) {
  static const char *const keys[] = {"from", "to", NULL};
  TRY(yaml_map(&job->file, map, "copy", keys, err));
  TRY(buffer_of(job, map, "from", &s->from, err));
  TRY(buffer_of(job, map, "to", &s->to, err));
  if (s->from->bytes > s->to->bytes)
    return yaml_fail(&job->file, map, err, "\"%s\" is larger than \"%s\"", s->from->name,
                     s->to->name);
  return 0;
}

/* repeat and until_zero: a count and inner steps. */
static int read_loop(struct tandem_job *job, yaml_node_t *map, unsigned depth, struct job_step *s,
                     struct tandem_error *err) {
  static const char *const repeat[] = {"times", "steps", NULL}, *const until[] = {"buffer", "max",
                                                                                  "steps", NULL};
  const bool zero = s->kind == JOB_UNTIL_ZERO;
  const char *count = zero ? "max" : "times";
  TRY(yaml_map(&job->file, map, zero ? "until_zero" : "repeat", zero ? until : repeat, err));
  if (zero)
    TRY(buffer_of(job, map, "buffer", &s->to, err));
  if (zero && s->to->bytes < 4)
    return yaml_fail(&job->file, map, err, "\"%s\" has no 32-bit word", s->to->name);
  yaml_node_t *n = yaml_get(&job->file, map, count), *steps = yaml_get(&job->file, map, "steps");
  if (n == NULL || steps == NULL)
    return yaml_fail(&job->file, map, err, "this step needs \"%s\"", n == NULL ? count : "steps");
  TRY(yaml_uint(&job->file, n, count, 1, 1000000000, &s->times, err));
  return job_read_steps(job, steps, depth + 1, &s->steps, err);
}

static int read_step(struct tandem_job *job, yaml_node_t *node, unsigned depth, struct job_step *s,
                     struct tandem_error *err) {
  static const char *const keys[] = {"launch", "write", "copy", "repeat", "until_zero", NULL};
  TRY(yaml_map(&job->file, node, "a step", keys, err));
  const int which = yaml_which(&job->file, node, keys, 5);
  if (which < 0)
    return yaml_fail(&job->file, node, err,
                     "a step is one of launch, write, copy, repeat, until_zero");
  s->kind = (enum job_step_kind)which;
  s->line = yaml_line(node);
  yaml_node_t *map = yaml_get(&job->file, node, keys[which]);
  switch (s->kind) {
  case JOB_LAUNCH:
    return read_launch(job, map, s, err);
  case JOB_WRITE:
    return read_write(job, map, s, err);
  case JOB_COPY:
    return read_copy(job, map, s, err);
  default:
    return read_loop(job, map, depth, s, err);
  }
}

int job_read_steps(struct tandem_job *job, yaml_node_t *list, unsigned depth,
                   struct job_steps *steps, struct tandem_error *err) {
  if (depth > DEEPEST)
    return yaml_fail(&job->file, list, err, "steps are nested more than %d deep", DEEPEST);
  TRY(yaml_list(&job->file, list, "steps", err));
  const size_t n = yaml_count(list);
  steps->step = calloc(n + 1, sizeof *steps->step);
  if (steps->step == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  steps->n = n;
  for (size_t i = 0; i < n; i++)
    TRY(read_step(job, yaml_item(&job->file, list, i), depth, &steps->step[i], err));
  return 0;
}

void job_free_steps(struct job_steps *steps) {
  for (size_t i = 0; i < steps->n; i++) {
    struct job_step *s = &steps->step[i];
    free((void *)(uintptr_t)s->launch.args);
    launch_parts_free(&s->launch);
    free(s->data);
    job_free_steps(&s->steps);
  }
  free(steps->step);
  *steps = (struct job_steps){NULL, 0};
}
