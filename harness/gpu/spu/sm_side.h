/* Between the fabric, the SMs and memory. */
#ifndef TANDEM_SPU_SM_SIDE_H
#define TANDEM_SPU_SM_SIDE_H

#include "harness/gpu/spu/fabric.h"

/* Data read from a link reach the SM of a slot. */
void spu_sm_data(struct tandem *t, struct spu_fabric *f, unsigned place, const uint64_t data[16]);
/* The CTA of a slot goes on. */
void spu_sm_ack(struct tandem *t, struct spu_fabric *f, unsigned place);
/* A request of a DMA engine. */
void spu_memory_request(struct tandem *t, struct spu_fabric *f, unsigned dma,
                        const struct iu_dma_out *out);
/* Makes the engines clients of memory.  0 or a negative errno. */
int spu_open_memory(struct tandem *t, struct spu_fabric *f, struct tandem_error *err);
/* In each cycle: offers and the requests of SMs; the answers of memory. */
void spu_sm_side(struct tandem *t, struct spu_fabric *f);
void spu_memory_side(struct tandem *t, struct spu_fabric *f);

#endif
