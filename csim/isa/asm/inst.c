/* Assembler text of one instruction to its word. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/asm/asm_local.h"
#include "csim/isa/core/isa_mods.h"

struct inst {
  enum isa_id id;
  struct isa_inst f;
};

/* Operands ---------------------------------------------------------------------------------- */

static void predicate(struct assembler *a, bool may_negate, uint8_t *field) {
  asm_space(a);
  const char *start = a->at;
  bool negate = may_negate && asm_char(a, '!');
  for (unsigned i = 0; i <= ISA_PT; i++) {
    char name[4];
    (void)snprintf(name, sizeof name, i == ISA_PT ? "pT" : "p%u", i);
    if (asm_word(a, name)) {
      *field = (uint8_t)(i | (negate ? 16U : 0));
      return;
    }
  }
  asm_fail_here(a, start,
                may_negate ? "expected a predicate: p0 to p14, pT, with ! for its opposite"
                           : "expected a predicate: p0 to p14 or pT");
}

/* r4, d4 (pair) or q4 (four).  `r` fits every size: the operation has it. */
static void reg(struct assembler *a, unsigned n, uint8_t *field) {
  static const char letters[] = {[ISA_N_ONE] = 'r', [ISA_N_PAIR] = 'd', [ISA_N_QUAD] = 'q'};
  char name[ASM_NAME];
  asm_space(a);
  const char *start = a->at;
  if (asm_identifier(a, name) && (name[0] == 'r' || name[0] == letters[n])) {
    char *end;
    unsigned long number = strtoul(name + 1, &end, 10);
    if (name[1] >= '0' && name[1] <= '9' && *end == '\0' && number < ISA_REGS) {
      *field = (uint8_t)number;
      if (number % isa_n_regs(n) != 0)
        asm_fail_here(a, start, "%s must start at a multiple of %u",
                      n == ISA_N_PAIR ? "a pair" : "four", isa_n_regs(n));
      return;
    }
  }
  asm_fail_here(a, start, "expected a register: %c0 to %c31", letters[n], letters[n]);
}

/* A float literal has a point; `#1.5` is the nearest float, which must need no more bits than
 * the immediate has. */
static bool float_literal(struct assembler *a, double *value) {
  asm_space(a);
  const char *c = a->at + (*a->at == '-');
  while (*c >= '0' && *c <= '9')
    c++;
  if (a->status != 0 || *c != '.')
    return false;
  char *end;
  *value = strtod(a->at, &end);
  a->at = end;
  return true;
}

static uint32_t bits_of_float(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static uint64_t bits_of_double(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static void float_immediate(struct assembler *a, struct inst *i) {
  double value;
  asm_space(a);
  const char *start = a->at;
  if (!float_literal(a, &value)) {
    i->f.imm = (uint16_t)asm_range(a, "the upper half of the float", 0, UINT16_MAX);
    return;
  }
  bool wide = i->f.unit == ISA_U_DP;
  uint64_t bits = wide ? bits_of_double(value) : (uint64_t)bits_of_float((float)value) << 32;
  i->f.imm = (uint16_t)(bits >> 48);
  if (bits << 16 != 0 || (!wide && (double)(float)value != value))
    asm_fail_here(a, start, "this float does not fit 16 bits; load it with movi");
}

static void int_immediate(struct assembler *a, struct inst *i) {
  i->f.imm = (uint16_t)asm_range(a, "the immediate (movi loads larger ones)", INT16_MIN, INT16_MAX);
}

/* [r2 + 16], [d2 - 4] or [16] */
static void address(struct assembler *a, struct inst *i) {
  asm_expect(a, '[');
  asm_space(a);
  if (*a->at == 'r' || *a->at == 'd') {
    bool pair = *a->at == 'd';
    i->f.mods |= pair ? ISA_MOD_A64 : 0;
    reg(a, pair ? ISA_N_PAIR : ISA_N_ONE, &i->f.src1);
    bool minus = asm_char(a, '-');
    if (minus || asm_char(a, '+')) {
      int64_t value = asm_range(a, "the offset", 0, minus ? 32768 : INT16_MAX);
      i->f.imm = (uint16_t)(minus ? -value : value);
    }
  } else if (i->f.unit == ISA_U_MEM) {
    i->f.imm = (uint16_t)asm_range(a, "a register or an absolute address", 0, UINT16_MAX);
    i->f.mods |= (uint8_t)ISA_MOD_ABS;
  } else {
    asm_fail(a, "expected a register: an atomic has no absolute address");
  }
  asm_expect(a, ']');
}

static void operand(struct assembler *a, struct inst *i, unsigned position) {
  static const char *const wanted[4] = {"destination", "first source", "second source",
                                        "third source"};
  const struct isa_op *op = &isa_ops[i->id];
  uint8_t *const fields[4] = {&i->f.dst, &i->f.src1, &i->f.src2, &i->f.src3};
  const bool may_be_immediate = position == 2 && op->unit <= ISA_U_LONG && op->mods != ISA_M_NONE;
  if (asm_line_ends(a)) {
    asm_fail(a, "%s needs a %s here", op->mnemonic, wanted[position]);
  } else if (op->shape[position] == 'P') {
    predicate(a, position != 0, fields[position]);
  } else if (op->shape[position] == 'A') {
    address(a, i);
  } else if (may_be_immediate && asm_char(a, '#')) {
    i->f.mods |= (uint8_t)ISA_MOD_IMM;
    if (isa_float_immediate(op->unit))
      float_immediate(a, i);
    else
      int_immediate(a, i);
  } else {
    struct isa_operands o = isa_operands_of(isa_pack(i->f));
    const uint8_t n[4] = {o.d, o.s1, o.s2, o.s3};
    if (n[position] == ISA_N_NONE)
      asm_fail(a, "this combination of modifiers has no such operand");
    else
      reg(a, n[position], fields[position]);
  }
}

static void operands(struct assembler *a, struct inst *i) {
  const struct isa_op *op = &isa_ops[i->id];
  bool first = true;
  for (unsigned position = 0; position < 4; position++) {
    bool no_old = op->unit == ISA_U_ATOM && (i->f.mods & ISA_MOD_NORET) != 0 && position == 0;
    if (op->shape[position] == '-' || no_old)
      continue;
    if (!first)
      asm_expect(a, ',');
    operand(a, i, position);
    first = false;
  }
}

/* Instructions with operands of their own ---------------------------------------------------- */

/* A PC: a label or a number.  Returns its bits of the word; a label's are filled in later. */
static uint64_t pc_operand(struct assembler *a, int kind) {
  char name[ASM_NAME];
  if (asm_identifier(a, name)) {
    asm_fixup(a, kind, name, (uint32_t)a->p->ncode, 0);
    return 0;
  }
  return (uint64_t)asm_range(a, "a label or a PC", 0, ISA_NO_RPC - 1)
         << (kind == FIX_TARGET ? 32 : 0);
}

static uint64_t bra(struct assembler *a, struct inst *i) {
  uint64_t word = isa_pack(i->f) | pc_operand(a, FIX_TARGET);
  asm_expect(a, ',');
  if (!asm_word(a, "rpc"))
    asm_fail(a, "expected `rpc label` (where the lanes meet again) or `rpc none`");
  return word | (asm_word(a, "none") ? ISA_NO_RPC : pc_operand(a, FIX_RPC));
}

static uint64_t movi(struct assembler *a, struct inst *i) {
  char name[ASM_NAME];
  uint32_t bits = 0;
  double real;
  reg(a, ISA_N_ONE, &i->f.dst);
  asm_expect(a, ',');
  if (asm_identifier(a, name))
    asm_fixup(a, FIX_MOVI, strcmp(name, "data") == 0 ? NULL : name, (uint32_t)a->p->ncode,
              asm_addend(a));
  else if (!asm_char(a, '#'))
    asm_fail(a, "expected #number or the name of something in the data");
  else if (float_literal(a, &real))
    bits = bits_of_float((float)real);
  else
    bits = (uint32_t)asm_range(a, "the value", INT32_MIN, UINT32_MAX);
  i->f.mods = (uint8_t)(bits >> 31);
  i->f.imm = (uint16_t)bits;
  return isa_pack(i->f) | (uint64_t)(bits >> 16 & 0x7fff) << 5;
}

static uint16_t special(struct assembler *a) {
  if (asm_word(a, "param")) {
    asm_expect(a, '+');
    const int64_t offset = asm_range(a, "the offset", 0, (0xffff - ISA_SREG_PARAM) * 4);
    if (offset % 4 != 0)
      asm_fail(a, "the offset of a parameter word is a multiple of 4; ld.param loads parts");
    return (uint16_t)(ISA_SREG_PARAM + offset / 4);
  }
  for (unsigned n = 0; n < ISA_SREGS; n++)
    if (isa_sregs[n].name != NULL && asm_word(a, isa_sregs[n].name))
      return (uint16_t)n;
  asm_fail(a, "expected a special register (docs/reference/isa.md lists them) or param+n");
  return 0;
}

static uint64_t movs(struct assembler *a, struct inst *i) {
  reg(a, ISA_N_ONE, &i->f.dst);
  asm_expect(a, ',');
  i->f.imm = special(a);
  return isa_pack(i->f);
}

/* bsync r4, #5: the directions as a number. */
static uint64_t bsync(struct assembler *a, struct inst *i) {
  reg(a, ISA_N_ONE, &i->f.dst);
  asm_expect(a, ',');
  asm_expect(a, '#');
  i->f.imm = (uint16_t)asm_range(a, "the directions", 1, ISA_DIR_GLOBAL);
  return isa_pack(i->f);
}

static uint64_t plain(struct assembler *a, struct inst *i) {
  operands(a, i);
  return isa_pack(i->f);
}

/* Mnemonic ---------------------------------------------------------------------------------- */

/* The operation whose mnemonic the name starts with, the longest if several. */
static enum isa_id find_operation(const char *name, size_t *length) {
  enum isa_id best = ISA_ILLEGAL;
  *length = 0;
  for (enum isa_id id = 0; id < ISA_OPS; id++) {
    size_t n = strlen(isa_ops[id].mnemonic);
    if (n > *length && strncmp(name, isa_ops[id].mnemonic, n) == 0 &&
        (name[n] == '\0' || name[n] == '.')) {
      best = id;
      *length = n;
    }
  }
  return best;
}

/* Number of the word in a field's list of values, -1 if it is not there. */
static int value_of(const struct isa_mod *m, const char *word, size_t n) {
  if (m->values[0] == '\0')
    return strlen(m->name) == n && strncmp(m->name, word, n) == 0 ? 1 : -1;
  int value = 0;
  for (const char *v = m->values; *v != '\0'; value++) {
    size_t length = strcspn(v, " ");
    if (length == n && strncmp(v, word, n) == 0 && *v != '_')
      return value;
    v += length + (v[length] == ' ');
  }
  return -1;
}

/* Sets the field that has the suffix; *given collects the bits of the fields seen. */
static bool apply_suffix(struct inst *i, const char *word, size_t n, unsigned *given) {
  for (unsigned k = 0; k < isa_nmods; k++) {
    const struct isa_mod *m = &isa_mods[k];
    int value = m->layout == isa_ops[i->id].mods && !isa_mod_implied(m) ? value_of(m, word, n) : -1;
    if (value >= 0 && (*given >> m->lsb & 1) == 0) {
      i->f.mods |= (uint8_t)(value << m->lsb);
      *given |= 1U << m->lsb;
      return true;
    }
  }
  return false;
}

/* A field with named values must be named, but for those with a default: "_", and unsigned. */
static void check_given(struct assembler *a, const struct inst *i, unsigned given) {
  for (unsigned k = 0; k < isa_nmods; k++) {
    const struct isa_mod *m = &isa_mods[k];
    bool optional = m->values[0] == '\0' || m->values[0] == '_' || strcmp(m->values, "u s") == 0;
    if (m->layout == isa_ops[i->id].mods && !optional && (given >> m->lsb & 1) == 0)
      asm_fail(a, "%s needs its %s, one of: %s", isa_ops[i->id].mnemonic, m->name, m->values);
  }
}

static void mnemonic(struct assembler *a, struct inst *i) {
  char name[ASM_NAME];
  asm_space(a);
  const char *start = a->at;
  size_t length = 0;
  unsigned given = 0;
  i->id = asm_identifier(a, name) ? find_operation(name, &length) : ISA_ILLEGAL;
  if (i->id == ISA_ILLEGAL) {
    asm_fail_here(a, start, "expected an instruction; docs/reference/isa.md lists them");
    return;
  }
  i->f.unit = isa_ops[i->id].unit;
  i->f.op = isa_ops[i->id].op;
  for (const char *c = name + length; *c == '.';) {
    size_t n = strcspn(c + 1, ".");
    if (!apply_suffix(i, c + 1, n, &given))
      asm_fail_here(a, start + (c - name), "%s has no modifier %.*s, or has its kind already",
                    isa_ops[i->id].mnemonic, (int)n, c + 1);
    c += 1 + n;
  }
  check_given(a, i, given);
}

void asm_instruction(struct assembler *a) {
  struct inst i = {.f = {.guard = ISA_PT}};
  if (a->in_data)
    asm_fail(a, "an instruction cannot be among data; write .text first");
  asm_space(a);
  const char *start = a->at;
  if (asm_char(a, '@'))
    predicate(a, true, &i.f.guard);
  mnemonic(a, &i);
  if (a->status != 0)
    return;
  uint64_t (*const rest)(struct assembler *, struct inst *) = i.id == ISA_BRA     ? bra
                                                              : i.id == ISA_MOVI  ? movi
                                                              : i.id == ISA_MOVS  ? movs
                                                              : i.id == ISA_BSYNC ? bsync
                                                                                  : plain;
  const uint64_t word = rest(a, &i);
  const char *wrong = isa_check(word);
  if (wrong != NULL)
    asm_fail_here(a, start, "%s", wrong);
  asm_emit(a, word);
}
