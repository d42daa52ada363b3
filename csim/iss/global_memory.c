/* Global memory and its shadow: made equal before a launch, compared after it. */
#include <inttypes.h>
#include <string.h>

#include "csim/iss/launch_local.h"
#include "csim/iss/mismatch.h"

enum { SHIFT = 12, PAGE = 1 << SHIFT, WORD = 4 };

/* Makes both copies of a page equal to memory; nobody has written it. */
static void renew(struct iss_launch *l, uint32_t page) {
  struct iss_shadow *s = &l->shadow;
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

bool iss_global_begin(struct iss_launch *l) {
  uint64_t end = PAGE;
  for (size_t i = 0; i < l->ranges; i++)
    if (l->range[i].address + l->range[i].bytes > end)
      end = l->range[i].address + l->range[i].bytes;
  l->shadow.shift = SHIFT;
  if (!iss_shadow_room(&l->shadow, end))
    return false;
  for (size_t i = 0; i < l->ranges; i++)
    for (uint32_t p = first_page(&l->range[i]); p < end_page(&l->range[i]); p++)
      renew(l, p);
  return true;
}

void iss_launch_written(struct iss_launch *l, uint32_t address, uint32_t bytes) {
  for (uint32_t i = 0; l->memory && i < bytes; i += WORD)
    if (address + i < l->shadow.size)
      (void)iss_shadow_write_word(&l->shadow, address + i, 0, SHADOW_DEVICE, 0);
}

/* ---- the end ---- */

static bool end_pending(struct iss_launch *l, unsigned *sm) {
  for (unsigned i = 0; i < l->sms; i++) {
    struct iss *iss = l->iss[i];
    const struct iss_pending_load *load =
        iss != NULL ? iss_pending_unexplained(&iss->memory.pending, &l->shadow) : NULL;
    if (load == NULL)
      continue;
    *sm = i;
    return iss_byte_differs(iss, load, "global memory");
  }
  return true;
}

/* Checks a word that atomics alone changed. */
static bool end_atomic(struct iss_launch *l, const struct iss_atomic_word *w, unsigned *sm) {
  const unsigned bytes = iss_atomic_bytes(&l->atomics, w, &l->shadow);
  uint64_t first = 0, final, is = 0;
  struct iss_mismatch bad = {.what = "atomics",
                             .warp = w->warp,
                             .pc = w->pc,
                             .cycle = w->cycle,
                             .of = "address",
                             .at = w->address};
  if (bytes == 0)
    return true;
  memcpy(&first, l->shadow.first + w->address, bytes);
  memcpy(&is, l->bytes + w->address, bytes);
  *sm = w->sm;
  if (iss_atomic_final(w, first, &final) && final != is) {
    bad.expected = final, bad.got = is;
    return iss_fails(l->iss[w->sm], bad,
                     "the %u bits at address 0x%x are 0x%" PRIx64
                     " after atomics, must be 0x%" PRIx64,
                     8 * bytes, w->address, is, final);
  }
  return iss_atomic_chains(w, first, is) ||
         iss_fails(l->iss[w->sm], bad, ISS_ATOMICS_TEXT, "global", w->address);
}

static bool end_atomics(struct iss_launch *l, unsigned *sm) {
  iss_atomics_clear(&l->atomics);
  for (unsigned i = 0; i < l->sms; i++) {
    const struct iss_atomics *a = l->iss[i] != NULL ? &l->iss[i]->memory.atomics : NULL;
    for (size_t k = 0; a != NULL && k < a->words; k++) {
      struct iss_atomic_word *w = iss_atomics_at(&l->atomics, a->word[k].address);
      if (w != NULL)
        iss_atomic_merge(w, &a->word[k]);
    }
  }
  for (size_t i = 0; i < l->atomics.words; i++)
    if (!end_atomic(l, &l->atomics.word[i], sm))
      return false;
  return true;
}

/* Reports a byte that is not what its one writer, or nobody, left there. */
static bool wrong_byte(struct iss_launch *l, uint32_t address, unsigned *sm) {
  const uint32_t thread = iss_shadow_thread(iss_shadow_writer(&l->shadow, address));
  const bool written = thread != SHADOW_NOBODY;
  const uint64_t cta = written ? (thread - 1) / l->grid->threads : 0;
  *sm = written ? l->run[cta] - 1U : 0;
  return iss_fails(
      l->iss[*sm],
      (struct iss_mismatch){.what = "byte",
                            .pc = written ? l->shadow.pc[address / WORD] : l->grid->kernel->entry,
                            .expected = l->shadow.last[address],
                            .got = l->bytes[address],
                            .of = "address",
                            .at = address,
                            .thread = thread},
      "the byte at address 0x%x is 0x%02x, %s 0x%02x", address, l->bytes[address],
      written ? "but its one writer stored" : "which no thread wrote, must be",
      l->shadow.last[address]);
}

static bool end_page_of(struct iss_launch *l, uint32_t page, unsigned *sm) {
  const struct iss_shadow *s = &l->shadow;
  const uint32_t at = page << SHIFT;
  const bool same = memcmp(s->last + at, l->bytes + at, PAGE) == 0;
  if (same && s->touched[page] == 0)
    return true;
  for (uint32_t i = at; i < at + PAGE; i++) {
    const uint32_t writer = iss_shadow_thread(iss_shadow_writer(s, i));
    l->global_races += writer == SHADOW_SEVERAL && i % WORD == 0;
    if (writer <= SHADOW_THREADS && s->last[i] != l->bytes[i])
      return wrong_byte(l, i, sm);
  }
  return true;
}

bool iss_global_finish(struct iss_launch *l, unsigned *sm) {
  if (!end_pending(l, sm) || !end_atomics(l, sm))
    return false;
  for (size_t i = 0; i < l->ranges; i++)
    for (uint32_t p = first_page(&l->range[i]); p < end_page(&l->range[i]); p++)
      if (!end_page_of(l, p, sm))
        return false;
  return true;
}
