/* The wires of the fabric (fabric.h), and the parts of the GPU that they join. */
#ifndef TANDEM_SPU_WIRES_H
#define TANDEM_SPU_WIRES_H

#include <stdio.h>

#include "harness/gpu/spu/fabric.h"

/* wires.c: the new outputs of a unit of each kind. */
void spu_wire_pair(struct tandem *t, struct spu_fabric *f, unsigned i);
void spu_wire_port(struct tandem *t, struct spu_fabric *f, unsigned place);
void spu_wire_seq(struct tandem *t, struct spu_fabric *f, unsigned i);
void spu_wire_dma(struct tandem *t, struct spu_fabric *f, unsigned i);
void spu_wire_chan(struct tandem *t, struct spu_fabric *f, unsigned i);
void spu_wire_global(struct tandem *t, struct spu_fabric *f, unsigned i);

/* sm_side.c: data read from a link reach the SM of a slot; its CTA goes on; a request of a DMA
 * engine.  Then, in each cycle: offers, what SMs ask of the fabric, what memory answers. */
void spu_sm_data(struct tandem *t, struct spu_fabric *f, unsigned place, const uint64_t data[16]);
void spu_sm_ack(struct tandem *t, struct spu_fabric *f, unsigned place);
void spu_memory_request(struct tandem *t, struct spu_fabric *f, unsigned dma,
                        const struct iu_dma_out *out);
int spu_open_memory(struct tandem *t, struct spu_fabric *f, struct tandem_error *err);
void spu_sm_side(struct tandem *t, struct spu_fabric *f);
void spu_memory_side(struct tandem *t, struct spu_fabric *f);

/* syncs.c: the fault of a place whose port has found an illegal synchronisation of its CTA (who:
 * "block", "interface unit"), in pass (cx, cy).  The block in a slot synchronises on the links
 * `post` (bits of block_port); has ended. */
int spu_bad_sync(const struct spu_shape *s, unsigned place, const char *who, uint64_t cx,
                 uint64_t cy, struct tandem_error *err);
void spu_check_syncs(const struct tandem *t, struct spu_fabric *f, unsigned slot, uint64_t post);
void spu_check_end(struct spu_fabric *f, unsigned slot);

/* waits.c: for the report of a hang. */
void spu_waits(const struct tandem *t, FILE *out);

#endif
