/* The values of a launch description: their types, and data from lists and files. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/input.h"
#include "harness/job/job.h"

const struct job_buffer *job_find(const struct tandem_job *job, const char *name) {
  for (size_t i = 0; i < job->nbuffers; i++)
    if (strcmp(job->buffers[i].name, name) == 0)
      return &job->buffers[i];
  return NULL;
}

const char *const job_type_names[JOB_TYPES + 1] = {"u8",  "s8",  "u16", "s16", "u32", "s32",
                                                   "u64", "s64", "f32", "f64", NULL};
unsigned job_type_bytes(enum job_type t) {
  static const uint8_t bytes[JOB_TYPES] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return bytes[t];
}
bool job_type_float(enum job_type t) { return t >= JOB_F32; }
bool job_type_signed(enum job_type t) { return t < JOB_F32 && (t & 1) != 0; }

static void store_whole(uint64_t v, unsigned bytes, void *to) { memcpy(to, &v, bytes); }

static int value_float(struct tandem_job *job, yaml_node_t *node, enum job_type type, void *to,
                       struct tandem_error *err) {
  double d;
  TRY(yaml_real(&job->file, node, "value", &d, err));
  const float f = (float)d;
  if (type == JOB_F32 && isinf(f) && !isinf(d))
    return yaml_fail(&job->file, node, err, "%g is beyond the numbers of type f32", d);
  memcpy(to, type == JOB_F32 ? (const void *)&f : (const void *)&d, job_type_bytes(type));
  return 0;
}

int job_value(struct tandem_job *job, yaml_node_t *node, enum job_type type, void *to,
              struct tandem_error *err) {
  const unsigned bytes = job_type_bytes(type);
  char what[32];
  if (job_type_float(type))
    return value_float(job, node, type, to, err);
  snprintf(what, sizeof what, "a value of type %s", job_type_names[type]);
  if (job_type_signed(type)) {
    const int64_t max = INT64_MAX >> (64 - 8 * bytes);
    int64_t v;
    TRY(yaml_int(&job->file, node, what, -max - 1, max, &v, err));
    store_whole((uint64_t)v, bytes, to);
    return 0;
  }
  uint64_t v;
  TRY(yaml_uint(&job->file, node, what, 0, UINT64_MAX >> (64 - 8 * bytes), &v, err));
  store_whole(v, bytes, to);
  return 0;
}

int job_values(struct tandem_job *job, yaml_node_t *list, enum job_type type, uint64_t max,
               void **data, uint64_t *count, struct tandem_error *err) {
  TRY(yaml_list(&job->file, list, "data", err));
  *count = yaml_count(list);
  if (*count > max)
    return yaml_fail(&job->file, list, err, "%llu values for %llu elements",
                     (unsigned long long)*count, (unsigned long long)max);
  *data = calloc(*count + 1, job_type_bytes(type));
  if (*data == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; i < *count; i++)
    TRY(job_value(job, yaml_item(&job->file, list, i), type,
                  (char *)*data + i * job_type_bytes(type), err));
  return 0;
}

/* Little-endian elements, whole ones only. */
int job_file(struct tandem_job *job, yaml_node_t *node, enum job_type type, uint64_t max,
             void **data, uint64_t *count, struct tandem_error *err) {
  const char *name;
  struct tandem_error why;
  size_t got;
  char *bytes = NULL;
  TRY(yaml_text(&job->file, node, "file", &name, err));
  const uint64_t size = job_type_bytes(type);
  char *path = job_path(job, name);
  if (path == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  int status = job_reach(&job->file, job->trust, node, path, err);
  const bool reached = status == 0;
  if (reached)
    status = input_read(path, max * size, &bytes, &got, &why);
  free(path);
  if (reached && status == -EFBIG)
    return yaml_fail(&job->file, node, err, "%s is longer than the buffer", name);
  if (status != 0)
    return reached ? yaml_fail(&job->file, node, err, "%s", why.text) : status;
  *data = bytes;
  if (got % size != 0)
    return yaml_fail(&job->file, node, err, "%s is not a whole number of elements", name);
  *count = got / size;
  return 0;
}
