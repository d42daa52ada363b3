/* The program of virtual interface units. */
#ifndef TANDEM_SPU_VIU_H
#define TANDEM_SPU_VIU_H

#include "harness/gpu/core/gpu.h"

/* Assembles it; 0 or a negative errno. */
int spu_viu_make(struct tandem *t, struct isa_program **viu, struct tandem_error *err);

#endif
