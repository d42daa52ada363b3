/* The first contents of a buffer: random, range, value, chain, data, file. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/job/job.h"

/* The generator of random fills: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). */
static uint64_t next_random(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* A value of a type, as the widest of its kind. */
union wide {
  uint64_t u;
  double f;
};

/* Checks that a number is finite as one of type f32, if it was finite before. */
static int in_f32(struct tandem_job *job, yaml_node_t *node, double d, struct tandem_error *err) {
  if (!isinf((float)d) || isinf(d))
    return 0;
  return yaml_fail(&job->file, node, err, "%g is beyond the numbers of type f32", d);
}

/* Checks that a number that was computed from two finite ones is finite. */
static int in_f64(struct tandem_job *job, yaml_node_t *node, double d, double of, double and,
                  struct tandem_error *err) {
  if (!isinf(d) || !isfinite(of) || !isfinite(and))
    return 0;
  return yaml_fail(&job->file, node, err, "of %g and %g, a value is beyond the numbers of 64 bits",
                   of, and);
}

static int bound(struct tandem_job *job, yaml_node_t *map, const char *key, enum job_type type,
                 union wide *v, struct tandem_error *err) {
  yaml_node_t *node = yaml_get(&job->file, map, key);
  if (node == NULL)
    return yaml_fail(&job->file, map, err, "a fill needs %s", key);
  if (job_type_float(type)) {
    TRY(yaml_real(&job->file, node, key, &v->f, err));
    return type == JOB_F32 ? in_f32(job, node, v->f, err) : 0;
  }
  v->u = 0;
  TRY(job_value(job, node, type, &v->u, err));
  const unsigned unused = 64 - 8 * job_type_bytes(type);
  if (job_type_signed(type))
    v->u = (uint64_t)((int64_t)(v->u << unused) >> unused);
  return 0;
}

static void put(union wide v, enum job_type type, void *to) {
  const float f = (float)v.f;
  if (type == JOB_F32)
    memcpy(to, &f, sizeof f);
  else
    memcpy(to, &v, job_type_bytes(type));
}

/* Floats: min + (max - min) * u, u of 24 (f32) or 53 (f64) bits in [0, 1), computed in double.
 * Integers: min + step * the upper 64 bits of r * ((max - min) / step + 1). */
static int fill_random(struct tandem_job *job, yaml_node_t *map, const struct job_buffer *b,
                       char *data, struct tandem_error *err) {
  static const char *const keys[] = {"seed", "min", "max", "step", NULL};
  union wide min, max;
  uint64_t state = 0, step = 1;
  TRY(yaml_map(&job->file, map, "random", keys, err));
  yaml_node_t *seed = yaml_get(&job->file, map, "seed");
  if (seed == NULL)
    return yaml_fail(&job->file, map, err, "a random fill needs a seed");
  TRY(yaml_uint(&job->file, seed, "seed", 0, UINT64_MAX, &state, err));
  TRY(bound(job, map, "min", b->type, &min, err));
  TRY(bound(job, map, "max", b->type, &max, err));
  const bool reversed = job_type_float(b->type)    ? !(min.f <= max.f)
                        : job_type_signed(b->type) ? (int64_t)min.u > (int64_t)max.u
                                                   : min.u > max.u;
  if (reversed)
    return yaml_fail(&job->file, map, err, "min is greater than max");
  if (job_type_float(b->type))
    TRY(in_f64(job, map, max.f - min.f, min.f, max.f, err));
  yaml_node_t *by = yaml_get(&job->file, map, "step");
  if (by != NULL && job_type_float(b->type))
    return yaml_fail(&job->file, by, err, "a random fill of floats has no step");
  if (by != NULL)
    TRY(yaml_uint(&job->file, by, "step", 1, UINT64_MAX, &step, err));
  const unsigned __int128 range = (unsigned __int128)((max.u - min.u) / step) + 1;
  for (uint64_t i = 0; i < b->count; i++) {
    const uint64_t r = next_random(&state);
    union wide v;
    if (b->type == JOB_F32)
      v.f = min.f + (max.f - min.f) * ((double)(r >> 40) * 0x1p-24);
    else if (b->type == JOB_F64)
      v.f = min.f + (max.f - min.f) * ((double)(r >> 11) * 0x1p-53);
    else
      v.u = min.u + step * (uint64_t)(r * range >> 64);
    put(v, b->type, data + i * job_type_bytes(b->type));
  }
  return 0;
}

static int fill_range(struct tandem_job *job, yaml_node_t *map, const struct job_buffer *b,
                      char *data, struct tandem_error *err) {
  static const char *const keys[] = {"start", "step", NULL};
  union wide start, step;
  TRY(yaml_map(&job->file, map, "range", keys, err));
  TRY(bound(job, map, "start", b->type, &start, err));
  TRY(bound(job, map, "step", b->type, &step, err));
  for (uint64_t i = 0; i < b->count; i++) {
    union wide v = {.u = start.u + i * step.u};
    if (job_type_float(b->type)) {
      v.f = start.f + (double)i * step.f;
      TRY(in_f64(job, map, v.f, start.f, step.f, err));
    }
    if (b->type == JOB_F32)
      TRY(in_f32(job, map, v.f, err));
    put(v, b->type, data + i * job_type_bytes(b->type));
  }
  return 0;
}

/* A number of the generator, from 0 to n - 1. */
static uint64_t below(uint64_t *state, uint64_t n) {
  return (uint64_t)((unsigned __int128)next_random(state) * n >> 64);
}

/* The links of a chain, n of them, shuffled (Fisher and Yates) unless the seed is 0; to be freed.
 */
static uint64_t *chain_order(uint64_t n, uint64_t seed) {
  uint64_t *order = malloc(n * sizeof *order), state = seed;
  for (uint64_t i = 0; order != NULL && i < n; i++)
    order[i] = i;
  for (uint64_t i = n - 1; order != NULL && seed != 0 && i > 0; i--) {
    const uint64_t k = below(&state, i + 1), other = order[k];
    order[k] = order[i];
    order[i] = other;
  }
  return order;
}

/* Every step-th element holds the offset in bytes of the next one, the last that of the first. */
static int fill_chain(struct tandem_job *job, yaml_node_t *map, const struct job_buffer *b,
                      char *data, struct tandem_error *err) {
  static const char *const keys[] = {"step", "seed", NULL};
  const unsigned bytes = job_type_bytes(b->type);
  uint64_t step = 1, seed = 0;
  TRY(yaml_map(&job->file, map, "chain", keys, err));
  yaml_node_t *by = yaml_get(&job->file, map, "step"), *from = yaml_get(&job->file, map, "seed");
  if (by != NULL)
    TRY(yaml_uint(&job->file, by, "step", 1, b->count, &step, err));
  if (from != NULL)
    TRY(yaml_uint(&job->file, from, "seed", 0, UINT64_MAX, &seed, err));
  if (job_type_float(b->type) ||
      (bytes < 8 && (b->bytes - 1) >> (8 * bytes - job_type_signed(b->type)) != 0))
    return yaml_fail(&job->file, map, err,
                     "elements of this type cannot hold the offsets of a chain");
  const uint64_t n = b->count / step;
  uint64_t *order = chain_order(n, seed);
  if (order == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  for (uint64_t i = 0; i < n; i++) {
    const uint64_t next = order[(i + 1) % n] * step * bytes;
    memcpy(data + order[i] * step * bytes, &next, bytes);
  }
  free(order);
  return 0;
}

static int fill_value(struct tandem_job *job, yaml_node_t *node, const struct job_buffer *b,
                      char *data, struct tandem_error *err) {
  const unsigned bytes = job_type_bytes(b->type);
  TRY(job_value(job, node, b->type, data, err));
  for (uint64_t i = 1; i < b->count; i++)
    memcpy(data + i * bytes, data, bytes);
  return 0;
}

/* Fewer values than elements leave the rest 0. */
static int fill_given(struct tandem_job *job, yaml_node_t *node, const struct job_buffer *b,
                      char *data, bool file, struct tandem_error *err) {
  void *values = NULL;
  uint64_t count = 0;
  int status = (file ? job_file : job_values)(job, node, b->type, b->count, &values, &count, err);
  if (status == 0)
    memcpy(data, values, count * job_type_bytes(b->type));
  free(values);
  return status;
}

static int fill_data(struct tandem_job *job, yaml_node_t *node, const struct job_buffer *b,
                     char *data, struct tandem_error *err) {
  return fill_given(job, node, b, data, false, err);
}

static int fill_file(struct tandem_job *job, yaml_node_t *node, const struct job_buffer *b,
                     char *data, struct tandem_error *err) {
  return fill_given(job, node, b, data, true, err);
}

int job_fill(struct tandem_job *job, yaml_node_t *fill, const struct job_buffer *b, void *data,
             struct tandem_error *err) {
  static const char *const keys[] = {"random", "range", "value", "chain", "data", "file", NULL};
  static int (*const fills[])(struct tandem_job *, yaml_node_t *, const struct job_buffer *, char *,
                              struct tandem_error *) = {fill_random, fill_range, fill_value,
                                                        fill_chain,  fill_data,  fill_file};
  TRY(yaml_map(&job->file, fill, "fill", keys, err));
  const int which = yaml_which(&job->file, fill, keys, 6);
  if (which < 0)
    return yaml_fail(&job->file, fill, err,
                     "a fill is one of random, range, value, chain, data, file");
  return fills[which](job, yaml_get(&job->file, fill, keys[which]), b, data, err);
}
