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

struct iss_atomic_word *iss_atomics_at(struct iss_atomics *a, uint32_t address) {
  if (4 * a->words >= a->slots && !grow(a))
    return NULL;
  size_t at = slot_of(a, address);
  for (; a->index[at] != 0; at = (at + 1) & (a->slots - 1))
    if (a->word[a->index[at] - 1].address == address)
      return &a->word[a->index[at] - 1];
  a->word[a->words] = (struct iss_atomic_word){.address = address, .id = ISA_ILLEGAL};
  a->index[at] = (uint32_t)++a->words;
  return &a->word[a->words - 1];
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

static bool less(uint32_t x, uint32_t y, bool is_signed) {
  return is_signed ? (int32_t)x < (int32_t)y : x < y;
}

/* Combines two operands of an operation whose order does not matter; 0 for another operation. */
static uint32_t fold(unsigned id, bool is_signed, uint32_t x, uint32_t y) {
  switch (id) {
  case ISA_AADD:
    return x + y;
  case ISA_AMIN:
    return less(y, x, is_signed) ? y : x;
  case ISA_AMAX:
    return less(x, y, is_signed) ? y : x;
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
static uint32_t result(const struct isa_uop *u, uint32_t old, uint32_t b, uint32_t c) {
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
    return fold(u->id, (u->f.mods & SIGNED) != 0, old, b);
  }
}

void iss_atomic_add(struct iss_atomic_word *w, const struct isa_uop *u, uint32_t old, uint32_t b,
                    uint32_t c) {
  const bool is_signed = (u->f.mods & SIGNED) != 0;
  if (w->id == ISA_ILLEGAL) {
    w->id = (uint8_t)u->id;
    w->is_signed = is_signed;
    w->operands = b;
  } else if (w->id != u->id || w->is_signed != is_signed) {
    w->mixed = true;
  } else {
    w->operands = fold(u->id, is_signed, w->operands, b);
  }
  if ((u->f.mods & ISA_MOD_NORET) != 0)
    w->silent = true;
  else
    w->chain += hash(result(u, old, b, c)) - hash(old);
}

void iss_atomic_merge(struct iss_atomic_word *w, const struct iss_atomic_word *more) {
  const uint32_t address = w->address;
  if (w->id == ISA_ILLEGAL) {
    *w = *more;
    w->address = address;
    return;
  }
  w->mixed |= more->mixed || w->id != more->id || w->is_signed != more->is_signed;
  w->operands = fold(w->id, w->is_signed, w->operands, more->operands);
  w->chain += more->chain;
  w->silent |= more->silent;
}

bool iss_atomic_final(const struct iss_atomic_word *w, uint32_t first, uint32_t *final) {
  if (w->mixed || !folds(w->id))
    return false;
  *final = fold(w->id, w->is_signed, first, w->operands);
  return true;
}

bool iss_atomic_chains(const struct iss_atomic_word *w, uint32_t first, uint32_t final) {
  return w->silent || w->chain == hash(final) - hash(first);
}
