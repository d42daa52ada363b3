/* A kernel launch as the back end, the memory and the architectural check see it. */
#ifndef TANDEM_GRID_H
#define TANDEM_GRID_H

#include <stdbool.h>

#include "csim/isa/core/program.h"

struct isa_uop; /* csim/isa/lanes/lanes.h */

/* The stencil processing unit that a launch runs on, as far as all its blocks see the same. */
struct grid_spu {
  uint32_t columns, rows; /* blocks of a pass in x, y */
  uint32_t spills;        /* spills of a virtual interface unit in a pass: regspillnb */
  /* Code behind that of the program, which virtual interface units run: PCs [viu, viu_end), and
   * where it begins to spill and to restore.  viu_end is 0 if there is none. */
  uint16_t viu, viu_end, spill, restore;
};

struct grid {
  const struct isa_program *program;
  const struct isa_kernel *kernel;
  const struct isa_uop *uops; /* one per word of code, decoded */
  const uint64_t *code;       /* program->code with relocations applied, and spu->viu's */
  uint32_t dim[3];            /* CTAs in x, y, z */
  uint32_t block[3];          /* threads of a CTA in x, y, z */
  uint32_t work_dim;          /* dimensions that the launch describes, 1 to 3 */
  const uint32_t *params;     /* the parameter block, kernel->param_bytes bytes */
  uint32_t param_address;     /* global address of a copy of it (ld.param, constant cache) */
  uint32_t code_address;      /* global address of PC 0, 128-byte aligned: instruction fetches */
  uint32_t shared_bytes;      /* shared memory of a CTA, static and dynamic */
  uint32_t local_address;     /* global address of the local memory of all resident threads */
  uint32_t id;                /* number of the launch, from 0 */
  uint32_t sms;               /* SMs of the GPU */
  uint32_t core_mhz;          /* core clock */
  uint32_t threads;           /* threads of a CTA */
  uint32_t warps;             /* warps of a CTA */
  uint32_t registers;         /* that a thread is allocated; 0: those that the kernel uses */
  uint64_t ctas;              /* CTAs of the grid */
  const struct grid_spu *spu; /* NULL: the GPU has none, bsync and its registers are illegal */
};

/* Returns the registers that a thread is allocated. */
static inline uint32_t grid_registers(const struct grid *g) {
  return g->registers != 0 ? g->registers : g->kernel->regs;
}

/* Returns whether a PC may be executed: it is the kernel's, or a virtual interface unit's. */
static inline bool grid_has_pc(const struct grid *g, uint32_t pc) {
  return (pc >= g->kernel->entry && pc < g->kernel->end) ||
         (g->spu != NULL && pc >= g->spu->viu && pc < g->spu->viu_end);
}

/* The word in memory behind code_address, 0 outside of all code. */
static inline uint64_t grid_word(const struct grid *g, uint32_t pc) {
  const bool viu = g->spu != NULL && pc >= g->spu->viu && pc < g->spu->viu_end;
  return pc < g->program->ncode || viu ? g->code[pc] : 0;
}

/* Where a warp's threads are in the grid, and where it starts: filled at CTA launch. */
struct warp_place {
  uint16_t entry; /* first PC */
  uint32_t ctaid[3];
  uint32_t cta_slot; /* 0 to 7 */
  uint32_t first;    /* linear thread index within the CTA of lane 0 */
  uint32_t mask;     /* lanes that exist */
};

#endif
