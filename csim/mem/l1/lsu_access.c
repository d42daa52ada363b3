/* The effect of memory instructions: bytes move between planes of registers and memory. */
#include <string.h>

#include "csim/mem/l1/sm_mem.h"

const uint32_t lsu_bit[ISA_WARP_SIZE] = {
    1U << 0,  1U << 1,  1U << 2,  1U << 3,  1U << 4,  1U << 5,  1U << 6,  1U << 7,
    1U << 8,  1U << 9,  1U << 10, 1U << 11, 1U << 12, 1U << 13, 1U << 14, 1U << 15,
    1U << 16, 1U << 17, 1U << 18, 1U << 19, 1U << 20, 1U << 21, 1U << 22, 1U << 23,
    1U << 24, 1U << 25, 1U << 26, 1U << 27, 1U << 28, 1U << 29, 1U << 30, 1U << 31};

bool lsu_is_store(const struct isa_uop *u) {
  return u->f.unit == ISA_U_ATOM || u->id == ISA_STG || u->id == ISA_STS || u->id == ISA_STL ||
         u->id == ISA_STGEN;
}

void lsu_fault(struct sm_mem *s, const struct sm_inst *inst, uint8_t kind, unsigned lane,
               enum isa_space space, uint32_t bytes) {
  struct mem_fault *f = &s->fault;
  const unsigned half = inst->mem.upper ? ISA_WARP_SIZE : 0;
  if (f->kind != INST_FAULT_NONE &&
      (f->cycle != s->now ||
       f->lane <= lane + half)) /* one instruction a cycle: same cycle, same warp */
    return;
  atomic_store_explicit(&s->gpu->faulted, true, memory_order_relaxed);
  *f = (struct mem_fault){.kind = kind,
                          .sm = s->index,
                          .warp = inst->warp,
                          .lane = (uint8_t)(lane + half),
                          .space = (uint8_t)space,
                          .store = lsu_is_store(inst->uop),
                          .pc = inst->pc,
                          .address = inst->addr[lane],
                          .bytes = bytes,
                          .cycle = s->now};
}

static uint32_t read32(const uint8_t *p) {
  uint32_t v;
  memcpy(&v, p, sizeof v);
  return v;
}

/* Writes a word; returns which bits changed. */
static uint32_t write32(uint8_t *p, uint32_t v) {
  const uint32_t old = read32(p);
  memcpy(p, &v, sizeof v);
  return old ^ v;
}

/* Loads elements of 32 and 64 bits: plane w is word w of the access. */
static void load_words(const struct lsu_view *v, struct sm_inst *inst, uint32_t mask,
                       unsigned words) {
  if (words == 1 && mask == UINT32_MAX && lsu_consecutive(v->off, mask)) {
    memcpy(inst->d[0], v->base + v->off[0], sizeof inst->d[0]);
    return;
  }
  for (unsigned w = 0; w < words; w++) {
    const uint8_t *base = v->base + (size_t)w * v->stride;
    if (mask == UINT32_MAX)
      for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
        inst->d[w][l] = read32(base + v->off[l]);
    else
      for (uint32_t todo = mask; todo != 0; todo &= todo - 1) {
        unsigned l = (unsigned)__builtin_ctz(todo);
        inst->d[w][l] = read32(base + v->off[l]);
      }
  }
}

/* Loads elements of 8 and 16 bits: plane e is element e, extended. */
static void load_parts(const struct lsu_view *v, struct sm_inst *inst, uint32_t mask) {
  unsigned size = inst->uop->mem_size;
  bool sign = (inst->uop->f.mods & 4) != 0;
  for (unsigned e = 0; e < inst->uop->mem_elems; e++) {
    unsigned at = e * size;
    const uint8_t *base = v->base + (size_t)(at / 4) * v->stride + at % 4;
    for (uint32_t todo = mask; todo != 0; todo &= todo - 1) {
      unsigned l = (unsigned)__builtin_ctz(todo);
      uint16_t value = base[v->off[l]];
      if (size == 2)
        value = (uint16_t)(value | base[v->off[l] + 1] << 8);
      if (!sign)
        inst->d[e][l] = value;
      else
        inst->d[e][l] = (uint32_t)(size == 2 ? (int16_t)value : (int8_t)value);
    }
  }
}

void lsu_load(const struct lsu_view *v, struct sm_inst *inst, uint32_t mask) {
  if (inst->uop->mem_size >= 4)
    load_words(v, inst, mask, inst->uop->mem_size / 4U * inst->uop->mem_elems);
  else
    load_parts(v, inst, mask);
}

/* Stores words.  Accesses of one instruction are aligned and have one size, so that those of two
 * lanes are equal or disjoint: going up the lanes, word by word, the highest lane wins. */
static void store_words(const struct lsu_view *v, struct sm_inst *inst, uint32_t mask,
                        unsigned words) {
  uint32_t changed = 0;
  if (words == 1 && mask == UINT32_MAX && lsu_consecutive(v->off, mask)) {
    inst->mem.changed |= memcmp(v->base + v->off[0], inst->b[0], sizeof inst->b[0]) != 0;
    memcpy(v->base + v->off[0], inst->b[0], sizeof inst->b[0]);
    return;
  }
  for (unsigned w = 0; w < words; w++) {
    uint8_t *base = v->base + (size_t)w * v->stride;
    for (uint32_t todo = mask; todo != 0; todo &= todo - 1) {
      unsigned l = (unsigned)__builtin_ctz(todo);
      changed |= write32(base + v->off[l], inst->b[w][l]);
    }
  }
  inst->mem.changed |= changed != 0;
}

static void store_parts(const struct lsu_view *v, struct sm_inst *inst, uint32_t mask) {
  unsigned size = inst->uop->mem_size;
  uint32_t changed = 0;
  for (unsigned e = 0; e < inst->uop->mem_elems; e++) {
    unsigned at = e * size;
    uint8_t *base = v->base + (size_t)(at / 4) * v->stride + at % 4;
    for (uint32_t todo = mask; todo != 0; todo &= todo - 1) {
      unsigned l = (unsigned)__builtin_ctz(todo);
      uint8_t *to = base + v->off[l];
      const uint8_t low = (uint8_t)inst->b[e][l], high = (uint8_t)(inst->b[e][l] >> 8);
      changed |= (uint32_t)(to[0] ^ low) | (size == 2 ? (uint32_t)(to[1] ^ high) : 0);
      to[0] = low;
      if (size == 2)
        to[1] = high;
    }
  }
  inst->mem.changed |= changed != 0;
}

void lsu_store(const struct lsu_view *v, struct sm_inst *inst, uint32_t mask) {
  if (inst->uop->mem_size >= 4)
    store_words(v, inst, mask, inst->uop->mem_size / 4U * inst->uop->mem_elems);
  else
    store_parts(v, inst, mask);
}

void lsu_atomic(const struct lsu_view *v, struct sm_inst *inst, uint32_t mask) {
  const bool wide = inst->uop->mem_size == 8;
  for (uint32_t todo = mask; todo != 0; todo &= todo - 1) {
    unsigned l = (unsigned)__builtin_ctz(todo);
    uint8_t *p = v->base + v->off[l];
    uint64_t old = read32(p), b = inst->b[0][l], c = inst->c[0][l];
    if (wide) {
      old |= (uint64_t)read32(p + 4) << 32;
      b |= (uint64_t)inst->b[1][l] << 32;
      c |= (uint64_t)inst->c[1][l] << 32;
      inst->d[1][l] = (uint32_t)(old >> 32);
    }
    inst->d[0][l] = (uint32_t)old;
    const uint64_t now = isa_atomic(inst->uop, old, b, c);
    inst->mem.changed |= write32(p, (uint32_t)now) != 0;
    if (wide)
      inst->mem.changed |= write32(p + 4, (uint32_t)(now >> 32)) != 0;
  }
}
