/* A launch description (docs/use/launch.md) as read, inside. */
#ifndef TANDEM_JOB_H
#define TANDEM_JOB_H

#include "csim/util/yaml_parameters.h"
#include "csim/util/yaml_tree.h"
#include "harness/gpu/core/gpu.h"

enum job_type {
  JOB_U8,
  JOB_S8,
  JOB_U16,
  JOB_S16,
  JOB_U32,
  JOB_S32,
  JOB_U64,
  JOB_S64,
  JOB_F32,
  JOB_F64,
  JOB_TYPES
};
extern const char *const job_type_names[JOB_TYPES + 1]; /* NULL-terminated */
unsigned job_type_bytes(enum job_type t);
bool job_type_float(enum job_type t);
bool job_type_signed(enum job_type t);

struct job_buffer {
  char *name;
  enum job_type type;
  uint64_t count, bytes;
  uint32_t address;
};

enum job_step_kind { JOB_LAUNCH, JOB_WRITE, JOB_COPY, JOB_REPEAT, JOB_UNTIL_ZERO };

struct job_steps {
  struct job_step *step;
  size_t n;
};

struct job_step {
  enum job_step_kind kind;
  unsigned line;
  /* Launch. */
  struct tandem_launch launch; /* args and the features' parts are the step's own */
  /* Write: bytes to a buffer; copy: from, to; until_zero: the buffer. */
  const struct job_buffer *from, *to;
  void *data;
  uint64_t offset, bytes;
  /* Repeat, until_zero. */
  uint64_t times;
  struct job_steps steps;
};

enum job_tolerance { JOB_EXACT, JOB_ULP, JOB_RELATIVE };

struct job_expect {
  const struct job_buffer *buffer;
  unsigned line;
  void *data;
  uint64_t count; /* elements of the buffer's type */
  enum job_tolerance tolerance;
  double limit;
};

struct tandem_job {
  struct tandem *t; /* NULL: it was only read */
  bool trust;       /* it may read any file, and pass any option to the compiler */
  struct yaml_file file;
  char *folder;
  struct yaml_parameter *parameters;
  size_t nparameters;
  const struct tandem_program *program; /* the GPU's */
  struct job_buffer *buffers;
  size_t nbuffers;
  struct job_steps steps;
  struct job_expect *expects;
  size_t nexpects;
};

/* job_values.c: the buffer of that name; NULL: there is none. */
const struct job_buffer *job_find(const struct tandem_job *job, const char *name);
/* One value of a type from a scalar node, stored at *to (of the type's size). */
int job_value(struct tandem_job *job, yaml_node_t *node, enum job_type type, void *to,
              struct tandem_error *err);
/* A list of values or a file: an array of at most max elements.  *count is their number. */
int job_values(struct tandem_job *job, yaml_node_t *list, enum job_type type, uint64_t max,
               void **data, uint64_t *count, struct tandem_error *err);
int job_file(struct tandem_job *job, yaml_node_t *node, enum job_type type, uint64_t max,
             void **data, uint64_t *count, struct tandem_error *err);

/* job_trust.c: the folder's path joined with a relative one; an absolute one alone.  NULL: out of
 * memory. */
char *job_path(const struct tandem_job *job, const char *path);
/* Checks that a file may be read.  0 or -EINVAL. */
int job_reach(const struct yaml_file *f, bool trust, const yaml_node_t *at, const char *path,
              struct tandem_error *err);
/* Checks that an option may be passed; joins the path of an -I with the folder's.  0 or -EINVAL. */
int job_option(const struct tandem_job *job, const yaml_node_t *at, char **option,
               struct tandem_error *err);

/* job_parameters.c: reads parameters:, n of them given in the place of the file's, and computes the
 * file's values; *list gets them, to be freed by the caller. */
int job_parameters(struct yaml_file *f, const struct tandem_parameter *given, size_t n,
                   struct yaml_parameter **list, size_t *count, struct tandem_error *err);
/* job_fill.c: the bytes that a buffer starts with (docs/use/launch.md). */
int job_fill(struct tandem_job *job, yaml_node_t *fill, const struct job_buffer *b, void *data,
             struct tandem_error *err);
/* job_args.c: the parameter block of a launch. */
int job_args(struct tandem_job *job, yaml_node_t *args, yaml_node_t *at,
             const struct isa_kernel *kernel, struct job_step *step, struct tandem_error *err);
/* job_contents.c: the options: as clang gets them, NULL-ended; the caller frees them, also after an
 * error. */
int job_options(struct tandem_job *job, char ***options, struct tandem_error *err);
void job_options_free(char **options); /* NULL allowed */
/* Makes program, buffers, steps and expectations in job->t. */
int job_read_contents(struct tandem_job *job, struct tandem_error *err);
/* job_steps.c */
int job_read_steps(struct tandem_job *job, yaml_node_t *list, unsigned depth,
                   struct job_steps *steps, struct tandem_error *err);
void job_free_steps(struct job_steps *steps);

#endif
