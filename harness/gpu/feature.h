/* A feature of the GPU: hardware that a build can leave out (TANDEM_FEATURES), in a folder of its
 * own.  Its folder defines one struct feature; files that serve all features walk the list and name
 * none.  docs/adding.md says what a new feature brings.
 *
 *   types.h          its configuration and its counters: struct NAME_config, struct NAME_statistics
 *   keys.def         configuration keys and their options
 *   statistics.def   counters with their labels
 *   feature.c        struct feature, feature_NAME
 *
 * Functions that are NULL have nothing to do. */
#ifndef TANDEM_GPU_FEATURE_H
#define TANDEM_GPU_FEATURE_H

#include <stdio.h>

#include "csim/util/yaml_tree.h"
#include "harness/gpu/config.h"
#include "harness/gpu/energy/energy.h"

struct figure;
struct gpu_stats;
struct grid;
struct tandem;

/* Lists of results, for a file that programs read: objects with names, texts and numbers. */
struct result_writer {
  void *user;
  void (*open)(void *user, const char *name, bool list); /* name NULL: an element of a list */
  void (*close)(void *user);
  void (*number)(void *user, const char *name, uint64_t value);
  void (*text)(void *user, const char *name, const char *value);
};

/* A figure of each launch, of which results have the mean over the launches of a kernel. */
struct launch_figure {
  const char *path;   /* in the JSON */
  const char *column; /* of the table of kernels, NULL: not there; a share */
  double (*value)(const struct gpu_stats *now, const struct gpu_stats *before);
};

/* The launch description, as the reader of a launch's own mapping needs it. */
struct launch_reader {
  struct yaml_file *file;
  void *user;
  /* Finds a buffer; false: there is none. */
  bool (*buffer)(void *user, const char *name, uint32_t *address, uint64_t *bytes);
};

/* The feature's own part of a launch: a mapping of launch descriptions, a struct that a pointer in
 * struct tandem_launch refers to. */
struct launch_part {
  const char *key;  /* of launch descriptions */
  size_t at, bytes; /* of the pointer, in struct tandem_launch; of the struct.  0 bytes: no part */
  int (*read)(const struct launch_reader *r, yaml_node_t *map, void *part,
              struct tandem_error *err);
};

/* A GPU that the benchmark measures beside the one without any feature. */
struct bench_gpu {
  const char *name, *title;    /* in the JSON; in the text.  NULL: none */
  const char *const *settings; /* "key=value", NULL-ended */
};

/* Runs in which `tandem bugs` looks for the faults of the feature's units: the GPU of each launch
 * description, or settings of one GPU for all; descriptions of tests/kernels, without .yaml, NULL:
 * those that serve every GPU. */
struct fault_runs {
  bool own_gpu;
  const char *const *settings, *const *programs; /* NULL-ended */
};

/* The feature's tracks in a timeline (inside/timeline.h), of runs on its machine. */
struct timeline;
struct feature_tracks {
  /* Adds them.  Returns what `look` needs, NULL: out of memory. */
  void *(*open)(struct tandem *t, struct timeline *l);
  /* Adds what is new: before each cycle, and after the last one, when t->launch.grid is gone. */
  void (*look)(struct tandem *t, struct timeline *l, void *own);
  void (*close)(void *own);
};

/* The feature's part in the causes of a wait (inside/why_tell.h), in runs on its machine. */
struct why_request;
struct why_telling;
struct why_wait;
struct feature_causes {
  /* Begins to record for a question.  Returns what the others need, NULL: out of memory. */
  void *(*open)(const struct tandem *t, const struct why_request *r);
  /* Looks at the cycle that has just ended: before each cycle that is recorded. */
  void (*look)(const struct tandem *t, void *own);
  /* Returns the cycles by which an SM's issues at the ports of its front end come later than the
   * grant otherwise allows, in the cycle that is asked for. */
  unsigned (*delay)(const struct tandem *t, const void *own, unsigned sm);
  /* Adds what keeps a warp whatever its next instruction is; false: nothing of the feature. */
  bool (*held)(struct why_telling *a, const void *own, const struct why_wait *w);
  /* The same of a warp whose next instruction is there and waits for no register. */
  bool (*ready)(struct why_telling *a, const void *own, const struct why_wait *w);
  void (*close)(void *own);
};

struct feature {
  const char *name;  /* of its folder, and of its objects in the JSON */
  const char *title; /* heading of its options, keys and statistics */
  const char *page;  /* of the documentation */
  const struct machine *machine;

  /* Configuration. */
  const struct config_key *keys;
  size_t nkeys;
  /* Reports if a GPU with this configuration has the feature, so that results show its figures. */
  bool (*present)(const struct tandem_config *c);
  /* Sets what other parts of the configuration follow from its keys. */
  void (*settle)(struct tandem_config *c);
  /* Refuses a configuration, of this machine or another one.  0 or a negative errno. */
  int (*check)(const struct tandem_config *c, struct tandem_error *err);
  /* Changes the configuration of SM number `sm` of any machine. */
  void (*sm_config)(const struct tandem_config *c, unsigned sm, struct sm_config *of);

  /* Launches. */
  struct launch_part launch;
  /* Refuses a launch whose grid fits, on this machine or another one; an SM holds `occupancy` of
   * its CTAs.  0 or a negative errno. */
  int (*check_launch)(const struct tandem *t, const struct tandem_launch *l, const struct grid *g,
                      unsigned occupancy, struct tandem_error *err);

  /* Results. */
  bool member_stalls; /* its front ends report the stall causes of STALL_OF_MEMBERS */
  /* Appends the figures of its counters to a list and returns its new end. */
  struct figure *(*figures)(const struct gpu_stats *s, struct figure *f);
  const struct launch_figure *launch_figures;
  size_t nlaunch_figures;
  /* Prints lines of the summary, which every run has. */
  void (*summary)(const struct tandem *t, FILE *out);
  /* Prints lines of the report of all statistics. */
  void (*lines)(const struct tandem *t, FILE *out);
  /* Writes its lists, into its object of the JSON. */
  void (*lists)(const struct tandem *t, const struct result_writer *w);
  struct feature_tracks tracks;
  const struct feature_causes *causes; /* NULL: none */

  struct energy_tables energy;
  struct bench_gpu bench;
  struct fault_runs faults;
};

/* The features of this build, in the order of their names. */
extern const struct feature *const features[];
extern const size_t features_count;

/* All of them: the first refusal.  0 or a negative errno. */
int features_check(const struct tandem_config *c, struct tandem_error *err);
int features_check_launch(const struct tandem *t, const struct tandem_launch *l,
                          const struct grid *g, unsigned occupancy, struct tandem_error *err);

/* Replaces the features' parts of a launch by copies of its own; false: out of memory. */
bool launch_parts_copy(struct tandem_launch *l);
/* Gives a launch such a copy of one part. */
bool launch_part_put(struct tandem_launch *l, const struct feature *f, const void *part);
/* Frees its copies. */
void launch_parts_free(struct tandem_launch *l);

void features_settle(struct tandem_config *c);
void features_sm_config(const struct tandem_config *c, unsigned sm, struct sm_config *of);

/* The energy of what was counted, with the components of all features. */
void features_energy(const struct tandem_config *c, const struct gpu_stats *s, struct energy *e);

/* Lines of keys.def as elements of an array of struct config_key.  FEATURE is the includer's: the
 * feature's name, which is its member of struct feature_configs. */
#define FEATURE_ROW(section, field, option, ...)                                                   \
  {section,                                                                                        \
   #field,                                                                                         \
   option,                                                                                         \
   offsetof(struct tandem_config, feature.FEATURE.field),                                          \
   sizeof(((struct tandem_config *)0)->feature.FEATURE.field),                                     \
   __VA_ARGS__},
#define FEATURE_NUMBER(section, field, option, standard, low, high, unit, text)                    \
  FEATURE_ROW(section, field, option, standard, low, high, false, NULL, unit, text)
#define FEATURE_POWER(section, field, option, standard, low, high, unit, text)                     \
  FEATURE_ROW(section, field, option, standard, low, high, true, NULL, unit, text)
#define FEATURE_CHOICE(section, field, option, standard, names, text)                              \
  FEATURE_ROW(section, field, option, standard, 0, UINT32_MAX, false, names, "", text)
#define FEATURE_SWITCH(section, field, option, standard, text)                                     \
  FEATURE_ROW(section, field, option, standard, 0, 1, false, config_switch, "", text)

#endif
