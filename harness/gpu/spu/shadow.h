/* The shadow of the communication buffers, which follows the pairs.  The first error goes to
 * fabric.fault.  Without config.feature.spu.shadow there is none, and nothing is checked. */
#ifndef TANDEM_SPU_SHADOW_H
#define TANDEM_SPU_SHADOW_H

#include "harness/gpu/spu/fabric.h"

int spu_shadow_open(struct tandem *t, struct spu_fabric *f, struct tandem_error *err);
void spu_shadow_begin(struct tandem *t, struct spu_fabric *f);
/* New outputs of a pair; its inputs, before the clock edge; an exchange of all pairs. */
void spu_shadow_outputs(struct spu_fabric *f, unsigned link, const struct comm_pair_out *out);
void spu_shadow_inputs(const struct tandem *t, struct spu_fabric *f, unsigned link,
                       const struct comm_pair_in *in);
void spu_shadow_swap(struct spu_fabric *f);
void spu_shadow_end(struct spu_fabric *f);

#endif
