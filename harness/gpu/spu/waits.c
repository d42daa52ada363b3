/* The list of who waits for whom, for the report of a hang. */
#include <inttypes.h>

#include "harness/gpu/spu/fabric.h"
#include "harness/gpu/spu/waits.h"

/* States of block_port and iu_dma (docs/hardware/spu_units.md). */
enum { PORT_WAIT = 2 };
enum { DMA_IDLE, DMA_CREDIT, DMA_FETCH, DMA_POST, DMA_ASK, DMA_DRAIN, DMA_PUT, DMA_STEP };

static const char *const sides[SPU_SIDES] = {"north", "south", "west", "east"};

/* "slot (1, 0)", the other end of a place's link. */
static void neighbour(const struct spu_fabric *f, unsigned place, unsigned side, char name[32]) {
  const struct spu_link l = spu_link_at(&f->shape, spu_own_link(&f->shape, place, side));
  spu_place_name(&f->shape,
                 spu_end_place(&f->shape, side == SPU_N || side == SPU_W ? l.from : l.to), name);
}

static void print_directions(FILE *out, struct spu_fabric *f, unsigned place, uint64_t left) {
  char other[32];
  for (unsigned side = 0; side < SPU_SIDES; side++) {
    if ((left >> side & 1) == 0)
      continue;
    neighbour(f, place, side, other);
    fprintf(out, " waits at its %s for %s;", sides[side], other);
  }
  fprintf(out, "%s%s\n", (left >> 4 & 1) != 0 ? " waits for a tile to be spilled" : "",
          (left >> 5 & 1) != 0 ? " waits at the barrier of all blocks" : "");
}

/* A place in which a CTA is or is to be; one that is over has left it. */
static void print_port(FILE *out, struct spu_fabric *f, unsigned place) {
  static const char *const roles[] = {"", "", ", loads", ", stores"};
  const struct pass_seq_out *seq = spu_out(f, SPU_SEQ, place);
  struct block_port_view v;
  char name[32];
  if (!spu_has_port(f, place) || seq->role == SPU_NONE || seq->at_end ||
      (seq->role != SPU_BLOCK && !f->truncated))
    return;
  spu_place_name(&f->shape, place, name);
  (void)unit_view(spu_unit(f, SPU_PORT, place)->u, 0, &v);
  fprintf(out, "  %s, pass (%" PRIu64 ", %" PRIu64 ")%s%s:", name, seq->cx, seq->cy,
          roles[seq->role & 3], seq->viu ? ", virtual" : "");
  if (v.state[0] == 0)
    fprintf(out, " no CTA yet\n");
  else if (v.state[0] != PORT_WAIT)
    fprintf(out, " %" PRIu64 " of %" PRIu64 " warps are at a block synchronisation\n", v.here[0],
            v.need[0]);
  else
    print_directions(out, f, place, v.left[0]);
}

static void print_engine(FILE *out, struct spu_fabric *f, unsigned i) {
  const struct spu_shape *s = &f->shape;
  const struct pass_seq_out *seq = spu_out(f, SPU_SEQ, i);
  struct iu_dma_view v;
  char name[32], other[32] = "memory";
  if (!spu_has_dma(f, i))
    return;
  (void)unit_view(spu_unit(f, SPU_DMA, i)->u, 0, &v);
  if (v.state[0] == DMA_IDLE)
    return;
  spu_place_name(s, i, name);
  if (v.state[0] == DMA_POST || v.state[0] == DMA_ASK) {
    const struct spu_link l = spu_link_at(s, spu_own_link(s, i, seq->side ? SPU_N : SPU_W));
    spu_place_name(s, spu_end_place(s, v.store[0] ? l.from : l.to), other);
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
  for (unsigned i = 0; i < spu_places(f); i++)
    print_port(out, f, i);
  for (unsigned i = 0; i < spu_places(f); i++)
    print_engine(out, f, i);
}
