/* The settings that a launch gives the units of an SPU (fabric.h). */
#ifndef TANDEM_SPU_PROGRAM_H
#define TANDEM_SPU_PROGRAM_H

#include "harness/gpu/spu/fabric.h"

/* Takes a launch, whose grid is t->launch.grid: allocates its spill regions, 0 or a negative errno;
 * gives them back. */
int spu_place(struct tandem *t, struct spu_fabric *f, const struct tandem_spu *l,
              struct tandem_error *err);
void spu_drop(struct tandem *t, struct spu_fabric *f);

/* Synchronisations of a unit in a pass of the grid. */
uint32_t spu_syncs(const struct tandem *t, const struct grid *g, const struct tandem_spu *l);

/* Words of one spilled tile.  The faces of opposite borders have the same number. */
uint32_t spu_face_words(const struct tandem_spu *l, bool vertical);
/* Address of the spill region of row or column n of the slots. */
uint32_t spu_region(const struct spu_fabric *f, bool vertical, unsigned n);

/* Register `reg` (bit 4: the descriptor) of an engine for the launch: engines of slots, then those
 * of lanes, which have descriptor 0 alone. */
enum { SPU_REGISTERS = 14 }; /* of a descriptor */
uint32_t spu_dma_register(const struct tandem *t, const struct spu_fabric *f, unsigned engine,
                          unsigned reg);

/* Constants: mode of comm_pair, hops of spu_global. */
uint64_t spu_pair_mode(const struct tandem_config *c);
uint64_t spu_global_hops(const struct tandem_config *c);

/* A block of the launch in pass (cx, cy): its number in the grid; the special registers of a CTA of
 * this role there, from REGVIU on. */
void spu_block_id(const struct spu_fabric *f, unsigned slot, uint64_t cx, uint64_t cy,
                  uint32_t id[3]);
void spu_block_registers(const struct tandem *t, const struct spu_fabric *f, uint64_t cx,
                         uint64_t cy, uint64_t role, uint32_t *values);

/* A cycle in which registers of DMA engines are written; that of kernel_start. */
void spu_configure(struct tandem *t, struct spu_fabric *f);
void spu_kernel_start(struct tandem *t, struct spu_fabric *f);

#endif
