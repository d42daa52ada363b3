/* Variables of a feature, and the numbers of designs.yaml that are reckoned from them. */
#ifndef TANDEM_SYNTH_INPUT_VARIABLES_H
#define TANDEM_SYNTH_INPUT_VARIABLES_H

#include "csim/util/yaml_tree.h"
#include "synth/input/designs.h"

struct synth_variables {
  const struct synth_variable *all;
  size_t n;
};

/* A whole number, or an expression of variables (NULL: there are none) that is one. */
int synth_number_read(struct yaml_file *f, yaml_node_t *node, const char *what,
                      const struct synth_variables *v, int64_t least, int64_t most, int64_t *to,
                      struct tandem_error *err);

/* The variables of a feature: their values are the file's, or those that were chosen. */
int synth_variables_read(struct yaml_file *f, yaml_node_t *map, const struct synth_setting *s,
                         struct synth_feature *to, struct tandem_error *err);

/* Reckons those that follow from others.  1: one is beyond its limit, which err names. */
int synth_variables_follow(struct synth_variable *v, size_t n, struct tandem_error *err);

/* Pairs of a mapping; NULL has none.  Their number, or -EINVAL. */
int synth_pairs(struct yaml_file *f, yaml_node_t *map, const char *what, yaml_node_pair_t **pairs,
                struct tandem_error *err);
/* The value and name of a pair; NULL: it has no name. */
yaml_node_t *synth_pair(struct yaml_file *f, const yaml_node_pair_t *p, const char **name,
                        struct tandem_error *err);

#endif
