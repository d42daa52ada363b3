/* The configuration of a GPU and of its run, and its keys: the tables of the GPU, of its features,
 * of the SM and of the memory (csim/util/config.h), one after the other.
 */
#ifndef TANDEM_GPU_CONFIG_H
#define TANDEM_GPU_CONFIG_H

#include "csim/mem/mem_config.h"
#include "csim/sm/sm_config.h"
#include "csim/util/config.h"
#include "gpu_features.h" /* of this build: harness/CMakeLists.txt */
#include "harness/tandem.h"
#include "harness/unit/unit.h"

struct tandem_netlist; /* harness/netlist.h */

enum {
  GPU_SMS = 64,  /* that CTA dispatch serves, at most: they are sets of 64 bits */
  GPU_ALL = 128, /* with those that it does not */
};

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
  char gpu[256];   /* name of the GPU whose keys these were first, or path of its description */
  bool gpu_chosen; /* descriptions that begin with another one do not change it */

  /* The run, not the machine. */
  enum tandem_engine engine;
  uint32_t threads;
  bool together;
  uint64_t repeat, seed, max_cycles;
  uint32_t hang_cycles, state_interval, rtl_block, lookahead;
  enum tandem_check check;
  bool compare, iss, races, skip_quiet, assertions;
  uint32_t bug, bug_sm;
  bool barrier_check;
  uint32_t max_regs;
  bool spread_registers;
  bool pin; /* after a mismatch run again, to find its first cycle and for ports and waveform */

  /* Without a key.  The texts are the owner's: of tandem_config_create and of an open GPU allocated
   * ones. */
  const char *trace;             /* FST file or NULL */
  uint64_t trace_from, trace_to; /* cycles, whole run */
  unsigned __int128 trace_sms;   /* bit mask of SMs or GPU_TRACE_ALL; one file a unit if several */
  uint32_t trace_unit;           /* of the units chosen only this one; 1 is the first; 0: all */
  bool trace_gpu;                /* also the units that have no SM behind them: CTA dispatch */
  const char *keep_ptx;          /* folder for the PTX of OpenCL C programs, NULL: it is not kept */
  const char *report_dir;        /* where a mismatch report's waveform goes, NULL: no waveform */
  bool profile;                  /* counters by instruction (profile.h) */
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

#define GPU_DEFAULT "gtx480" /* whose description has the defaults: gpus */
#define GPU_TRACE_ALL (~(unsigned __int128)0)

/* Gives every key its default, and no waveform, report, ... */
void gpu_config_default(struct tandem_config *c);

/* The i-th key; NULL: there are no more.  The first gpu_noptions keys have options. */
const struct config_key *gpu_key_at(size_t i);
size_t gpu_noptions(void);

/* Returns true if a GPU description of Tandem's own has the key: it is one of the machine, and of
 * no feature. */
bool gpu_key_describes(const struct config_key *k);

/* The key of a section, NULL if there is none. */
const struct config_key *gpu_key(const char *section, const char *name);
/* The word of a choice. */
const char *gpu_word(const struct tandem_config *c, const char *section, const char *name);

/* Checks that every value is within its range, and that the memory's hold together.  0, or -EINVAL
 * with key, value and range in *err; about (NULL allowed) gets the keys. */
int gpu_config_check(const struct tandem_config *c, struct config_about *about,
                     struct tandem_error *err);

/* Reports if something looks at the machine in every cycle: a waveform, a model in the place of the
 * RTL, or whoever takes the state of a failure as it is found. */
bool gpu_config_looked_at(const struct tandem_config *c);

/* Makes a configuration's texts its own copies; false: out of memory, it has none then. */
bool config_own_texts(struct tandem_config *c);
/* Frees such copies. */
void config_free_texts(struct tandem_config *c);

#endif
