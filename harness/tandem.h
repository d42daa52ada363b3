/* Tandem as a library: a simulated GPU whose SM front ends are RTL, reference, or both in lockstep.
 *
 * Nothing here prints or exits.  Functions that can fail return a status and fill *err (NULL
 * allowed). Several GPUs may be open in one process; one GPU is used from one thread at a time.
 */
#ifndef TANDEM_H
#define TANDEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csim/isa/opencl/opencl.h"
#include "csim/iss/iss.h"
#include "csim/mem/mem.h"
#include "csim/sm/sm.h"

/* Also the exit statuses of the command line. */
enum tandem_status {
  TANDEM_OK = 0,
  TANDEM_FAULT =
      1, /* the simulated program or hardware is at fault: mismatch, hang, bad access, ... */
  TANDEM_USAGE =
      2 /* the caller is: bad configuration, file, argument; or the machine (I/O, memory) */
};

enum tandem_engine { TANDEM_ENGINE_RTL, TANDEM_ENGINE_REF, TANDEM_ENGINE_LOCKSTEP };
struct rtl_model;
struct tandem_netlist {
  void *user;
  struct rtl_model *(*open)(void *user, uint64_t seed); /* NULL: out of memory */
};

enum tandem_scheduler { TANDEM_GTO, TANDEM_LRR };
enum tandem_formation { TANDEM_FORM_DEFAULT, TANDEM_FORM_ADAPTIVE, TANDEM_FORM_APART };
enum tandem_regroup { TANDEM_REGROUP_NEW_KERNEL, TANDEM_REGROUP_HALFWAY };

struct tandem_progress {
  uint64_t cycles, warp_instructions; /* so far */
  uint64_t ctas, ctas_done;           /* of the running kernel: all, started */
  const char *kernel;
};

/* harness/gpu/config.def, csim/sm/config.def and csim/mem/config.def have default, range and
 * meaning of what has a key (docs/configuration.md). */
struct tandem_config {
  uint32_t sms;
  enum tandem_scheduler scheduler;
  uint32_t warp_size;
  struct sm_config sm;
  struct mem_config mem;
  /* Shared front ends (docs/buddy.md). */
  uint32_t buddy; /* buddy.size */
  enum tandem_formation formation;
  enum tandem_regroup regroup;
  uint32_t mon_entries, power_up, hop_latency;

  /* The run, not the machine. */
  enum tandem_engine engine;
  uint32_t threads;
  uint64_t seed, max_cycles;
  uint32_t hang_cycles, state_interval;
  bool compare, iss, skip_quiet, assertions;
  uint32_t bug, bug_sm;
  bool barrier_check;
  uint32_t max_regs;
  bool pin; /* after a mismatch run again, to find its first cycle and for ports and waveform */

  /* Without a key. */
  const char *trace;             /* FST file or NULL */
  uint64_t trace_from, trace_to; /* cycles, whole run */
  uint64_t trace_sms;            /* bit mask of SMs; one file a unit if several */
  bool trace_gpu;                /* also the units that have no SM behind them: CTA dispatch */
  const char *report_dir;        /* where a mismatch report's waveform goes, NULL: no waveform */
  const char *command;           /* the command line to quote in a report, NULL: none */
  uint64_t stop; /* cycle of the whole run in which it is cut off (tandem_stopped), 0: none */
  /* In the place of the RTL of the first unit with SMs behind it: something else with its ports,
   * which is compared like it but for its state, which is not looked at (csim/ports/netlist.h).
   * NULL: none.  The GPU closes it. */
  const struct tandem_netlist *netlist;
  /* Called a few times a second with the state of the run; NULL: none. */
  void (*on_progress)(void *user, const struct tandem_progress *progress);
  void *user;
};

void tandem_config_default(struct tandem_config *c);
/* Reads a GPU description (YAML, docs/configuration.md) over *c. */
enum tandem_status tandem_config_load(struct tandem_config *c, const char *path,
                                      struct tandem_error *err);
/* Sets one key from text, as "memory.t_rcd" to "13". */
enum tandem_status tandem_config_set(struct tandem_config *c, const char *key, const char *value,
                                     struct tandem_error *err);

struct tandem;
/* Whether a GPU with clusters of so many SMs (1: none) has fault n of rtl/bugs.def. */
bool tandem_has_fault(unsigned n, unsigned buddy);

enum tandem_status tandem_open(const struct tandem_config *c, struct tandem **t,
                               struct tandem_error *err);
void tandem_close(struct tandem *t);

/* Device memory. */
enum tandem_status tandem_alloc(struct tandem *t, uint64_t bytes, uint32_t *address,
                                struct tandem_error *err);
enum tandem_status tandem_write(struct tandem *t, uint32_t address, const void *from,
                                uint64_t bytes, struct tandem_error *err);
enum tandem_status tandem_read(struct tandem *t, uint32_t address, void *to, uint64_t bytes,
                               struct tandem_error *err);
uint64_t tandem_digest(const struct tandem *t); /* of the memory image */

/* Loads a program: the GPU takes it over (freed by tandem_close), places its data, applies
 * relocations. */
enum tandem_status tandem_load(struct tandem *t, struct isa_program *program,
                               struct tandem_error *err);

/* Runs one kernel to its end.  args: the parameter block, kernel->param_bytes bytes, pointers
 * already device addresses.  dynamic_shared: bytes after the static shared memory. */
struct tandem_launch {
  const struct isa_program *program;
  const char *kernel;
  uint32_t grid[3], block[3];
  const void *args;
  size_t args_bytes;
  uint32_t dynamic_shared;
};
enum tandem_status tandem_launch(struct tandem *t, const struct tandem_launch *launch,
                                 struct tandem_error *err);

/* Ends the waveforms of config.trace and tells whether they are there: TANDEM_USAGE if one could
 * not be written or the run ended before trace_from.  tandem_close ends them too, without a word.
 */
enum tandem_status tandem_trace_end(struct tandem *t, struct tandem_error *err);

/* Accumulated over all launches. */
enum {
  TANDEM_WALL_RTL,
  TANDEM_WALL_REF,
  TANDEM_WALL_BACKEND,
  TANDEM_WALL_MEMORY,
  TANDEM_WALL_ISS,
  TANDEM_WALL_COMPARE,
  TANDEM_WALL_OTHER,
  TANDEM_WALLS
};
/* Counters have their meaning in harness/buddy_stats.def, harness/run_stats.def,
 * csim/sm/stats.def and csim/mem/stats.def (docs/statistics.md). */
struct tandem_buddy {
#define STAT_COUNT STAT_FIELD
#define STAT_VALUE STAT_NOTHING
#define STAT_SHARE STAT_NOTHING
#include "harness/buddy_stats.def"
};
struct tandem_stats {
#define STAT_COUNT STAT_FIELD
#include "harness/run_stats.def"
  struct tandem_buddy buddy; /* of shared front ends */
  struct sm_stats sm;        /* sum over the SMs */
  struct mem_stats mem;
  double wall_s, khz;
  double wall[TANDEM_WALLS]; /* seconds, summed over threads, sampled */
};
void tandem_statistics(const struct tandem *t, struct tandem_stats *stats);

/* Why a group was ungrouped: a slave's wish, or CTA dispatch (split; then nothing below it). */
struct tandem_ungroup {
  uint64_t cycle; /* of the whole run: the group stops */
  unsigned lead;  /* SM of the group's master */
  bool split;
  unsigned sm, warp;
  uint16_t pc;
  /* Directions of the slave and of its master: bit 0 some lane took the branch or exited, bit 1
   * some did not.  Equal ones: the targets differ. */
  uint8_t directions, master_directions;
};
/* The first ones of each cluster (8 at most), in the order of clusters.  Returns how many there
 * are; fills at most max. */
size_t tandem_ungroups(const struct tandem *t, struct tandem_ungroup *rows, size_t max);
/* Cycles in which an SM's front end was off. */
uint64_t tandem_gated_cycles(const struct tandem *t, unsigned sm);
void tandem_sm_statistics(const struct tandem *t, unsigned sm, struct sm_stats *stats);

/* How often each compared port and state field was compared with its qualifier true (lockstep).
 * Returns how many rows there are; fills at most max. */
struct tandem_compared {
  const char *unit, *name;
  uint64_t count;
};
size_t tandem_comparisons(const struct tandem *t, struct tandem_compared *rows, size_t max);

/* Launch descriptions (YAML, docs/launch.md): program, buffers, steps, expectations. */
struct tandem_job;
enum tandem_status tandem_job_open(struct tandem *t, const char *path, struct tandem_job **job,
                                   struct tandem_error *err);
enum tandem_status tandem_job_run(struct tandem_job *job, struct tandem_error *err);
/* The same from a text; name is used in messages and as the folder that paths are relative to. */
enum tandem_status tandem_job_open_text(struct tandem *t, const char *text, const char *name,
                                        struct tandem_job **job, struct tandem_error *err);
/* Compares with the description's expectations. */
enum tandem_status tandem_job_check(struct tandem_job *job, struct tandem_error *err);
/* A buffer by name: its device address and size; false if there is none. */
bool tandem_job_buffer(const struct tandem_job *job, const char *name, uint32_t *address,
                       uint64_t *bytes);
void tandem_job_close(struct tandem_job *job);

/* Whether the run was cut off by config.stop: launches then return TANDEM_FAULT without a failure.
 */
bool tandem_stopped(const struct tandem *t);

/* Where and when the run failed; kind "" if it has not. */
struct tandem_failure {
  const char
      *kind; /* "port", "state", "iss", "memory", "backend", "hang", "endless", "assert", "empty" */
  unsigned sm;
  uint64_t cycle, launch_cycle; /* of the whole run, of the launch's beginning */
  char where[80];               /* unit and port, state field or register, or kind of fault */
};
const struct tandem_failure *tandem_failure(const struct tandem *t);

/* The report of the last mismatch, hang or fault as text (docs/lockstep.md), "" if none. */
const char *tandem_report(const struct tandem *t);

#endif
