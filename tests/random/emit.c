/* Inside of the generator: instructions appended to the program, one by one. */
#include "tests/random/emit.h"

unsigned gen_pick(struct gen *g, unsigned n) { return rng_below(&g->rng, n); }

unsigned gen_emit(struct gen *g, struct isa_inst i) {
  g->code[g->n] = isa_pack(i);
  return g->n++;
}

enum isa_id gen_any(struct gen *g) {
  unsigned id = gen_pick(g, ISA_OPS - 1);
  return (enum isa_id)(id + (id >= ISA_BSYNC));
}

struct isa_inst gen_op(enum isa_id id) {
  return (struct isa_inst){.unit = isa_ops[id].unit, .op = isa_ops[id].op, .guard = ISA_PT};
}

void gen_movi(struct gen *g, unsigned reg, uint32_t value) {
  struct isa_inst i = gen_op(ISA_MOVI);
  i.dst = (uint8_t)reg;
  i.imm = (uint16_t)value;
  i.src1 = value >> 16 & 31;
  i.src2 = value >> 21 & 31;
  i.src3 = value >> 26 & 31;
  i.mods = (uint8_t)(value >> 31);
  (void)gen_emit(g, i);
}

void gen_movs(struct gen *g, unsigned reg, unsigned number) {
  struct isa_inst i = gen_op(ISA_MOVS);
  i.dst = (uint8_t)reg;
  i.imm = (uint16_t)number;
  (void)gen_emit(g, i);
}

void gen_alu(struct gen *g, enum isa_id id, unsigned d, unsigned a, unsigned b, unsigned c) {
  struct isa_inst i = gen_op(id);
  i.dst = (uint8_t)d;
  i.src1 = (uint8_t)a;
  i.src2 = (uint8_t)b;
  i.src3 = (uint8_t)c;
  (void)gen_emit(g, i);
}

void gen_alu_imm(struct gen *g, enum isa_id id, unsigned d, unsigned a, unsigned imm) {
  struct isa_inst i = gen_op(id);
  i.dst = (uint8_t)d;
  i.src1 = (uint8_t)a;
  i.imm = (uint16_t)imm;
  i.mods = ISA_MOD_IMM;
  (void)gen_emit(g, i);
}

unsigned gen_data_reg(struct gen *g, unsigned align) {
  unsigned n = (R_DATA_END - R_DATA) / align;
  /* Few registers at a time make hazards likely. */
  return R_DATA + gen_pick(g, gen_chance(&g->rng, 60) && n > 2 ? n / 3 : n) * align;
}

unsigned gen_pred_source(struct gen *g) {
  unsigned p = gen_chance(&g->rng, 5) ? ISA_PT : gen_pick(g, P_DATA_END);
  return p | (gen_pick(g, 2) << 4);
}

unsigned gen_guard(struct gen *g) { return gen_chance(&g->rng, 70) ? ISA_PT : gen_pred_source(g); }
