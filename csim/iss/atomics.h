/* Atomics on each word of a memory in an epoch, as sums that do not depend on their order.
 *
 * If each atomic returned the value that the one before it left, then the values found and the last
 * value are the values left and the first value, each as often.  Sums of their hashes tell.  The
 * result of additions, of minima, and so on follows from the operands alone.
 */
#ifndef TANDEM_ISS_ATOMICS_H
#define TANDEM_ISS_ATOMICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csim/isa/lanes/lanes.h"

struct atomic_word {
  uint32_t address;
  uint32_t operands; /* folded by the operation, where the order does not matter */
  uint64_t chain;    /* hashes of the values left, less those of the values found */
  uint8_t id;        /* enum isa_id */
  bool is_signed;
  bool mixed;  /* several operations */
  bool silent; /* some returned nothing */
  uint8_t sm, warp;
  uint16_t pc;    /* of the first one */
  uint64_t cycle; /* of its issue */
};

/* Zeroed: empty. */
struct atomics {
  struct atomic_word *word;
  uint32_t *index; /* hash table: position in word, plus one */
  size_t words, room, slots;
};

/* The record of the word, made if there is none (operands 0, id ISA_ILLEGAL).  NULL: no memory. */
struct atomic_word *atomics_at(struct atomics *a, uint32_t address);
void atomics_clear(struct atomics *a);
void atomics_free(struct atomics *a);

/* Value that an atomic leaves, from docs/isa.md. */
uint32_t atomic_result(const struct isa_uop *u, uint32_t old, uint32_t b, uint32_t c);

/* One lane's atomic: it found old, if it returned it. */
void atomic_add(struct atomic_word *w, const struct isa_uop *u, uint32_t old, uint32_t b,
                uint32_t c);

/* Two records of a word, of different SMs, as one. */
void atomic_merge(struct atomic_word *w, const struct atomic_word *more);

/* Whether operands alone say the word's value at the end of the epoch, and which. */
bool atomic_final(const struct atomic_word *w, uint32_t first, uint32_t *final);
/* Whether the values returned can be those of some order that leaves this value. */
bool atomic_chains(const struct atomic_word *w, uint32_t first, uint32_t final);

#endif
