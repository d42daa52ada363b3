/* Words decoded for execution, each with its lane function; atomics. */
#include "csim/isa/lanes/lanes.h"

#include "csim/isa/lanes/local.h"

static isa_lane_fn *choose(const struct isa_uop *u) {
  static const struct lane_entry *const tables[] = {isa_lanes_int, isa_lanes_float, isa_lanes_long,
                                                    isa_lanes_double, isa_lanes_convert};
  for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
    const struct lane_entry *e = &tables[i][u->id];
    if (e->fn[0] == NULL)
      continue;
    switch (e->select) {
    case LANE_SIGNED:
      return e->fn[u->f.mods & 1];
    case LANE_MODE:
      return e->fn[lane_mode(u)];
    case LANE_FLOAT:
      return e->fn[lane_mode(u) != LANE_RN ? 2 : (u->f.mods & (LANE_FTZ | LANE_SAT)) != 0];
    default:
      return e->fn[0];
    }
  }
  return NULL;
}

/* The 16-bit immediate as src 2: the upper end of a float or double, else an integer with sign. */
static uint64_t immediate(const struct isa_inst *f) {
  switch (f->unit) {
  case ISA_U_FADD:
  case ISA_U_FCMP:
  case ISA_U_FMUL:
  case ISA_U_FMA:
  case ISA_U_SFU:
    return (uint64_t)f->imm << 16;
  case ISA_U_DP:
    return (uint64_t)f->imm << 48;
  default:
    return (uint64_t)(int64_t)(int16_t)f->imm;
  }
}

static void decode_memory(struct isa_uop *u) {
  unsigned mods = u->f.mods;
  u->imm32 = (uint32_t)(int32_t)(int16_t)u->f.imm;
  u->mem_size = 4;
  u->mem_elems = 1;
  if (u->f.unit == ISA_U_MEM) {
    u->mem_size = (uint8_t)(1U << (mods & 3));
    u->mem_elems = (uint8_t)(1U << (mods >> 3 & 3));
    if ((mods & ISA_MOD_ABS) != 0)
      u->imm32 = u->f.imm; /* an address, not an offset */
  } else if ((mods & ISA_MOD_64) != 0) {
    u->mem_size = 8;
  }
}

void isa_uop_decode(uint64_t word, struct isa_uop *uop) {
  *uop = (struct isa_uop){.word = word & ~((uint64_t)63 << 58), .id = ISA_ILLEGAL};
  uop->f = isa_unpack(uop->word);
  uop->rpc = ISA_NO_RPC;
  uop->pipe = ISA_PIPE_NONE;
  if (isa_check(uop->word) != NULL)
    return;
  uop->id = isa_id_of(word);
  const struct isa_op *op = &isa_ops[uop->id];
  uop->o = isa_operands_of(word);
  uop->pipe = op->pipe;
  uop->lat = op->lat;
  uop->fn = choose(uop);
  if (uop->id == ISA_MOVI)
    uop->imm32 = (uop->f.mods & 1U) << 31 | (uint32_t)(word >> 5 & 0x7fff) << 16 | uop->f.imm;
  if (uop->id == ISA_BRA)
    uop->rpc = (uint16_t)word;
  if (uop->id == ISA_BSYNC)
    uop->imm32 = uop->f.imm;
  else if (op->unit == ISA_U_MEM || op->unit == ISA_U_ATOM)
    decode_memory(uop);
  /* isa_check has made sure that imm is set only where src 2 is a register. */
  uop->imm = op->unit >= ISA_U_IALU && op->unit <= ISA_U_LONG && uop->id != ISA_MOVI &&
             (uop->f.mods & ISA_MOD_IMM) != 0;
  if (uop->imm) {
    uint64_t value = immediate(&uop->f);
    LANES(l) lane_put64(uop->imm_planes, l, value);
  }
}

uint64_t isa_atomic(const struct isa_uop *uop, uint64_t old, uint64_t b, uint64_t c) {
  const uint64_t sign = uop->mem_size == 8 ? UINT64_C(1) << 63 : UINT64_C(1) << 31;
  /* Signed order is unsigned order with the sign bits turned over. */
  const uint64_t flip = (uop->f.mods & 2) != 0 ? sign : 0;
  switch (uop->id) {
  case ISA_AADD:
    return (old + b) & (sign | (sign - 1));
  case ISA_AEXCH:
    return b;
  case ISA_ACAS:
    return old == b ? c : old;
  case ISA_AMIN:
    return (b ^ flip) < (old ^ flip) ? b : old;
  case ISA_AMAX:
    return (b ^ flip) > (old ^ flip) ? b : old;
  case ISA_AAND:
    return old & b;
  case ISA_AOR:
    return old | b;
  case ISA_AXOR:
    return old ^ b;
  case ISA_AINC:
    return old >= b ? 0 : old + 1;
  case ISA_ADEC:
    return old == 0 || old > b ? b : old - 1;
  case ISA_AFADD:
    return lane_canonical(lane_bits(lane_f32((uint32_t)old) + lane_f32((uint32_t)b)));
  default:
    return old;
  }
}
