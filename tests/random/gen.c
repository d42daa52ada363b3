/* Random programs that are valid by construction. */
#include <stdlib.h>
#include <string.h>

#include "tests/random/emit.h"

enum {
  MAX_DEPTH = 4,
  MAX_TRIPS = 48 /* product over nested loops */
};

bool gen_chance(struct rng *rng, uint32_t percent) { return rng_below(rng, 100) < percent; }

/* Room is kept for the end of the program and of all open constructs. */
static bool room(const struct gen *g) { return g->n + 120 < GEN_MAX_CODE; }

/* p = reg cmp imm, signed; cmp as in the table: eq ne lt le gt ge */
static void compare(struct gen *g, unsigned p, unsigned cmp, unsigned reg, int imm) {
  struct isa_inst i = gen_op(ISA_ISETP);
  i.dst = (uint8_t)p;
  i.src1 = (uint8_t)reg;
  i.imm = (uint16_t)imm;
  i.mods = (uint8_t)(ISA_MOD_IMM | 8 | cmp);
  (void)gen_emit(g, i);
}

static unsigned branch(struct gen *g, unsigned guard, unsigned target) {
  struct isa_inst i = gen_op(ISA_BRA);
  i.guard = (uint8_t)guard;
  i.imm = (uint16_t)target;
  return gen_emit(g, i);
}

static void land(struct gen *g, unsigned bra) {
  g->code[bra] = (g->code[bra] & ~(UINT64_C(0xffff) << 32)) | (uint64_t)g->n << 32;
}

/* Statements -------------------------------------------------------------------------------- */

static unsigned reg_of_shape(struct gen *g, char letter, unsigned n) {
  if (letter == 'P')
    return gen_pred_source(g);
  return n == ISA_N_NONE ? 0 : gen_data_reg(g, isa_n_regs(n));
}

/* An operation of a unit; the slowest ones less often, else they are all the time. */
static enum isa_id operation(struct gen *g, unsigned unit) {
  for (;;) {
    enum isa_id id = gen_any(g);
    if (isa_ops[id].unit == unit && (isa_ops[id].lat != ISA_L_DP_DIV || gen_chance(&g->rng, 20)))
      return id;
  }
}

/* Modifiers, operands and guard at random; well formed or not. */
static struct isa_inst try_alu(struct gen *g, enum isa_id id) {
  struct isa_inst i = gen_op(id);
  i.mods = isa_ops[id].mods == ISA_M_NONE ? 0 : (uint8_t)gen_pick(g, 128);
  if (gen_chance(&g->rng, 50))
    i.mods &= (uint8_t)~ISA_MOD_IMM;
  struct isa_operands o = isa_operands_of(isa_pack(i));
  const char *shape = isa_ops[id].shape;
  i.dst = (uint8_t)(o.dp ? gen_pick(g, P_DATA_END) : reg_of_shape(g, shape[0], o.d));
  i.src1 = (uint8_t)reg_of_shape(g, shape[1], o.s1);
  i.src2 = (uint8_t)reg_of_shape(g, shape[2], o.s2);
  i.src3 = (uint8_t)reg_of_shape(g, shape[3], o.s3);
  i.guard = (uint8_t)gen_guard(g);
  if ((i.mods & ISA_MOD_IMM) != 0)
    i.imm = (uint16_t)(gen_pick(g, 2) ? gen_pick(g, 64) : gen_pick(g, 65536));
  return i;
}

/* Returns a special register or a word of the parameters.  A race-free program gets no register of
 * the machine or the time. */
static unsigned special(struct gen *g) {
  if (!gen_pick(g, 2))
    return ISA_SREG_PARAM + gen_pick(g, GEN_PARAM_WORDS);
  for (;;) {
    unsigned number = gen_pick(g, ISA_SR_LOCAL_BASE + 1); /* no stencil processing unit */
    if (!g->options->race_free || (number != ISA_SR_SMID && number != ISA_SR_NSMID &&
                                   number != ISA_SR_CLOCK && number != ISA_SR_CLOCKHI))
      return number;
  }
}

/* An instruction of the ALU units, any operation, any modifiers that the checker takes. */
static void statement_alu(struct gen *g) {
  static const uint8_t units[] = {ISA_U_IALU, ISA_U_IALU, ISA_U_IALU, ISA_U_IALU, ISA_U_IALU,
                                  ISA_U_IALU, ISA_U_ICMP, ISA_U_ICMP, ISA_U_IMUL, ISA_U_IMAD,
                                  ISA_U_FADD, ISA_U_FADD, ISA_U_FCMP, ISA_U_FMUL, ISA_U_FMA,
                                  ISA_U_LONG, ISA_U_LONG, ISA_U_SFU,  ISA_U_DP,   ISA_U_IDIV};
  enum isa_id id = operation(g, units[gen_pick(g, sizeof units)]);
  if (id == ISA_MOVI) {
    gen_movi(g, gen_data_reg(g, 1), (uint32_t)rng_next(&g->rng));
    return;
  }
  if (id == ISA_MOVS) {
    gen_movs(g, gen_data_reg(g, 1), special(g));
    return;
  }
  struct isa_inst i;
  do
    i = try_alu(g, id);
  while (isa_check(isa_pack(i)) != NULL);
  (void)gen_emit(g, i);
}

static void block(struct gen *g, unsigned statements);

/* A predicate to branch on, fresh as often as not. */
static unsigned condition(struct gen *g) {
  if (gen_chance(&g->rng, 50))
    return gen_pred_source(g);
  unsigned p = gen_pick(g, P_DATA_END);
  if (gen_pick(g, 2)) {
    gen_movs(g, R_ADDR, ISA_SR_LANEID);
    compare(g, p, gen_pick(g, 6), R_ADDR, (int)gen_pick(g, 32));
  } else {
    compare(g, p, gen_pick(g, 6), gen_data_reg(g, 1), (int)gen_pick(g, 200) - 100);
  }
  return p | gen_pick(g, 2) << 4;
}

static void statement_if(struct gen *g) {
  bool uniform = g->uniform;
  unsigned over = branch(g, condition(g), 0);
  g->uniform = false;
  g->depth++;
  block(g, 1 + gen_pick(g, 5));
  if (gen_pick(g, 2)) {
    unsigned end = branch(g, ISA_PT, 0);
    land(g, over);
    block(g, 1 + gen_pick(g, 5));
    land(g, end);
  } else {
    land(g, over);
  }
  g->depth--;
  g->uniform = uniform;
}

/* All warps are here together; what was each thread's own may be shown from here on. */
static void statement_barrier(struct gen *g) {
  (void)gen_emit(g, gen_op(ISA_BAR));
  if (g->options->race_free && gen_chance(&g->rng, 70))
    g->half ^= 1;
}

/* A loop with at most four rounds, by lane or the same for all, tested at its end or its start. */
static void statement_loop(struct gen *g) {
  unsigned counter = R_LOOP + g->loops, p = P_LOOP + g->loops, trips = 1 + gen_pick(g, 4);
  bool by_lane = gen_pick(g, 2), at_start = gen_pick(g, 2), uniform = g->uniform;
  unsigned outer_break_depth = g->break_depth, outer_left_by = g->left_by;
  bool outer_breakable = g->breakable;
  if (by_lane) {
    gen_alu_imm(g, ISA_AND, counter, gen_data_reg(g, 1), 3);
    trips = 4;
  } else {
    gen_movi(g, counter, trips);
  }
  g->trips *= trips;
  g->loops++;
  g->depth++;
  g->uniform = uniform && !by_lane && gen_chance(&g->rng, 50);
  bool leaving = !g->uniform && !g->breakable && gen_chance(&g->rng, 50);
  g->break_depth = leaving ? g->depth + 1 : 0;
  g->breakable |= leaving;
  g->left_by = 0;

  unsigned top = g->n, leave = 0, half = g->half;
  if (at_start) {
    compare(g, p, 3, counter, 0); /* le */
    leave = branch(g, p, 0);
  }
  block(g, 2 + gen_pick(g, 6));
  if (g->half != half) {
    (void)gen_emit(g, gen_op(ISA_BAR));
    g->half = half;
  }
  gen_alu_imm(g, ISA_IADD, counter, counter, 0xffff);
  if (at_start) {
    (void)branch(g, ISA_PT, top);
    land(g, leave);
  } else {
    compare(g, p, 4, counter, 0); /* gt */
    (void)branch(g, p, top);
  }
  if (g->left_by != 0)
    land(g, g->left_by);

  g->break_depth = outer_break_depth;
  g->left_by = outer_left_by;
  g->breakable = outer_breakable;
  g->uniform = uniform;
  g->depth--;
  g->loops--;
  g->trips /= trips;
}

static void statement_break(struct gen *g) {
  if (g->depth > 0 && g->depth <= g->break_depth && g->left_by == 0)
    g->left_by = branch(g, condition(g), 0);
}

/* Some lanes end; with barriers never the first of a warp, so that every warp reaches those to
 * come.
 */
static void statement_exit(struct gen *g) {
  bool whole = g->options->warps_end && gen_chance(&g->rng, 50);
  gen_movs(g, R_ADDR, whole ? ISA_SR_WARPID : ISA_SR_LANEID);
  compare(g, P_EXIT, gen_pick(g, 2) ? 0 : 5, R_ADDR,
          (g->options->barriers && !g->options->warps_end) + (int)gen_pick(g, whole ? 6 : 40));
  struct isa_inst i = gen_op(ISA_EXIT);
  i.guard = P_EXIT;
  (void)gen_emit(g, i);
}

static void statement(struct gen *g) {
  if (g->options->operands) {
    gen_operands(g);
    return;
  }
  unsigned kind = gen_pick(g, 100);
  if (kind < 20 && g->options->memory)
    gen_memory(g);
  else if (kind < 25 && g->options->memory)
    gen_atomic(g);
  else if (kind < 34 && g->depth < MAX_DEPTH)
    statement_if(g);
  else if (kind < 40 && g->depth < MAX_DEPTH && g->loops < 3 && g->trips * 4 <= MAX_TRIPS)
    statement_loop(g);
  else if (kind < 44)
    statement_break(g);
  else if (kind < 45)
    statement_exit(g);
  else if (kind < 50 && g->uniform && g->options->barriers)
    statement_barrier(g);
  else if (kind < 51)
    (void)gen_emit(g, gen_op(ISA_NOP));
  else
    statement_alu(g);
}

static void block(struct gen *g, unsigned statements) {
  for (; statements > 0 && g->left > 0 && room(g); statements--, g->left--)
    statement(g);
}

/* Thread number of a grid in one dimension, and data that differ between lanes and warps. */
static void prologue(struct gen *g) {
  gen_movs(g, 2, ISA_SR_CTAID_X);
  gen_movs(g, 3, ISA_SR_NTID_X);
  gen_movs(g, 4, ISA_SR_TID_X);
  gen_alu(g, ISA_MAD, R_THREAD, 2, 3, 4);
  gen_movs(g, R_BASE, ISA_SREG_PARAM);
  gen_movi(g, 3, 0);
  for (unsigned r = R_DATA; r < R_DATA_END; r++) {
    gen_movi(g, r, (uint32_t)rng_next(&g->rng) | 1);
    if (gen_pick(g, 3))
      gen_alu(g, gen_pick(g, 2) ? ISA_MUL : ISA_XOR, r, r, R_THREAD, 0);
  }
  if (g->options->race_free)
    gen_memory_begin(g);
  for (unsigned p = 0; p < P_DATA_END; p++)
    compare(g, p, gen_pick(g, 6), gen_data_reg(g, 1), (int)gen_pick(g, 1000));
}

/* Everything a thread holds goes into one word of the second buffer. */
static void epilogue(struct gen *g) {
  for (unsigned r = R_DATA + 1; r < R_DATA_END; r++)
    gen_alu(g, ISA_XOR, R_DATA, R_DATA, r, 0);
  for (unsigned p = 0; p < P_DATA_END; p++) {
    struct isa_inst i = gen_op(ISA_IADD);
    i.dst = i.src1 = R_DATA;
    i.imm = (uint16_t)(1U << p);
    i.mods = ISA_MOD_IMM;
    i.guard = (uint8_t)p;
    (void)gen_emit(g, i);
  }
  gen_movs(g, R_BASE, ISA_SREG_PARAM + 1);
  gen_alu_imm(g, ISA_SHL, R_ADDR, R_THREAD, 2);
  gen_alu(g, ISA_IADD, R_ADDR, R_ADDR, R_BASE, 0);
  struct isa_inst store = gen_op(ISA_STG);
  store.src1 = R_ADDR;
  store.src2 = R_DATA;
  store.mods = 2; /* 32 bits */
  (void)gen_emit(g, store);
  (void)gen_emit(g, gen_op(ISA_EXIT));
}

/* Each round leaves a lane behind for good.  Returns the branch, whose lanes never meet again. */
static unsigned deep_loop(struct gen *g) {
  gen_movs(g, R_ADDR, ISA_SR_LANEID);
  gen_movi(g, R_LOOP, 0);
  const unsigned top = g->n;
  gen_alu_imm(g, ISA_IADD, R_LOOP, R_LOOP, 1);
  compare(g, P_LOOP, 4, R_ADDR, 0); /* gt */
  gen_alu_imm(g, ISA_IADD, R_ADDR, R_ADDR, 0xffff);
  return branch(g, P_LOOP, top);
}

static struct isa_program *package(const struct gen *g) {
  struct isa_program *p = calloc(1, sizeof *p);
  if (p == NULL)
    return NULL;
  p->code = malloc(g->n * sizeof *p->code);
  p->lines = calloc(g->n, sizeof *p->lines);
  p->source = strdup("random");
  p->kernels = calloc(1, sizeof *p->kernels);
  if (p->kernels != NULL) {
    p->nkernels = 1;
    p->kernels[0] = (struct isa_kernel){.name = strdup("random"),
                                        .end = (uint16_t)g->n,
                                        .regs = ISA_REGS,
                                        .shared_bytes = gen_shared_bytes(g),
                                        .local_bytes = gen_local_bytes(g),
                                        .param_bytes = 4 * GEN_PARAM_WORDS};
  }
  if (p->code == NULL || p->lines == NULL || p->source == NULL || p->kernels == NULL ||
      p->kernels[0].name == NULL) {
    isa_program_free(p);
    return NULL;
  }
  p->ncode = g->n;
  memcpy(p->code, g->code, g->n * sizeof *p->code);
  return p;
}

struct isa_program *gen_program(uint64_t seed, const struct gen_options *options) {
  struct gen *g = calloc(1, sizeof *g);
  if (g == NULL)
    return NULL;
  *g = (struct gen){.rng = {seed},
                    .options = options,
                    .left = (int)options->statements,
                    .trips = 1,
                    .uniform = true};
  prologue(g);
  const unsigned parting = options->deep ? deep_loop(g) : 0;
  while (g->left > 0 && room(g))
    block(g, (unsigned)g->left);
  epilogue(g);
  const bool good = gen_reconverge(g->code, g->n);
  if (options->deep)
    g->code[parting] |= ISA_NO_RPC;
  struct isa_program *p = good ? package(g) : NULL;
  free(g);
  return p;
}

struct isa_program *gen_deep(unsigned levels) {
  struct gen *g = calloc(1, sizeof *g);
  static const struct gen_options plain = {0};
  unsigned over[ISA_WARP_SIZE];
  if (g == NULL)
    return NULL;
  g->options = &plain;
  gen_movs(g, R_DATA, ISA_SR_LANEID);
  for (unsigned i = 0; i < levels && i < ISA_WARP_SIZE; i++) {
    compare(g, 0, 3, R_DATA, (int)i); /* le */
    over[i] = branch(g, 0, 0);
  }
  for (unsigned i = levels < ISA_WARP_SIZE ? levels : ISA_WARP_SIZE; i-- > 0;) {
    gen_alu(g, ISA_IADD, R_DATA + 1, R_DATA + 1, R_DATA, 0);
    land(g, over[i]);
  }
  (void)gen_emit(g, gen_op(ISA_NOP));
  (void)gen_emit(g, gen_op(ISA_EXIT));
  struct isa_program *p = gen_reconverge(g->code, g->n) ? package(g) : NULL;
  free(g);
  return p;
}
