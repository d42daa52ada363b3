/* The library's types that tandem.h leaves open, and functions beside it: for the files of harness/
 * and for tests that look inside.  A user of the library sees tandem.h alone.
 */
#ifndef TANDEM_INTERNAL_H
#define TANDEM_INTERNAL_H

#include "csim/mem/mem.h"
#include "csim/sm/sm.h"
#include "csim/util/error.h"
#include "harness/gpu/energy/energy.h"
#include "harness/tandem.h"

struct tandem_netlist; /* harness/netlist.h */

enum tandem_engine { TANDEM_ENGINE_RTL, TANDEM_ENGINE_REF, TANDEM_ENGINE_LOCKSTEP };
enum tandem_check { TANDEM_CHECK_FAST, TANDEM_CHECK_FULL };
enum tandem_scheduler { TANDEM_GTO, TANDEM_LRR };
enum tandem_formation { TANDEM_FORM_DEFAULT, TANDEM_FORM_ADAPTIVE, TANDEM_FORM_APART };
enum tandem_spu_sync { TANDEM_SPU_POINT, TANDEM_SPU_GLOBAL };
enum tandem_spu_pairing { TANDEM_SPU_RENDEZVOUS, TANDEM_SPU_DECOUPLED };
enum tandem_spu_passes { TANDEM_SPU_SERIAL, TANDEM_SPU_OVERLAPPED };
enum tandem_spu_interface { TANDEM_SPU_SM, TANDEM_SPU_DMA };
enum tandem_regroup { TANDEM_REGROUP_NEW_KERNEL, TANDEM_REGROUP_HALFWAY };

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
  bool member_queues; /* of SMs that are in no cluster */
  /* Stencil processing unit (docs/spu.md). */
  uint32_t spu_columns, spu_rows, spu_blocks_x, spu_blocks_y, spu_outstanding, cb_bytes, cb_latency;
  enum tandem_spu_sync spu_sync;
  enum tandem_spu_pairing spu_pairing;
  enum tandem_spu_passes spu_passes;
  enum tandem_spu_interface spu_interface;

  /* The run, not the machine. */
  enum tandem_engine engine;
  uint32_t threads;
  uint64_t seed, max_cycles;
  uint32_t hang_cycles, state_interval;
  enum tandem_check check;
  bool compare, iss, races, shadow, skip_quiet, assertions;
  uint32_t bug, bug_sm;
  bool barrier_check;
  uint32_t max_regs;
  bool pin; /* after a mismatch run again, to find its first cycle and for ports and waveform */

  /* Without a key.  The texts are the owner's: of tandem_config_create and of an open GPU allocated
   * ones. */
  const char *trace;             /* FST file or NULL */
  uint64_t trace_from, trace_to; /* cycles, whole run */
  unsigned __int128 trace_sms;   /* bit mask of SMs or GPU_TRACE_ALL; one file a unit if several */
  uint32_t trace_unit;           /* of the units chosen only this one; 1 is the first; 0: all */
  bool trace_gpu;                /* also the units that have no SM behind them: CTA dispatch */
  const char *report_dir;        /* where a mismatch report's waveform goes, NULL: no waveform */
  bool trust;                    /* launch descriptions may read any file and pass any option */
  const char *command;           /* the command line to quote in a report, NULL: none */
  /* Not 0: CTA dispatch finds SMs ready later than they are, by this number: all of them a while
   * after the launch, then each of them by times of its own.  Other SMs take other CTAs. */
  uint64_t dispatch_noise;
  uint64_t stop;   /* cycle of the whole run in which it is cut off (tandem_stopped), 0: none */
  const char *rtl; /* folder whose modules come before those of rtl/, NULL: none */
  const struct tandem_instead *instead; /* another model of a unit; NULL: none */
  const struct tandem_netlist *netlist; /* in the place of the RTL; NULL: none */
  void (*on_progress)(void *user, const struct tandem_progress *progress);
  /* A failure, before the run that pins it: what was found first. */
  void (*on_failure)(void *user, const char *reason);
  void *user;
};

#define GPU_TRACE_ALL (~(unsigned __int128)0)

void gpu_config_default(struct tandem_config *c);

/* Whether a GPU with clusters of so many SMs (1: none; GPU_OF_SPU: a stencil processing unit) has
 * fault n of rtl/bugs.def. */
enum { GPU_OF_SPU = 255 };
bool gpu_has_fault(unsigned n, unsigned buddy);

/* Where the host's time goes. */
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
/* Counters, accumulated over all launches.  They have their meaning in
 * harness/gpu/buddy/buddy_stats.def, harness/gpu/spu/spu_stats.def, harness/gpu/run_stats.def,
 * csim/sm/stats.def and csim/mem/stats.def (docs/statistics.md). */
struct gpu_buddy_stats {
#define STAT_COUNT STAT_FIELD
#define STAT_VALUE STAT_NOTHING
#define STAT_SHARE STAT_NOTHING
#include "harness/gpu/buddy/buddy_stats.def"
};
struct gpu_spu_stats {
#define STAT_COUNT STAT_FIELD
#define STAT_VALUE STAT_NOTHING
#include "harness/gpu/spu/spu_stats.def"
};
struct gpu_stats {
#define STAT_COUNT STAT_FIELD
#include "harness/gpu/run_stats.def"
  struct gpu_buddy_stats buddy; /* of shared front ends */
  struct gpu_spu_stats spu;     /* of a stencil processing unit */
  struct sm_stats sm;           /* sum over the SMs */
  struct mem_stats mem;
  struct energy energy;
  double wall_s, khz;
  double wall[TANDEM_WALLS]; /* seconds, summed over threads, sampled */
};
void gpu_statistics(const struct tandem *t, struct gpu_stats *stats);

/* Statistics of a kernel: sums over its launches.  Maxima are 0. */
struct gpu_kernel {
  struct gpu_stats stats;
  double buddy_times; /* buddy time of each launch, summed */
  double group_times; /* and that of groups */
  char name[];
};
size_t gpu_kernels(const struct tandem *t);
const struct gpu_kernel *gpu_kernel(const struct tandem *t, size_t i); /* as first launched */
void gpu_sm_statistics(const struct tandem *t, unsigned sm, struct sm_stats *stats);

/* Why a group was ungrouped: a slave's wish, or CTA dispatch (split; then nothing below it). */
struct gpu_ungroup {
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
size_t gpu_ungroups(const struct tandem *t, struct gpu_ungroup *rows, size_t max);
struct iss_race; /* csim/iss/iss.h */
/* Races listed (config.races).  Returns how many there are; fills at most max. */
size_t gpu_races(const struct tandem *t, struct iss_race *races, size_t max);
/* A digest of the PCs and lanes of each warp of all launches, in the order of its instructions
 * (csim/iss/iss.h): the same wherever and whenever CTAs ran.  0 without the architectural check. */
uint64_t gpu_paths(const struct tandem *t);
/* Cycles in which an SM's front end was off. */
uint64_t gpu_gated_cycles(const struct tandem *t, unsigned sm);

#endif
