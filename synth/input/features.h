/* Features of designs.yaml. */
#ifndef TANDEM_SYNTH_INPUT_FEATURES_H
#define TANDEM_SYNTH_INPUT_FEATURES_H

#include "csim/util/yaml_tree.h"
#include "synth/input/designs.h"
#include "synth/input/variables.h"

/* A module and its parameters, which are numbers or expressions of these variables. */
int synth_spec_read(struct yaml_file *f, yaml_node_t *node, const struct synth_variables *v,
                    struct synth_spec *s, struct tandem_error *err);
/* A text of a mapping, which must fit. */
int synth_text_read(struct yaml_file *f, yaml_node_t *map, const char *key, char *to, size_t size,
                    struct tandem_error *err);

/* Adds the feature with its clusters to the designs. */
int synth_feature_read(struct yaml_file *f, yaml_node_t *node, const struct synth_setting *s,
                       struct synth_designs *d, struct tandem_error *err);

#endif
