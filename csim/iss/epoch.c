/* The end of an epoch of shared memory: barriers, and ends of CTAs. */
#include <string.h>

#include "csim/iss/launch_local.h"

/* Words that atomics alone have changed: what they leave is known where the order does not matter.
 */
static bool end_atomics(struct iss *iss, struct shadow *s, struct atomics *atomics) {
  for (size_t i = 0; i < atomics->words; i++) {
    const struct atomic_word *w = &atomics->word[i];
    uint32_t *writer = &s->writer[w->address / 4], first, final;
    memcpy(&first, s->first + w->address, sizeof first);
    if (*writer != SHADOW_ATOMIC || !atomic_final(w, first, &final))
      continue;
    if (!atomic_chains(w, first, final)) {
      (void)iss_fails(iss, "values that atomics on shared memory returned: sum of hashes", w->warp,
                      w->pc, 0, w->chain);
      iss->bad.of = "address";
      iss->bad.at = w->address;
      iss->bad.cycle = w->cycle;
      return false;
    }
    memcpy(s->last + w->address, &final, sizeof final);
    *writer = 1; /* as if one thread had stored it */
  }
  atomics_clear(atomics);
  return true;
}

bool memory_epoch(struct iss *iss, unsigned slot) {
  struct iss_memory *m = &iss->memory;
  if (iss->launch == NULL || !iss->launch->memory || m->shared_bytes == 0)
    return true;
  struct shadow *s = &m->slot[slot].shadow;
  const struct memory_late *late = memory_unexplained(&m->slot[slot].late, s);
  if (late != NULL)
    return memory_differs(iss, late, "byte of shared memory");
  m->slot[slot].late.n = 0;
  if (!end_atomics(iss, s, &m->slot[slot].atomics))
    return false;
  m->shared_races += shadow_next(s, m->shared_bytes);
  return true;
}
