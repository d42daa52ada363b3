/* Lane arithmetic: the effect of an ALU operation on the 32 lanes of a warp.
 *
 * The back end applies it to operands read at collection; the architectural check applies it to its
 * own registers, unless it computes by itself (csim/iss/arith), with which a test compares it.
 *
 * An operand is n planes of 32 lanes, plane k holding register base + k:
 *   uint32_t x[n * ISA_WARP_SIZE], lane l of plane k at x[k * ISA_WARP_SIZE + l], 64-byte aligned.
 * Predicates are 32-bit lane masks, bit l for lane l.
 */
#ifndef TANDEM_LANES_H
#define TANDEM_LANES_H

#include "csim/isa/core/isa.h"

struct isa_uop;

/* Computes all lanes (inactive ones too; their result is discarded by the caller).
 * d       result planes, written (uninitialised before); unused for predicate results
 * a, b, c source planes of src 1, 2, 3; b is uop->imm_planes when the immediate is used; NULL for
 *         operands that the operation has not
 * p2, p3  predicate sources, negation already applied
 * active  lanes that execute (guard and mask): used by votes and shuffles only
 * Returns the predicate result, 0 if there is none.  Never faults, never traps. */
typedef uint32_t isa_lane_fn(const struct isa_uop *uop, uint32_t *restrict d, const uint32_t *a,
                             const uint32_t *b, const uint32_t *c, uint32_t p2, uint32_t p3,
                             uint32_t active);

/* A word decoded for execution. */
struct isa_uop {
  _Alignas(64) uint32_t imm_planes[2 * ISA_WARP_SIZE]; /* the immediate, broadcast: 32 or 64 bits */
  uint64_t word;                                       /* with warp field 0 */
  isa_lane_fn *fn; /* NULL for CTRL, MEM, ATOM, MOVS and illegal words */
  enum isa_id id;
  struct isa_inst f;
  struct isa_operands o;
  uint8_t pipe, lat; /* enum isa_pipe, enum isa_lat */
  bool imm;          /* src 2 is the immediate */
  uint16_t rpc;      /* BRA: reconvergence PC */
  uint32_t imm32;    /* MOVI: the value; BSYNC: directions; other MEM, ATOM: the signed offset */
  uint8_t mem_size;  /* MEM, ATOM: bytes of an element, 1, 2, 4, 8; BSYNC: 0 */
  uint8_t mem_elems; /* MEM: elements of the vector, 1, 2, 4 (ATOM: 1); BSYNC: 0 */
};

/* Decodes a word. An illegal word gives id ISA_ILLEGAL and o all zero. */
void isa_uop_decode(uint64_t word, struct isa_uop *uop);

/* New value of memory for an atomic, from the old one; *uop names the operation.  All have
 * uop->mem_size bytes; upper ones are 0. */
uint64_t isa_atomic(const struct isa_uop *uop, uint64_t old, uint64_t b, uint64_t c);

#endif
