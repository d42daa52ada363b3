/* Random programs that are valid by construction: every address is in bounds and aligned, every
 * loop ends, every barrier is reached by all warps, every branch has its immediate post-dominator
 * as reconvergence PC.  Their results have no meaning. */
#ifndef TANDEM_TESTS_GEN_H
#define TANDEM_TESTS_GEN_H

#include <stdbool.h>
#include <stdint.h>

#include "csim/isa/core/program.h"
#include "tests/isa/random.h"

bool gen_chance(struct rng *rng, uint32_t percent);

enum {
  GEN_MAX_CODE = 1200,
  GEN_DATA_BYTES = 33 * 1024, /* buffer of parameter word 0 */
  GEN_PARAM_WORDS = 8,        /* word 1: buffer of one word a thread; the others: any value */
  /* Without races word 2: a buffer of counters and, behind them, slices for each thread of the
     grid. */
  GEN_PARAM_SLICES = 2,
  GEN_COUNTERS = 1024, /* bytes of an operation's counters */
  GEN_COUNTER_BYTES = 12 * GEN_COUNTERS,
  GEN_SLICE_BYTES = 128, /* of a thread, at most */
  GEN_MAX_BLOCK = 320    /* threads of a CTA, at most */
};

struct gen_options {
  unsigned statements; /* about; a program has at most GEN_MAX_CODE instructions */
  bool barriers;
  bool memory;
  bool warps_end; /* whole warps may end before barriers that others reach */
  /* true: the memory image at the end depends neither on the order of warps and CTAs, nor on their
   * SM, time and warp size. */
  bool race_free;
  /* Operations of lanes alone, with any modifiers, on sources from the data buffer, which has
   * records of them (gen_record). */
  bool operands;
  /* It begins with a loop whose lanes part for ever, one in each round, more often than the SIMT
   * stack has room for: a fault of the program. */
  bool deep;
};

/* Sources 1, 2 and 3 of an operation, at which it may change its ways, alone or together: as
 * integers and floats of 32 and 64 bits. */
enum { GEN_RECORD_BYTES = 32 };
struct gen_record {
  uint64_t source[3], unused;
};
struct gen_record gen_record(struct rng *rng);

/* The program of a seed, with one kernel, "random"; NULL without memory.  Freed with
 * isa_program_free. */
struct isa_program *gen_program(uint64_t seed, const struct gen_options *options);

/* A program that diverges in so many nested places, each lane at its own. */
struct isa_program *gen_deep(unsigned levels);

/* Sets the reconvergence PC of each branch in code[0..n): the instruction that immediately
 * post-dominates it, guarded exits taken as instructions that fall through.  False without memory.
 */
bool gen_reconverge(uint64_t *code, unsigned n);

#endif
