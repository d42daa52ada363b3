/* Settings of an SPU's grid for a launch, from the harness. */
#include "tb/spu_host.h"

#include <stdio.h>

#include "harness/gpu/spu/program.h"
#include "harness/gpu/spu/syncs.h"

bool tb_spu_fits(const struct tandem *t, unsigned columns, unsigned rows, unsigned cb_bytes) {
  const struct tandem_config *c = &t->config;
  if (c->feature.spu.columns == columns && c->feature.spu.rows == rows &&
      c->feature.spu.blocks_x == 1 && c->feature.spu.blocks_y == 1 &&
      c->feature.spu.interface == SPU_INTERFACE_DMA && c->feature.spu.cb_bytes == cb_bytes)
    return true;
  fprintf(stderr,
          "the GPU must be an SPU as this program's RTL: spu.columns %u, spu.rows %u, spu.blocks "
          "[1, 1], spu.interface dma, spu.cb_bytes %u; it has %u, %u, [%u, %u], %s, %u\n",
          columns, rows, cb_bytes, c->feature.spu.columns, c->feature.spu.rows,
          c->feature.spu.blocks_x, c->feature.spu.blocks_y,
          c->feature.spu.interface == SPU_INTERFACE_DMA ? "dma" : "sm", c->feature.spu.cb_bytes);
  return false;
}

static struct spu_fabric *fabric(const struct tandem *t) { return t->own; }

struct mem_client *tb_spu_client(const struct tandem *t, unsigned engine) {
  return fabric(t)->clients[engine];
}

void tb_spu_bad_sync(const struct tandem *t, unsigned slot, uint64_t cx, uint64_t cy,
                     struct tandem_error *err) {
  (void)spu_bad_sync(&fabric(t)->shape, slot, "block", cx, cy, err);
}

bool tb_spu_used(const struct tandem *t) { return fabric(t)->used; }

struct tb_spu_constants tb_spu_constants_of(const struct tandem *t) {
  return (struct tb_spu_constants){.passes = spu_passes_of(&fabric(t)->shape, t->launch.grid.dim),
                                   .mode = (unsigned)spu_pair_mode(&t->config),
                                   .hops = (unsigned)spu_global_hops(&t->config),
                                   .overlap = t->config.feature.spu.passes == SPU_OVERLAPPED};
}

/* Slot 0 has no engine; those of other slots have two descriptors. */
unsigned tb_spu_writes(const struct tandem *t) {
  const struct spu_shape *s = &fabric(t)->shape;
  return SPU_REGISTERS * (2 * (s->slots - 1) + s->lanes);
}

struct tb_spu_write tb_spu_write_at(const struct tandem *t, unsigned n) {
  const struct spu_fabric *f = fabric(t);
  const unsigned d = n / SPU_REGISTERS, of_slots = 2 * (f->shape.slots - 1);
  const unsigned engine = d < of_slots ? 1 + d / 2 : f->shape.slots + d - of_slots;
  const unsigned reg = (d < of_slots ? d % 2 << 4 : 0) | n % SPU_REGISTERS;
  return (struct tb_spu_write){engine, reg, spu_dma_register(t, f, engine, reg)};
}

unsigned tb_spu_write_cycles(void) { return 2 * SPU_REGISTERS; }

void tb_spu_block_id(const struct tandem *t, unsigned slot, uint64_t cx, uint64_t cy,
                     uint32_t id[3]) {
  spu_block_id(fabric(t), slot, cx, cy, id);
}

void tb_spu_block_registers(const struct tandem *t, uint64_t cx, uint64_t cy, uint32_t *values) {
  spu_block_registers(t, fabric(t), cx, cy, SPU_BLOCK, values);
}

uint64_t tb_offchip_words(const struct tandem *t) {
  struct mem_stats s;
  gpu_mem_stats(t->mem, &s);
  return s.global_words_loaded + s.global_words_stored + s.client_words_read +
         s.client_words_written;
}
