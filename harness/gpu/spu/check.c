/* Which configurations and launches the machine of a stencil processing unit takes. */
#include "harness/gpu/spu/check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "csim/isa/lanes/lanes.h"
#include "harness/gpu/spu/program.h"

enum { BORDER_WARPS = 8 /* of an SM that is an interface unit */ };

unsigned spu_more_sms(const struct tandem_config *c) {
  return c->feature.spu.interface == SPU_INTERFACE_SM
             ? 2 * (c->feature.spu.columns + c->feature.spu.rows)
             : 0;
}

static uint32_t less(uint32_t a, uint32_t b) { return a < b ? a : b; }

void spu_truncate(struct sm_config *sm) {
  sm->integer_only = 1;
  sm->warps = less(sm->warps, BORDER_WARPS);
  sm->threads = less(sm->threads, BORDER_WARPS * ISA_WARP_SIZE);
}

/* A port of the crossbar for each SM, and for each DMA engine of the border. */
static int check_ports(const struct tandem_config *c, unsigned px, unsigned qy,
                       struct tandem_error *err) {
  const bool sm = c->feature.spu.interface == SPU_INTERFACE_SM;
  const unsigned border = sm ? spu_more_sms(c) : 2 * (px + qy);
  if (c->sms + border <= MEM_PORTS)
    return 0;
  return tandem_fail(err, -EINVAL,
                     "spu.columns, spu.rows and spu.blocks make %u SMs and %u %s: more than the "
                     "crossbar's %d ports",
                     c->sms, border, sm ? "SMs around them" : "border lanes", MEM_PORTS);
}

int spu_check(const struct tandem_config *c, struct tandem_error *err) {
  const unsigned px = c->feature.spu.columns * c->feature.spu.blocks_x,
                 qy = c->feature.spu.rows * c->feature.spu.blocks_y;
  if (c->feature.spu.columns == 0)
    return 0;
  if (c->sms != c->feature.spu.columns * c->feature.spu.rows)
    return tandem_fail(err, -EINVAL, "spu.columns %u x spu.rows %u make %u SMs, and sms is %u",
                       c->feature.spu.columns, c->feature.spu.rows,
                       c->feature.spu.columns * c->feature.spu.rows, c->sms);
  if (c->feature.spu.blocks_x * c->feature.spu.blocks_y > c->sm.ctas)
    return tandem_fail(err, -EINVAL, "spu.blocks: %u x %u CTAs do not fit an SM of %u (sm.ctas)",
                       c->feature.spu.blocks_x, c->feature.spu.blocks_y, c->sm.ctas);
  if (px * qy > SPU_SLOTS || 2 * (px + qy) > SPU_LANES)
    return tandem_fail(err, -EINVAL,
                       "spu.columns, spu.rows and spu.blocks make %u x %u slots: at most %d slots, "
                       "and %d border lanes "
                       "(2 x (columns + rows))",
                       px, qy, SPU_SLOTS, SPU_LANES);
  if (c->feature.spu.sync == SPU_SYNC_GLOBAL && c->feature.spu.passes == SPU_OVERLAPPED)
    return tandem_fail(err, -EINVAL,
                       "with spu.sync global all blocks of a pass meet at each barrier: spu.passes "
                       "must be serial");
  if (c->feature.spu.sync == SPU_SYNC_GLOBAL && c->feature.spu.pairing == SPU_DECOUPLED)
    return tandem_fail(
        err, -EINVAL,
        "with spu.sync global buffers swap at each barrier, and spu.pairing decoupled "
        "would have no effect: leave one of them out");
  return check_ports(c, px, qy, err);
}

/* ---- launches ---- */

static int check_face(const struct tandem *t, const struct tandem_spu *l, const struct grid *g,
                      unsigned side, struct tandem_error *err) {
  static const char *const names[] = {"north", "south", "west", "east"};
  const struct tandem_face *f = &l->face[side];
  const bool vertical = side == SPU_N || side == SPU_S;
  const uint64_t words = (uint64_t)f->rows * f->row_words, blocks = g->dim[vertical ? 0 : 1];
  if (f->rows == 0)
    return 0;
  if (f->row_words == 0 || f->row_words % 8 != 0 || words > t->config.feature.spu.cb_bytes / 4)
    return tandem_fail(err, -EINVAL,
                       "spu.%s: a face of %u rows of %u words: row_words must be a multiple of 8, "
                       "and rows x row_words at most the %u words of a communication buffer",
                       names[side], f->rows, f->row_words, t->config.feature.spu.cb_bytes / 4);
  if ((f->address | f->row_pitch | f->tile_pitch | f->block_pitch) % 32 != 0)
    return tandem_fail(err, -EINVAL,
                       "spu.%s: the address and all pitches must be multiples of 32 bytes",
                       names[side]);
  const uint64_t end = (blocks - 1) * f->block_pitch + (uint64_t)(l->tiles - 1) * f->tile_pitch +
                       (uint64_t)(f->rows - 1) * f->row_pitch + f->row_words * 4;
  if (end > f->bytes)
    return tandem_fail(err, -EINVAL,
                       "spu.%s: the faces of %" PRIu64 " blocks and %u tiles take %" PRIu64
                       " bytes, and the buffer has %" PRIu64,
                       names[side], blocks, l->tiles, end, f->bytes);
  return 0;
}

/* The two borders of a direction: what one pass spills is what the next restores. */
static int check_pair(const struct tandem_spu *l, unsigned in, unsigned out, const char *names,
                      struct tandem_error *err) {
  const struct tandem_face *a = &l->face[in], *b = &l->face[out];
  if (a->rows != 0 && b->rows != 0 && a->rows * a->row_words != b->rows * b->row_words)
    return tandem_fail(err, -EINVAL,
                       "spu: the %s faces have %u and %u words: a tile must have as many on both",
                       names, a->rows * a->row_words, b->rows * b->row_words);
  return 0;
}

/* With several passes in a direction, both of its borders have faces or none: a tile that leaves
 * one pass enters the next, and its words are those of the faces. */
static int check_passes(const struct tandem *t, const struct tandem_spu *l, const struct grid *g,
                        bool vertical, struct tandem_error *err) {
  const struct tandem_config *c = &t->config;
  const struct spu_shape s = spu_shape_of(c->feature.spu.columns, c->feature.spu.rows,
                                          c->feature.spu.blocks_x, c->feature.spu.blocks_y);
  const struct spu_passes p = spu_passes_of(&s, g->dim);
  const unsigned passes = vertical ? p.npy : p.npx;
  const bool in = l->face[vertical ? SPU_N : SPU_W].rows != 0,
             out = l->face[vertical ? SPU_S : SPU_E].rows != 0;
  const char *names = vertical ? "spu.north and spu.south" : "spu.west and spu.east";
  if (passes > 1 && in != out)
    return tandem_fail(err, -EINVAL,
                       "the grid takes %u passes in a direction: what leaves one enters the next, "
                       "so %s both need a face, or none of them",
                       passes, names);
  if (passes > 1 && !in && c->feature.spu.sync == SPU_SYNC_GLOBAL)
    return tandem_fail(err, -EINVAL,
                       "the grid takes %u passes in a direction, and with spu.sync global each "
                       "spills for the next: %s need faces",
                       passes, names);
  return 0;
}

/* Returns true if the kernel synchronises blocks. */
static bool has_bsync(const struct grid *g) {
  for (unsigned pc = g->kernel->entry; pc < g->kernel->end; pc++)
    if (g->uops[pc].id == ISA_BSYNC)
      return true;
  return false;
}

/* A kernel synchronises as the SPU does: with neighbours, or all blocks at once. */
static int check_sync(const struct tandem *t, const struct grid *g, struct tandem_error *err) {
  const bool global = t->config.feature.spu.sync == SPU_SYNC_GLOBAL;
  for (unsigned pc = g->kernel->entry; pc < g->kernel->end; pc++)
    if (g->uops[pc].id == ISA_BSYNC && (g->uops[pc].imm32 == ISA_DIR_GLOBAL) != global)
      return tandem_fail(err, -EINVAL,
                         "kernel %s, PC %u: it synchronises %s, and spu.sync is %s; change the "
                         "kernel, or spu.sync",
                         g->kernel->name, pc,
                         global ? "with neighbours (spu_sync)" : "all blocks (spu_sync_all)",
                         global ? "global" : "point");
  return 0;
}

/* A kernel that synchronises blocks and an SPU's launch go together. */
static int check_use(const struct tandem *t, const struct tandem_launch *launch,
                     const struct grid *g, struct tandem_error *err) {
  const bool syncs = has_bsync(g);
  if (!syncs && launch->spu == NULL)
    return 0;
  if (t->config.feature.spu.columns == 0)
    return tandem_fail(
        err, -EINVAL, "kernel %s %s, and the GPU has no SPU: spu.columns and spu.rows make one",
        g->kernel->name, syncs ? "synchronises blocks (bsync)" : "is launched with spu");
  if (!syncs)
    return tandem_fail(err, -EINVAL,
                       "kernel %s is launched with spu, and never synchronises blocks (bsync)",
                       g->kernel->name);
  if (launch->spu == NULL)
    return tandem_fail(
        err, -EINVAL,
        "kernel %s synchronises blocks (bsync): its launch needs spu, with tiles and "
        "faces (docs/use/launch.md)",
        g->kernel->name);
  return check_sync(t, g, err);
}

/* Interface units that are SMs: their CTAs must fit, and their counters. */
static int check_border(const struct tandem *t, const struct tandem_spu *l, const struct grid *g,
                        struct tandem_error *err) {
  const struct tandem_config *c = &t->config;
  const struct spu_shape s = spu_shape_of(c->feature.spu.columns, c->feature.spu.rows,
                                          c->feature.spu.blocks_x, c->feature.spu.blocks_y);
  const struct spu_passes p = spu_passes_of(&s, g->dim);
  const unsigned lanes = c->feature.spu.blocks_x > c->feature.spu.blocks_y
                             ? c->feature.spu.blocks_x
                             : c->feature.spu.blocks_y;
  struct sm_config truncated = c->sm;
  spu_truncate(&truncated);
  const unsigned fit = sm_occupancy(&truncated, g, NULL);
  if (fit < lanes)
    return tandem_fail(err, -EINVAL,
                       "kernel %s: an interface unit of %u warps holds %u CTAs of %u warps, and "
                       "spu.blocks asks for %u",
                       g->kernel->name, truncated.warps, fit, g->warps, lanes);
  const uint64_t rows = (uint64_t)(p.npx - 1) * p.npy, columns = (uint64_t)p.npx * (p.npy - 1);
  const uint64_t spills = (rows > columns ? rows : columns) * spu_syncs(t, g, l);
  if (spills > UINT16_MAX)
    return tandem_fail(err, -EINVAL,
                       "kernel %s: a virtual interface unit would spill %" PRIu64
                       " tiles, at most %u: fewer passes or tiles need less",
                       g->kernel->name, spills, UINT16_MAX);
  return 0;
}

int spu_check_launch(const struct tandem *t, const struct tandem_launch *launch,
                     const struct grid *g, unsigned occupancy, struct tandem_error *err) {
  const struct tandem_spu *l = launch->spu;
  const unsigned blocks = t->config.feature.spu.blocks_x * t->config.feature.spu.blocks_y;
  TRY(check_use(t, launch, g, err));
  if (l == NULL)
    return 0;
  if (g->dim[2] != 1)
    return tandem_fail(err, -EINVAL,
                       "kernel %s: the grid of an SPU's launch has two dimensions, and its z is %u",
                       g->kernel->name, g->dim[2]);
  if (l->tiles < 1 || l->tiles > UINT16_MAX)
    return tandem_fail(err, -EINVAL, "spu.tiles must be 1 to %u, not %u", UINT16_MAX, l->tiles);
  if (occupancy < blocks)
    return tandem_fail(err, -EINVAL,
                       "kernel %s: an SM holds %u of its CTAs, and spu.blocks asks for %u",
                       g->kernel->name, occupancy, blocks);
  for (unsigned side = 0; side < SPU_SIDES; side++)
    TRY(check_face(t, l, g, side, err));
  TRY(check_pair(l, SPU_N, SPU_S, "northern and southern", err));
  TRY(check_pair(l, SPU_W, SPU_E, "western and eastern", err));
  TRY(check_passes(t, l, g, true, err));
  TRY(check_passes(t, l, g, false, err));
  return t->config.feature.spu.interface == SPU_INTERFACE_SM ? check_border(t, l, g, err) : 0;
}
