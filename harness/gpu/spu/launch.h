/* The spu: of a launch in a launch description (docs/use/launch.md). */
#ifndef TANDEM_GPU_SPU_LAUNCH_H
#define TANDEM_GPU_SPU_LAUNCH_H

#include "harness/gpu/feature.h"

/* Reads tiles and faces into a struct tandem_spu.  0 or a negative errno. */
int spu_launch_read(const struct launch_reader *r, yaml_node_t *map, void *part,
                    struct tandem_error *err);

#endif
