/* Operations, operands and checks of instruction words, from the tables of isa.def. */
#include "csim/isa/core/isa.h"

#include "csim/isa/core/isa_mods.h"

enum { UNITS = 16, OPCODES = 64, SRC2_FIELD = 2 };

const struct isa_op isa_ops[ISA_OPS] = {
#define ISA_OP(unit, n, id, mnemonic, shape, pipe, lat, mods, text)                                \
  [ISA_##id] = {ISA_U_##unit, (n),   ISA_PIPE_##pipe, ISA_L_##lat,                                 \
                ISA_M_##mods, shape, mnemonic,        text},
#include "csim/isa/core/isa.def"
};

const struct isa_sreg_info isa_sregs[ISA_SREGS] = {
#define ISA_SREG(id, n, name, changes) [n] = {name, changes},
#include "csim/isa/core/isa.def"
};

const struct isa_lat_class isa_lat_classes[ISA_LATS] = {
#define ISA_LAT(id, key, lat, ii) [ISA_L_##id] = {key, (lat), (ii)},
#include "csim/isa/core/isa.def"
};

const struct isa_mod isa_mods[] = {
#define ISA_MOD(layout, lsb, width, name, values) {ISA_M_##layout, (lsb), (width), name, values},
#include "csim/isa/core/isa.def"
};
const unsigned isa_nmods = sizeof isa_mods / sizeof isa_mods[0];

/* Table index + 1 of every unit and operation number; 0: undefined. */
static const uint8_t id_table[UNITS][OPCODES] = {
#define ISA_OP(unit, n, id, mnemonic, shape, pipe, lat, mods, text)                                \
  [ISA_U_##unit][n] = ISA_##id + 1,
#include "csim/isa/core/isa.def"
};
_Static_assert(ISA_OPS < 255, "operation indices plus one fit a byte");

/* Returns the number of values that the field defines. */
static unsigned isa_mod_values(const struct isa_mod *m) {
  if (m->values[0] == '\0')
    return 2;
  unsigned n = 1;
  for (const char *c = m->values; *c != '\0'; c++)
    n += *c == ' ';
  return n;
}

bool isa_mod_implied(const struct isa_mod *m) {
  bool memory = m->layout == ISA_M_MEM || m->layout == ISA_M_ATOM;
  return memory ? m->lsb == 5 || (m->layout == ISA_M_MEM && m->lsb == 6) : m->lsb == 6;
}

enum isa_id isa_id_of(uint64_t word) {
  unsigned entry = id_table[word >> 54 & 15][word >> 48 & 63];
  return entry == 0 ? ISA_ILLEGAL : (enum isa_id)(entry - 1);
}

/* True if src 2 is replaced by the immediate. */
static bool takes_imm(const struct isa_op *op, unsigned mods) {
  return op->unit >= ISA_U_IALU && op->unit <= ISA_U_LONG && (mods & ISA_MOD_IMM) != 0 &&
         (op->shape[SRC2_FIELD] == 'R' || op->shape[SRC2_FIELD] == 'D');
}

/* Registers of the data of a load or store; undefined combinations as decode has them. */
static uint8_t data_regs(unsigned mods) {
  static const uint8_t narrow[4] = {ISA_N_ONE, ISA_N_PAIR, ISA_N_QUAD, ISA_N_QUAD};
  static const uint8_t wide[4] = {ISA_N_PAIR, ISA_N_QUAD, ISA_N_QUAD, ISA_N_QUAD};
  unsigned vector = mods >> 3 & 3;
  return (mods & 3) == 3 ? wide[vector] : narrow[vector];
}

static uint8_t operand_regs(char letter, const struct isa_op *op, unsigned mods) {
  switch (letter) {
  case 'R':
    return ISA_N_ONE;
  case 'D':
    return ISA_N_PAIR;
  case 'V':
    return data_regs(mods);
  case 'W':
    return (mods & ISA_MOD_64) != 0 ? ISA_N_PAIR : ISA_N_ONE;
  case 'A':
    if (op->unit == ISA_U_MEM && (mods & ISA_MOD_ABS) != 0)
      return ISA_N_NONE;
    return (mods & ISA_MOD_A64) != 0 ? ISA_N_PAIR : ISA_N_ONE;
  default:
    return ISA_N_NONE;
  }
}

struct isa_operands isa_operands_of(uint64_t word) {
  struct isa_operands o = {0};
  enum isa_id id = isa_id_of(word);
  if (id == ISA_ILLEGAL)
    return o;
  const struct isa_op *op = &isa_ops[id];
  unsigned mods = isa_unpack(word).mods;
  o.d = operand_regs(op->shape[0], op, mods);
  o.s1 = operand_regs(op->shape[1], op, mods);
  o.s2 = operand_regs(op->shape[2], op, mods);
  o.s3 = operand_regs(op->shape[3], op, mods);
  if (op->unit == ISA_U_ATOM && (mods & ISA_MOD_NORET) != 0)
    o.d = ISA_N_NONE;
  if (takes_imm(op, mods))
    o.s2 = ISA_N_NONE;
  o.dp = op->shape[0] == 'P';
  o.p2 = op->shape[2] == 'P';
  o.p3 = op->shape[3] == 'P';
  return o;
}

/* Undefined bits and values, and combinations that mean nothing. */
static const char *check_mods(enum isa_id id, unsigned mods) {
  const struct isa_op *op = &isa_ops[id];
  unsigned defined = id == ISA_MOVI ? 1 : 0; /* bit 31 of movi's value */
  for (unsigned i = 0; i < isa_nmods; i++) {
    const struct isa_mod *m = &isa_mods[i];
    if (m->layout != op->mods)
      continue;
    unsigned mask = (1U << m->width) - 1;
    defined |= mask << m->lsb;
    if ((mods >> m->lsb & mask) >= isa_mod_values(m))
      return "a modifier field has an undefined value";
  }
  if ((mods & ~defined) != 0)
    return "a modifier bit is set that the operation does not define";
  if (op->unit >= ISA_U_IALU && op->unit <= ISA_U_LONG && id != ISA_MOVI &&
      (mods & ISA_MOD_IMM) != 0 && !takes_imm(op, mods))
    return "imm is set but the operation has no register in src 2";
  if (op->mods == ISA_M_F2I && (mods & 2) != 0 && (mods & 8) != 0)
    return "to16 and to8 exclude each other";
  if (op->unit == ISA_U_ATOM && (mods & ISA_MOD_64) != 0 && op->shape[0] != 'W')
    return "atom.inc, atom.dec and atom.fadd are on 32 bits only";
  if (id == ISA_LADD && (mods & 4) != 0)
    return "ladd has no sat";
  if (op->unit == ISA_U_MEM && (mods & ISA_MOD_ABS) != 0 && (mods & ISA_MOD_A64) != 0)
    return "an absolute address has no register that a64 could widen";
  if (op->unit == ISA_U_MEM && (mods & 3) == 3 && (mods >> 3 & 3) == 2)
    return "a vector of four 64-bit elements does not fit four registers";
  return NULL;
}

static const char *check_reg(unsigned field, unsigned n, bool pred) {
  if (pred)
    return NULL;
  if (n == ISA_N_NONE)
    return field == 0 ? NULL : "a register field that the instruction does not use must be 0";
  if (n == ISA_N_PAIR && field % 2 != 0)
    return "a register pair must start at an even register";
  if (n == ISA_N_QUAD && field % 4 != 0)
    return "four registers must start at a multiple of four";
  return NULL;
}

static const char *check_regs(const struct isa_inst *f, const struct isa_operands *o) {
  if (o->dp && f->dst > ISA_PT)
    return "a predicate destination must be p0 to p14 or pT";
  const char *text = check_reg(f->dst, o->d, o->dp);
  if (text == NULL)
    text = check_reg(f->src1, o->s1, false);
  if (text == NULL)
    text = check_reg(f->src2, o->s2, o->p2);
  if (text == NULL)
    text = check_reg(f->src3, o->s3, o->p3);
  return text;
}

static const char *check_imm(enum isa_id id, const struct isa_inst *f) {
  const struct isa_op *op = &isa_ops[id];
  if (id == ISA_BSYNC)
    return f->imm == 0 || f->imm > ISA_DIR_GLOBAL
               ? "the directions of bsync are 1 to 63, or 64 alone for all units"
               : NULL;
  if (id == ISA_MOVI || op->unit == ISA_U_MEM || op->unit == ISA_U_ATOM || takes_imm(op, f->mods))
    return NULL;
  if (id == ISA_BRA)
    return f->imm == ISA_NO_RPC ? "a branch target must be below 0xffff" : NULL;
  if (id == ISA_MOVS) {
    bool named = f->imm < ISA_SREGS && isa_sregs[f->imm].name != NULL;
    return named || f->imm >= ISA_SREG_PARAM ? NULL : "undefined special register";
  }
  return f->imm == 0 ? NULL : "the immediate must be 0 where the instruction does not use it";
}

const char *isa_check(uint64_t word) {
  enum isa_id id = isa_id_of(word);
  if (id == ISA_ILLEGAL)
    return "undefined operation";
  struct isa_inst f = isa_unpack(word);
  struct isa_operands o = isa_operands_of(word);
  const char *text = check_mods(id, f.mods);
  if (text == NULL)
    text = check_imm(id, &f);
  if (text == NULL && id == ISA_BRA && (word & 0xf0000) != 0)
    text = "the reconvergence PC must fit 16 bits";
  /* The branch keeps its reconvergence PC, movi its value in the fields of the registers. */
  if (text == NULL && id != ISA_BRA && id != ISA_MOVI)
    text = check_regs(&f, &o);
  if (text == NULL && (id == ISA_BAR || id == ISA_BSYNC) && f.guard != ISA_PT)
    text = "a barrier cannot be guarded: its guard must be pT";
  return text;
}
