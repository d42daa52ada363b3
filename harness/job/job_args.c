/* A launch's arguments: checked against the kernel's parameters and laid out as its block. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "harness/job/job.h"

struct arg {
  struct tandem_job *job;
  yaml_node_t *map, *value;
  const struct isa_param *param;
  unsigned index;
  const struct isa_kernel *kernel;
  struct job_step *step;
  uint8_t *to; /* of the parameter block */
};

static int wrong_size(const struct arg *a, const char *what, uint64_t bytes,
                      struct tandem_error *err) {
  return yaml_fail(&a->job->file, a->map, err,
                   "argument %u of kernel %s (%s) takes %u bytes, and %s has %llu", a->index,
                   a->kernel->name, a->param->name != NULL ? a->param->name : "unnamed",
                   a->param->size, what, (unsigned long long)bytes);
}

/* An address: 4 bytes, or 8 with a zero upper half. */
static int put_address(const struct arg *a, uint32_t address, const char *what,
                       struct tandem_error *err) {
  if (a->param->size != 4 && a->param->size != 8)
    return wrong_size(a, what, 4, err);
  memcpy(a->to, &address, sizeof address);
  return 0;
}

static int arg_buffer(const struct arg *a, struct tandem_error *err) {
  const char *name;
  uint64_t offset = 0;
  TRY(yaml_text(&a->job->file, a->value, "buffer", &name, err));
  const struct job_buffer *b = job_find(a->job, name);
  if (b == NULL)
    return yaml_fail(&a->job->file, a->value, err, "there is no buffer \"%s\"", name);
  yaml_node_t *at = yaml_get(&a->job->file, a->map, "offset");
  if (at != NULL)
    TRY(yaml_uint(&a->job->file, at, "offset (bytes)", 0, b->bytes, &offset, err));
  return put_address(a, b->address + (uint32_t)offset, "a buffer's address", err);
}

static int arg_local(const struct arg *a, struct tandem_error *err) {
  uint64_t bytes;
  TRY(yaml_uint(&a->job->file, a->value, "local (bytes)", 1, 1 << 20, &bytes, err));
  uint32_t *dynamic = &a->step->launch.dynamic_shared;
  *dynamic = (*dynamic + 15) & ~15U;
  const uint32_t at = ((a->kernel->shared_bytes + 15) & ~15U) + *dynamic;
  *dynamic += ((uint32_t)bytes + 15) & ~15U;
  return put_address(a, at, "a local pointer", err);
}

static int arg_bytes(const struct arg *a, struct tandem_error *err) {
  void *data = NULL;
  uint64_t count = 0;
  int status = job_values(a->job, a->value, JOB_U8, 1 << 16, &data, &count, err);
  if (status == 0 && count != a->param->size)
    status = wrong_size(a, "the list", count, err);
  if (status == 0)
    memcpy(a->to, data, count);
  free(data);
  return status;
}

static int arg_scalar(const struct arg *a, enum job_type type, struct tandem_error *err) {
  if (job_type_bytes(type) != a->param->size)
    return wrong_size(a, job_type_names[type], job_type_bytes(type), err);
  return job_value(a->job, a->value, type, a->to, err);
}

static int one_arg(struct arg *a, struct tandem_error *err) {
  static const char *const keys[] = {"u8",     "s8",    "u16",   "s16",    "u32",
                                     "s32",    "u64",   "s64",   "f32",    "f64",
                                     "buffer", "local", "bytes", "offset", NULL};
  enum { BUFFER = JOB_TYPES, LOCAL, BYTES, OFFSET };
  TRY(yaml_map(&a->job->file, a->map, "an argument", keys, err));
  const int which = yaml_which(&a->job->file, a->map, keys, OFFSET);
  yaml_node_t *offset = yaml_get(&a->job->file, a->map, keys[OFFSET]);
  if (which < 0 || (offset != NULL && which != BUFFER))
    return yaml_fail(&a->job->file, a->map, err,
                     "an argument is one of buffer (with or without offset), local, bytes, or a "
                     "value by its type");
  a->value = yaml_get(&a->job->file, a->map, keys[which]);
  if (which < JOB_TYPES)
    return arg_scalar(a, (enum job_type)which, err);
  if (which == BUFFER)
    return arg_buffer(a, err);
  return which == LOCAL ? arg_local(a, err) : arg_bytes(a, err);
}

int job_args(struct tandem_job *job, yaml_node_t *args, yaml_node_t *at,
             const struct isa_kernel *kernel, struct job_step *step, struct tandem_error *err) {
  if (args != NULL)
    TRY(yaml_list(&job->file, args, "args", err));
  const size_t n = args != NULL ? yaml_count(args) : 0;
  if (n != kernel->nparams)
    return yaml_fail(&job->file, args != NULL ? args : at, err,
                     "kernel %s takes %zu arguments, not %zu", kernel->name, kernel->nparams, n);
  uint8_t *block = calloc(kernel->param_bytes + 1, 1);
  if (block == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  step->launch.args = block;
  step->launch.args_bytes = kernel->param_bytes;
  for (size_t i = 0; i < n; i++) {
    const struct isa_param *p = &kernel->params[i];
    struct arg a = {.job = job,
                    .map = yaml_item(&job->file, args, i),
                    .param = p,
                    .index = (unsigned)i,
                    .kernel = kernel,
                    .step = step,
                    .to = block + p->offset};
    if ((uint64_t)p->offset + p->size > kernel->param_bytes)
      return yaml_fail(&job->file, at, err, "kernel %s: parameter %zu lies outside its block",
                       kernel->name, i);
    TRY(one_arg(&a, err));
  }
  return 0;
}
