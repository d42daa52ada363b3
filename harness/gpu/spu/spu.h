/* The machine of a stencil processing unit. */
#ifndef TANDEM_GPU_SPU_H
#define TANDEM_GPU_SPU_H

#include "harness/gpu/core/gpu.h"

extern const struct machine machine_spu;

#endif
