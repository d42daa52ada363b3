/* Sums over the atomics on each word of a memory in an epoch; they do not depend on the order.
 *
 * If each atomic returns the value that the one before it left, then the values returned and the
 * last value are together the same multiset as the values left and the first value.  Sums of their
 * hashes compare the two.  The result of additions, minima and so on follows from the operands.
 */
#ifndef TANDEM_ISS_ATOMICS_H
#define TANDEM_ISS_ATOMICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "csim/isa/lanes/lanes.h"

struct iss_atomic_word {
  uint32_t address;
  uint32_t operands; /* folded by the operation, where the order does not matter */
  uint64_t chain;    /* hashes of the values left, less those of the values found */
  uint8_t id;        /* enum isa_id */
  bool is_signed;
  bool mixed;  /* several operations */
  bool silent; /* some returned nothing */
  uint8_t sm, warp;
  uint16_t pc;    /* PC of the first atomic */
  uint64_t cycle; /* cycle of its issue */
};

/* All records of a memory; empty if all bytes are zero. */
struct iss_atomics {
  struct iss_atomic_word *word;
  uint32_t *index; /* hash table: position in word, plus one */
  size_t words, room, slots;
};

/* Returns the record of the word; a new one has operands 0 and id ISA_ILLEGAL.  NULL if there is no
 * memory. */
struct iss_atomic_word *iss_atomics_at(struct iss_atomics *a, uint32_t address);
void iss_atomics_clear(struct iss_atomics *a);
void iss_atomics_free(struct iss_atomics *a);

/* Adds the atomic of one lane; `old` is the value that it returned, if it returns one. */
void iss_atomic_add(struct iss_atomic_word *w, const struct isa_uop *u, uint32_t old, uint32_t b,
                    uint32_t c);

/* Adds the record `more` of the same word, from another SM, to w. */
void iss_atomic_merge(struct iss_atomic_word *w, const struct iss_atomic_word *more);

/* Returns whether the operands alone give the word's value at the end of the epoch, *final. */
bool iss_atomic_final(const struct iss_atomic_word *w, uint32_t first, uint32_t *final);
/* Returns whether some order of the atomics returns these values and leaves `final`. */
bool iss_atomic_chains(const struct iss_atomic_word *w, uint32_t first, uint32_t final);

#endif
