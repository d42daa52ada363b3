/* The end of an epoch of shared memory: a barrier, or the end of the CTA. */
#include <inttypes.h>
#include <string.h>

#include "csim/iss/launch_local.h"
#include "csim/iss/mismatch.h"

/* Words that atomics alone changed have a known value now where the order does not matter. */
static bool end_atomics(struct iss *iss, struct iss_shadow *s, struct iss_atomics *atomics) {
  for (size_t i = 0; i < atomics->words; i++) {
    const struct iss_atomic_word *w = &atomics->word[i];
    const unsigned bytes = iss_atomic_bytes(atomics, w, s);
    uint64_t first = 0, final;
    memcpy(&first, s->first + w->address, bytes);
    if (bytes == 0 || !iss_atomic_final(w, first, &final))
      continue;
    if (!iss_atomic_chains(w, first, final))
      return iss_fails(iss,
                       (struct iss_mismatch){.what = "atomics",
                                             .warp = w->warp,
                                             .pc = w->pc,
                                             .cycle = w->cycle,
                                             .of = "address",
                                             .at = w->address},
                       ISS_ATOMICS_TEXT, "shared", w->address);
    memcpy(s->last + w->address, &final, bytes);
    for (uint32_t k = 0; k < bytes / 4; k++)
      s->writer[w->address / 4 + k] = 1; /* one thread seems to have stored it */
  }
  iss_atomics_clear(atomics);
  return true;
}

bool iss_epoch_end(struct iss *iss, unsigned slot) {
  struct iss_memory *m = &iss->memory;
  if (iss->launch == NULL || !iss->launch->memory || m->shared_bytes == 0)
    return true;
  struct iss_shadow *s = &m->slot[slot].shadow;
  const struct iss_pending_load *load = iss_pending_unexplained(&m->slot[slot].pending, s);
  if (load != NULL)
    return iss_byte_differs(iss, load, "shared memory");
  m->slot[slot].pending.n = 0;
  if (!end_atomics(iss, s, &m->slot[slot].atomics))
    return false;
  m->shared_races += iss_shadow_next(s, m->shared_bytes);
  return true;
}
