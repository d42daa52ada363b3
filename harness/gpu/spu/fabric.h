/* The fabric of an SPU: its units, and the wires between them (docs/hardware/spu.md).
 *
 *   shape.c      which slots, lanes and links there are
 *   units.c      the types of the units
 *   fabric.c     open and close; a cycle: outputs, wires, clock edges
 *   wires.c      from the outputs of each unit to the inputs of its neighbours
 *   syncs.c      whether blocks synchronise as their launch says
 *   sm_side.c    between the fabric, the SMs and memory
 *   program.c    the registers of the DMA engines, the constants of the others, spill regions
 *   check.c      which launches the machine takes
 *   border.c     interface units that are SMs: their CTAs, registers and words
 *   viu.c        the program of those that are virtual
 *   spu.c        the machine
 *
 * A cycle of the fabric comes after that of all SMs.  Every unit has registered outputs, so their
 * order does not matter: first the outputs of all units that were clocked, then the wires, then the
 * clock edges of units that have an event at their inputs or are not quiet.  Those units are sets
 * of bits: a unit in which nothing happens takes no time.
 */
#ifndef TANDEM_SPU_FABRIC_H
#define TANDEM_SPU_FABRIC_H

#include "csim/util/bitset.h"
#include "harness/gpu/core/gpu.h"
#include "harness/gpu/spu/shape.h"

/* The kinds of units, in the order in which the fabric has them. */
enum spu_kind { SPU_PAIR, SPU_PORT, SPU_SEQ, SPU_DMA, SPU_CHAN, SPU_GLOBAL, SPU_KINDS };

struct spu_kind_type {
  const struct unit_type *unit;
  size_t quiet_at;          /* its output `quiet` */
  void (*settle)(void *in); /* takes the events off its inputs, after the clock edge */
};
extern const struct spu_kind_type spu_kinds[SPU_KINDS];

enum { SPU_SYNCS = 6 }; /* a block synchronises with 4 neighbours, a spill channel, all blocks */

/* A unit of the fabric. */
struct spu_unit {
  struct unit *u; /* NULL: slot (0, 0) has no DMA engine */
  enum spu_kind kind;
};

/* A set of units.  There are at most so many: links are two a slot and some more at the borders. */
enum { SPU_UNITS = 5 * SPU_SLOTS + 3 * SPU_LANES + 1 };
typedef uint64_t spu_set[BITSET_WORDS(SPU_UNITS)];

enum spu_phase {
  SPU_OFF,    /* no launch of the SPU's */
  SPU_CONFIG, /* the registers of DMA engines are written, one a cycle */
  SPU_START,  /* kernel_start */
  SPU_RUNS
};

/* An observer of the fabric, for tests: called in each of its cycles, when the inputs of all units
 * are there, before the clock edges.  Set in an open GPU; none by default. */
struct spu_fabric;
struct spu_observer {
  void (*look)(void *user, uint64_t cycle, struct spu_fabric *f);
  void *user;
};

struct spu_fabric {
  struct spu_shape shape;
  struct spu_observer observer;
  struct spu_unit *units;
  unsigned nunits, words;    /* words: of a set that has them all */
  spu_set there;             /* units that exist */
  spu_set fresh;             /* those that the last clock edge reached: their outputs are new */
  spu_set busy;              /* those that are not quiet */
  spu_set events;            /* those with an event at their inputs in this cycle */
  unsigned first[SPU_KINDS]; /* unit of each kind; sequencers, ports and DMA engines are in the
                                order of places */
  bool truncated;            /* interface units are SMs, and have ports in the place of engines */
  struct isa_program *viu;   /* what virtual ones run; in memory with DMA engines, too, so that the
                                image does not depend on the interface */
  bool used;                 /* by the running launch */
  enum spu_phase phase;
  unsigned step; /* of SPU_CONFIG */
  unsigned age;  /* cycles of SPU_RUNS, up to a few */
  unsigned done; /* sequencers below it have finished the launch */
  struct tandem_spu launch;
  struct grid_spu grid; /* what the launch's blocks see of it */
  struct spu_statistics counts;
  uint64_t border_loaded, border_stored; /* words of CTAs that are counted as faces or spills */
  struct spu_place {
    bool taken;   /* a CTA is in the place */
    uint8_t role; /* its own */
    bool viu;
    uint64_t from, post;     /* cycles in which it came, and in which its synchronisation began */
    uint64_t loaded, stored; /* words of the slot when it came */
    uint32_t
        syncs[SPU_SYNCS]; /* by the bits of block_port's post; of an interface unit all in [0] */
  } place[SPU_SLOTS + SPU_LANES];
  spu_set offers; /* places whose CTA is to be launched */
  spu_set asking; /* DMA engines with requests under way */
  struct cb_shadow *shadow;
  struct tandem_error fault;               /* the first one that the shadow found; no text: none */
  struct mem_client **clients;             /* of the DMA engines */
  uint32_t spill, row_bytes, column_bytes; /* the spill regions: of the rows, then of the columns */
};

/* Makes the fabric of the GPU's configuration; NULL: err has the reason. */
struct spu_fabric *spu_fabric_open(struct tandem *t, struct tandem_error *err);
void spu_fabric_close(struct spu_fabric *f); /* NULL allowed */
/* The number of units in the fabric of a configuration. */
unsigned spu_fabric_units(const struct tandem_config *c);
/* A cycle of the fabric, after that of all SMs. */
void spu_fabric_step(struct tandem *t, struct spu_fabric *f);

static inline unsigned spu_places(const struct spu_fabric *f) {
  return f->shape.slots + f->shape.lanes;
}

/* Returns true if a place has a DMA engine.  None has if interface units are truncated SMs.  Else
 * each lane has one, and each slot for the border of a partial pass, which slot (0, 0) never is. */
static inline bool spu_has_dma(const struct spu_fabric *f, unsigned place) {
  return !f->truncated && place != 0;
}
/* Returns true if a place has a block port: each slot, and each lane that is a truncated SM. */
static inline bool spu_has_port(const struct spu_fabric *f, unsigned place) {
  return f->truncated || place < f->shape.slots;
}

/* Units, and their outputs. */
static inline struct spu_unit *spu_unit(struct spu_fabric *f, enum spu_kind kind, unsigned i) {
  return &f->units[f->first[kind] + i];
}
static inline const void *spu_out(struct spu_fabric *f, enum spu_kind kind, unsigned i) {
  return spu_unit(f, kind, i)->u->out;
}

/* The inputs of a unit in which an event is raised: its next clock edge happens. */
static inline void *spu_raise(struct spu_fabric *f, enum spu_kind kind, unsigned i) {
  bitset_put(f->events, f->first[kind] + i, true);
  return spu_unit(f, kind, i)->u->in;
}
static inline struct comm_pair_in *spu_raise_pair(struct spu_fabric *f, unsigned i) {
  return spu_raise(f, SPU_PAIR, i);
}
static inline struct block_port_in *spu_raise_port(struct spu_fabric *f, unsigned i) {
  return spu_raise(f, SPU_PORT, i);
}
static inline struct pass_seq_in *spu_raise_seq(struct spu_fabric *f, unsigned i) {
  return spu_raise(f, SPU_SEQ, i);
}
static inline struct iu_dma_in *spu_raise_dma(struct spu_fabric *f, unsigned i) {
  return spu_raise(f, SPU_DMA, i);
}
static inline struct spill_chan_in *spu_raise_chan(struct spu_fabric *f, unsigned i) {
  return spu_raise(f, SPU_CHAN, i);
}
static inline struct spu_global_in *spu_raise_global(struct spu_fabric *f) {
  return spu_raise(f, SPU_GLOBAL, 0);
}

#endif
