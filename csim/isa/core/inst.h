/* One issued warp instruction in flight.
 *
 * The SM's back end owns it from issue until it is written back and checked; the memory side fills
 * in what a load returns; the architectural check reads it.  Instructions come from a pool of the
 * SM.
 */
#ifndef TANDEM_INST_H
#define TANDEM_INST_H

#include <stdbool.h>

#include "csim/isa/core/isa.h"

struct isa_uop; /* csim/isa/lanes/lanes.h */

enum {
  INST_FAULT_NONE,
  INST_FAULT_BOUNDS,
  INST_FAULT_ALIGN,
  INST_FAULT_UPPER,
  INST_FAULT_SIDE,  /* a communication buffer that the CTA may not access in this direction */
  INST_FAULT_TRAP,  /* the store that means a trap (ISA_TRAP_ADDRESS) */
  INST_FAULT_BUFFER /* an atomic, or a store of less than a word, to a communication buffer */
};

struct sm_inst {
  /* Operands as collected, planes of 32 lanes; and the result. */
  _Alignas(64) uint32_t a[2][ISA_WARP_SIZE]; /* src 1 (an address, before the offset is added) */
  uint32_t b[4][ISA_WARP_SIZE];              /* src 2 (store data) */
  uint32_t c[2][ISA_WARP_SIZE];              /* src 3 */
  uint32_t d[4][ISA_WARP_SIZE];              /* result; of a load what memory returned */
  uint32_t addr[ISA_WARP_SIZE]; /* MEM, ATOM: address of each executing lane, offset added */

  const struct isa_uop *uop;
  uint64_t issued; /* cycle of issue */
  uint32_t active; /* mask at issue (top of the SIMT stack) */
  uint32_t exec;   /* active lanes whose guard holds; valid once collected */
  uint32_t p2, p3; /* predicate sources, negation applied */
  uint32_t pred;   /* predicate result; for BRA and EXIT the lanes taken */
  uint16_t pc;
  uint8_t warp;
  uint8_t number; /* of the warp in the check: warp, or twice that plus the half */
  uint8_t sm;
  uint8_t retired;      /* result final: the check may read it */
  uint8_t state[6];     /* the back end's own */
  struct sm_inst *next; /* program order of the warp, then free list */

  /* The memory side's own. */
  struct {
    uint64_t ready;   /* cycle */
    uint32_t todo;    /* transactions or lanes left */
    uint16_t waiting; /* responses outstanding */
    uint8_t phase;
    uint8_t space; /* enum isa_space after generic addresses were resolved */
    bool changed;  /* a store or an atomic: memory holds something else than before */
    bool upper;    /* the instruction is the upper half of a wide warp's */
    uint32_t aux[4];
    struct sm_inst *next;
    struct sm_inst *other; /* the upper half of a wide warp's instruction, or NULL */
  } mem;
};

#endif
