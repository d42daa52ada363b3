/* Configuration of large warps; keys.def says what it is.  They have no statistics of their own. */
#ifndef TANDEM_GPU_WIDE_TYPES_H
#define TANDEM_GPU_WIDE_TYPES_H

#include <stdint.h>

struct wide_config {
  uint32_t warp_size; /* threads */
};

struct wide_statistics {};

#endif
