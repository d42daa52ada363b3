/* Optimisation of the machine IR.
 *
 * A unit whose only definition is unguarded and dominates all its uses behaves like a value of
 * static single assignment form; only those are reasoned about. */
#ifndef TANDEM_PTX_OPT_H
#define TANDEM_PTX_OPT_H

#include "csim/isa/ptx/ir/ir.h"

void ir_optimise(struct ir *ir);

struct opt_value {
  bool single; /* one definition, dominating its uses */
  bool known;  /* its value is constant */
  uint32_t constant;
  bool is_copy;       /* equal to another single unit */
  struct ir_ref copy; /* that unit (predicates: negated as well) */
  uint8_t zeros;      /* significant bits if zero-extended, 32: unknown */
  uint8_t signs;      /* the same if sign-extended */
  int def;            /* the instruction, -1 */
  int ndefs;
};

struct opt {
  struct ir *ir;
  struct opt_value *values; /* by unit */
  int *block;               /* by instruction */
};

static inline struct opt_value *opt_value(const struct opt *o, struct ir_ref r) {
  return &o->values[ir_unit(o->ir, r)];
}

/* known.c: true if r is constant (all its units); its value. */
bool opt_const(const struct opt *o, struct ir_ref r, uint64_t *value);
/* r, or the value that it is a copy of. */
struct ir_ref opt_source(const struct opt *o, struct ir_ref r);
/* Unit k of d is this constant, if d has one definition. */
void opt_set_const(struct opt *o, struct ir_ref d, unsigned k, uint32_t value);
/* Notes the facts on the result of an instruction. */
void opt_note(struct opt *o, const struct ir_inst *i);

/* address.c: of a load, a store or an atomic. */
void opt_fold_address(struct opt *o, struct ir_inst *i);

/* fold.c: simplifies one instruction, replacing sources by what they are copies of and folding
 * constants, and notes the facts on its result. */
void opt_fold(struct opt *o, struct ir_inst *i);

#endif
