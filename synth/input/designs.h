/* Contents of designs.yaml: tops, clocks, and the parts of features. */
#ifndef TANDEM_SYNTH_INPUT_DESIGNS_H
#define TANDEM_SYNTH_INPUT_DESIGNS_H

#include "csim/util/error.h"
#include "synth/input/spec.h"

struct synth_part {
  struct synth_spec spec;
  unsigned count;
  bool own; /* without what it instantiates */
};
struct synth_cluster {
  char feature[32], variant[32];
  unsigned members;
  unsigned sms;               /* of a GPU of such clusters */
  struct synth_spec baseline; /* the front end of an SM without the feature */
  struct synth_part parts[SYNTH_PARTS];
  size_t nparts;
};

/* A variable of a feature's expressions: a number that may be chosen (synth_setting), or one that
 * follows from those before it.  Expressions are those of csim/util/expression.h. */
struct synth_variable {
  char name[SYNTH_LABEL], is[96]; /* is: "" may be chosen */
  int64_t value, most;
};
/* A unit that parts, rows and figures of a feature name. */
struct synth_label {
  char name[SYNTH_LABEL];
  struct synth_spec spec;
};
/* A line of the table of a feature's parts: `times` such units, `count` times in the GPU. */
struct synth_row {
  char part[48];
  size_t label;
  unsigned times, count;
  bool own;
};
/* A figure that is reckoned from the report's.  Expressions, "": there is no such figure; later
 * figures refer to those of a name as ours.NAME and recomputed.NAME. */
struct synth_figure_rule {
  char name[SYNTH_LABEL], figure[80], unit[24], source[64];
  char published[64]; /* of the feature with its variables as in the file */
  char recomputed[320], recomputed_how[128], ours[320], ours_how[128];
};
struct synth_feature {
  char name[32];
  struct synth_spec baseline; /* that of the designs, or its own */
  struct synth_variable variables[SYNTH_VARIABLES];
  struct synth_label labels[SYNTH_LABELS];
  struct synth_row rows[SYNTH_ROWS];
  struct synth_figure_rule figures[SYNTH_FIGURES];
  size_t nvariables, nlabels, nrows, nfigures;
  bool chosen; /* a variable is not as in the file */
};
struct synth_clock {
  char port[32];
  unsigned multiple;
};
struct synth_designs {
  char package[256], sources[256], reset[32]; /* sources: a pattern */
  unsigned memory_bits, sms;
  double mhz;
  struct synth_clock clocks[8];
  unsigned nclocks;
  struct synth_spec baseline;
  struct synth_cluster *clusters;
  size_t nclusters;
  struct synth_feature *features;
  size_t nfeatures;
};

/* Values of a feature's variables, each NAME=VALUE, a whole number. */
struct synth_setting {
  const char *feature; /* NULL: none was chosen */
  const char *const *values;
  size_t n;
  /* Refuses an expression of a figure with a name that means nothing (synth/model/figures.h). */
  int (*check)(const struct synth_feature *f, const char *text, struct tandem_error *err);
};
/* 0, or a negative errno: -EINVAL for a file or a setting that is wrong.  A variant of a cluster
 * that the settings make larger than the feature's limits is left out. */
int synth_designs_load(const char *root, const struct synth_setting *s, struct synth_designs *d,
                       struct tandem_error *err);
void synth_designs_free(struct synth_designs *d);
/* The file of a module, relative to the root; false: there is none. */
bool synth_source(const struct synth_designs *d, const char *root, const char *module, char *path,
                  size_t size);
/* Module names of the tree, sorted, separated by blanks; to be freed. */
char *synth_modules(const struct synth_designs *d, const char *root);

#endif
