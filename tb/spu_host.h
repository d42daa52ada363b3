/* Settings of an SPU's grid for a launch, computed by the harness's files (harness/gpu/spu); an
 * interface that C++ can call. */
#ifndef TANDEM_TB_SPU_HOST_H
#define TANDEM_TB_SPU_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/gpu/spu/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tandem;
struct tandem_error;
struct mem_client;

/* Returns true if the GPU is an SPU of this grid, with one block an SM; else prints a message. */
bool tb_spu_fits(const struct tandem *t, unsigned columns, unsigned rows, unsigned cb_bytes);

/* The memory side of a DMA engine: engines of slots, of which slot 0 has none, then of lanes. */
struct mem_client *tb_spu_client(const struct tandem *t, unsigned engine);

/* Fills in the error of a slot whose block port has found an illegal synchronisation, in pass
 * (cx, cy). */
void tb_spu_bad_sync(const struct tandem *t, unsigned slot, uint64_t cx, uint64_t cy,
                     struct tandem_error *err);

/* Returns true if the launch that is about to run is one of the SPU's. */
bool tb_spu_used(const struct tandem *t);
/* Constants of that launch. */
struct tb_spu_constants {
  struct spu_passes passes;
  unsigned mode, hops; /* of comm_pair; of spu_global */
  bool overlap;
};
struct tb_spu_constants tb_spu_constants_of(const struct tandem *t);

/* The registers of all DMA engines in the order in which they are written: how many; the n-th. */
struct tb_spu_write {
  unsigned engine, reg;
  uint32_t data;
};
unsigned tb_spu_writes(const struct tandem *t);
struct tb_spu_write tb_spu_write_at(const struct tandem *t, unsigned n);
/* Cycles in which the harness writes them, those of all engines at once. */
unsigned tb_spu_write_cycles(void);

/* A block in pass (cx, cy): its number in the grid; its special registers, from REGVIU on. */
void tb_spu_block_id(const struct tandem *t, unsigned slot, uint64_t cx, uint64_t cy,
                     uint32_t id[3]);
void tb_spu_block_registers(const struct tandem *t, uint64_t cx, uint64_t cy, uint32_t *values);

/* Words off chip so far, of all launches. */
uint64_t tb_offchip_words(const struct tandem *t);

#ifdef __cplusplus
}
#endif
#endif
