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

#include "csim/isa/program.h"
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

struct tandem_config {
  uint32_t sms;                    /* 16 */
  enum tandem_scheduler scheduler; /* GTO */
  uint32_t warp_size;              /* threads of a warp: 32, or 64, 128 without shared front ends */
  struct sm_config sm;
  struct mem_config mem;
  /* Shared front ends (docs/buddy.md). */
  uint32_t buddy;                  /* SMs of a cluster: 1 (none), 2, 4 or 8 */
  enum tandem_formation formation; /* default */
  enum tandem_regroup regroup;     /* new kernel */
  uint32_t mon_entries;            /* loads that a master follows for each warp: 1, 2 or 4 */
  uint32_t power_up;               /* cycles in which a front end comes up: 24 */
  uint32_t hop_latency;            /* NoC cycles from an SM to the next: 1 */

  /* The run, not the machine. */
  enum tandem_engine engine; /* lockstep */
  uint32_t threads;          /* host threads, 0: as many as there are processors */
  uint64_t seed;             /* of uninitialised RTL state */
  uint64_t max_cycles;       /* of one launch */
  uint32_t hang_cycles;      /* without any progress: a hang */
  uint32_t state_interval;   /* cycles between comparisons of the state views; 1: each */
  bool compare;              /* compare outputs and states (lockstep); off only for experiments */
  bool iss;                  /* architectural check */
  bool skip_quiet;           /* leave out clock edges of quiet front ends */
  bool assertions;           /* the RTL build with assertions */
  uint32_t bug;              /* fault to switch on (tandem_has_fault), 0: none */
  uint32_t bug_sm;           /* in this SM, if it is one of a front end */
  bool barrier_check;        /* barriers that not all warps reach are faults */
  uint32_t max_regs;         /* for job programs translated from PTX, 8 to 32; 0: 32 */
  const char *trace;         /* FST file or NULL */
  uint64_t trace_from, trace_to; /* cycles, whole run */
  uint64_t trace_sms;            /* bit mask of SMs; one file a unit if several */
  bool trace_gpu;                /* also the units that have no SM behind them: CTA dispatch */
  const char *report_dir;        /* where a mismatch report's waveform goes, NULL: no waveform */
  bool pin; /* after a mismatch run again, to find its first cycle and for ports and waveform */
  const char *command; /* the command line to quote in a report, NULL: none */
  uint64_t stop;       /* cycle of the whole run in which it is cut off (tandem_stopped), 0: none */
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

struct tandem;
/* Whether a GPU with clusters of so many SMs has fault n of rtl/bugs.def or rtl/buddy/bugs.def:
 * with 1, those of units that only clusters have, or that show in groups only, it has not. */
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
/* Of shared front ends (docs/buddy.md, statistics).  Packets are counted for each slave they go to
 * or come from. */
struct tandem_buddy {
  uint64_t resident_cycles;                   /* SM-cycles with work resident */
  uint64_t grouped_cycles;                    /* those of them in which the SM works in a group */
  uint64_t gated_cycles;                      /* SM-cycles in which a front end is off */
  uint64_t ungroups;                          /* by a slave's wish */
  uint64_t splits;                            /* by CTA dispatch */
  uint64_t regroups_kernel, regroups_halfway; /* groups that were apart and formed again */
  uint64_t inst_packets, mask_packets;        /* downlink, 64 bits */
  uint64_t park_packets;                      /* downlink: where to park, roll calls, their ends */
  uint64_t ack_packets, credit_packets, ctrl_packets; /* uplink, 16 bits */
  uint64_t downlink_hops, uplink_hops; /* between adjacent SMs, summed over packets */
};
struct tandem_stats {
  struct tandem_buddy buddy;
  uint64_t cycles, launches;
  struct sm_stats sm; /* sum over the SMs */
  struct mem_stats mem;
  uint64_t compared, mismatches; /* fields compared with their qualifier true */
  uint64_t iss_checked;
  uint64_t frontend_steps; /* clock edges of all front ends; the rest was left out as quiet */
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
