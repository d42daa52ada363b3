/* Instruction selection: bit fields, counts, permutations, funnel shifts, logic tables. */
#include <string.h>

#include "csim/isa/ptx/select/select.h"

static bool is64(const struct sel *s) { return ptx_bits(s->md.type) == 64; }

static struct ir_ref op2(struct sel *s, unsigned id, unsigned mods, unsigned width, struct ir_ref a,
                         struct ir_ref b) {
  struct ir_ref d = sel_temp(s, width);
  sel_emit(s, id, mods, d, a, b, IR_NIL);
  return d;
}

static void h_bfe(struct sel *s) {
  sel_need_ops(s, 4, 4);
  sel_need_type(s, SEL_INT32 | SEL_INT64);
  enum ptx_type t = s->md.type;
  struct ir_ref d = sel_dst(s, 0, t), a = sel_src(s, 1, t), b = sel_src(s, 2, PTX_U32);
  sel_emit(s, is64(s) ? ISA_LBFE : ISA_BFE, ptx_signed(t), d, a, b, sel_src(s, 3, PTX_U32));
}

/* mask = the low len bits << pos; d = (b & ~mask) | ((a << pos) & mask) */
static void bfi64(struct sel *s, struct ir_ref d, struct ir_ref a, struct ir_ref b,
                  struct ir_ref pos, struct ir_ref len) {
  struct ir_ref one = sel_const64(s, 1);
  struct ir_ref bits = op2(s, ISA_LADD, 2, 2, op2(s, ISA_LSHL, 0, 2, one, len), one);
  struct ir_ref mask = op2(s, ISA_LSHL, 0, 2, bits, pos), inverse = sel_temp(s, 2);
  sel_emit(s, ISA_LNOT, 0, inverse, mask, IR_NIL, IR_NIL);
  struct ir_ref put = op2(s, ISA_LAND, 0, 2, op2(s, ISA_LSHL, 0, 2, a, pos), mask);
  sel_emit(s, ISA_LOR, 0, d, op2(s, ISA_LAND, 0, 2, b, inverse), put, IR_NIL);
}

static void h_bfi(struct sel *s) {
  sel_need_ops(s, 5, 5);
  sel_need_type(s, SEL_INT32 | SEL_INT64);
  enum ptx_type t = s->md.type;
  struct ir_ref d = sel_dst(s, 0, t), a = sel_src(s, 1, t), b = sel_src(s, 2, t);
  const struct ptx_operand *op = &s->st->ops[3], *ol = &s->st->ops[4];
  if (!is64(s) && op->kind == PTX_O_IMM && ol->kind == PTX_O_IMM) {
    sel_need_plain(s, op);
    sel_need_plain(s, ol);
    uint32_t c = ((uint32_t)op->value & 0xff) | ((uint32_t)ol->value & 0xff) << 8;
    sel_emit(s, ISA_BFI, 0, d, a, b, sel_const(s, c));
    return;
  }
  struct ir_ref low = sel_const(s, 0xff);
  struct ir_ref pos = op2(s, ISA_AND, 0, 1, sel_src(s, 3, PTX_U32), low);
  struct ir_ref len = op2(s, ISA_AND, 0, 1, sel_src(s, 4, PTX_U32), low);
  if (is64(s)) {
    bfi64(s, d, a, b, pos, len);
    return;
  }
  struct ir_ref high = op2(s, ISA_SHL, 0, 1, len, sel_const(s, 8));
  sel_emit(s, ISA_BFI, 0, d, a, b, op2(s, ISA_OR, 0, 1, pos, high));
}

/* 63 - leading zeros is the position and -1 for none; .shiftamt is the leading zeros, -1 for none
 */
static void bfind64(struct sel *s, struct ir_ref d, struct ir_ref a) {
  if (ptx_signed(s->md.type))
    a = op2(s, ISA_LXOR, 0, 2, a, op2(s, ISA_LSAR, 0, 2, a, sel_const(s, 63)));
  struct ir_ref zeros = sel_temp(s, 1), p = sel_ptemp(s);
  sel_emit(s, ISA_LCLZ, 0, zeros, a, IR_NIL, IR_NIL);
  if (!s->md.shiftamt) {
    sel_emit(s, ISA_IADD, 1, d, zeros, sel_const(s, 63), IR_NIL);
    return;
  }
  sel_emit(s, ISA_ISETP, 0, p, zeros, sel_const(s, 64), IR_NIL);
  sel_emit(s, ISA_SELP, 0, d, sel_const(s, UINT32_MAX), zeros, p);
}

static void h_bfind(struct sel *s) {
  sel_need_ops(s, 2, 2);
  sel_need_type(s, SEL_INT32 | SEL_INT64);
  struct ir_ref d = sel_dst(s, 0, PTX_U32), a = sel_src(s, 1, s->md.type);
  if (is64(s))
    bfind64(s, d, a);
  else
    sel_emit(s, ISA_BFIND, (ptx_signed(s->md.type) ? 1U : 0U) | (s->md.shiftamt ? 2U : 0U), d, a,
             IR_NIL, IR_NIL);
}

/* One source; the result is as wide as the operation says. */
static void unary(struct sel *s, unsigned id32, unsigned id64, bool count) {
  sel_need_ops(s, 2, 2);
  sel_need_type(s, SEL_INT32 | SEL_INT64);
  struct ir_ref d = sel_dst(s, 0, count ? PTX_B32 : s->md.type), a = sel_src(s, 1, s->md.type);
  sel_emit(s, is64(s) ? id64 : id32, 0, d, a, IR_NIL, IR_NIL);
}

static void h_brev(struct sel *s) { unary(s, ISA_BREV, ISA_LBREV, false); }
static void h_popc(struct sel *s) { unary(s, ISA_POPC, ISA_LPOPC, true); }
static void h_clz(struct sel *s) { unary(s, ISA_CLZ, ISA_LCLZ, true); }

static void h_prmt(struct sel *s) {
  sel_need_ops(s, 4, 4);
  sel_need_type(s, SEL_INT32);
  static const char *const modes[] = {NULL, "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"};
  unsigned mode = 0;
  for (unsigned i = 1; i < 7 && mode == 0; i++)
    if (sel_word(s, modes[i]))
      mode = i;
  struct ir_ref d = sel_dst(s, 0, PTX_B32), a = sel_src(s, 1, PTX_B32), b = sel_src(s, 2, PTX_B32);
  sel_emit(s, ISA_PRMT, mode, d, a, b, sel_src(s, 3, PTX_B32));
}

/* {b, a} as one 64-bit value, shifted; the wanted half of it. */
static void h_shf(struct sel *s) {
  sel_need_ops(s, 4, 4);
  sel_need_type(s, SEL_INT32);
  bool left = sel_word(s, "l"), wrap = sel_word(s, "wrap");
  if (!(left || sel_word(s, "r")) || !(wrap || sel_word(s, "clamp")))
    SEL_FAIL(s, "'shf' needs .l or .r, and .wrap or .clamp");
  struct ir_ref d = sel_dst(s, 0, PTX_B32), pair = sel_temp(s, 2), n;
  sel_copy(s, sel_sub(pair, 0), sel_src(s, 1, PTX_B32));
  sel_copy(s, sel_sub(pair, 1), sel_src(s, 2, PTX_B32));
  n = sel_src(s, 3, PTX_U32);
  n = op2(s, wrap ? ISA_AND : ISA_IMIN, 0, 1, n, sel_const(s, wrap ? 31 : 32));
  struct ir_ref r = op2(s, left ? ISA_LSHL : ISA_LSHR, 0, 2, pair, n);
  sel_copy(s, d, sel_sub(r, left ? 1 : 0));
}

/* The sum of the products that the table selects. */
static void h_lop3(struct sel *s) {
  sel_need_ops(s, 5, 5);
  sel_need_type(s, SEL_INT32);
  sel_need_plain(s, &s->st->ops[4]);
  if (s->st->ops[4].kind != PTX_O_IMM)
    SEL_FAIL(s, "the table of 'lop3' must be a constant");
  struct ir_ref d = sel_dst(s, 0, PTX_B32), in[3][2], sum = IR_NIL;
  for (unsigned k = 0; k < 3; k++) {
    in[k][1] = sel_src(s, k + 1, PTX_B32);
    in[k][0] = sel_temp(s, 1);
    sel_emit(s, ISA_NOT, 0, in[k][0], in[k][1], IR_NIL, IR_NIL);
  }
  for (unsigned row = 0; row < 8; row++) {
    if (!(s->st->ops[4].value >> row & 1))
      continue;
    struct ir_ref ab = op2(s, ISA_AND, 0, 1, in[0][row >> 2 & 1], in[1][row >> 1 & 1]);
    struct ir_ref abc = op2(s, ISA_AND, 0, 1, ab, in[2][row & 1]);
    sum = sum.v < 0 ? abc : op2(s, ISA_OR, 0, 1, sum, abc);
  }
  sel_copy(s, d, sum.v < 0 ? sel_const(s, 0) : sum);
}

const struct sel_row sel_bit_rows[] = {
    {"bfe", h_bfe, 0},   {"bfi", h_bfi, 0},   {"bfind", h_bfind, SEL_SHIFTAMT},
    {"brev", h_brev, 0}, {"popc", h_popc, 0}, {"clz", h_clz, 0},
    {"prmt", h_prmt, 0}, {"shf", h_shf, 0},   {"lop3", h_lop3, 0},
    {NULL, NULL, 0}};
