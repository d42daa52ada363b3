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

/* The address in "buffer: B, offset: N". */
static int read_address(struct tandem_job *job, yaml_node_t *map, uint32_t *address,
                        struct tandem_error *err) {
  yaml_node_t *buffer = yaml_get(&job->file, map, "buffer");
  const char *name;
  uint64_t offset = 0;
  TRY(yaml_text(&job->file, buffer, "buffer", &name, err));
  const struct job_buffer *b = job_find(job, name);
  if (b == NULL)
    return yaml_fail(&job->file, buffer, err, "there is no buffer \"%s\"", name);
  yaml_node_t *at = yaml_get(&job->file, map, "offset");
  if (at != NULL)
    TRY(yaml_uint(&job->file, at, "offset (bytes)", 0, b->bytes, &offset, err));
  *address = b->address + (uint32_t)offset;
  return 0;
}

static int arg_buffer(const struct arg *a, struct tandem_error *err) {
  uint32_t address;
  TRY(read_address(a->job, a->map, &address, err));
  return put_address(a, address, "a buffer's address", err);
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

/* An item of bytes: a byte, or an address in four. */
static int read_item(const struct arg *a, yaml_node_t *item, uint8_t to[4], size_t *n,
                     struct tandem_error *err) {
  static const char *const keys[] = {"buffer", "offset", NULL};
  uint32_t address;
  *n = 1;
  if (item->type != YAML_MAPPING_NODE)
    return job_value(a->job, item, JOB_U8, to, err);
  TRY(yaml_map(&a->job->file, item, "an address", keys, err));
  if (yaml_get(&a->job->file, item, "buffer") == NULL)
    return yaml_fail(&a->job->file, item, err, "an address needs a buffer");
  TRY(read_address(a->job, item, &address, err));
  memcpy(to, &address, *n = sizeof address);
  return 0;
}

static int arg_bytes(const struct arg *a, struct tandem_error *err) {
  size_t count = 0, n;
  TRY(yaml_list(&a->job->file, a->value, "bytes", err));
  for (size_t i = 0; i < yaml_count(a->value); i++, count += n) {
    uint8_t bytes[4];
    TRY(read_item(a, yaml_item(&a->job->file, a->value, i), bytes, &n, err));
    if (count + n <= a->param->size)
      memcpy(a->to + count, bytes, n);
  }
  return count == a->param->size ? 0 : wrong_size(a, "the list", count, err);
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
