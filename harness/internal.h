/* The library's types that tandem.h leaves open, and functions beside it: for the files of harness/
 * and for tests that look inside.  A user of the library sees tandem.h alone.
 */
#ifndef TANDEM_INTERNAL_H
#define TANDEM_INTERNAL_H

#include "csim/mem/mem.h"
#include "csim/sm/sm.h"
#include "csim/util/error.h"
#include "gpu_features.h" /* of this build: harness/CMakeLists.txt */
#include "harness/tandem.h"

struct tandem_netlist; /* harness/netlist.h */

enum tandem_engine { TANDEM_ENGINE_RTL, TANDEM_ENGINE_REF, TANDEM_ENGINE_LOCKSTEP };
enum tandem_check { TANDEM_CHECK_FAST, TANDEM_CHECK_FULL };
enum tandem_scheduler { TANDEM_GTO, TANDEM_LRR };

/* harness/gpu/config.def, csim/sm/config.def and csim/mem/config.def have default, range and
 * meaning of what has a key (docs/reference/configuration.md). */
struct tandem_config {
  uint32_t sms;
  enum tandem_scheduler scheduler;
  struct sm_config sm;
  struct mem_config mem;
  struct feature_configs feature; /* by name: feature.buddy.size */

  /* The run, not the machine. */
  enum tandem_engine engine;
  uint32_t threads;
  uint64_t seed, max_cycles;
  uint32_t hang_cycles, state_interval;
  enum tandem_check check;
  bool compare, iss, races, skip_quiet, assertions;
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
/* The configuration of an open GPU, with what follows from its keys. */
const struct tandem_config *gpu_config(const struct tandem *t);

/* A seeded fault (rtl/faults.def); feature: the feature that has its unit, "gpu" for units of
 * every GPU. */
struct gpu_fault {
  unsigned number;
  const char *feature, *unit, *text;
};
extern const struct gpu_fault gpu_faults[]; /* ends with number 0 */
/* Fault n; NULL: there is none. */
const struct gpu_fault *gpu_fault(unsigned n);
/* Reports if a GPU with this configuration has fault n. */
bool gpu_has_fault(const struct tandem_config *c, unsigned n);

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
/* Counters, accumulated over all launches.  They have their meaning in harness/gpu/run_stats.def,
 * csim/sm/stats.def, csim/mem/stats.def and each feature's statistics.def
 * (docs/reference/statistics.md). */
struct gpu_stats {
#define STAT_COUNT STAT_FIELD
#include "harness/gpu/run_stats.def"
  struct feature_statistics feature; /* by name: feature.buddy.ungroups */
  struct sm_stats sm;                /* sum over the SMs */
  struct mem_stats mem;
  double wall_s, khz;
  double wall[TANDEM_WALLS]; /* seconds, summed over threads, sampled */
};
void gpu_statistics(const struct tandem *t, struct gpu_stats *stats);

/* Statistics of a kernel: sums over its launches.  Maxima are 0. */
enum { GPU_LAUNCH_FIGURES = 8 /* of all features, at most */ };
struct gpu_kernel {
  struct gpu_stats stats;
  double launch_sums[GPU_LAUNCH_FIGURES]; /* of the features' launch figures, in their order */
  char name[];
};
size_t gpu_kernels(const struct tandem *t);
const struct gpu_kernel *gpu_kernel(const struct tandem *t, size_t i); /* as first launched */
void gpu_sm_statistics(const struct tandem *t, unsigned sm, struct sm_stats *stats);

struct iss_race; /* csim/iss/iss.h */
/* Races listed (config.races).  Returns how many there are; fills at most max. */
size_t gpu_races(const struct tandem *t, struct iss_race *races, size_t max);
/* A digest of the PCs and lanes of each warp of all launches, in the order of its instructions
 * (csim/iss/iss.h): the same wherever and whenever CTAs ran.  0 without the architectural check. */
uint64_t gpu_paths(const struct tandem *t);
#endif
