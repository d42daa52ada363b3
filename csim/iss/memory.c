/* Loads, stores and atomics of an SM in the order in which the check executes them. */
#include <stdlib.h>
#include <string.h>

#include "csim/iss/launch_local.h"
#include "csim/iss/mismatch.h"

_Static_assert((int)ISS_RACE_SEVERAL == (int)SHADOW_SEVERAL, "writers of a race");

enum { WORD = 4, SHARED_BLOCK = 7 /* 128 bytes */ };

/* The lanes of an instruction that access one space. */
struct access {
  struct iss *iss;
  const struct sm_inst *inst;
  const struct isa_uop *u;
  struct iss_shadow *shadow;
  struct iss_pending_loads *pending;
  struct iss_atomics *atomics;
  bool shared;
  uint32_t thread; /* number of lane 0's thread, plus one; DEVICE: the threads have no number */
  uint32_t lanes;
  const uint32_t *off; /* address in the space, by lane */
};

/* ---- life ---- */

static bool room_for_local(struct iss_memory *m) {
  const size_t need = (size_t)ISS_WARPS * ISA_WARP_SIZE * m->local_bytes;
  if (need <= m->local_room)
    return true;
  free(m->local);
  free(m->known);
  m->local = calloc(1, need);
  m->known = calloc(1, need);
  m->local_room = m->local != NULL && m->known != NULL ? need : 0;
  return m->local_room != 0;
}

bool iss_memory_begin(struct iss *iss) {
  struct iss_memory *m = &iss->memory;
  m->pending.n = 0;
  iss_atomics_clear(&m->atomics);
  m->shared_bytes = iss->grid->shared_bytes;
  m->local_bytes = iss->grid->kernel->local_bytes;
  for (unsigned i = 0; i < MEMORY_SLOTS; i++) {
    m->slot[i].pending.n = 0;
    iss_atomics_clear(&m->slot[i].atomics);
    m->slot[i].shadow.alone = true;
    m->slot[i].shadow.shift = SHARED_BLOCK;
    if (!iss_shadow_room(&m->slot[i].shadow, m->shared_bytes))
      return false;
  }
  return room_for_local(m);
}

void iss_memory_free(struct iss_memory *m) {
  free(m->pending.load);
  iss_atomics_free(&m->atomics);
  for (unsigned i = 0; i < MEMORY_SLOTS; i++) {
    free(m->slot[i].pending.load);
    iss_atomics_free(&m->slot[i].atomics);
    iss_shadow_free(&m->slot[i].shadow);
  }
  free(m->local);
  free(m->known);
}

void iss_memory_cta(struct iss *iss, unsigned slot) {
  if (iss->memory.shared_bytes != 0)
    iss_shadow_forget(&iss->memory.slot[slot].shadow, iss->memory.shared_bytes);
}

void iss_memory_warp(struct iss *iss, unsigned warp) {
  const size_t bytes = (size_t)ISA_WARP_SIZE * iss->memory.local_bytes;
  if (bytes != 0)
    memset(iss->memory.known + warp * bytes, 0, bytes);
}

/* ---- lanes ---- */

static uint32_t thread_of(const struct access *a, unsigned lane) {
  return a->thread <= SHADOW_THREADS ? a->thread + lane : a->thread;
}

/* Returns whether the access is in bounds and aligned; the back end faults on one that is not. */
static bool good(const struct access *a, uint32_t address, uint32_t bytes) {
  return address < a->shadow->size && (address & (bytes - 1)) == 0;
}

static void read_slowly(const struct access *a, unsigned lane, uint32_t address, uint32_t value,
                        unsigned bytes) {
  const uint32_t thread = thread_of(a, lane), writer = iss_shadow_writer(a->shadow, address);
  bool race = false;
  for (unsigned i = 0; i < bytes; i++) {
    const uint8_t got = (uint8_t)(value >> 8 * i);
    const enum iss_shadow_fit fit = iss_shadow_read_byte(a->shadow, address + i, got, thread);
    race |= fit == SHADOW_RACE;
    if (fit == SHADOW_LATER)
      iss_pending_add(a->pending,
                      &(struct iss_pending_load){.address = address + i,
                                                 .thread = thread,
                                                 .expected = a->shadow->last[address + i],
                                                 .got = got,
                                                 .warp = a->inst->number,
                                                 .lane = (uint8_t)lane,
                                                 .pc = a->inst->pc,
                                                 .word = a->u->word,
                                                 .cycle = a->inst->issued});
  }
  if (!race || !a->shared)
    return;
  a->iss->memory.shared_races++;
  iss_race_seen(a->iss, true, address, iss_shadow_thread(writer), a->shadow->pc[address / WORD],
                thread, a->inst->pc);
}

/* Returns whether a word has this value, which any thread may read there, or which `thread` wrote.
 */
static bool fits(const struct access *a, uint32_t address, uint32_t value, uint32_t thread) {
  const struct iss_shadow *s = a->shadow;
  if (iss_shadow_load32(s->last + address) != value)
    return false;
  if (!a->shared)
    return true;
  const uint32_t writer = iss_shadow_thread(s->writer[address / WORD]);
  return writer == SHADOW_NOBODY || writer == thread;
}

/* Returns whether all lanes read the same value of one word, and any thread may read it there. */
static bool fit_together(const struct access *a, const uint32_t *values, unsigned offset) {
  const unsigned l = (unsigned)__builtin_ctz(a->lanes);
  const uint32_t at = a->off[l] + offset, value = values[l];
  return iss_differ_one(values, value, a->lanes) == 0 && good(a, at, WORD) &&
         fits(a, at, value, SHADOW_NOBODY);
}

/* Words that lanes read, each for its own thread. */
static void load_words(const struct access *a, unsigned words) {
  const unsigned first = (unsigned)__builtin_ctz(a->lanes);
  const bool together = iss_differ_one(a->off, a->off[first], a->lanes) == 0;
  for (unsigned k = 0; k < words; k++) {
    const uint32_t *values = a->inst->d[k];
    if (together && fit_together(a, values, WORD * k))
      continue;
    for (uint32_t left = a->lanes; left != 0; left &= left - 1) {
      const unsigned l = (unsigned)__builtin_ctz(left);
      const uint32_t at = a->off[l] + WORD * k;
      if (good(a, at, WORD) && !fits(a, at, values[l], thread_of(a, l)))
        read_slowly(a, l, at, values[l], WORD);
    }
  }
}

static void load_parts(const struct access *a) {
  const unsigned bytes = a->u->mem_size;
  for (unsigned k = 0; k < a->u->mem_elems; k++)
    for (uint32_t left = a->lanes; left != 0; left &= left - 1) {
      const unsigned l = (unsigned)__builtin_ctz(left);
      const uint32_t at = a->off[l] + bytes * k;
      if (good(a, at, bytes))
        read_slowly(a, l, at, a->inst->d[k][l], bytes);
    }
}

static void store(const struct access *a) {
  const unsigned size = a->u->mem_size, bytes = size < WORD ? size : WORD;
  const unsigned n = size < WORD ? a->u->mem_elems : size / WORD * a->u->mem_elems;
  for (unsigned k = 0; k < n; k++)
    for (uint32_t left = a->lanes; left != 0; left &= left - 1) {
      const unsigned l = (unsigned)__builtin_ctz(left);
      const uint32_t at = a->off[l] + bytes * k, thread = thread_of(a, l);
      if (!good(a, at, bytes))
        continue;
      const uint16_t pc = a->shadow->pc[at / WORD];
      const uint32_t before =
          bytes == WORD
              ? iss_shadow_write_word(a->shadow, at, a->inst->b[k][l], thread, a->inst->pc)
              : iss_shadow_write_bytes(a->shadow, at, a->inst->b[k][l], bytes, thread, a->inst->pc);
      if (before != 0)
        iss_race_seen(a->iss, a->shared, at, before, pc, thread, a->inst->pc);
    }
}

/* Notes an atomic's update of a word.  Returns whether the word had a known value. */
static bool write_atomic(const struct access *a, uint32_t address) {
  const uint32_t kind = a->thread <= SHADOW_THREADS ? SHADOW_ATOMIC : SHADOW_DEVICE;
  const bool known = iss_shadow_writer(a->shadow, address) != SHADOW_UNKNOWN;
  (void)iss_shadow_write_word(a->shadow, address, 0, kind, a->inst->pc);
  return known;
}

/* Returns the record of the atomics on a word, or on the two from it on, or NULL. */
static struct iss_atomic_word *record(const struct access *a, uint32_t address, bool wide) {
  struct iss_atomic_word *upper = wide ? iss_atomics_at(a->atomics, address + WORD) : NULL;
  if (wide && upper == NULL)
    return NULL;
  if (wide)
    upper->parts |= ISS_ATOMIC_UPPER;
  return iss_atomics_at(a->atomics, address);
}

static uint64_t operand(const uint32_t (*planes)[ISA_WARP_SIZE], unsigned lane, bool wide) {
  return planes[0][lane] | (wide ? (uint64_t)planes[1][lane] << 32 : 0);
}

static void atomic(const struct access *a) {
  const bool wide = a->u->mem_size > WORD;
  for (uint32_t left = a->lanes; left != 0; left &= left - 1) {
    const unsigned l = (unsigned)__builtin_ctz(left);
    const uint32_t at = a->off[l];
    if (!good(a, at, a->u->mem_size))
      continue;
    bool known = write_atomic(a, at);
    if (wide)
      known &= write_atomic(a, at + WORD);
    struct iss_atomic_word *w = record(a, at, wide);
    if (w == NULL) {
      (void)iss_shadow_write_word(a->shadow, at, 0, SHADOW_SEVERAL, a->inst->pc);
      continue;
    }
    if (w->id == ISA_ILLEGAL) {
      w->sm = (uint8_t)a->iss->sm;
      w->warp = a->inst->number;
      w->pc = a->inst->pc;
      w->cycle = a->inst->issued;
      w->mixed = w->silent = !known;
    }
    iss_atomic_add(w, a->u, operand(a->inst->d, l, wide), operand(a->inst->b, l, wide),
                   operand(a->inst->c, l, wide));
  }
}

static bool is_store(const struct isa_uop *u) {
  return u->id == ISA_STG || u->id == ISA_STS || u->id == ISA_STL || u->id == ISA_STGEN;
}

static void access_shadow(const struct access *a) {
  if (a->u->f.unit == ISA_U_ATOM)
    atomic(a);
  else if (is_store(a->u))
    store(a);
  else if (a->thread > SHADOW_THREADS)
    return; /* the thread has no number: its loads are not checked */
  else if (a->u->mem_size < WORD)
    load_parts(a);
  else
    load_words(a, a->u->mem_size / WORD * a->u->mem_elems);
}

/* ---- memory of one thread, and parameters ---- */

/* Returns byte i of the access, from the register that it goes to or comes from. */
static uint8_t byte_of(const struct access *a, bool stores, unsigned lane, unsigned i) {
  const unsigned size = a->u->mem_size < WORD ? a->u->mem_size : WORD;
  const uint32_t word = stores ? a->inst->b[i / size][lane] : a->inst->d[i / size][lane];
  return (uint8_t)(word >> 8 * (i % size));
}

static bool wrong_byte(const struct access *a, unsigned lane, uint32_t address, uint8_t expected,
                       uint8_t got, const char *memory) {
  const struct iss_pending_load load = {.address = address,
                                        .expected = expected,
                                        .got = got,
                                        .warp = a->inst->number,
                                        .lane = (uint8_t)lane,
                                        .pc = a->inst->pc,
                                        .word = a->u->word,
                                        .cycle = a->inst->issued};
  return iss_byte_differs(a->iss, &load, memory);
}

static bool access_local(const struct access *a) {
  struct iss_memory *m = &a->iss->memory;
  const unsigned bytes = (unsigned)a->u->mem_size * a->u->mem_elems;
  const bool stores = is_store(a->u);
  for (uint32_t left = a->lanes; left != 0; left &= left - 1) {
    const unsigned l = (unsigned)__builtin_ctz(left);
    const uint32_t at = a->off[l];
    if (m->local_bytes < bytes || at > m->local_bytes - bytes)
      continue;
    const size_t base = ((size_t)a->inst->number * ISA_WARP_SIZE + l) * m->local_bytes + at;
    for (unsigned i = 0; i < bytes; i++) {
      const uint8_t value = byte_of(a, stores, l, i);
      if (!stores && m->known[base + i] != 0 && m->local[base + i] != value)
        return wrong_byte(a, l, at + i, m->local[base + i], value, "local memory");
      if (stores) {
        m->local[base + i] = value;
        m->known[base + i] = 1;
      }
    }
  }
  return true;
}

static bool access_params(const struct access *a) {
  const uint8_t *params = (const uint8_t *)a->iss->grid->params;
  const unsigned bytes = (unsigned)a->u->mem_size * a->u->mem_elems;
  const uint32_t end = a->iss->grid->kernel->param_bytes;
  for (uint32_t left = a->lanes; left != 0; left &= left - 1) {
    const unsigned l = (unsigned)__builtin_ctz(left);
    const uint32_t at = a->off[l];
    for (unsigned i = 0; i < bytes && bytes <= end && at <= end - bytes; i++)
      if (byte_of(a, false, l, i) != params[at + i])
        return wrong_byte(a, l, at + i, params[at + i], byte_of(a, false, l, i), "the parameters");
  }
  return true;
}

/* ---- spaces ---- */

static enum isa_space space_of(const struct isa_uop *u) {
  if (u->f.unit == ISA_U_ATOM)
    return (u->f.mods & 1) != 0 ? ISA_SPACE_SHARED : ISA_SPACE_GLOBAL;
  switch (u->id) {
  case ISA_LDS:
  case ISA_STS:
    return ISA_SPACE_SHARED;
  case ISA_LDL:
  case ISA_STL:
    return ISA_SPACE_LOCAL;
  case ISA_LDP:
    return ISA_SPACE_PARAM;
  case ISA_LDGEN:
  case ISA_STGEN:
    return ISA_SPACE_GENERIC;
  default:
    return ISA_SPACE_GLOBAL;
  }
}

static bool access_space(struct access *a, const struct iss_warp *w, enum isa_space space) {
  struct iss *iss = a->iss;
  const struct iss_cta *cta = &iss->cta[w->place.cta_slot];
  const uint32_t first = w->place.first + 1;
  if (a->lanes == 0)
    return true;
  if (space == ISA_SPACE_LOCAL)
    return access_local(a);
  if (space == ISA_SPACE_PARAM)
    return access_params(a);
  a->shared = space == ISA_SPACE_SHARED;
  if (a->shared) {
    a->shadow = &iss->memory.slot[w->place.cta_slot].shadow;
    a->pending = &iss->memory.slot[w->place.cta_slot].pending;
    a->atomics = &iss->memory.slot[w->place.cta_slot].atomics;
    a->thread = first;
  } else {
    a->shadow = &iss->launch->shadow;
    a->pending = &iss->memory.pending;
    a->atomics = &iss->memory.atomics;
    a->thread = cta->of_grid ? (uint32_t)(cta->number * iss->grid->threads) + first
                             : (uint32_t)SHADOW_DEVICE;
  }
  access_shadow(a);
  return true;
}

/* Returns the lanes of a generic access with an address in [first, end), end 0 being 2^32.  `off`
 * gets their offsets from first. */
static uint32_t window(const struct access *a, uint32_t exec, uint32_t first, uint32_t end,
                       uint32_t *off) {
  uint32_t lanes = 0;
  for (uint32_t left = exec; left != 0; left &= left - 1) {
    const unsigned l = (unsigned)__builtin_ctz(left);
    if (a->inst->addr[l] < first || (end != 0 && a->inst->addr[l] >= end))
      continue;
    lanes |= 1U << l;
    off[l] = a->inst->addr[l] - first;
  }
  return lanes;
}

bool iss_memory_access(struct iss *iss, const struct iss_warp *w, const struct isa_uop *u,
                       const struct sm_inst *inst, uint32_t exec) {
  struct access a = {.iss = iss, .inst = inst, .u = u, .lanes = exec, .off = inst->addr};
  uint32_t off[ISA_WARP_SIZE];
  const enum isa_space space = space_of(u);
  if (iss->launch == NULL || !iss->launch->memory)
    return true;
  if (space != ISA_SPACE_GENERIC)
    return access_space(&a, w, space);
  a.off = off;
  a.lanes = window(&a, exec, 0, ISA_SHARED_WINDOW, off);
  if (!access_space(&a, w, ISA_SPACE_GLOBAL))
    return false;
  a.lanes = window(&a, exec, ISA_SHARED_WINDOW, ISA_LOCAL_WINDOW, off);
  if (!access_space(&a, w, ISA_SPACE_SHARED))
    return false;
  a.lanes = window(&a, exec, ISA_LOCAL_WINDOW, 0, off);
  return access_space(&a, w, ISA_SPACE_LOCAL);
}
