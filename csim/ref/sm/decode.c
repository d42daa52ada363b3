/* Reference of rtl/sm/decode.sv. */
#include "csim/ref/sm/decode.h"

enum { ELEMENT_64 = 3, ATOMIC_64 = 1 << 2 };

/* Code of a load's or store's data: element size in mods[1:0], vector in mods[4:3]. */
static unsigned data_n(unsigned mods) {
  static const uint8_t narrow[4] = {ISA_N_ONE, ISA_N_PAIR, ISA_N_QUAD, ISA_N_QUAD};
  static const uint8_t wide[4] = {ISA_N_PAIR, ISA_N_QUAD, ISA_N_QUAD, ISA_N_QUAD};
  return (mods & 3) == ELEMENT_64 ? wide[mods >> 3 & 3] : narrow[mods >> 3 & 3];
}

static unsigned address_n(unsigned unit, unsigned mods) {
  if (unit == ISA_U_MEM && (mods & ISA_MOD_ABS) != 0)
    return ISA_N_NONE;
  return (mods & ISA_MOD_A64) != 0 ? ISA_N_PAIR : ISA_N_ONE;
}

/* Code of the operand with this shape letter. */
static unsigned operand_n(char letter, unsigned unit, unsigned mods) {
  switch (letter) {
  case 'R':
    return ISA_N_ONE;
  case 'D':
    return ISA_N_PAIR;
  case 'A':
    return address_n(unit, mods);
  case 'V':
    return data_n(mods);
  case 'W':
    return (mods & ATOMIC_64) != 0 ? ISA_N_PAIR : ISA_N_ONE;
  default:
    return ISA_N_NONE;
  }
}

static unsigned ctl_of(enum isa_id id) {
  switch (id) {
  case ISA_BRA:
    return DECODE_CTL_BRA;
  case ISA_EXIT:
    return DECODE_CTL_EXIT;
  case ISA_BAR:
    return DECODE_CTL_BAR;
  default:
    return DECODE_CTL_NONE;
  }
}

unsigned decode_ref_ctl(uint64_t word) { return ctl_of(isa_id_of(word)); }

uint16_t decode_ref_word(uint64_t word) {
  enum isa_id id = isa_id_of(word);
  if (id == ISA_ILLEGAL)
    return 0;
  const struct isa_op *op = &isa_ops[id];
  unsigned mods = isa_unpack(word).mods;
  unsigned n[4];
  for (unsigned i = 0; i < 4; i++)
    n[i] = operand_n(op->shape[i], op->unit, mods);
  bool src2_is_reg = op->shape[2] == 'R' || op->shape[2] == 'D';
  if (op->unit >= ISA_U_IALU && op->unit <= ISA_U_LONG && (mods & ISA_MOD_IMM) != 0 && src2_is_reg)
    n[2] = ISA_N_NONE;
  if (op->unit == ISA_U_ATOM && (mods & ISA_MOD_NORET) != 0)
    n[0] = ISA_N_NONE;
  unsigned d_p = op->shape[0] == 'P', p2 = op->shape[2] == 'P', p3 = op->shape[3] == 'P';
  return (uint16_t)(p3 << 14 | p2 << 13 | n[3] << 11 | n[2] << 9 | n[1] << 7 | d_p << 6 |
                    n[0] << 4 | ctl_of(id) << 2 | op->pipe);
}

void decode_ref_reset(struct decode_ref *d) { d->unused_ = 0; }

void decode_ref_eval(const struct decode_ref *d, const struct decode_in *in,
                     struct decode_out *out) {
  (void)d;
  *out = (struct decode_out){.dec = decode_ref_word(in->inst)};
}

void decode_ref_step(struct decode_ref *d, const struct decode_in *in) {
  (void)d;
  (void)in;
}

void decode_ref_view(const struct decode_ref *d, struct decode_view *view) {
  (void)d;
  *view = (struct decode_view){0};
}
