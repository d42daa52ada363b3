/* Variables of a feature, and the numbers of designs.yaml that are reckoned from them. */
#ifndef TANDEM_SYNTH_INPUT_VARIABLES_H
#define TANDEM_SYNTH_INPUT_VARIABLES_H

#include "synth/input/designs.h"
#include "synth/input/reader.h"

struct synth_variables {
  const struct synth_variable *all;
  size_t n;
};

/* A whole number, or an expression of variables (NULL: there are none) that is one; `least` after
 * an error. */
int64_t synth_number(struct reader *r, const yaml_node_t *node, const char *what,
                     const struct synth_variables *v, int64_t least, int64_t most);

/* The variables of a feature: their values are the file's, or those that were chosen. */
void synth_variables_read(struct reader *r, yaml_node_t *map, const struct synth_setting *s,
                          struct synth_feature *to);

/* Reckons those that follow from others.  1: one is beyond its limit, which err names. */
int synth_variables_follow(struct synth_variable *v, size_t n, struct tandem_error *err);

#endif
