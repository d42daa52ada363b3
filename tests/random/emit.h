/* Inside of the generator: the program so far, and its instructions one by one. */
#ifndef TANDEM_TESTS_EMIT_H
#define TANDEM_TESTS_EMIT_H

#include "tests/random/gen.h"

/* Register use.  Data registers are what random instructions read and write. */
enum {
  R_THREAD = 0, /* number of the thread in the grid */
  R_BASE = 1,   /* of the data buffer */
  R_ADDR = 2,   /* address at hand */
  R_ZERO = 3,   /* 0, so that d2 is the 64-bit address; between accesses anything */
  R_DATA = 4,
  R_DATA_END = 28,
  R_LOOP = 28, /* trip counters of nested loops */
  R_LOST = 31, /* nothing is computed from what is in it, but addresses */
  P_DATA_END = 10,
  P_LOOP = 10, /* of nested loops */
  P_EXIT = 14
};

struct gen {
  struct rng rng;
  const struct gen_options *options;
  uint64_t code[GEN_MAX_CODE];
  unsigned n;
  int left;              /* statements still to be made */
  unsigned depth, loops; /* nesting of everything, and of loops */
  unsigned trips;        /* product of trip counts around */
  bool uniform;          /* all live lanes of all warps are here together */
  unsigned break_depth;  /* greatest depth at which the innermost loop may be left, 0: none */
  unsigned left_by;      /* the branch that leaves it, 0: none yet */
  bool breakable;        /* some loop around may be left: one alone, the stack is not deep */
  /* Without races (gen_memory.c). */
  unsigned slice, shared_slice; /* log2 of the bytes of a thread's slices */
  unsigned half;                /* the half of each that is its own here: 0, 1 */
};

unsigned gen_pick(struct gen *g, unsigned n); /* 0 to n - 1 */
unsigned gen_data_reg(struct gen *g, unsigned align);
unsigned gen_pred_source(struct gen *g);
unsigned gen_guard(struct gen *g); /* most often pT */

enum isa_id gen_any(struct gen *g); /* any operation of a GPU without stencil processing unit */
struct isa_inst gen_op(enum isa_id id);
unsigned gen_emit(struct gen *g, struct isa_inst i); /* returns its PC */
void gen_movi(struct gen *g, unsigned reg, uint32_t value);
void gen_movs(struct gen *g, unsigned reg, unsigned number);
void gen_alu(struct gen *g, enum isa_id id, unsigned d, unsigned a, unsigned b, unsigned c);
void gen_alu_imm(struct gen *g, enum isa_id id, unsigned d, unsigned a, unsigned imm);

/* A statement of gen_operands.c: sources loaded, and operations on them. */
void gen_operands(struct gen *g);

/* Statements of gen_memory.c. */
void gen_memory(struct gen *g);
void gen_atomic(struct gen *g);
/* Emits the start of a program without races: shapes of its slices, writes of local memory. */
void gen_memory_begin(struct gen *g);
uint32_t gen_shared_bytes(const struct gen *g);
uint32_t gen_local_bytes(const struct gen *g);

#endif
