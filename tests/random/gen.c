#include "tests/random/gen.h"

#include <stdlib.h>
#include <string.h>

/* Register use.  Data registers are what random instructions read and write. */
enum {
  R_THREAD = 0, /* number of the thread in the grid */
  R_BASE = 1,   /* of the data buffer */
  R_ADDR = 2,   /* address at hand; r3 is 0, so that d2 is the 64-bit address */
  R_DATA = 4,
  R_DATA_END = 28,
  R_LOOP = 28, /* trip counters of nested loops */
  P_DATA_END = 10,
  P_LOOP = 10, /* of nested loops */
  P_EXIT = 14
};
enum {
  MAX_DEPTH = 4,
  MAX_TRIPS = 48, /* product over nested loops */
  SHARED_BYTES = 4096 + 128,
  LOCAL_BYTES = 256 + 64
};

struct gen {
  struct gen_rng rng;
  const struct gen_options *options;
  uint64_t code[GEN_MAX_CODE];
  unsigned n;
  int left;              /* statements still to be made */
  unsigned depth, loops; /* nesting of everything, and of loops */
  unsigned trips;        /* product of trip counts around */
  bool uniform;          /* all live lanes of all warps are here together */
  unsigned break_depth;  /* greatest depth at which the innermost loop may be left, 0: none */
  unsigned left_by;      /* the branch that leaves it, 0: none yet */
  bool breakable;        /* some loop around may be left: one alone, the stack is not deep */
};

uint64_t gen_next(struct gen_rng *rng) {
  uint64_t x = rng->state += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

uint32_t gen_below(struct gen_rng *rng, uint32_t n) {
  return (uint32_t)((gen_next(rng) >> 32) * n >> 32);
}

bool gen_chance(struct gen_rng *rng, uint32_t percent) { return gen_below(rng, 100) < percent; }

/* Emission ---------------------------------------------------------------------------------- */

static unsigned below(struct gen *g, unsigned n) { return gen_below(&g->rng, n); }

/* Room is kept for the end of the program and of all open constructs. */
static bool room(const struct gen *g) { return g->n + 120 < GEN_MAX_CODE; }

static unsigned emit(struct gen *g, struct isa_inst i) {
  g->code[g->n] = isa_pack(i);
  return g->n++;
}

static struct isa_inst op(enum isa_id id) {
  return (struct isa_inst){.unit = isa_ops[id].unit, .op = isa_ops[id].op, .guard = ISA_PT};
}

static void movi(struct gen *g, unsigned reg, uint32_t value) {
  struct isa_inst i = op(ISA_MOVI);
  i.dst = (uint8_t)reg;
  i.imm = (uint16_t)value;
  i.src1 = value >> 16 & 31;
  i.src2 = value >> 21 & 31;
  i.src3 = value >> 26 & 31;
  i.mods = (uint8_t)(value >> 31);
  (void)emit(g, i);
}

/* d = a op imm */
static void alu_imm(struct gen *g, enum isa_id id, unsigned d, unsigned a, unsigned imm) {
  struct isa_inst i = op(id);
  i.dst = (uint8_t)d;
  i.src1 = (uint8_t)a;
  i.imm = (uint16_t)imm;
  i.mods = ISA_MOD_IMM;
  (void)emit(g, i);
}

static void alu(struct gen *g, enum isa_id id, unsigned d, unsigned a, unsigned b, unsigned c) {
  struct isa_inst i = op(id);
  i.dst = (uint8_t)d;
  i.src1 = (uint8_t)a;
  i.src2 = (uint8_t)b;
  i.src3 = (uint8_t)c;
  (void)emit(g, i);
}

static void movs(struct gen *g, unsigned reg, unsigned number) {
  struct isa_inst i = op(ISA_MOVS);
  i.dst = (uint8_t)reg;
  i.imm = (uint16_t)number;
  (void)emit(g, i);
}

/* p = reg cmp imm, signed; cmp as in the table: eq ne lt le gt ge */
static void compare(struct gen *g, unsigned p, unsigned cmp, unsigned reg, int imm) {
  struct isa_inst i = op(ISA_ISETP);
  i.dst = (uint8_t)p;
  i.src1 = (uint8_t)reg;
  i.imm = (uint16_t)imm;
  i.mods = (uint8_t)(ISA_MOD_IMM | 8 | cmp);
  (void)emit(g, i);
}

static unsigned branch(struct gen *g, unsigned guard, unsigned target) {
  struct isa_inst i = op(ISA_BRA);
  i.guard = (uint8_t)guard;
  i.imm = (uint16_t)target;
  return emit(g, i);
}

static void land(struct gen *g, unsigned bra) {
  g->code[bra] = (g->code[bra] & ~(UINT64_C(0xffff) << 32)) | (uint64_t)g->n << 32;
}

static unsigned data_reg(struct gen *g, unsigned align) {
  unsigned n = (R_DATA_END - R_DATA) / align;
  /* Few registers at a time make hazards likely. */
  return R_DATA + below(g, gen_chance(&g->rng, 60) && n > 2 ? n / 3 : n) * align;
}

static unsigned pred_source(struct gen *g) {
  unsigned p = gen_chance(&g->rng, 5) ? ISA_PT : below(g, P_DATA_END);
  return p | (below(g, 2) << 4);
}

static unsigned guard(struct gen *g) { return gen_chance(&g->rng, 70) ? ISA_PT : pred_source(g); }

/* Statements -------------------------------------------------------------------------------- */

static unsigned reg_of_shape(struct gen *g, char letter, unsigned n) {
  if (letter == 'P')
    return pred_source(g);
  return n == ISA_N_NONE ? 0 : data_reg(g, isa_n_regs(n));
}

/* An operation of a unit; the slowest ones less often, else they are all the time. */
static enum isa_id operation(struct gen *g, unsigned unit) {
  for (;;) {
    enum isa_id id = (enum isa_id)below(g, ISA_OPS);
    if (isa_ops[id].unit == unit && (isa_ops[id].lat != ISA_L_DP_DIV || gen_chance(&g->rng, 20)))
      return id;
  }
}

/* Modifiers, operands and guard at random; well formed or not. */
static struct isa_inst try_alu(struct gen *g, enum isa_id id) {
  struct isa_inst i = op(id);
  i.mods = isa_ops[id].mods == ISA_M_NONE ? 0 : (uint8_t)below(g, 128);
  if (gen_chance(&g->rng, 50))
    i.mods &= (uint8_t)~ISA_MOD_IMM;
  struct isa_operands o = isa_operands_of(isa_pack(i));
  const char *shape = isa_ops[id].shape;
  i.dst = (uint8_t)(o.dp ? below(g, P_DATA_END) : reg_of_shape(g, shape[0], o.d));
  i.src1 = (uint8_t)reg_of_shape(g, shape[1], o.s1);
  i.src2 = (uint8_t)reg_of_shape(g, shape[2], o.s2);
  i.src3 = (uint8_t)reg_of_shape(g, shape[3], o.s3);
  i.guard = (uint8_t)guard(g);
  if ((i.mods & ISA_MOD_IMM) != 0)
    i.imm = (uint16_t)(below(g, 2) ? below(g, 64) : below(g, 65536));
  return i;
}

/* An instruction of the ALU units, any operation, any modifiers that the checker takes. */
static void statement_alu(struct gen *g) {
  static const uint8_t units[] = {ISA_U_IALU, ISA_U_IALU, ISA_U_IALU, ISA_U_IALU, ISA_U_IALU,
                                  ISA_U_IALU, ISA_U_ICMP, ISA_U_ICMP, ISA_U_IMUL, ISA_U_IMAD,
                                  ISA_U_FADD, ISA_U_FADD, ISA_U_FCMP, ISA_U_FMUL, ISA_U_FMA,
                                  ISA_U_LONG, ISA_U_LONG, ISA_U_SFU,  ISA_U_DP,   ISA_U_IDIV};
  enum isa_id id = operation(g, units[below(g, sizeof units)]);
  if (id == ISA_MOVI) {
    movi(g, data_reg(g, 1), (uint32_t)gen_next(&g->rng));
    return;
  }
  if (id == ISA_MOVS) {
    movs(g, data_reg(g, 1),
         below(g, 2) ? below(g, ISA_SREGS) : ISA_SREG_PARAM + below(g, GEN_PARAM_WORDS));
    return;
  }
  struct isa_inst i;
  do
    i = try_alu(g, id);
  while (isa_check(isa_pack(i)) != NULL);
  (void)emit(g, i);
}

/* Leaves in r2 a random multiple of align below bytes: each lane its own, neighbours, or one. */
static void random_offset(struct gen *g, uint32_t bytes, uint32_t align) {
  uint32_t mask = (bytes - 1) & ~(align - 1);
  switch (below(g, 3)) {
  case 0:
    alu_imm(g, ISA_AND, R_ADDR, data_reg(g, 1), mask);
    break;
  case 1:
    alu_imm(g, ISA_SHL, R_ADDR, R_THREAD, (unsigned)__builtin_ctz(align) + below(g, 3));
    alu_imm(g, ISA_AND, R_ADDR, R_ADDR, mask);
    break;
  default:
    movi(g, R_ADDR, (uint32_t)gen_next(&g->rng) & mask);
  }
}

/* Turns the offset in r2 into an address of the space. */
static void add_base(struct gen *g, enum isa_id id, enum isa_space space) {
  if (id == ISA_LDGEN || id == ISA_STGEN) {
    if (space != ISA_SPACE_GLOBAL) {
      movs(g, 3, space == ISA_SPACE_SHARED ? ISA_SR_SHARED_BASE : ISA_SR_LOCAL_BASE);
      alu(g, ISA_IADD, R_ADDR, R_ADDR, 3, 0);
      movi(g, 3, 0);
      return;
    }
  }
  if (space == ISA_SPACE_GLOBAL)
    alu(g, ISA_IADD, R_ADDR, R_ADDR, R_BASE, 0);
}

static enum isa_space space_of(struct gen *g, enum isa_id id) {
  static const enum isa_space any[] = {ISA_SPACE_GLOBAL, ISA_SPACE_SHARED, ISA_SPACE_LOCAL};
  switch (id) {
  case ISA_LDS:
  case ISA_STS:
    return ISA_SPACE_SHARED;
  case ISA_LDL:
  case ISA_STL:
    return ISA_SPACE_LOCAL;
  case ISA_LDGEN:
  case ISA_STGEN:
    return any[below(g, 3)];
  case ISA_LDP:
    return ISA_SPACE_PARAM;
  default:
    return ISA_SPACE_GLOBAL;
  }
}

static uint32_t bytes_of(enum isa_space space) {
  return space == ISA_SPACE_GLOBAL   ? 32768
         : space == ISA_SPACE_SHARED ? 4096
         : space == ISA_SPACE_LOCAL  ? 256
                                     : 4 * GEN_PARAM_WORDS / 2;
}

static void statement_memory(struct gen *g) {
  enum isa_id id;
  do
    id = (enum isa_id)below(g, ISA_OPS);
  while (isa_ops[id].unit != ISA_U_MEM);
  struct isa_inst i = op(id);
  do
    i.mods = (uint8_t)below(g, 64); /* not ABS */
  while (isa_check(isa_pack(i)) != NULL);
  struct isa_operands o = isa_operands_of(isa_pack(i));
  bool store = isa_ops[id].shape[0] == '-';
  unsigned regs = isa_n_regs(store ? o.s2 : o.d);
  uint32_t bytes = (i.mods & 3) == 3 ? 4 * regs : (1U << (i.mods & 3)) * regs;
  enum isa_space space = space_of(g, id);
  uint32_t slack = space == ISA_SPACE_PARAM ? 16 : 64;

  i.imm = (uint16_t)(below(g, slack / bytes) * bytes);
  if (id != ISA_LDGEN && id != ISA_STGEN && space != ISA_SPACE_GLOBAL && gen_chance(&g->rng, 20)) {
    i.mods = (uint8_t)((i.mods & ~ISA_MOD_A64) | ISA_MOD_ABS);
    i.imm = (uint16_t)(i.imm + below(g, bytes_of(space) / bytes) * bytes);
  } else {
    random_offset(g, bytes_of(space), bytes);
    add_base(g, id, space);
    i.src1 = R_ADDR;
  }
  unsigned reg = data_reg(g, regs);
  if (store)
    i.src2 = (uint8_t)reg;
  else
    i.dst = (uint8_t)reg;
  i.guard = (uint8_t)guard(g);
  (void)emit(g, i);
}

static void statement_atomic(struct gen *g) {
  enum isa_id id;
  do
    id = (enum isa_id)below(g, ISA_OPS);
  while (isa_ops[id].unit != ISA_U_ATOM);
  struct isa_inst i = op(id);
  do
    i.mods = (uint8_t)below(g, 128);
  while (isa_check(isa_pack(i)) != NULL);
  bool shared = i.mods & 1;
  struct isa_operands o = isa_operands_of(isa_pack(i));
  random_offset(g, gen_chance(&g->rng, 50) ? 32 : shared ? 4096 : 32768, 4);
  if (!shared)
    add_base(g, id, ISA_SPACE_GLOBAL);
  i.src1 = R_ADDR;
  i.dst = (uint8_t)(o.d == ISA_N_NONE ? 0 : data_reg(g, 1));
  i.src2 = (uint8_t)data_reg(g, 1);
  i.src3 = (uint8_t)(o.s3 == ISA_N_NONE ? 0 : data_reg(g, 1));
  i.imm = (uint16_t)(4 * below(g, 16));
  i.guard = (uint8_t)guard(g);
  (void)emit(g, i);
}

static void block(struct gen *g, unsigned statements);

/* A predicate to branch on, fresh as often as not. */
static unsigned condition(struct gen *g) {
  if (gen_chance(&g->rng, 50))
    return pred_source(g);
  unsigned p = below(g, P_DATA_END);
  if (below(g, 2)) {
    movs(g, R_ADDR, ISA_SR_LANEID);
    compare(g, p, below(g, 6), R_ADDR, (int)below(g, 32));
  } else {
    compare(g, p, below(g, 6), data_reg(g, 1), (int)below(g, 200) - 100);
  }
  return p | below(g, 2) << 4;
}

static void statement_if(struct gen *g) {
  bool uniform = g->uniform;
  unsigned over = branch(g, condition(g), 0);
  g->uniform = false;
  g->depth++;
  block(g, 1 + below(g, 5));
  if (below(g, 2)) {
    unsigned end = branch(g, ISA_PT, 0);
    land(g, over);
    block(g, 1 + below(g, 5));
    land(g, end);
  } else {
    land(g, over);
  }
  g->depth--;
  g->uniform = uniform;
}

/* A loop with at most four rounds, by lane or the same for all, tested at its end or its start. */
static void statement_loop(struct gen *g) {
  unsigned counter = R_LOOP + g->loops, p = P_LOOP + g->loops, trips = 1 + below(g, 4);
  bool by_lane = below(g, 2), at_start = below(g, 2), uniform = g->uniform;
  unsigned outer_break_depth = g->break_depth, outer_left_by = g->left_by;
  bool outer_breakable = g->breakable;
  if (by_lane) {
    alu_imm(g, ISA_AND, counter, data_reg(g, 1), 3);
    trips = 4;
  } else {
    movi(g, counter, trips);
  }
  g->trips *= trips;
  g->loops++;
  g->depth++;
  g->uniform = uniform && !by_lane && gen_chance(&g->rng, 50);
  bool leaving = !g->uniform && !g->breakable && gen_chance(&g->rng, 50);
  g->break_depth = leaving ? g->depth + 1 : 0;
  g->breakable |= leaving;
  g->left_by = 0;

  unsigned top = g->n, leave = 0;
  if (at_start) {
    compare(g, p, 3, counter, 0); /* le */
    leave = branch(g, p, 0);
  }
  block(g, 2 + below(g, 6));
  alu_imm(g, ISA_IADD, counter, counter, 0xffff);
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
  movs(g, R_ADDR, whole ? ISA_SR_WARPID : ISA_SR_LANEID);
  compare(g, P_EXIT, below(g, 2) ? 0 : 5, R_ADDR,
          (g->options->barriers && !g->options->warps_end) + (int)below(g, whole ? 6 : 40));
  struct isa_inst i = op(ISA_EXIT);
  i.guard = P_EXIT;
  (void)emit(g, i);
}

static void statement(struct gen *g) {
  unsigned kind = below(g, 100);
  if (kind < 20 && g->options->memory)
    statement_memory(g);
  else if (kind < 25 && g->options->memory)
    statement_atomic(g);
  else if (kind < 34 && g->depth < MAX_DEPTH)
    statement_if(g);
  else if (kind < 40 && g->depth < MAX_DEPTH && g->loops < 3 && g->trips * 4 <= MAX_TRIPS)
    statement_loop(g);
  else if (kind < 44)
    statement_break(g);
  else if (kind < 45)
    statement_exit(g);
  else if (kind < 50 && g->uniform && g->options->barriers)
    (void)emit(g, op(ISA_BAR));
  else if (kind < 51)
    (void)emit(g, op(ISA_NOP));
  else
    statement_alu(g);
}

static void block(struct gen *g, unsigned statements) {
  for (; statements > 0 && g->left > 0 && room(g); statements--, g->left--)
    statement(g);
}

/* Thread number of a grid in one dimension, and data that differ between lanes and warps. */
static void prologue(struct gen *g) {
  movs(g, 2, ISA_SR_CTAID_X);
  movs(g, 3, ISA_SR_NTID_X);
  movs(g, 4, ISA_SR_TID_X);
  alu(g, ISA_MAD, R_THREAD, 2, 3, 4);
  movs(g, R_BASE, ISA_SREG_PARAM);
  movi(g, 3, 0);
  for (unsigned r = R_DATA; r < R_DATA_END; r++) {
    movi(g, r, (uint32_t)gen_next(&g->rng) | 1);
    if (below(g, 3))
      alu(g, below(g, 2) ? ISA_MUL : ISA_XOR, r, r, R_THREAD, 0);
  }
  for (unsigned p = 0; p < P_DATA_END; p++)
    compare(g, p, below(g, 6), data_reg(g, 1), (int)below(g, 1000));
}

/* Everything a thread holds goes into one word of the second buffer. */
static void epilogue(struct gen *g) {
  for (unsigned r = R_DATA + 1; r < R_DATA_END; r++)
    alu(g, ISA_XOR, R_DATA, R_DATA, r, 0);
  for (unsigned p = 0; p < P_DATA_END; p++) {
    struct isa_inst i = op(ISA_IADD);
    i.dst = i.src1 = R_DATA;
    i.imm = (uint16_t)(1U << p);
    i.mods = ISA_MOD_IMM;
    i.guard = (uint8_t)p;
    (void)emit(g, i);
  }
  movs(g, R_BASE, ISA_SREG_PARAM + 1);
  alu_imm(g, ISA_SHL, R_ADDR, R_THREAD, 2);
  alu(g, ISA_IADD, R_ADDR, R_ADDR, R_BASE, 0);
  struct isa_inst store = op(ISA_STG);
  store.src1 = R_ADDR;
  store.src2 = R_DATA;
  store.mods = 2; /* 32 bits */
  (void)emit(g, store);
  (void)emit(g, op(ISA_EXIT));
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
                                        .shared_bytes = SHARED_BYTES,
                                        .local_bytes = LOCAL_BYTES,
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
  while (g->left > 0 && room(g))
    block(g, (unsigned)g->left);
  epilogue(g);
  struct isa_program *p = gen_reconverge(g->code, g->n) ? package(g) : NULL;
  free(g);
  return p;
}

struct isa_program *gen_deep(unsigned levels) {
  struct gen *g = calloc(1, sizeof *g);
  unsigned over[ISA_WARP_SIZE];
  if (g == NULL)
    return NULL;
  movs(g, R_DATA, ISA_SR_LANEID);
  for (unsigned i = 0; i < levels && i < ISA_WARP_SIZE; i++) {
    compare(g, 0, 3, R_DATA, (int)i); /* le */
    over[i] = branch(g, 0, 0);
  }
  for (unsigned i = levels < ISA_WARP_SIZE ? levels : ISA_WARP_SIZE; i-- > 0;) {
    alu(g, ISA_IADD, R_DATA + 1, R_DATA + 1, R_DATA, 0);
    land(g, over[i]);
  }
  (void)emit(g, op(ISA_NOP));
  (void)emit(g, op(ISA_EXIT));
  struct isa_program *p = gen_reconverge(g->code, g->n) ? package(g) : NULL;
  free(g);
  return p;
}
