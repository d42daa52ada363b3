/* The fabric of an SPU: its units, and the wires between them (docs/spu.md).
 *
 *   shape.c      which slots, lanes and links there are
 *   units.c      the types of the units
 *   fabric.c     open and close; a cycle: outputs, wires, clock edges
 *   wires.c      from the outputs of each unit to the inputs of its neighbours
 *   sm_side.c    between the fabric, the SMs and memory
 *   program.c    the registers of the DMA engines, the constants of the others, spill regions
 *   spu.c        the machine
 *
 * A cycle of the fabric comes after that of all SMs.  Every unit has registered outputs, so their
 * order does not matter: first the outputs of all units that were clocked, then the wires, then the
 * clock edges of units that have an event at their inputs or are not quiet.
 */
#ifndef TANDEM_SPU_FABRIC_H
#define TANDEM_SPU_FABRIC_H

#include "harness/gpu/gpu.h"
#include "harness/gpu/spu/shape.h"

/* The kinds of units, in the order in which the fabric has them. */
enum spu_kind { SPU_PAIR, SPU_PORT, SPU_SEQ, SPU_DMA, SPU_CHAN, SPU_GLOBAL, SPU_KINDS };

struct spu_kind_type {
  const struct unit_type *unit;
  size_t quiet_at;          /* its output `quiet` */
  void (*settle)(void *in); /* takes the events off its inputs, after the clock edge */
};
extern const struct spu_kind_type spu_kinds[SPU_KINDS];

/* A unit of the fabric. */
struct spu_unit {
  struct unit *u;
  enum spu_kind kind;
  bool event; /* at its inputs, in this cycle */
  bool fresh; /* its outputs are new in this cycle */
};

enum spu_phase {
  SPU_OFF,    /* no launch of the SPU's */
  SPU_CONFIG, /* the registers of DMA engines are written, one a cycle */
  SPU_START,  /* kernel_start */
  SPU_RUNS
};

struct spu_fabric {
  struct spu_shape shape;
  struct spu_unit *units;
  unsigned nunits;
  unsigned first[SPU_KINDS]; /* unit of each kind; the sequencers and DMA engines of slots come
                                before those of lanes */
  bool used;                 /* by the running launch */
  enum spu_phase phase;
  unsigned step; /* of SPU_CONFIG */
  unsigned age;  /* cycles of SPU_RUNS, up to a few */
  struct tandem_spu launch;
  struct grid_spu grid; /* what the launch's blocks see of it */
  struct gpu_spu_stats counts;
  struct spu_slot {
    bool taken;          /* a CTA is in the slot */
    uint64_t from, post; /* cycles in which it came, and in which its block synchronisation began */
  } slot[SPU_SLOTS];
  struct cb_shadow *shadow;
  struct tandem_error fault;               /* the first one that the shadow found; no text: none */
  struct mem_client **clients;             /* of the DMA engines */
  uint32_t spill, row_bytes, column_bytes; /* the spill regions: of the rows, then of the columns */
};

/* Those of a configuration, and how many units they are; the cycle of all SMs has been. */
struct spu_fabric *spu_fabric_open(struct tandem *t, struct tandem_error *err);
void spu_fabric_close(struct spu_fabric *f); /* NULL allowed */
unsigned spu_fabric_units(const struct tandem_config *c);
void spu_fabric_step(struct tandem *t, struct spu_fabric *f);

/* Whether a slot has a DMA engine: it serves the border of a partial pass, which slot (0, 0) never
 * does.  Lanes have one each. */
static inline bool spu_has_dma(const struct spu_fabric *f, unsigned engine) {
  (void)f;
  return engine != 0;
}

/* The units' inputs and outputs. */
static inline struct spu_unit *spu_unit(struct spu_fabric *f, enum spu_kind kind, unsigned i) {
  return &f->units[f->first[kind] + i];
}
static inline void *spu_in(struct spu_fabric *f, enum spu_kind kind, unsigned i) {
  struct spu_unit *x = spu_unit(f, kind, i);
  x->event = true;
  return x->u->in;
}
static inline const void *spu_out(struct spu_fabric *f, enum spu_kind kind, unsigned i) {
  return spu_unit(f, kind, i)->u->out;
}

#endif
