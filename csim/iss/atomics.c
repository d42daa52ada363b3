/* Sums over the atomics on a word. */
#include "csim/iss/atomics.h"

#include "csim/iss/arith/arith.h"

#include <stdlib.h>
#include <string.h>

enum { SIGNED = 2 /* modifier bit */, FEWEST = 64 };

/* Spreads all bits (splitmix64). */
static uint64_t hash(uint64_t x) {
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

static size_t slot_of(const struct iss_atomics *a, uint32_t address) {
  return hash(address) & (a->slots - 1);
}

static bool grow(struct iss_atomics *a) {
  const size_t room = a->room != 0 ? 2 * a->room : FEWEST;
  struct iss_atomic_word *word = realloc(a->word, room * sizeof *word);
  if (word == NULL)
    return false;
  a->word = word;
  a->room = room;
  uint32_t *index = calloc(4 * room, sizeof *index);
  if (index == NULL)
    return false;
  free(a->index);
  a->index = index;
  a->slots = 4 * room;
  for (size_t i = 0; i < a->words; i++) {
    size_t at = slot_of(a, a->word[i].address);
    while (index[at] != 0)
      at = (at + 1) & (a->slots - 1);
    index[at] = (uint32_t)(i + 1);
  }
  return true;
}

/* Returns the slot of the word's record, or the empty one where it would be. */
static size_t find(const struct iss_atomics *a, uint32_t address) {
  size_t at = slot_of(a, address);
  while (a->index[at] != 0 && a->word[a->index[at] - 1].address != address)
    at = (at + 1) & (a->slots - 1);
  return at;
}

struct iss_atomic_word *iss_atomics_at(struct iss_atomics *a, uint32_t address) {
  if (4 * a->words >= a->slots && !grow(a))
    return NULL;
  const size_t at = find(a, address);
  if (a->index[at] == 0) {
    a->word[a->words] = (struct iss_atomic_word){.address = address, .id = ISA_ILLEGAL};
    a->index[at] = (uint32_t)++a->words;
  }
  return &a->word[a->index[at] - 1];
}

void iss_atomics_clear(struct iss_atomics *a) {
  if (a->words == 0)
    return;
  memset(a->index, 0, a->slots * sizeof *a->index);
  a->words = 0;
}

void iss_atomics_free(struct iss_atomics *a) {
  free(a->word);
  free(a->index);
  *a = (struct iss_atomics){0};
}

/* The operands of an atomic of 64 or 32 bits. */
static uint64_t cut(bool wide, uint64_t x) { return wide ? x : (uint32_t)x; }

static bool less(uint64_t x, uint64_t y, bool is_signed, bool wide) {
  if (!is_signed)
    return x < y;
  return wide ? (int64_t)x < (int64_t)y : (int32_t)x < (int32_t)y;
}

/* Combines two operands of an operation whose order does not matter; 0 for another operation. */
static uint64_t fold(unsigned id, bool is_signed, bool wide, uint64_t x, uint64_t y) {
  switch (id) {
  case ISA_AADD:
    return cut(wide, x + y);
  case ISA_AMIN:
    return less(y, x, is_signed, wide) ? y : x;
  case ISA_AMAX:
    return less(x, y, is_signed, wide) ? y : x;
  case ISA_AAND:
    return x & y;
  case ISA_AOR:
    return x | y;
  case ISA_AXOR:
    return x ^ y;
  default:
    return 0;
  }
}

static bool folds(unsigned id) {
  return id == ISA_AADD || id == ISA_AMIN || id == ISA_AMAX || id == ISA_AAND || id == ISA_AOR ||
         id == ISA_AXOR;
}

/* Returns the value that an atomic leaves, from docs/reference/isa.md. */
static uint64_t result(const struct isa_uop *u, uint64_t old, uint64_t b, uint64_t c) {
  switch (u->id) {
  case ISA_AEXCH:
    return b;
  case ISA_ACAS:
    return old == b ? c : old;
  case ISA_AINC:
    return old >= b ? 0 : old + 1;
  case ISA_ADEC:
    return old == 0 || old > b ? b : old - 1;
  case ISA_AFADD:
    return (uint32_t)arith_of(ISA_FADD)(&(struct arith_in){.id = ISA_FADD, .a = old, .b = b});
  default:
    return fold(u->id, (u->f.mods & SIGNED) != 0, u->mem_size == 8, old, b);
  }
}

void iss_atomic_add(struct iss_atomic_word *w, const struct isa_uop *u, uint64_t old, uint64_t b,
                    uint64_t c) {
  const bool is_signed = (u->f.mods & SIGNED) != 0, wide = u->mem_size == 8;
  w->parts |= wide ? ISS_ATOMIC_LOWER : ISS_ATOMIC_WHOLE;
  if (w->id == ISA_ILLEGAL) {
    w->id = (uint8_t)u->id;
    w->is_signed = is_signed;
    w->operands = b;
  } else if (w->id != u->id || w->is_signed != is_signed) {
    w->mixed = true;
  } else {
    w->operands = fold(u->id, is_signed, wide, w->operands, b);
  }
  if ((u->f.mods & ISA_MOD_NORET) != 0)
    w->silent = true;
  else
    w->chain += hash(result(u, old, b, c)) - hash(old);
}

static bool is_wide(const struct iss_atomic_word *w) { return w->parts == ISS_ATOMIC_LOWER; }

void iss_atomic_merge(struct iss_atomic_word *w, const struct iss_atomic_word *more) {
  const uint8_t parts = w->parts | more->parts;
  if (w->id == ISA_ILLEGAL)
    *w = *more;
  else if (more->id != ISA_ILLEGAL) {
    w->mixed |= more->mixed || w->id != more->id || w->is_signed != more->is_signed;
    w->operands = fold(w->id, w->is_signed, is_wide(w), w->operands, more->operands);
    w->chain += more->chain;
    w->silent |= more->silent;
  }
  w->parts = parts;
}

static uint8_t parts_at(const struct iss_atomics *a, uint32_t address) {
  const uint32_t n = a->index[find(a, address)];
  return n != 0 ? a->word[n - 1].parts : 0;
}

unsigned iss_atomic_bytes(const struct iss_atomics *a, const struct iss_atomic_word *w,
                          const struct iss_shadow *s) {
  const uint32_t *writer = &s->writer[w->address / 4];
  if (w->parts == ISS_ATOMIC_WHOLE)
    return writer[0] == SHADOW_ATOMIC ? 4 : 0;
  const bool pair = is_wide(w) && parts_at(a, w->address + 4) == ISS_ATOMIC_UPPER;
  return pair && writer[0] == SHADOW_ATOMIC && writer[1] == SHADOW_ATOMIC ? 8 : 0;
}

bool iss_atomic_final(const struct iss_atomic_word *w, uint64_t first, uint64_t *final) {
  if (w->mixed || !folds(w->id))
    return false;
  *final = fold(w->id, w->is_signed, is_wide(w), first, w->operands);
  return true;
}

bool iss_atomic_chains(const struct iss_atomic_word *w, uint64_t first, uint64_t final) {
  return w->silent || w->chain == hash(final) - hash(first);
}
