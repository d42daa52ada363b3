/* What a launch tells the units of an SPU (fabric.h). */
#ifndef TANDEM_SPU_PROGRAM_H
#define TANDEM_SPU_PROGRAM_H

#include "harness/gpu/spu/fabric.h"

/* Takes a launch, whose grid is t->grid: allocates its spill regions, 0 or a negative errno; gives
 * them back. */
int spu_place(struct tandem *t, struct spu_fabric *f, const struct tandem_spu *l,
              struct tandem_error *err);
void spu_drop(struct tandem *t, struct spu_fabric *f);

/* A cycle in which registers of DMA engines are written; that of kernel_start. */
void spu_configure(struct tandem *t, struct spu_fabric *f);
void spu_kernel_start(struct tandem *t, struct spu_fabric *f);

#endif
