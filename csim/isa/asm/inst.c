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

static int predicate(struct assembler *a, bool may_negate, uint8_t *field) {
  asm_space(a);
  const char *start = a->at;
  bool negate = may_negate && asm_char(a, '!');
  for (unsigned i = 0; i <= ISA_PT; i++) {
    char name[4];
    (void)snprintf(name, sizeof name, i == ISA_PT ? "pT" : "p%u", i);
    if (asm_word(a, name)) {
      *field = (uint8_t)(i | (negate ? 16U : 0));
      return 0;
    }
  }
  a->at = start;
  return asm_fail(a, may_negate ? "expected a predicate: p0 to p14, pT, with ! for its opposite"
                                : "expected a predicate: p0 to p14 or pT");
}

/* r4, d4 (pair) or q4 (four).  `r` fits every size: the operation has it. */
static int reg(struct assembler *a, unsigned n, uint8_t *field) {
  static const char letters[] = {[ISA_N_ONE] = 'r', [ISA_N_PAIR] = 'd', [ISA_N_QUAD] = 'q'};
  char name[ASM_NAME];
  asm_space(a);
  const char *start = a->at;
  if (asm_identifier(a, name) && (name[0] == 'r' || name[0] == letters[n])) {
    char *end;
    unsigned long number = strtoul(name + 1, &end, 10);
    if (name[1] >= '0' && name[1] <= '9' && *end == '\0' && number < ISA_REGS) {
      if (number % isa_n_regs(n) != 0) {
        a->at = start;
        return asm_fail(a, "%s must start at a multiple of %u", n == ISA_N_PAIR ? "a pair" : "four",
                        isa_n_regs(n));
      }
      *field = (uint8_t)number;
      return 0;
    }
  }
  a->at = start;
  return asm_fail(a, "expected a register: %c0 to %c31", letters[n], letters[n]);
}

/* A float literal has a point; `#1.5` is the nearest float, which must need no more bits than
 * the immediate has. */
static bool float_literal(struct assembler *a, double *value) {
  asm_space(a);
  const char *c = a->at + (*a->at == '-');
  while (*c >= '0' && *c <= '9')
    c++;
  if (*c != '.')
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

static int float_immediate(struct assembler *a, struct inst *i) {
  double value;
  int64_t raw;
  asm_space(a);
  const char *start = a->at;
  if (!float_literal(a, &value)) {
    int rc = asm_range(a, "the upper half of the float", 0, UINT16_MAX, &raw);
    i->f.imm = (uint16_t)raw;
    return rc;
  }
  bool wide = i->f.unit == ISA_U_DP;
  uint64_t bits = wide ? bits_of_double(value) : (uint64_t)bits_of_float((float)value) << 32;
  i->f.imm = (uint16_t)(bits >> 48);
  bool exact = bits << 16 == 0 && (wide || (double)(float)value == value);
  a->at = exact ? a->at : start;
  return exact ? 0 : asm_fail(a, "this float does not fit 16 bits; load it with movi");
}

static int int_immediate(struct assembler *a, struct inst *i) {
  int64_t value;
  int rc = asm_range(a, "the immediate (movi loads larger ones)", INT16_MIN, INT16_MAX, &value);
  i->f.imm = (uint16_t)value;
  return rc;
}

/* [r2 + 16], [d2 - 4] or [16] */
static int address(struct assembler *a, struct inst *i) {
  int rc = asm_expect(a, '[');
  if (rc != 0)
    return rc;
  int64_t value;
  asm_space(a);
  if (*a->at == 'r' || *a->at == 'd') {
    bool pair = *a->at == 'd';
    i->f.mods |= pair ? ISA_MOD_A64 : 0;
    rc = reg(a, pair ? ISA_N_PAIR : ISA_N_ONE, &i->f.src1);
    bool minus = rc == 0 && asm_char(a, '-');
    if (minus || (rc == 0 && asm_char(a, '+'))) {
      rc = asm_range(a, "the offset", 0, minus ? 32768 : INT16_MAX, &value);
      i->f.imm = (uint16_t)(minus ? -value : value);
    }
  } else if (i->f.unit == ISA_U_MEM) {
    rc = asm_range(a, "a register or an absolute address", 0, UINT16_MAX, &value);
    i->f.imm = (uint16_t)value;
    i->f.mods |= (uint8_t)ISA_MOD_ABS;
  } else {
    rc = asm_fail(a, "expected a register: an atomic has no absolute address");
  }
  return rc != 0 ? rc : asm_expect(a, ']');
}

static int operand(struct assembler *a, struct inst *i, unsigned position) {
  static const char *const wanted[4] = {"destination", "first source", "second source",
                                        "third source"};
  const struct isa_op *op = &isa_ops[i->id];
  uint8_t *const fields[4] = {&i->f.dst, &i->f.src1, &i->f.src2, &i->f.src3};
  if (asm_line_ends(a))
    return asm_fail(a, "%s needs a %s here", op->mnemonic, wanted[position]);
  switch (op->shape[position]) {
  case 'P':
    return predicate(a, position != 0, fields[position]);
  case 'A':
    return address(a, i);
  default:
    break;
  }
  bool can_be_immediate = position == 2 && op->unit <= ISA_U_LONG && op->mods != ISA_M_NONE;
  if (can_be_immediate && asm_char(a, '#')) {
    i->f.mods |= (uint8_t)ISA_MOD_IMM;
    return isa_float_immediate(op->unit) ? float_immediate(a, i) : int_immediate(a, i);
  }
  struct isa_operands o = isa_operands_of(isa_pack(i->f));
  const uint8_t n[4] = {o.d, o.s1, o.s2, o.s3};
  if (n[position] == ISA_N_NONE)
    return asm_fail(a, "this combination of modifiers has no such operand");
  return reg(a, n[position], fields[position]);
}

static int operands(struct assembler *a, struct inst *i) {
  const struct isa_op *op = &isa_ops[i->id];
  bool first = true;
  for (unsigned position = 0; position < 4; position++) {
    bool no_old = op->unit == ISA_U_ATOM && (i->f.mods & ISA_MOD_NORET) != 0 && position == 0;
    if (op->shape[position] == '-' || no_old)
      continue;
    int rc = first ? 0 : asm_expect(a, ',');
    if (rc == 0)
      rc = operand(a, i, position);
    if (rc != 0)
      return rc;
    first = false;
  }
  return 0;
}

/* Instructions with operands of their own ---------------------------------------------------- */

/* A PC: a label or a number. */
static int pc_operand(struct assembler *a, int kind, uint64_t *word) {
  char name[ASM_NAME];
  int64_t value;
  if (asm_identifier(a, name))
    return asm_fixup(a, kind, name, (uint32_t)a->p->ncode, 0);
  int rc = asm_range(a, "a label or a PC", 0, ISA_NO_RPC - 1, &value);
  *word |= (uint64_t)value << (kind == FIX_TARGET ? 32 : 0);
  return rc;
}

static int bra(struct assembler *a, struct inst *i, uint64_t *word) {
  *word = isa_pack(i->f);
  int rc = pc_operand(a, FIX_TARGET, word);
  if (rc == 0)
    rc = asm_expect(a, ',');
  if (rc == 0 && !asm_word(a, "rpc"))
    rc = asm_fail(a, "expected `rpc label` (where the lanes meet again) or `rpc none`");
  if (rc == 0 && asm_word(a, "none"))
    *word |= ISA_NO_RPC;
  else if (rc == 0)
    rc = pc_operand(a, FIX_RPC, word);
  return rc;
}

static int movi(struct assembler *a, struct inst *i, uint64_t *word) {
  char name[ASM_NAME];
  int64_t value = 0;
  double real;
  int rc = reg(a, ISA_N_ONE, &i->f.dst);
  if (rc == 0)
    rc = asm_expect(a, ',');
  if (rc != 0)
    return rc;
  if (asm_identifier(a, name)) {
    uint32_t addend;
    rc = asm_addend(a, &addend);
    if (rc == 0)
      rc = asm_fixup(a, FIX_MOVI, strcmp(name, "data") == 0 ? NULL : name, (uint32_t)a->p->ncode,
                     addend);
  } else if (!asm_char(a, '#')) {
    rc = asm_fail(a, "expected #number or the name of something in the data");
  } else if (float_literal(a, &real)) {
    value = bits_of_float((float)real);
  } else {
    rc = asm_range(a, "the value", INT32_MIN, UINT32_MAX, &value);
  }
  uint32_t bits = (uint32_t)value;
  i->f.mods = (uint8_t)(bits >> 31);
  i->f.imm = (uint16_t)bits;
  *word = isa_pack(i->f) | (uint64_t)(bits >> 16 & 0x7fff) << 5;
  return rc;
}

static int special(struct assembler *a, uint16_t *number) {
  int64_t offset = 0;
  if (asm_word(a, "param")) {
    int rc = asm_expect(a, '+');
    if (rc == 0)
      rc = asm_range(a, "the offset", 0, (0xffff - ISA_SREG_PARAM) * 4, &offset);
    if (rc == 0 && offset % 4 != 0)
      rc = asm_fail(a, "the offset of a parameter word is a multiple of 4; ld.param loads parts");
    *number = (uint16_t)(ISA_SREG_PARAM + offset / 4);
    return rc;
  }
  for (unsigned n = 0; n < ISA_SREGS; n++) {
    if (isa_sregs[n].name != NULL && asm_word(a, isa_sregs[n].name)) {
      *number = (uint16_t)n;
      return 0;
    }
  }
  return asm_fail(a, "expected a special register (docs/isa.md lists them) or param+n");
}

static int movs(struct assembler *a, struct inst *i, uint64_t *word) {
  int rc = reg(a, ISA_N_ONE, &i->f.dst);
  if (rc == 0)
    rc = asm_expect(a, ',');
  if (rc == 0)
    rc = special(a, &i->f.imm);
  *word = isa_pack(i->f);
  return rc;
}

/* bsync r4, #5: the directions as a number. */
static int bsync(struct assembler *a, struct inst *i, uint64_t *word) {
  int64_t dirs = 0;
  int rc = reg(a, ISA_N_ONE, &i->f.dst);
  if (rc == 0)
    rc = asm_expect(a, ',');
  if (rc == 0)
    rc = asm_expect(a, '#');
  if (rc == 0)
    rc = asm_range(a, "the directions", 1, ISA_DIR_GLOBAL, &dirs);
  i->f.imm = (uint16_t)dirs;
  *word = isa_pack(i->f);
  return rc;
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
static int check_given(struct assembler *a, const struct inst *i, unsigned given) {
  for (unsigned k = 0; k < isa_nmods; k++) {
    const struct isa_mod *m = &isa_mods[k];
    bool optional = m->values[0] == '\0' || m->values[0] == '_' || strcmp(m->values, "u s") == 0;
    if (m->layout == isa_ops[i->id].mods && !optional && (given >> m->lsb & 1) == 0)
      return asm_fail(a, "%s needs its %s, one of: %s", isa_ops[i->id].mnemonic, m->name,
                      m->values);
  }
  return 0;
}

static int mnemonic(struct assembler *a, struct inst *i) {
  char name[ASM_NAME];
  asm_space(a);
  const char *start = a->at;
  size_t length = 0;
  unsigned given = 0;
  i->id = ISA_ILLEGAL;
  if (asm_identifier(a, name))
    i->id = find_operation(name, &length);
  if (i->id == ISA_ILLEGAL) {
    a->at = start;
    return asm_fail(a, "expected an instruction; docs/isa.md lists them");
  }
  i->f.unit = isa_ops[i->id].unit;
  i->f.op = isa_ops[i->id].op;
  for (const char *c = name + length; *c == '.';) {
    size_t n = strcspn(c + 1, ".");
    if (!apply_suffix(i, c + 1, n, &given)) {
      a->at = start + (c - name);
      return asm_fail(a, "%s has no modifier %.*s, or has its kind already",
                      isa_ops[i->id].mnemonic, (int)n, c + 1);
    }
    c += 1 + n;
  }
  return check_given(a, i, given);
}

int asm_instruction(struct assembler *a) {
  struct inst i = {.f = {.guard = ISA_PT}};
  uint64_t word = 0;
  if (a->in_data)
    return asm_fail(a, "an instruction cannot be among data; write .text first");
  asm_space(a);
  const char *start = a->at;
  int rc = asm_char(a, '@') ? predicate(a, true, &i.f.guard) : 0;
  if (rc == 0)
    rc = mnemonic(a, &i);
  if (rc != 0)
    return rc;
  if (i.id == ISA_BRA) {
    rc = bra(a, &i, &word);
  } else if (i.id == ISA_MOVI) {
    rc = movi(a, &i, &word);
  } else if (i.id == ISA_MOVS) {
    rc = movs(a, &i, &word);
  } else if (i.id == ISA_BSYNC) {
    rc = bsync(a, &i, &word);
  } else {
    rc = operands(a, &i);
    word = isa_pack(i.f);
  }
  if (rc != 0)
    return rc;
  const char *wrong = isa_check(word);
  if (wrong == NULL)
    return asm_emit(a, word);
  a->at = start;
  return asm_fail(a, "%s", wrong);
}
