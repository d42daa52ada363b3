/* Which configurations and launches the machine of a stencil processing unit takes, and what
 * follows for its SMs from a configuration. */
#ifndef TANDEM_SPU_CHECK_H
#define TANDEM_SPU_CHECK_H

#include "harness/gpu/core/gpu.h"

/* 0, or a negative errno with the reason. */
int spu_check(const struct tandem_config *c, struct tandem_error *err);
int spu_check_launch(const struct tandem *t, const struct tandem_launch *launch,
                     const struct grid *g, unsigned occupancy, struct tandem_error *err);

/* SMs around the grid, which are interface units; makes an SM one of them. */
unsigned spu_more_sms(const struct tandem_config *c);
void spu_truncate(struct sm_config *sm);

#endif
