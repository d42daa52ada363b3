/* Coalescing: lanes become 128-byte segments of global and local memory, distinct addresses of
 * constant memory, and passes over the banks of shared memory. */
#include <string.h>

#include "csim/mem/l1/sm_mem.h"

unsigned coalesce_request(unsigned bytes) { return bytes <= 4 ? 32 : bytes == 8 ? 16 : 8; }

static struct transaction *append(struct sm_mem *s, uint8_t kind, uint32_t segment) {
  struct transaction *t = &s->list[s->count++];
  *t = (struct transaction){.kind = kind, .segment = segment};
  return t;
}

/* Returns the transaction of the segment among those from `first` on, or a new one. */
static struct transaction *segment_of(struct sm_mem *s, uint32_t first, uint8_t kind,
                                      uint32_t segment) {
  for (uint32_t i = s->count; i-- > first;)
    if (s->list[i].segment == segment)
      return &s->list[i];
  return append(s, kind, segment);
}

static void add_bytes(struct transaction *t, uint32_t at, uint32_t bytes) {
  t->bytes[at >> 6] |= (((uint64_t)1 << bytes) - 1) << (at & 63);
}

/* Copies bit i of x to bits 4 i to 4 i + 3. */
static uint64_t spread4(uint32_t x) {
  uint64_t v = x & 0xffff;
  v = (v | v << 24) & 0x000000ff000000ffU;
  v = (v | v << 12) & 0x000f000f000f000fU;
  v = (v | v << 6) & 0x0303030303030303U;
  v = (v | v << 3) & 0x1111111111111111U;
  return v * 15;
}

/* Adds consecutive words, in at most two segments: the bytes of all lanes at once. */
static void add_consecutive(struct sm_mem *s, uint8_t kind, const uint32_t *off, uint32_t mask) {
  unsigned lane = (unsigned)__builtin_ctz(mask);
  uint32_t first = off[lane] - 4 * lane;
  unsigned at = first & 127;
  uint32_t segment = first - at;
  unsigned __int128 bytes = (unsigned __int128)spread4(mask >> 16) << 64 | spread4(mask);
  unsigned __int128 part[2] = {bytes << at, at == 0 ? 0 : bytes >> (128 - at)};
  for (uint32_t i = 0; i < 2; i++) {
    if (part[i] == 0)
      continue;
    struct transaction *t = append(s, kind, segment + 128 * i);
    t->bytes[0] = (uint64_t)part[i];
    t->bytes[1] = (uint64_t)(part[i] >> 64);
  }
}

/* Adds a load that touches one or two segments, without a search.  False if it touches more. */
static bool load_two(struct sm_mem *s, const uint32_t *off, uint32_t mask) {
  uint32_t first = off[__builtin_ctz(mask)] >> MEM_SEGMENT_SHIFT;
  uint32_t last = off[31 - __builtin_clz(mask)] >> MEM_SEGMENT_SHIFT;
  uint32_t others = 0;
  for (unsigned l = 0; l < ISA_WARP_SIZE; l++) {
    uint32_t segment = off[l] >> MEM_SEGMENT_SHIFT;
    others |= (segment == first || segment == last ? 0 : UINT32_MAX) & lane_on(mask, l);
  }
  if (others != 0)
    return false;
  append(s, TR_LOAD, first << MEM_SEGMENT_SHIFT);
  if (last != first)
    append(s, TR_LOAD, last << MEM_SEGMENT_SHIFT);
  return true;
}

uint8_t coalesce_kind(const struct isa_uop *u) {
  return u->f.unit == ISA_U_ATOM ? TR_ATOMIC : lsu_is_store(u) ? TR_STORE : TR_LOAD;
}

void coalesce_lanes(struct sm_mem *s, uint32_t first, uint8_t kind, const uint32_t *off,
                    uint32_t mask, uint32_t bytes) {
  struct transaction *t = NULL;
  for (uint32_t todo = mask; todo != 0; todo &= todo - 1) {
    uint32_t address = off[__builtin_ctz(todo)];
    uint32_t segment = address >> MEM_SEGMENT_SHIFT << MEM_SEGMENT_SHIFT;
    if (t == NULL || t->segment != segment)
      t = segment_of(s, first, kind, segment);
    t->lanes++;
    add_bytes(t, address & 127, bytes);
  }
}

void coalesce_costs(struct sm_mem *s, const uint32_t *const off[], const uint32_t mask[],
                    unsigned halves) {
  uint8_t at_word[2 * ISA_WARP_SIZE][32] = {{0}};
  uint32_t start = s->count;
  for (unsigned h = 0; h < halves; h++)
    for (uint32_t todo = mask[h]; todo != 0; todo &= todo - 1) {
      uint32_t address = off[h][__builtin_ctz(todo)];
      uint32_t i = start;
      while (s->list[--i].segment != address >> MEM_SEGMENT_SHIFT << MEM_SEGMENT_SHIFT)
        continue;
      uint8_t n = ++at_word[start - 1 - i][address >> 2 & 31];
      if (n > s->list[i].cost)
        s->list[i].cost = n;
    }
}

void coalesce_global(struct sm_mem *s, const struct sm_inst *inst, const uint32_t *off,
                     uint32_t mask) {
  const struct isa_uop *u = inst->uop;
  uint32_t bytes = (uint32_t)u->mem_size * u->mem_elems;
  uint8_t kind = coalesce_kind(u);
  unsigned lanes = coalesce_request(bytes);
  uint32_t group = lanes == 32 ? UINT32_MAX : (1U << lanes) - 1;
  if (bytes == 4 && kind != TR_ATOMIC && lsu_consecutive(off, mask)) {
    add_consecutive(s, kind, off, mask);
    return;
  }
  if (kind == TR_LOAD && lanes == 32 && load_two(s, off, mask))
    return;
  for (unsigned at = 0; at < ISA_WARP_SIZE; at += lanes) {
    const uint32_t part = mask & group << at;
    coalesce_lanes(s, s->count, kind, off, part, bytes);
    if (kind == TR_ATOMIC)
      coalesce_costs(s, &off, &part, 1);
  }
}

void coalesce_local(struct sm_mem *s, const struct sm_mem *own, const struct sm_inst *inst,
                    const uint32_t *off, uint32_t mask) {
  uint32_t bytes = (uint32_t)inst->uop->mem_size * inst->uop->mem_elems;
  uint8_t kind = lsu_is_store(inst->uop) ? TR_LOCAL_STORE : TR_LOCAL_LOAD;
  uint32_t warp = own->local_timing + inst->warp * own->local_stride;
  uint32_t words = bytes <= 4 ? 1 : bytes / 4;
  uint32_t part = bytes < 4 ? bytes : 4;
  for (uint32_t w = 0; w < words; w++) {
    uint32_t first = s->count;
    struct transaction *t = NULL;
    for (uint32_t todo = mask; todo != 0; todo &= todo - 1) {
      unsigned l = (unsigned)__builtin_ctz(todo);
      uint32_t segment = warp + (off[l] / 4 + w) * 128;
      if (t == NULL || t->segment != segment)
        t = segment_of(s, first, kind, segment);
      add_bytes(t, 4 * l + (off[l] & 3), part);
    }
  }
}

/* seen[] has the *n distinct addresses so far. */
void coalesce_const(struct sm_mem *s, const uint32_t *off, uint32_t mask, uint32_t base,
                    uint32_t *seen, uint32_t *n) {
  for (uint32_t todo = mask; todo != 0; todo &= todo - 1) {
    uint32_t address = off[__builtin_ctz(todo)];
    uint32_t i = 0;
    while (i < *n && seen[i] != address)
      i++;
    if (i < *n)
      continue;
    seen[(*n)++] = address;
    append(s, TR_CONST, (base + address) & ~(s->config->const_line - 1));
  }
}

/* Returns the passes for n words.  A pass serves one word of each bank.  With `share`, lanes that
 * access the same word share a pass; lanes of an atomic do not. */
static uint32_t passes_of(const uint32_t *word, uint32_t n, uint32_t banks, bool share) {
  uint32_t left = n == 32 ? UINT32_MAX : (1U << n) - 1;
  uint32_t passes = 0;
  while (left != 0) {
    uint32_t used = 0;
    uint32_t in_bank[32];
    uint32_t again = 0;
    for (uint32_t todo = left; todo != 0; todo &= todo - 1) {
      unsigned i = (unsigned)__builtin_ctz(todo);
      uint32_t bank = word[i] & (banks - 1);
      if ((used >> bank & 1) == 0) {
        used |= 1U << bank;
        in_bank[bank] = word[i];
      } else if (!share || in_bank[bank] != word[i]) {
        again |= 1U << i;
      }
    }
    left = again;
    passes++;
  }
  return passes;
}

uint32_t shared_passes(struct sm_mem *s, const struct sm_inst *inst, const uint32_t *off,
                       uint32_t mask, uint32_t *conflicts) {
  uint32_t bytes = (uint32_t)inst->uop->mem_size * inst->uop->mem_elems;
  uint32_t words = bytes <= 4 ? 1 : bytes / 4;
  unsigned lanes = coalesce_request(bytes);
  uint32_t group = lanes == 32 ? UINT32_MAX : (1U << lanes) - 1;
  bool share = inst->uop->f.unit != ISA_U_ATOM;
  uint32_t base = s->slot[inst->warp] * s->shared_stride;
  uint32_t passes = 0;
  *conflicts = 0;
  if (bytes == 4 && s->config->shared_banks == 32 && !s->shaped && lsu_consecutive(off, mask))
    return 1;
  if (share && words <= s->config->shared_banks && !s->shaped && lsu_uniform(off, mask)) {
    for (unsigned at = 0; at < ISA_WARP_SIZE; at += lanes)
      passes += (mask & group << at) != 0;
    return passes;
  }
  for (unsigned at = 0; at < ISA_WARP_SIZE; at += lanes) {
    uint32_t word[32];
    uint32_t n = 0;
    for (uint32_t todo = mask & group << at; todo != 0; todo &= todo - 1)
      for (uint32_t w = 0; w < words; w++)
        word[n++] = (base + off[__builtin_ctz(todo)]) / 4 + w;
    if (n == 0)
      continue;
    uint32_t p = s->shaped ? shape_passes(s, word, n, share)
                           : passes_of(word, n, s->config->shared_banks, share);
    passes += p;
    *conflicts += p - 1;
  }
  return passes;
}
