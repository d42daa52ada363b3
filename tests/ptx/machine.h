/* A small machine that runs programs for tests: CTAs one after the other, warps in turn up to their
 * barriers, 32 lanes at once with a mask and a stack of reconvergence points, flat memory. */
#ifndef TANDEM_TEST_MACHINE_H
#define TANDEM_TEST_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#include "csim/isa/core/program.h"

enum {
  MACHINE_DATA = 0x1000,         /* where the data segment is put; buffers go behind it */
  MACHINE_SIDES = 5,             /* north, south, west, east, own */
  MACHINE_SIDE_FIRST = 1 << 24,  /* shared addresses of their communication buffers */
  MACHINE_SIDE_STRIDE = 1 << 20, /* from one to the next */
  MACHINE_SIDE_BYTES = 4096
};

struct machine {
  const struct isa_program *program;
  struct isa_uop *uops; /* decoded, relocated */
  uint8_t *memory;
  uint32_t size, top; /* bytes; first free byte */
  uint64_t steps;     /* warp instructions executed */
  unsigned deepest;   /* entries below the top that the stack needed */
  char error[256];    /* empty: none */
  /* A stencil processing unit: its special registers and buffers; what a block synchronisation of a
   * warp does besides, NULL: nothing. */
  uint32_t spu[ISA_SPU_SREGS];
  uint8_t sides[MACHINE_SIDES][MACHINE_SIDE_BYTES];
  void (*sync)(struct machine *m, unsigned dirs);
};

struct machine_launch {
  uint32_t grid[3], block[3], work_dim;
  uint32_t dynamic_shared; /* bytes behind the static ones */
  const void *params;      /* the parameter block */
  size_t param_bytes;
};

struct machine *machine_create(const struct isa_program *p, uint32_t size);
void machine_destroy(struct machine *m);
/* Space in global memory, 256-byte aligned, filled from data (NULL: zeros); its address. */
uint32_t machine_buffer(struct machine *m, const void *data, uint32_t bytes);
/* 0, or -1 with m->error. */
int machine_run(struct machine *m, const struct isa_kernel *k, const struct machine_launch *l);

#endif
