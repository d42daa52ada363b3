/* The machine IR of the PTX front end: operations of isa.def on virtual registers.
 *
 * A virtual register is one, two or four 32-bit units, or one predicate.  Operands name some units
 * of it, so that a pair may be written word by word, and liveness is kept a unit, not a register.
 */
#ifndef TANDEM_PTX_IR_H
#define TANDEM_PTX_IR_H

#include "csim/isa/ptx/base/base.h"

enum { IR_NONE = -1, IR_PT = -2 }; /* no operand; the predicate that always holds */

struct ir_ref {
  int32_t v;      /* virtual register, IR_NONE, IR_PT */
  uint8_t sub, n; /* first unit and number of units */
  bool neg;       /* predicates: negated */
};
#define IR_NIL ((struct ir_ref){.v = IR_NONE})
#define IR_TRUE ((struct ir_ref){.v = IR_PT})

/* Pseudo operations, beside enum isa_id. */
enum ir_pseudo {
  IR_LABEL = ISA_OPS + 1, /* target: label */
  IR_DEAD                 /* deleted */
};

struct ir_inst {
  uint16_t id; /* enum isa_id or ir_pseudo */
  uint8_t mods;
  bool keep;  /* stays as it is, though it seems to do nothing: it waits for its source */
  bool kill;  /* guarded, but nobody reads d where the guard fails: a full definition */
  bool reloc; /* MOVI: relocated by the data segment */
  struct ir_ref guard;
  struct ir_ref d, s[3];
  uint32_t imm;  /* MOVI: the value; memory: the offset; else the 16-bit immediate */
  int target;    /* label of BRA and IR_LABEL */
  uint16_t meet; /* number of the meeting point behind it, 0: none */
  uint32_t line;
};

struct ir_vreg {
  uint8_t width; /* units: 1, 2, 4 */
  bool pred;
  bool temp;    /* register of an expansion, written without the guard of the PTX instruction */
  bool nospill; /* register of a spill, which is as short as possible */
  int unit;     /* index of the first unit */
  int reg;      /* assigned, -1 */
};

enum ir_term { IR_T_EXIT, IR_T_JUMP, IR_T_COND };

struct ir_block {
  size_t first, end; /* instructions */
  enum ir_term term;
  struct ir_ref cond; /* COND: to t if it holds, else to f */
  int t, f;           /* JUMP: t */
  uint32_t line;
  int idom, ipdom; /* -1: none */
  /* Where lanes that the branch parts meet, unless at ipdom: meeting point, else block; and the
   * successor of the lanes that run first, as their branch is taken.  0, -1, -1: as usual. */
  uint16_t meet;
  int meet_at, leave;
  int level, leap; /* idom tree: number of blocks above, and a block far above or itself */
  int order;       /* number in reverse postorder, -1: unreachable */
  unsigned depth;  /* loops around it */
  uint32_t pc;
};

struct ir {
  struct ptx *x;
  unsigned line; /* the kernel's line, for messages */
  const char *name;
  struct ir_inst *insts;
  size_t ninsts, cinsts;
  struct ir_vreg *vregs;
  size_t nvregs, cvregs;
  int nunits;
  int nlabels;
  uint16_t nmeets;
  struct ir_block *blocks;
  size_t nblocks;
  int *rpo; /* reachable blocks in reverse postorder */
  size_t nrpo;
  int **preds; /* predecessors of each reachable block */
  unsigned *npreds;
  uint32_t local_bytes; /* depots, then spill slots */
};

int ir_new(struct ir *ir, unsigned width, bool pred);
static inline struct ir_ref ir_whole(const struct ir *ir, int v) {
  return (struct ir_ref){.v = v, .n = ir->vregs[v].width};
}
static inline int ir_unit(const struct ir *ir, struct ir_ref r) {
  return ir->vregs[r.v].unit + r.sub;
}
/* True for an operation whose d field is a definition. */
static inline bool ir_defines(const struct ir_inst *i) { return i->d.v >= 0; }
static inline bool ir_is_mem(const struct ir_inst *i) {
  return i->id < ISA_OPS && (isa_ops[i->id].unit == ISA_U_MEM || isa_ops[i->id].unit == ISA_U_ATOM);
}
/* True if it may be executed once more elsewhere, with the same result. */
static inline bool ir_repeats(const struct ir_inst *i) {
  bool live = i->id == ISA_MOVS && i->imm < ISA_SREGS && isa_sregs[i->imm].changes;
  return i->id == ISA_MOVI || (i->id == ISA_MOVS && !live);
}
/* True if nothing but the value of d comes from it. */
static inline bool ir_is_pure(const struct ir_inst *i) {
  unsigned unit = isa_ops[i->id].unit;
  return (unit >= ISA_U_IALU && unit <= ISA_U_LONG) ||
         (unit == ISA_U_MEM && isa_ops[i->id].shape[0] == 'V');
}
/* True if it keeps what d held where its guard fails. */
static inline bool ir_partial(const struct ir_inst *i) { return i->guard.v != IR_PT && !i->kill; }

/* ir/cfg.c: blocks of the linear list, with threading of trivial jumps; then the orders. */
void ir_build_cfg(struct ir *ir);
void ir_analyse_cfg(struct ir *ir);
bool ir_dominates(const struct ir *ir, int a, int b);

/* ir/wait.c: sets where the lanes meet that leave a loop that waits for memory to change. */
void ir_find_waits(struct ir *ir);

#endif
