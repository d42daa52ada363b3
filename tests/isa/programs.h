/* Random words and programs for the tests of the instruction set. */
#ifndef TANDEM_TESTS_ISA_PROGRAMS_H
#define TANDEM_TESTS_ISA_PROGRAMS_H

#include "csim/isa/core/program.h"
#include "tests/isa/random.h"

/* The least immediate with which a word of the operation may be well formed. */
uint16_t least_imm(enum isa_id id);

/* Returns a legal word of the operation with the modifiers, other fields random.  *ok is false if
 * the modifiers are not legal. */
uint64_t random_word(struct rng *r, enum isa_id id, unsigned mods, bool *ok);
/* Returns a legal word of a random operation. */
uint64_t random_legal_word(struct rng *r);

/* A program that uses every member that an image has.  Free with isa_program_free. */
struct isa_program *random_program(struct rng *r);

/* Fails the running test if two programs differ. */
void assert_same_program(const struct isa_program *x, const struct isa_program *y);

#endif
