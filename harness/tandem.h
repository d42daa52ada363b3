/* Tandem as a library: a simulated GPU whose SM front ends are RTL, reference, or both in lockstep
 * (docs/use/library.md).
 *
 * Nothing here prints or exits.  A function that can fail returns a status and puts a text into
 * *err.  err may be NULL everywhere; handles and results must not be, unless the comment says so.
 * A text or data pointer that is NULL is refused like any other bad value.  Several GPUs may be
 * open in one process; one GPU is used from one thread at a time.  The library copies the texts
 * that it is given.  Device addresses have 32 bits, sizes are in bytes, times in core cycles.
 */
#ifndef TANDEM_H
#define TANDEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. */
#define TANDEM_VERSION_MAJOR 0
#define TANDEM_VERSION_MINOR 1
#define TANDEM_VERSION_PATCH 0

/* The version of the library, as "MAJOR.MINOR.PATCH". */
const char *tandem_version(void);

/* Also the exit statuses of the command line. */
enum tandem_status {
  TANDEM_OK = 0,
  /* The simulated program or hardware is at fault: mismatch, hang, bad access, ... */
  TANDEM_FAULT = 1,
  /* The caller is: bad configuration, file, argument; or the machine (I/O, memory). */
  TANDEM_USAGE = 2
};

/* An error: its cause, its place and the remedy.  csim/util/error.h, which cannot see this header,
 * has the same text. */
#ifndef TANDEM_ERROR_DEFINED
#define TANDEM_ERROR_DEFINED
struct tandem_error {
  char text[1024]; /* one or more lines, no trailing newline; empty: no error */
};
#endif

/* The configuration of a GPU and of its run: keys with values, listed in
 * docs/reference/configuration.md, and a few settings that are no keys. */
struct tandem_config;

struct tandem_config *tandem_config_create(void); /* all defaults; NULL: out of memory */
struct tandem_config *tandem_config_copy(const struct tandem_config *c); /* likewise */
void tandem_config_destroy(struct tandem_config *c);                     /* NULL allowed */

/* All keys of the machine get the values of a GPU: that of a name that Tandem knows ("gtx480", the
 * default, or "gpgpusim"), or of a description at a path.  Descriptions that are read later, of
 * launches too, change single keys of it; their `base` has no effect.  TANDEM_USAGE: there is no
 * such GPU; err names those that there are. */
enum tandem_status tandem_config_gpu(struct tandem_config *c, const char *gpu,
                                     struct tandem_error *err);
/* Reads a GPU description (YAML) over *c; after an error *c is as it was. */
enum tandem_status tandem_config_load(struct tandem_config *c, const char *path,
                                      struct tandem_error *err);
/* Sets one key from text: a number (decimal or 0x hexadecimal) or a word, as "memory.t_rcd" to
 * "13", "run.engine" to "ref".  TANDEM_USAGE: there is no such key, or the value is out of its
 * range. */
enum tandem_status tandem_config_set(struct tandem_config *c, const char *key, const char *value,
                                     struct tandem_error *err);
/* The value of a key as text, ended by 0.  TANDEM_USAGE: there is no such key, or the value with
 * its end takes more than size bytes (32 are always enough). */
enum tandem_status tandem_config_get(const struct tandem_config *c, const char *key, char *value,
                                     size_t size, struct tandem_error *err);
/* The value of a key that is a number.  TANDEM_USAGE: there is no such key, or it is a word. */
enum tandem_status tandem_config_number(const struct tandem_config *c, const char *key,
                                        uint64_t *value, struct tandem_error *err);

/* Waveforms of a run's RTL. */
struct tandem_trace {
  const char *path;  /* FST file; with several SMs one file each, its number in the name */
  uint64_t from, to; /* first and last cycle of the whole run */
  uint64_t sms;      /* bit mask of SMs; UINT64_MAX: all */
  bool gpu;          /* also the units that have no SM behind them: CTA dispatch */
};
/* trace NULL: none, the default.  TANDEM_USAGE: no path, or out of memory. */
enum tandem_status tandem_config_trace(struct tandem_config *c, const struct tandem_trace *trace,
                                       struct tandem_error *err);
/* The folder of a mismatch report's waveform (NULL: no waveform, the default) and the command line
 * that the report quotes (NULL: none, the default).  TANDEM_USAGE: out of memory. */
enum tandem_status tandem_config_report(struct tandem_config *c, const char *folder,
                                        const char *command, struct tandem_error *err);
/* A folder of SystemVerilog files <module>.sv that take the place of Tandem's own in every model;
 * NULL: none, the default.  tandem_open then makes the models that read one of them, and fails on
 * what Verilator does not accept, on ports that are not those of the unit, and on a combinational
 * path from a unit's input to its output.  TANDEM_USAGE: out of memory. */
enum tandem_status tandem_config_rtl(struct tandem_config *c, const char *folder,
                                     struct tandem_error *err);
/* trust: launch descriptions that are opened by their path may read any file, not only those below
 * their folder, and pass any option to the compiler (docs/use/launch.md); false by default. */
void tandem_config_trust(struct tandem_config *c, bool trust);
/* The cycle of the whole run in which it is cut off (tandem_stopped); 0: none, the default. */
void tandem_config_stop(struct tandem_config *c, uint64_t cycle);

struct tandem_progress {
  uint64_t cycles, warp_instructions; /* so far */
  uint64_t ctas, ctas_done;           /* of the running kernel: all, started */
  const char *kernel;
};
/* Called a few times a second of a launch, on the thread that launched; NULL: none, the default. */
void tandem_config_progress(struct tandem_config *c,
                            void (*on_progress)(void *user, const struct tandem_progress *progress),
                            void *user);

/* A GPU. */
struct tandem;

/* The GPU does not need the configuration any longer; NULL: all defaults.  After an error *t is
 * NULL. */
enum tandem_status tandem_open(const struct tandem_config *c, struct tandem **t,
                               struct tandem_error *err);
void tandem_close(struct tandem *t); /* NULL allowed */

/* Device memory: zeroed, 256-byte aligned, and given back by tandem_close. */
enum tandem_status tandem_alloc(struct tandem *t, uint64_t bytes, uint32_t *address,
                                struct tandem_error *err);
/* TANDEM_USAGE: not all of it was allocated. */
enum tandem_status tandem_write(struct tandem *t, uint32_t address, const void *from,
                                uint64_t bytes, struct tandem_error *err);
enum tandem_status tandem_read(struct tandem *t, uint32_t address, void *to, uint64_t bytes,
                               struct tandem_error *err);
uint64_t tandem_digest(const struct tandem *t); /* of the memory image */

/* A program in a GPU's memory. */
struct tandem_program;

/* Loads a program from a file, by its ending: OpenCL C (.cl), PTX (.ptx), assembler (.s) or an
 * image
 * (.img).  options: "-D..." and "-I..." for OpenCL C, ended by NULL; NULL: none.  Its kernels may
 * use run.max_regs registers.  The program is the GPU's and ends with it; *program is NULL after an
 * error. */
enum tandem_status tandem_load(struct tandem *t, const char *path, const char *const *options,
                               const struct tandem_program **program, struct tandem_error *err);

/* The faces at a border of an SPU's grid of blocks (docs/hardware/spu.md): block b and tile k have
 * theirs at address + b * block_pitch + k * tile_pitch, `rows` rows of `row_words` words of 32
 * bits.  All pitches are in bytes; they and the address are multiples of 32, row_words is one of 8.
 */
struct tandem_face {
  uint32_t address;
  uint64_t bytes; /* of the buffer, from the address on */
  uint32_t rows;  /* 0: nothing is loaded or stored at this border */
  uint32_t row_words, row_pitch, tile_pitch, block_pitch;
};
struct tandem_spu {
  uint32_t tiles;             /* that each block computes */
  struct tandem_face face[4]; /* north, south, west, east */
};

/* How the SMs of a cluster share their resources in a launch (docs/hardware/flex.md). */
enum tandem_flex_scheme {
  TANDEM_FLEX_BASE,
  TANDEM_FLEX_OCC,
  TANDEM_FLEX_BAL,
  TANDEM_FLEX_BIGSM,
  TANDEM_FLEX_BIGSM_OCC,
  TANDEM_FLEX_AUTO /* chosen by the rule flex.choice */
};
struct tandem_flex {
  enum tandem_flex_scheme scheme;
};

/* Runs one kernel to its end.  TANDEM_FAULT: the run failed (tandem_failure), and further launches
 * are refused; or it was cut off (tandem_stopped). */
struct tandem_launch {
  const struct tandem_program *program; /* loaded into this GPU */
  const char *kernel;
  uint32_t grid[3], block[3]; /* CTAs; threads of a CTA */
  /* The dimensions that get_work_dim() returns, 1 to 3; sizes from there on are 1.  0: up to the
   * last size that is not 1. */
  uint32_t work_dim;
  /* The parameters as they lie in memory, pointers being device addresses; as many bytes as the
   * kernel has. */
  const void *args;
  size_t args_bytes;
  uint32_t dynamic_shared; /* bytes after the static shared memory */
  /* That a thread is allocated, from those that the kernel uses to 63; 0: those.  More of them
   * lower the occupancy and change nothing else. */
  uint32_t registers;
  const struct tandem_spu *spu; /* of a kernel that synchronises blocks; NULL: none */
  /* On a GPU whose SMs share resources; NULL: as configured (flex.scheme). */
  const struct tandem_flex *flex;
};
enum tandem_status tandem_launch(struct tandem *t, const struct tandem_launch *launch,
                                 struct tandem_error *err);

/* Returns true if the run was cut off by tandem_config_stop: launches then return TANDEM_FAULT
 * without a failure. */
bool tandem_stopped(const struct tandem *t);

/* Ends the waveforms of tandem_config_trace and reports if they are there: TANDEM_USAGE if one
 * could not be written or the run ended before its first cycle.  tandem_close ends them too,
 * without a word. */
enum tandem_status tandem_trace_end(struct tandem *t, struct tandem_error *err);

/* Statistics, over all launches so far (docs/reference/statistics.md). */
struct tandem_statistic {
  const char *name; /* as "cycles" or "memory.caches.l1d.misses" */
  const char *unit; /* "": a plain number */
  const char *text; /* says in a line what it is */
  uint64_t count;   /* of a counter; of a share or mean: 0 */
  double value;     /* the counter, the share (0 to 1) or the mean */
};
/* All of the GPU, or those that a single SM has.  Return how many there are; fill at most max.
 * tandem_sm_statistics: none if there is no such SM. */
size_t tandem_statistics(const struct tandem *t, struct tandem_statistic *rows, size_t max);
size_t tandem_sm_statistics(const struct tandem *t, unsigned sm, struct tandem_statistic *rows,
                            size_t max);
/* The one of that name.  TANDEM_USAGE: the GPU has none; those of shared front ends are there only
 * if buddy.size is more than 1. */
enum tandem_status tandem_statistic(const struct tandem *t, const char *name,
                                    struct tandem_statistic *statistic, struct tandem_error *err);

/* How often each compared port and state field was compared with its qualifier true (lockstep).
 * Returns how many rows there are; fills at most max. */
struct tandem_compared {
  const char *unit, *name;
  uint64_t count;
};
size_t tandem_comparisons(const struct tandem *t, struct tandem_compared *rows, size_t max);

/* Where and when the run failed; kind "" if it has not. */
struct tandem_failure {
  /* "port", "state", "iss", "memory", "backend", "machine", "hang", "spin", "endless",
   * "assert", "empty", "lost" */
  const char *kind;
  unsigned sm;
  uint64_t cycle, launch_cycle; /* of the whole run, of the launch's beginning */
  char where[80]; /* unit and port, state field or register, assertion, or kind of fault */
};
const struct tandem_failure *tandem_failure(const struct tandem *t);

/* The report of the last mismatch, hang or fault as text (docs/models/lockstep.md), "" if none. */
const char *tandem_report(const struct tandem *t);

/* Launch descriptions (YAML, docs/use/launch.md): program, buffers, steps, expectations.  One is
 * read, says which GPU it is for, and is bound to the GPU that then runs it. */
struct tandem_job;

/* A parameter of a launch description: its `parameters:` names them with values. */
struct tandem_parameter {
  const char *name;
  int64_t value;
};
/* Reads a launch description; n parameters have other values than the description's.  TANDEM_USAGE:
 * *job is NULL. */
enum tandem_status tandem_job_read(const char *path, const struct tandem_parameter *parameters,
                                   size_t n, struct tandem_job **job, struct tandem_error *err);
/* The same from a text; name is used in messages and as the folder that paths are relative to.  A
 * text is the caller's own: it may read any file and pass any option. */
enum tandem_status tandem_job_read_text(const char *text, const char *name, struct tandem_job **job,
                                        struct tandem_error *err);
/* Reads the GPU that a description is for, its `gpu:`, over *c: a path of a GPU description beside
 * it, or the keys themselves; nothing if it has none.  After an error *c is as it was. */
enum tandem_status tandem_job_config(struct tandem_job *job, struct tandem_config *c,
                                     struct tandem_error *err);
/* Loads the program into a GPU and makes the buffers there, for this job alone.  After an error the
 * job can only be closed. */
enum tandem_status tandem_job_bind(struct tandem_job *job, struct tandem *t,
                                   struct tandem_error *err);
/* Read and bound in one: for a GPU that does not depend on the description.  After an error *job is
 * NULL. */
enum tandem_status tandem_job_open(struct tandem *t, const char *path, struct tandem_job **job,
                                   struct tandem_error *err);
enum tandem_status tandem_job_open_with(struct tandem *t, const char *path,
                                        const struct tandem_parameter *parameters, size_t n,
                                        struct tandem_job **job, struct tandem_error *err);
enum tandem_status tandem_job_open_text(struct tandem *t, const char *text, const char *name,
                                        struct tandem_job **job, struct tandem_error *err);
/* All parameters with the values that the job has.  Returns how many there are; fills at most max.
 * The names are the job's. */
size_t tandem_job_parameters(const struct tandem_job *job, struct tandem_parameter *rows,
                             size_t max);
void tandem_job_close(struct tandem_job *job); /* before its GPU; NULL allowed */
/* Carries out the steps, run.repeat times. */
enum tandem_status tandem_job_run(struct tandem_job *job, struct tandem_error *err);
/* Compares with the description's expectations. */
enum tandem_status tandem_job_check(struct tandem_job *job, struct tandem_error *err);
/* A buffer by name: its device address and size; false if there is none. */
bool tandem_job_buffer(const struct tandem_job *job, const char *name, uint32_t *address,
                       uint64_t *bytes);

#ifdef __cplusplus
}
#endif
#endif
