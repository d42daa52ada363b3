/* The headers of the C models and of the harness, as C++ reads them. */
#ifndef TANDEM_TB_C_MODELS_H
#define TANDEM_TB_C_MODELS_H

#define _Alignas alignas
#define restrict __restrict
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wshadow"
extern "C" {
#include "csim/isa/lanes/lanes.h"
#include "csim/ref/gpu/cta_dispatch.h"
#include "csim/sm/lanes/lanes.h"
#include "csim/sm/sm.h"
#include "csim/util/pages.h"
#include "tb/host.h"
}
#pragma GCC diagnostic pop
#undef restrict
#undef _Alignas

#endif
