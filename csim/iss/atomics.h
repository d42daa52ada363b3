/* Sums over the atomics on each word of a memory in an epoch; they do not depend on the order.
 * Atomics of 64 bits are with the lower of their two words.
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
#include "csim/iss/shadow.h"

/* The parts that a word is of atomics' operands. */
enum { ISS_ATOMIC_WHOLE = 1, ISS_ATOMIC_LOWER = 2, ISS_ATOMIC_UPPER = 4 };

struct iss_atomic_word {
  uint32_t address;
  uint8_t parts;     /* set of them */
  uint8_t id;        /* enum isa_id; ISA_ILLEGAL: nothing but an upper half */
  uint64_t operands; /* folded by the operation, where the order does not matter */
  uint64_t chain;    /* hashes of the values left, less those of the values found */
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
void iss_atomic_add(struct iss_atomic_word *w, const struct isa_uop *u, uint64_t old, uint64_t b,
                    uint64_t c);

/* Adds the record `more` of the same word, from another SM, to w. */
void iss_atomic_merge(struct iss_atomic_word *w, const struct iss_atomic_word *more);

/* Returns the bytes from the word on that the atomics of the record change, 4 or 8; 0 if atomics of
 * the other size, or stores, change some of them too. */
unsigned iss_atomic_bytes(const struct iss_atomics *a, const struct iss_atomic_word *w,
                          const struct iss_shadow *s);

/* Returns whether the operands alone give the value of these bytes at the end of the epoch, *final.
 */
bool iss_atomic_final(const struct iss_atomic_word *w, uint64_t first, uint64_t *final);
/* Returns whether some order of the atomics returns these values and leaves `final`. */
bool iss_atomic_chains(const struct iss_atomic_word *w, uint64_t first, uint64_t final);

#endif
