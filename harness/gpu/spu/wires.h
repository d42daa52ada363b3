/* The wires of the fabric: what new outputs of a unit of each kind do. */
#ifndef TANDEM_SPU_WIRES_H
#define TANDEM_SPU_WIRES_H

#include "harness/gpu/spu/fabric.h"

void spu_wire_pair(struct tandem *t, struct spu_fabric *f, unsigned i);
void spu_wire_port(struct tandem *t, struct spu_fabric *f, unsigned place);
void spu_wire_seq(struct tandem *t, struct spu_fabric *f, unsigned i);
void spu_wire_dma(struct tandem *t, struct spu_fabric *f, unsigned i);
void spu_wire_chan(struct tandem *t, struct spu_fabric *f, unsigned i);
void spu_wire_global(struct tandem *t, struct spu_fabric *f, unsigned i);

#endif
