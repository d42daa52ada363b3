/* Who waits for whom, for the report of a hang. */
#include <inttypes.h>

#include "harness/gpu/spu/fabric.h"
#include "harness/gpu/spu/wires.h"

/* States of block_port and iu_dma (docs/spu_units.md). */
enum { PORT_WAIT = 2 };
enum { DMA_IDLE, DMA_CREDIT, DMA_FETCH, DMA_POST, DMA_ASK, DMA_DRAIN, DMA_PUT, DMA_STEP };

static const char *const sides[SPU_SIDES] = {"north", "south", "west", "east"};

static void end_name(const struct spu_fabric *f, struct spu_end e, char name[32]) {
  if (e.lane)
    spu_lane_name(&f->shape, e.index, name);
  else
    spu_slot_name(&f->shape, e.index, name);
}

/* "slot (1, 0)", the other end of a slot's link. */
static void neighbour(const struct spu_fabric *f, unsigned slot, unsigned side, char name[32]) {
  const struct spu_link l = spu_link_at(&f->shape, spu_slot_link(&f->shape, slot, side));
  end_name(f, side == SPU_N || side == SPU_W ? l.from : l.to, name);
}

static void port_state(struct spu_fabric *f, unsigned slot, struct block_port_view *v) {
  unit_state(spu_unit(f, SPU_PORT, slot)->u, v);
}

static void print_slot(FILE *out, struct spu_fabric *f, unsigned slot) {
  const struct pass_seq_out *seq = spu_out(f, SPU_SEQ, slot);
  struct block_port_view v;
  char name[32], other[32];
  if (seq->role != SPU_BLOCK)
    return;
  spu_slot_name(&f->shape, slot, name);
  port_state(f, slot, &v);
  fprintf(out, "  %s, pass (%" PRIu64 ", %" PRIu64 "):", name, seq->cx, seq->cy);
  if (v.state[0] == 0) {
    fprintf(out, " no CTA yet\n");
    return;
  }
  if (v.state[0] != PORT_WAIT) {
    fprintf(out, " %" PRIu64 " of %" PRIu64 " warps are at a block synchronisation\n", v.here[0],
            v.need[0]);
    return;
  }
  for (unsigned side = 0; side < SPU_SIDES; side++) {
    if ((v.left[0] >> side & 1) == 0)
      continue;
    neighbour(f, slot, side, other);
    fprintf(out, " waits at its %s for %s;", sides[side], other);
  }
  fprintf(out, "%s\n", (v.left[0] >> 5 & 1) != 0 ? " waits at the barrier of all blocks" : "");
}

static void print_engine(FILE *out, struct spu_fabric *f, unsigned i) {
  const struct spu_shape *s = &f->shape;
  const struct pass_seq_out *seq = spu_out(f, SPU_SEQ, i);
  struct iu_dma_view v;
  char name[32], other[32] = "memory";
  if (!spu_has_dma(f, i))
    return;
  unit_state(spu_unit(f, SPU_DMA, i)->u, &v);
  if (v.state[0] == DMA_IDLE)
    return;
  if (i < s->slots)
    spu_slot_name(s, i, name);
  else
    spu_lane_name(s, i - s->slots, name);
  if (v.state[0] == DMA_POST || v.state[0] == DMA_ASK) {
    const unsigned link = i < s->slots ? spu_slot_link(s, i, seq->side ? SPU_N : SPU_W)
                                       : spu_lane_link(s, i - s->slots);
    const struct spu_link l = spu_link_at(s, link);
    end_name(f, v.store[0] ? l.from : l.to, other);
  }
  fprintf(out,
          "  %s, pass (%" PRIu64 ", %" PRIu64 "), tile %" PRIu64 ": its DMA engine waits for %s\n",
          name, seq->cx, seq->cy, v.count[0],
          v.state[0] == DMA_STEP     ? "the barrier of all blocks"
          : v.state[0] == DMA_CREDIT ? "a tile to be spilled"
                                     : other);
}

void spu_waits(const struct tandem *t, FILE *out) {
  struct spu_fabric *f = t->own;
  if (f->phase == SPU_OFF)
    return;
  fprintf(out, "\nSPU: who waits for whom\n");
  for (unsigned i = 0; i < f->shape.slots; i++)
    print_slot(out, f, i);
  for (unsigned i = 0; i < f->shape.slots + f->shape.lanes; i++)
    print_engine(out, f, i);
}
