/* The flex: of a launch in a launch description (docs/use/launch.md). */
#ifndef TANDEM_GPU_FLEX_LAUNCH_H
#define TANDEM_GPU_FLEX_LAUNCH_H

#include "harness/gpu/feature.h"

/* Reads a scheme into a struct tandem_flex.  0 or a negative errno. */
int flex_launch_read(const struct launch_reader *r, yaml_node_t *node, void *part,
                     struct tandem_error *err);

#endif
