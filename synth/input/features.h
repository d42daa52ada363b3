/* Features of designs.yaml. */
#ifndef TANDEM_SYNTH_INPUT_FEATURES_H
#define TANDEM_SYNTH_INPUT_FEATURES_H

#include "synth/input/variables.h"

/* A module and its parameters, which are numbers or expressions of these variables. */
void synth_spec_read(struct reader *r, yaml_node_t *node, const struct synth_variables *v,
                     struct synth_spec *s);

/* Adds the feature with its clusters to the designs. */
void synth_feature_read(struct reader *r, yaml_node_t *node, const struct synth_setting *s,
                        struct synth_designs *d);

#endif
