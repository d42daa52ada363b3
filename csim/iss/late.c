/* Bytes that were read before the check has seen who wrote them; races. */
#include <stdlib.h>

#include "csim/iss/launch_local.h"

enum { FEWEST = 64, MOST = 1 << 20 /* a program that only polls: those above are not checked */ };

void memory_later(struct memory_lates *l, const struct memory_late *late) {
  if (l->n == MOST)
    return;
  if (l->n == l->room) {
    const size_t room = l->room != 0 ? 2 * l->room : FEWEST;
    struct memory_late *more = realloc(l->late, room * sizeof *more);
    if (more == NULL)
      return;
    l->late = more;
    l->room = room;
  }
  l->late[l->n++] = *late;
}

const struct memory_late *memory_unexplained(const struct memory_lates *l, const struct shadow *s) {
  for (size_t i = 0; i < l->n; i++)
    if (!shadow_explains(s, l->late[i].address, l->late[i].got, l->late[i].thread))
      return &l->late[i];
  return NULL;
}

bool memory_differs(struct iss *iss, const struct memory_late *late, const char *what) {
  if (!iss->bad.any)
    iss->bad = (struct iss_mismatch){.any = true,
                                     .warp = late->warp,
                                     .lane = late->lane,
                                     .pc = late->pc,
                                     .word = late->word,
                                     .cycle = late->cycle,
                                     .what = what,
                                     .expected = late->expected,
                                     .got = late->got,
                                     .of = "address",
                                     .at = late->address};
  return false;
}

void memory_race(struct iss *iss, bool shared, uint32_t address, uint32_t first, uint16_t first_pc,
                 uint32_t second, uint16_t second_pc) {
  struct iss_memory *m = &iss->memory;
  if (iss->launch == NULL || !iss->launch->races)
    return;
  for (unsigned i = 0; i < m->races; i++) {
    struct iss_race *r = &m->race[i];
    if (r->shared == shared && r->pc[0] == first_pc && r->pc[1] == second_pc) {
      r->count++;
      return;
    }
  }
  if (m->races < MEMORY_RACES)
    m->race[m->races++] = (struct iss_race){.shared = shared,
                                            .address = address,
                                            .pc = {first_pc, second_pc},
                                            .thread = {first, second},
                                            .count = 1};
}
