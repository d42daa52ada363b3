/* The machine of a stencil processing unit. */
#ifndef TANDEM_GPU_SPU_H
#define TANDEM_GPU_SPU_H

#include "harness/gpu/gpu.h"

extern const struct machine machine_spu;

#endif
