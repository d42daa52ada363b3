/* Global memory against its shadow: before the launch, and after it. */
#include <string.h>

#include "csim/iss/launch_local.h"

enum { SHIFT = 12, PAGE = 1 << SHIFT, WORD = 4 };

/* Both copies of a page are what memory holds, and nobody has written it. */
static void renew(struct iss_launch *l, uint32_t page) {
  struct shadow *s = &l->shadow;
  const uint32_t at = page << SHIFT;
  const bool touched = s->touched[page] != 0, same = memcmp(s->last + at, l->bytes + at, PAGE) == 0;
  if (!touched && same)
    return;
  memcpy(s->first + at, l->bytes + at, PAGE);
  memcpy(s->last + at, l->bytes + at, PAGE);
  if (touched)
    memset(&s->writer[at / WORD], 0, PAGE);
  if (s->splits[page] != 0)
    memset(&s->split[at], 0, PAGE * sizeof *s->split);
  s->touched[page] = s->splits[page] = 0;
}

static uint32_t first_page(const struct iss_range *r) { return r->address >> SHIFT; }
static uint32_t end_page(const struct iss_range *r) {
  return (uint32_t)((r->address + r->bytes + PAGE - 1) >> SHIFT);
}

bool image_begin(struct iss_launch *l) {
  uint64_t end = PAGE;
  for (size_t i = 0; i < l->ranges; i++)
    if (l->range[i].address + l->range[i].bytes > end)
      end = l->range[i].address + l->range[i].bytes;
  l->shadow.shift = SHIFT;
  if (!shadow_room(&l->shadow, end))
    return false;
  for (size_t i = 0; i < l->ranges; i++)
    for (uint32_t p = first_page(&l->range[i]); p < end_page(&l->range[i]); p++)
      renew(l, p);
  return true;
}

void iss_launch_written(struct iss_launch *l, uint32_t address, uint32_t bytes) {
  for (uint32_t i = 0; l->memory && i < bytes; i += WORD)
    if (address + i < l->shadow.size)
      (void)shadow_write_word(&l->shadow, address + i, 0, SHADOW_DEVICE, 0);
}

/* ---- the end ---- */

static bool end_lates(struct iss_launch *l, unsigned *sm) {
  for (unsigned i = 0; i < l->sms; i++) {
    struct iss *iss = l->iss[i];
    const struct memory_late *late =
        iss != NULL ? memory_unexplained(&iss->memory.late, &l->shadow) : NULL;
    if (late == NULL)
      continue;
    *sm = i;
    return memory_differs(iss, late, "byte of global memory");
  }
  return true;
}

static bool wrong_atomic(struct iss_launch *l, const struct atomic_word *w, const char *what,
                         uint64_t expected, uint64_t got, unsigned *sm) {
  struct iss_mismatch *bad = &l->iss[w->sm]->bad;
  *sm = w->sm;
  (void)iss_fails(l->iss[w->sm], what, w->warp, w->pc, expected, got);
  bad->of = "address";
  bad->at = w->address;
  bad->cycle = w->cycle;
  return false;
}

/* A word that atomics alone changed, at its end. */
static bool end_atomic(struct iss_launch *l, const struct atomic_word *w, unsigned *sm) {
  uint32_t first, final, is;
  if (l->shadow.writer[w->address / WORD] != SHADOW_ATOMIC)
    return true;
  memcpy(&first, l->shadow.first + w->address, sizeof first);
  memcpy(&is, l->bytes + w->address, sizeof is);
  if (atomic_final(w, first, &final) && final != is)
    return wrong_atomic(l, w, "word that atomics leave", final, is, sm);
  return atomic_chains(w, first, is) ||
         wrong_atomic(l, w, "values that atomics returned: sum of hashes", 0, w->chain, sm);
}

static bool end_atomics(struct iss_launch *l, unsigned *sm) {
  atomics_clear(&l->atomics);
  for (unsigned i = 0; i < l->sms; i++) {
    const struct atomics *a = l->iss[i] != NULL ? &l->iss[i]->memory.atomics : NULL;
    for (size_t k = 0; a != NULL && k < a->words; k++) {
      struct atomic_word *w = atomics_at(&l->atomics, a->word[k].address);
      if (w != NULL)
        atomic_merge(w, &a->word[k]);
    }
  }
  for (size_t i = 0; i < l->atomics.words; i++)
    if (!end_atomic(l, &l->atomics.word[i], sm))
      return false;
  return true;
}

/* The byte is not what its one writer, or nobody, left there. */
static bool wrong_byte(struct iss_launch *l, uint32_t address, unsigned *sm) {
  const uint32_t thread = shadow_thread(shadow_writer(&l->shadow, address));
  const bool written = thread != SHADOW_NOBODY;
  const uint64_t cta = written ? (thread - 1) / l->grid->threads : 0;
  *sm = written ? l->run[cta] - 1U : 0;
  struct iss *iss = l->iss[*sm];
  (void)iss_fails(iss, written ? "byte left by its one writer" : "byte that nobody wrote", 0,
                  written ? l->shadow.pc[address / WORD] : l->grid->kernel->entry,
                  l->shadow.last[address], l->bytes[address]);
  iss->bad.of = "address";
  iss->bad.at = address;
  iss->bad.thread = thread;
  return false;
}

static bool end_page_of(struct iss_launch *l, uint32_t page, unsigned *sm) {
  const struct shadow *s = &l->shadow;
  const uint32_t at = page << SHIFT;
  const bool same = memcmp(s->last + at, l->bytes + at, PAGE) == 0;
  if (same && s->touched[page] == 0)
    return true;
  for (uint32_t i = at; i < at + PAGE; i++) {
    const uint32_t writer = shadow_thread(shadow_writer(s, i));
    l->global_races += writer == SHADOW_SEVERAL && i % WORD == 0;
    if (writer <= SHADOW_THREADS && s->last[i] != l->bytes[i])
      return wrong_byte(l, i, sm);
  }
  return true;
}

bool image_finish(struct iss_launch *l, unsigned *sm) {
  if (!end_lates(l, sm) || !end_atomics(l, sm))
    return false;
  for (size_t i = 0; i < l->ranges; i++)
    for (uint32_t p = first_page(&l->range[i]); p < end_page(&l->range[i]); p++)
      if (!end_page_of(l, p, sm))
        return false;
  return true;
}
