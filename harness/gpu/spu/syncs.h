/* The check that blocks synchronise as their launch says. */
#ifndef TANDEM_SPU_SYNCS_H
#define TANDEM_SPU_SYNCS_H

#include "harness/gpu/spu/fabric.h"

/* The fault of a place whose port has found an illegal synchronisation of its CTA (who: "block",
 * "interface unit"), in pass (cx, cy). */
int spu_bad_sync(const struct spu_shape *s, unsigned place, const char *who, uint64_t cx,
                 uint64_t cy, struct tandem_error *err);
/* The block in a slot synchronises on the links `post` (bits of block_port). */
void spu_check_syncs(const struct tandem *t, struct spu_fabric *f, unsigned slot, uint64_t post);
/* The block in a slot has ended. */
void spu_check_end(struct spu_fabric *f, unsigned slot);
/* The interface unit of a side, an SM, has ended. */
void spu_check_unit_end(struct spu_fabric *f, unsigned place, unsigned side);

#endif
