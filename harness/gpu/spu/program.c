/* The settings that a launch gives the units of an SPU: the registers of the DMA engines and the
 * constants of the others; the spill regions. */
#include "harness/gpu/spu/program.h"
#include "harness/gpu/spu/border.h"
#include "harness/gpu/spu/shadow.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* Registers of iu_dma (docs/hardware/spu_dma.md). */
enum {
  REG_BASE,
  REG_PASS_PITCH,
  REG_ROWS,
  REG_ROW_WORDS,
  REG_ROW_PITCH,
  REG_TILE_PITCH,
  REG_TILES,
  REG_FIRST,
  REG_FIRST_STEP,
  REG_STEPS,
  REG_SPILL,
  REG_FACE_WORDS,
  REG_MODE,
  REG_OUTSTANDING
};
_Static_assert(REG_OUTSTANDING + 1 == SPU_REGISTERS, "all registers");
enum { MODE_GLOBAL = 1, MODE_VERTICAL = 2 };

uint32_t spu_syncs(const struct tandem *t, const struct grid *g, const struct tandem_spu *l) {
  return t->config.feature.spu.sync == SPU_SYNC_GLOBAL ? g->dim[0] + g->dim[1] + l->tiles
                                                       : l->tiles;
}

uint32_t spu_face_words(const struct tandem_spu *l, bool vertical) {
  const struct tandem_face *in = &l->face[vertical ? SPU_N : SPU_W],
                           *out = &l->face[vertical ? SPU_S : SPU_E],
                           *face = in->rows != 0 ? in : out;
  return face->rows * face->row_words;
}

/* Bytes of the spill region of a row (column) of slots. */
static uint64_t region_bytes(const struct tandem *t, const struct spu_fabric *f,
                             const struct tandem_spu *l, bool vertical) {
  const struct spu_passes p = spu_passes_of(&f->shape, t->launch.grid.dim);
  const uint64_t npx = p.npx, npy = p.npy;
  const uint64_t tiles =
      (vertical ? npx * (npy - 1) : (npx - 1) * npy) * spu_syncs(t, &t->launch.grid, l);
  return (tiles * spu_face_words(l, vertical) * 4 + 127) & ~UINT64_C(127);
}

int spu_place(struct tandem *t, struct spu_fabric *f, const struct tandem_spu *l,
              struct tandem_error *err) {
  const uint64_t row = region_bytes(t, f, l, false), column = region_bytes(t, f, l, true);
  const uint64_t bytes = row * f->shape.qy + column * f->shape.px;
  struct tandem_error why;
  f->launch = *l;
  f->grid = (struct grid_spu){
      .columns = f->shape.px, .rows = f->shape.qy, .spills = spu_syncs(t, &t->launch.grid, l)};
  if (f->truncated)
    spu_border_code(t, f, &f->grid);
  t->launch.grid.spu = &f->grid;
  f->row_bytes = (uint32_t)row;
  f->column_bytes = (uint32_t)column;
  f->spill = 0;
  if (bytes == 0)
    return 0;
  if (bytes > UINT32_MAX || gpu_mem_alloc(t->mem, bytes, &f->spill, &why) != 0)
    return tandem_fail(err, -ENOMEM,
                       "no room in device memory for the spill regions of the SPU, %" PRIu64
                       " bytes: fewer passes or tiles need less",
                       bytes);
  return 0;
}

void spu_drop(struct tandem *t, struct spu_fabric *f) {
  if (f->spill != 0)
    gpu_mem_free(t->mem, f->spill, NULL);
  f->spill = 0;
}

uint32_t spu_region(const struct spu_fabric *f, bool vertical, unsigned n) {
  return vertical ? f->spill + f->shape.qy * f->row_bytes + n * f->column_bytes
                  : f->spill + n * f->row_bytes;
}

/* Register n of the descriptor of an engine that serves a side of the border in row (column)
 * `number` of the slots. */
static uint32_t register_of(const struct tandem *t, const struct spu_fabric *f, unsigned side,
                            unsigned number, unsigned n) {
  const struct tandem_face *face = &f->launch.face[side];
  const bool vertical = side == SPU_N || side == SPU_S,
             global = t->config.feature.spu.sync == SPU_SYNC_GLOBAL;
  const unsigned slots = vertical ? f->shape.px : f->shape.qy;
  const uint32_t later = side == SPU_S || side == SPU_E ? t->launch.grid.dim[vertical ? 1 : 0] : 0;
  switch (n) {
  case REG_BASE:
    return face->address + number * face->block_pitch;
  case REG_PASS_PITCH:
    return slots * face->block_pitch;
  case REG_ROWS:
    return face->rows;
  case REG_ROW_WORDS:
    return face->row_words;
  case REG_ROW_PITCH:
    return face->row_pitch;
  case REG_TILE_PITCH:
    return face->tile_pitch;
  case REG_TILES:
    return face->rows != 0 ? f->launch.tiles : 0;
  case REG_FIRST:
    return later + number;
  case REG_FIRST_STEP:
    return slots;
  case REG_STEPS:
    return spu_syncs(t, &t->launch.grid, &f->launch);
  case REG_SPILL:
    return spu_region(f, vertical, number);
  case REG_FACE_WORDS:
    return spu_face_words(&f->launch, vertical);
  case REG_MODE:
    return (global ? MODE_GLOBAL : 0) | (vertical ? MODE_VERTICAL : 0);
  default:
    return t->config.feature.spu.outstanding;
  }
}

uint32_t spu_dma_register(const struct tandem *t, const struct spu_fabric *f, unsigned engine,
                          unsigned reg) {
  const struct spu_shape *s = &f->shape;
  const unsigned descriptor = reg >> 4, n = reg & 15, lane = engine - s->slots;
  if (engine >= s->slots)
    return register_of(t, f, spu_lane_side(s, lane), spu_lane_number(s, lane), n);
  return descriptor != 0 ? register_of(t, f, SPU_S, engine % s->px, n)
                         : register_of(t, f, SPU_E, engine / s->px, n);
}

/* In each cycle a register of all engines: those of descriptor 0, then of 1. */
void spu_configure(struct tandem *t, struct spu_fabric *f) {
  const unsigned descriptor = f->step / SPU_REGISTERS, n = f->step % SPU_REGISTERS;
  const unsigned engines = f->shape.slots + (descriptor == 0 ? f->shape.lanes : 0);
  for (unsigned i = 0; i < engines; i++) {
    if (!spu_has_dma(f, i))
      continue;
    struct iu_dma_in *in = spu_raise_dma(f, i);
    in->cfg_valid = 1;
    in->cfg_reg = descriptor << 4 | n;
    in->cfg_data = spu_dma_register(t, f, i, descriptor << 4 | n);
  }
  if (++f->step == 2 * SPU_REGISTERS)
    f->phase = SPU_START;
}

/* ---- blocks ---- */

void spu_block_id(const struct spu_fabric *f, unsigned slot, uint64_t cx, uint64_t cy,
                  uint32_t id[3]) {
  const struct spu_shape *s = &f->shape;
  id[0] = (uint32_t)cx * s->px + slot % s->px;
  id[1] = (uint32_t)cy * s->qy + slot / s->px;
  id[2] = 0;
}

void spu_block_registers(const struct tandem *t, const struct spu_fabric *f, uint64_t cx,
                         uint64_t cy, uint64_t role, uint32_t *values) {
  const struct spu_passes p = spu_passes_of(&f->shape, t->launch.grid.dim);
#define REGISTER(name) values[ISA_SR_##name - ISA_SR_REGVIU]
  REGISTER(REGPASSX) = p.npx;
  REGISTER(REGPASSY) = p.npy;
  REGISTER(REGCPASSX) = (uint32_t)cx;
  REGISTER(REGCPASSY) = (uint32_t)cy;
  REGISTER(REGSPILLNB) = f->grid.spills;
  REGISTER(REGROLE) = (uint32_t)role;
#undef REGISTER
}

/* ---- constants, with kernel_start ---- */

static void start_seq(const struct tandem *t, struct spu_fabric *f, unsigned i) {
  const struct spu_shape *s = &f->shape;
  struct pass_seq_in *in = spu_raise_seq(f, i);
  const struct spu_passes p = spu_passes_of(s, t->launch.grid.dim);
  in->kernel_start = 1;
  in->overlap = t->config.feature.spu.passes == SPU_OVERLAPPED;
  in->truncated = f->truncated;
  in->px = s->px;
  in->qy = s->qy;
  in->npx = p.npx;
  in->npy = p.npy;
  in->lastc = p.lastc;
  in->lastr = p.lastr;
  if (i < s->slots) {
    in->kind = 0;
    in->gx = i % s->px;
    in->gy = i / s->px;
    return;
  }
  const unsigned side = spu_lane_side(s, i - s->slots), n = spu_lane_number(s, i - s->slots);
  in->kind = side + 1;
  in->gx = side == SPU_N || side == SPU_S ? n : 0;
  in->gy = side == SPU_N || side == SPU_S ? 0 : n;
}

static void enable(uint64_t *set, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    bitset_put(set, i, true);
}

uint64_t spu_pair_mode(const struct tandem_config *c) {
  if (c->feature.spu.sync == SPU_SYNC_GLOBAL)
    return 2;
  return c->feature.spu.pairing == SPU_DECOUPLED ? 1 : 0;
}

uint64_t spu_global_hops(const struct tandem_config *c) {
  return (c->feature.spu.columns + c->feature.spu.rows) / 2 - 1;
}

static void start_global(const struct tandem *t, struct spu_fabric *f) {
  struct spu_global_in *in = spu_raise_global(f);
  in->kernel_start = 1;
  in->hops = spu_global_hops(&t->config);
  enable(in->enabled, f->shape.slots);
  enable(in->lane_enabled, f->shape.lanes);
}

void spu_kernel_start(struct tandem *t, struct spu_fabric *f) {
  const struct spu_shape *s = &f->shape;
  for (unsigned i = 0; i < s->links; i++) {
    struct comm_pair_in *in = spu_raise_pair(f, i);
    in->kernel_start = 1;
    in->mode = spu_pair_mode(&t->config);
  }
  for (unsigned i = 0; i < spu_places(f); i++) {
    start_seq(t, f, i);
    if (spu_has_port(f, i))
      spu_raise_port(f, i)->kernel_start = 1;
    if (spu_has_dma(f, i))
      spu_raise_dma(f, i)->kernel_start = 1;
  }
  for (unsigned i = 0; i < s->px + s->qy; i++) {
    struct spill_chan_in *in = spu_raise_chan(f, i);
    in->kernel_start = 1;
    in->hops = i < s->qy ? t->config.feature.spu.columns : t->config.feature.spu.rows;
  }
  start_global(t, f);
  spu_shadow_begin(t, f);
  f->phase = SPU_RUNS;
  f->age = f->done = 0;
}
