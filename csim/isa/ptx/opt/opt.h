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
  int *block;               /* of each instruction */
};

static inline struct opt_value *opt_value(const struct opt *o, struct ir_ref r) {
  return &o->values[ir_unit(o->ir, r)];
}

/* Simplifies one instruction: sources replaced by what they are copies of, constants folded, and
 * notes what is known of its result. */
void opt_fold(struct opt *o, struct ir_inst *i);

#endif
