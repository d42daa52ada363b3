/* Statements that access memory: all over it, or so that threads do not race.
 *
 * Without races what is in memory at the end does not depend on the order in which warps and CTAs
 * come to their accesses:
 *
 *   data       a buffer that is only read
 *   slices     of each thread, in a buffer and in shared memory, in two halves each.  One half is
 * the thread's own: it alone loads, stores, updates.  The other is shown: all of its CTA load it,
 * nobody writes.  The halves change places at barriers, for all threads at once. counters   which
 * all threads update, those of one operation with no other one, as all operations on them commute;
 * what they return is lost.  Those in shared memory are shown, too local      is the thread's; it
 * is written first, as another thread may have had it before
 */
#include "tests/random/emit.h"

enum {
  SHARED_BYTES = 4096,
  LOCAL_BYTES = 256,
  OWN_LOCAL_BYTES = 64, /* all of it is written when a program without races begins */
  SLACK = 64,           /* behind the bytes that registers address, for immediates */
  SLICES = 512,         /* of shared memory; those behind the threads of a CTA hold its counters */
  SHARED_COUNTERS = 64  /* bytes of an operation's counters */
};

enum area { AREA_ALL, AREA_OWN, AREA_SHOWN, AREA_NONE };

uint32_t gen_shared_bytes(const struct gen *g) {
  return g->options->race_free ? 2U * SLICES << g->shared_slice : SHARED_BYTES + 2 * SLACK;
}

static uint32_t local_bytes(const struct gen *g) {
  return g->options->race_free ? OWN_LOCAL_BYTES : LOCAL_BYTES;
}

uint32_t gen_local_bytes(const struct gen *g) { return local_bytes(g) + SLACK; }

void gen_memory_begin(struct gen *g) {
  static const uint8_t sizes[] = {2, 4, 4, 5, 6};
  g->slice = sizes[gen_pick(g, sizeof sizes)];
  g->shared_slice = 2 + gen_pick(g, 3);
  for (unsigned at = 0; at < gen_local_bytes(g); at += 16) {
    struct isa_inst i = gen_op(ISA_STL);
    i.mods = ISA_MOD_ABS | 2 << 3 | 2; /* four words */
    i.src2 = (uint8_t)gen_data_reg(g, 4);
    i.imm = (uint16_t)at;
    (void)gen_emit(g, i);
  }
}

/* Leaves in r2 a random multiple of align below bytes: each lane its own, neighbours, or one. */
static void random_offset(struct gen *g, uint32_t bytes, uint32_t align) {
  uint32_t mask = (bytes - 1) & ~(align - 1);
  switch (gen_pick(g, 3)) {
  case 0:
    gen_alu_imm(g, ISA_AND, R_ADDR, gen_data_reg(g, 1), mask);
    break;
  case 1:
    gen_alu_imm(g, ISA_SHL, R_ADDR, R_THREAD, (unsigned)__builtin_ctz(align) + gen_pick(g, 3));
    gen_alu_imm(g, ISA_AND, R_ADDR, R_ADDR, mask);
    break;
  default:
    gen_movi(g, R_ADDR, (uint32_t)rng_next(&g->rng) & mask);
  }
}

static void add_special(struct gen *g, unsigned number) {
  gen_movs(g, R_ZERO, number);
  gen_alu(g, ISA_IADD, R_ADDR, R_ADDR, R_ZERO, 0);
  gen_movi(g, R_ZERO, 0);
}

/* Turns the offset in r2 into an address of the space. */
static void add_base(struct gen *g, enum isa_id id, enum isa_space space, enum area area) {
  if ((id == ISA_LDGEN || id == ISA_STGEN) && space != ISA_SPACE_GLOBAL)
    add_special(g, space == ISA_SPACE_SHARED ? ISA_SR_SHARED_BASE : ISA_SR_LOCAL_BASE);
  else if (space == ISA_SPACE_GLOBAL && area == AREA_ALL)
    gen_alu(g, ISA_IADD, R_ADDR, R_ADDR, R_BASE, 0);
  else if (space == ISA_SPACE_GLOBAL)
    add_special(g, ISA_SREG_PARAM + GEN_PARAM_SLICES);
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
    return any[gen_pick(g, 3)];
  case ISA_LDP:
    return ISA_SPACE_PARAM;
  default:
    return ISA_SPACE_GLOBAL;
  }
}

static uint32_t bytes_of(const struct gen *g, enum isa_space space) {
  return space == ISA_SPACE_GLOBAL   ? 32768
         : space == ISA_SPACE_SHARED ? SHARED_BYTES
         : space == ISA_SPACE_LOCAL  ? local_bytes(g)
                                     : 4 * GEN_PARAM_WORDS / 2;
}

static unsigned slice_of(const struct gen *g, enum isa_space space) {
  return space == ISA_SPACE_SHARED ? g->shared_slice : g->slice;
}

/* Returns the area that an access may touch; AREA_NONE if it does not fit a slice. */
static enum area area_of(struct gen *g, enum isa_id id, enum isa_space space, uint32_t bytes) {
  if (!g->options->race_free || space == ISA_SPACE_LOCAL || space == ISA_SPACE_PARAM)
    return AREA_ALL;
  bool fits = bytes <= 1U << slice_of(g, space);
  if (isa_ops[id].shape[0] == '-')
    return fits ? AREA_OWN : AREA_NONE;
  if (space == ISA_SPACE_SHARED)
    return fits && gen_chance(&g->rng, 50) ? AREA_OWN : AREA_SHOWN;
  if (id == ISA_LDC || !fits || gen_chance(&g->rng, 40))
    return AREA_ALL;
  return gen_chance(&g->rng, 50) ? AREA_OWN : AREA_SHOWN;
}

/* Leaves in a register the number in the grid of some thread of this CTA. */
static void some_thread(struct gen *g, unsigned reg) {
  gen_movs(g, R_ZERO, ISA_SR_NTID_X);
  gen_alu_imm(g, ISA_IADD, R_ZERO, R_ZERO, 0xffff);
  gen_alu_imm(g, ISA_AND, reg, gen_data_reg(g, 1), SLICES - 1);
  gen_alu(g, ISA_IMIN, reg, reg, R_ZERO, 0);
  gen_alu(g, ISA_IADD, reg, reg, R_THREAD, 0);
  struct isa_inst less = gen_op(ISA_IADD);
  gen_movs(g, R_ZERO, ISA_SR_TID_X);
  less.dst = less.src1 = (uint8_t)reg;
  less.src2 = R_ZERO;
  less.mods = 2; /* neg2 */
  (void)gen_emit(g, less);
}

/* Leaves in r2 the offset of a slice, or some way into it, and returns what is to be added to it.
 */
static unsigned slice_offset(struct gen *g, enum isa_space space, enum area area, uint32_t bytes) {
  unsigned slice = slice_of(g, space), half = area == AREA_SHOWN ? !g->half : g->half, inside = 0;
  if (space == ISA_SPACE_SHARED && area == AREA_SHOWN) {
    random_offset(g, SLICES << slice, bytes);
    return half * SLICES << slice;
  }
  if (space == ISA_SPACE_SHARED) {
    gen_movs(g, R_ADDR, ISA_SR_TID_X);
    gen_alu_imm(g, ISA_SHL, R_ADDR, R_ADDR, slice);
  } else if (area == AREA_SHOWN) {
    some_thread(g, R_LOST);
    gen_alu_imm(g, ISA_SHL, R_ADDR, R_LOST, slice + 1);
  } else {
    gen_alu_imm(g, ISA_SHL, R_ADDR, R_THREAD, slice + 1);
  }
  if (gen_pick(g, 2)) {
    gen_alu_imm(g, ISA_AND, R_ZERO, gen_data_reg(g, 1), ((1U << slice) - 1) & ~(bytes - 1));
    gen_alu(g, ISA_IADD, R_ADDR, R_ADDR, R_ZERO, 0);
  } else {
    inside = gen_pick(g, (1U << slice) / bytes) * bytes;
  }
  gen_movi(g, R_ZERO, 0);
  return inside +
         (space == ISA_SPACE_SHARED ? half * SLICES << slice : GEN_COUNTER_BYTES + (half << slice));
}

/* Leaves the address of an access in r2 and its immediate in *i, or all of it in the immediate. */
static void address(struct gen *g, struct isa_inst *i, enum isa_space space, enum area area,
                    uint32_t bytes) {
  enum isa_id id = isa_id_of(isa_pack(*i));
  uint32_t slack = space == ISA_SPACE_PARAM ? 16 : SLACK;
  if (area == AREA_ALL)
    i->imm = (uint16_t)(gen_pick(g, slack / bytes) * bytes);
  if (area != AREA_OWN && id != ISA_LDGEN && id != ISA_STGEN && space != ISA_SPACE_GLOBAL &&
      gen_chance(&g->rng, 20)) {
    uint32_t from = i->imm, size = bytes_of(g, space);
    if (area == AREA_SHOWN) {
      size = SLICES << g->shared_slice;
      from = g->half == 0 ? size : 0;
    }
    i->mods = (uint8_t)((i->mods & ~ISA_MOD_A64) | ISA_MOD_ABS);
    i->imm = (uint16_t)(from + gen_pick(g, size / bytes) * bytes);
    return;
  }
  if (area == AREA_ALL)
    random_offset(g, bytes_of(g, space), bytes);
  else
    i->imm = (uint16_t)slice_offset(g, space, area, bytes);
  add_base(g, id, space, area);
  i->src1 = R_ADDR;
}

void gen_memory(struct gen *g) {
  enum isa_id id;
  do
    id = gen_any(g);
  while (isa_ops[id].unit != ISA_U_MEM);
  struct isa_inst i = gen_op(id);
  do
    i.mods = (uint8_t)gen_pick(g, 64); /* not ABS */
  while (isa_check(isa_pack(i)) != NULL);
  struct isa_operands o = isa_operands_of(isa_pack(i));
  bool store = isa_ops[id].shape[0] == '-';
  unsigned regs = isa_n_regs(store ? o.s2 : o.d);
  uint32_t bytes = (i.mods & 3) == 3 ? 4 * regs : (1U << (i.mods & 3)) * regs;
  enum isa_space space = space_of(g, id);
  enum area area = area_of(g, id, space, bytes);
  if (area == AREA_NONE)
    return;
  address(g, &i, space, area, bytes);
  unsigned reg = gen_data_reg(g, regs);
  if (store)
    i.src2 = (uint8_t)reg;
  else
    i.dst = (uint8_t)reg;
  i.guard = (uint8_t)gen_guard(g);
  (void)gen_emit(g, i);
}

/* The number of an operation whose order with itself does not matter, from 0; -1 of others. */
static int commuting(enum isa_id id, bool with_sign) {
  static const enum isa_id ids[] = {ISA_AADD, ISA_AMIN, ISA_AMAX, ISA_AAND, ISA_AOR, ISA_AXOR};
  for (unsigned k = 0; k < sizeof ids / sizeof ids[0]; k++)
    if (ids[k] == id)
      return (int)(2 * k + with_sign);
  return -1;
}

/* Leaves in r2 the offset of a counter of operation n, those of 64 bits in the second half of its
 * counters, and returns what is to be added to it. */
static unsigned counter_offset(struct gen *g, bool shared, unsigned n, uint32_t bytes) {
  const uint32_t all = shared ? SHARED_COUNTERS : GEN_COUNTERS;
  random_offset(g, (shared || gen_pick(g, 2) ? SHARED_COUNTERS : GEN_COUNTERS) / 2, bytes);
  const uint32_t at = n * all + (bytes > 4 ? all / 2 : 0);
  return shared ? ((g->half * SLICES + GEN_MAX_BLOCK) << g->shared_slice) + at : at;
}

void gen_atomic(struct gen *g) {
  enum isa_id id;
  do
    id = gen_any(g);
  while (isa_ops[id].unit != ISA_U_ATOM);
  struct isa_inst i = gen_op(id);
  do
    i.mods = (uint8_t)gen_pick(g, 128);
  while (isa_check(isa_pack(i)) != NULL);
  bool shared = i.mods & 1, lost = false;
  enum isa_space space = shared ? ISA_SPACE_SHARED : ISA_SPACE_GLOBAL;
  struct isa_operands o = isa_operands_of(isa_pack(i));
  const unsigned regs = isa_n_regs(o.s2), bytes = 4 * regs;
  if (g->options->race_free) {
    int n = commuting(id, i.mods & 2);
    lost = n >= 0 && gen_pick(g, 2);
    if (!lost && bytes > 1U << slice_of(g, space))
      return;
    i.imm = (uint16_t)(lost ? counter_offset(g, shared, (unsigned)n, bytes)
                            : slice_offset(g, space, AREA_OWN, bytes));
  } else {
    random_offset(g, gen_chance(&g->rng, 50) ? 32 : shared ? 4096 : 32768, bytes);
  }
  if (!shared)
    add_base(g, id, space, g->options->race_free ? AREA_OWN : AREA_ALL);
  i.src1 = R_ADDR;
  if (o.d != ISA_N_NONE)
    i.dst = (uint8_t)(!lost ? gen_data_reg(g, regs) : regs > 1 ? R_ADDR : R_LOST);
  i.src2 = (uint8_t)gen_data_reg(g, regs);
  i.src3 = (uint8_t)(o.s3 == ISA_N_NONE ? 0 : gen_data_reg(g, regs));
  if (!g->options->race_free)
    i.imm = (uint16_t)(bytes * gen_pick(g, SLACK / bytes));
  i.guard = (uint8_t)gen_guard(g);
  (void)gen_emit(g, i);
  if (i.dst == R_ADDR)
    gen_movi(g, R_ZERO, 0);
}
