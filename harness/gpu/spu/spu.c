/* The machine of a stencil processing unit (docs/spu.md): SMs that work by themselves, in a visible
 * grid, and the fabric between them.  A launch without a description of faces runs as on SMs alone.
 */
#include <errno.h>
#include <inttypes.h>

#include "csim/isa/lanes/lanes.h"

#include "harness/gpu/spu/fabric.h"
#include "harness/gpu/spu/program.h"
#include "harness/gpu/spu/wires.h"

static bool wanted(const struct tandem_config *c) { return c->spu_columns != 0; }

static int check(const struct tandem_config *c, struct tandem_error *err) {
  const unsigned px = c->spu_columns * c->spu_blocks_x, qy = c->spu_rows * c->spu_blocks_y;
  if (c->spu_columns == 0)
    return 0;
  if (c->sms != c->spu_columns * c->spu_rows)
    return tandem_fail(err, -EINVAL, "an SPU of %u columns and %u rows has %u SMs, and sms is %u",
                       c->spu_columns, c->spu_rows, c->spu_columns * c->spu_rows, c->sms);
  if (c->buddy > 1 || c->warp_size != 32)
    return tandem_fail(err, -EINVAL,
                       "the SMs of an SPU have front ends and warps of their own: buddy.size 1 and "
                       "warp_size 32, not %u and %u",
                       c->buddy, c->warp_size);
  if (c->spu_blocks_x * c->spu_blocks_y > c->sm.ctas)
    return tandem_fail(err, -EINVAL, "spu.blocks: %u x %u CTAs do not fit an SM of %u",
                       c->spu_blocks_x, c->spu_blocks_y, c->sm.ctas);
  if (px * qy > SPU_SLOTS || 2 * (px + qy) > SPU_LANES)
    return tandem_fail(
        err, -EINVAL,
        "an SPU of %u x %u slots is too large: at most %d slots, and %d border lanes "
        "(2 x (columns + rows))",
        px, qy, SPU_SLOTS, SPU_LANES);
  if (c->sms + 2 * (px + qy) > 128)
    return tandem_fail(err, -EINVAL,
                       "an SPU of %u SMs and %u border lanes needs more than the crossbar's 128 "
                       "ports",
                       c->sms, 2 * (px + qy));
  if (c->spu_sync == TANDEM_SPU_GLOBAL && c->spu_passes == TANDEM_SPU_OVERLAPPED)
    return tandem_fail(err, -EINVAL,
                       "with spu.sync global all blocks of a pass meet at each barrier: spu.passes "
                       "must be serial");
  return 0;
}

static void sm_config(const struct tandem_config *c, struct sm_config *sm) {
  sm->cb_bytes = c->cb_bytes;
  sm->cb_latency = c->cb_latency;
}

static int open_all(struct tandem *t, struct tandem_error *err) {
  int status = sms_open(t, err);
  if (status == 0 && (t->own = spu_fabric_open(t, err)) == NULL)
    status = -EINVAL;
  return status;
}

static void close_all(struct tandem *t) { spu_fabric_close(t->own); }

/* ---- launches ---- */

static int check_face(const struct tandem *t, const struct tandem_spu *l, const struct grid *g,
                      unsigned side, struct tandem_error *err) {
  static const char *const names[] = {"north", "south", "west", "east"};
  const struct tandem_face *f = &l->face[side];
  const bool vertical = side == SPU_N || side == SPU_S;
  const uint64_t words = (uint64_t)f->rows * f->row_words, blocks = g->dim[vertical ? 0 : 1];
  if (f->rows == 0)
    return 0;
  if (f->row_words == 0 || f->row_words % 8 != 0 || words > t->config.cb_bytes / 4)
    return tandem_fail(err, -EINVAL,
                       "spu.%s: a face of %u rows of %u words: row_words must be a multiple of 8, "
                       "and rows x row_words at most the %u words of a communication buffer",
                       names[side], f->rows, f->row_words, t->config.cb_bytes / 4);
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

/* Whether the kernel synchronises blocks. */
static bool has_bsync(const struct grid *g) {
  for (unsigned pc = g->kernel->entry; pc < g->kernel->end; pc++)
    if (g->uops[pc].id == ISA_BSYNC)
      return true;
  return false;
}

/* A kernel that synchronises blocks and an SPU's launch go together. */
static int check_use(const struct tandem *t, const struct tandem_launch *launch,
                     const struct grid *g, struct tandem_error *err) {
  const bool syncs = has_bsync(g);
  if (!syncs && launch->spu == NULL)
    return 0;
  if (t->config.spu_columns == 0)
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
        "faces (docs/launch.md)",
        g->kernel->name);
  return 0;
}

static int check_launch(const struct tandem *t, const struct tandem_launch *launch,
                        const struct grid *g, unsigned occupancy, struct tandem_error *err) {
  const struct tandem_spu *l = launch->spu;
  const unsigned blocks = t->config.spu_blocks_x * t->config.spu_blocks_y;
  int status = check_use(t, launch, g, err);
  if (status != 0 || l == NULL)
    return status;
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
  for (unsigned side = 0; status == 0 && side < SPU_SIDES; side++)
    status = check_face(t, l, g, side, err);
  if (status == 0)
    status = check_pair(l, SPU_N, SPU_S, "northern and southern", err);
  return status != 0 ? status : check_pair(l, SPU_W, SPU_E, "western and eastern", err);
}

static int place(struct tandem *t, const struct tandem_launch *l, struct tandem_error *err) {
  struct spu_fabric *f = t->own;
  f->used = l->spu != NULL;
  return f->used ? spu_place(t, f, l->spu, err) : 0;
}

static void drop(struct tandem *t) { spu_drop(t, t->own); }

static void begin(struct tandem *t) {
  struct spu_fabric *f = t->own;
  sms_begin(t);
  if (!f->used)
    return;
  t->dispatch = (struct gpu_dispatch){.own = true};
  f->phase = SPU_CONFIG;
  f->step = 0;
}

static void step(struct tandem *t) {
  struct spu_fabric *f = t->own;
  if (f->phase == SPU_OFF)
    return;
  spu_fabric_step(t, f);
  t->dispatch.done = f->phase == SPU_OFF;
}

static const char *fault(const struct tandem *t) {
  const struct spu_fabric *f = t->own;
  return *f->fault.text != '\0' ? f->fault.text : NULL;
}

/* Clients of memory are the DMA engines, of which slot (0, 0) has none. */
static void client_name(const struct tandem *t, unsigned client, char *name, size_t size) {
  const struct spu_fabric *f = t->own;
  const unsigned engine = client + 1;
  char place[32];
  if (engine < f->shape.slots)
    spu_slot_name(&f->shape, engine, place);
  else
    spu_lane_name(&f->shape, engine - f->shape.slots, place);
  snprintf(name, size, "DMA engine of %s", place);
}

static void statistics(const struct tandem *t, struct gpu_stats *stats) {
  const struct spu_fabric *f = t->own;
  stats->spu = f->counts;
  stats->spu.words_loaded = stats->mem.global_words_loaded;
  stats->spu.words_stored = stats->mem.global_words_stored;
}

const struct machine machine_spu = {.name = "SPU",
                                    .lookahead = 1,
                                    .wanted = wanted,
                                    .check = check,
                                    .cell_sms = sms_cell_sms,
                                    .sm_config = sm_config,
                                    .units = spu_fabric_units,
                                    .open = open_all,
                                    .close = close_all,
                                    .check_launch = check_launch,
                                    .place = place,
                                    .drop = drop,
                                    .begin = begin,
                                    .step = step,
                                    .back_end = sms_back_end,
                                    .quiet = sms_quiet,
                                    .idle = sms_idle,
                                    .quiescent = sms_quiescent,
                                    .ready = sms_ready,
                                    .leads = sms_leads,
                                    .fault = fault,
                                    .client_name = client_name,
                                    .waits = spu_waits,
                                    .statistics = statistics};
