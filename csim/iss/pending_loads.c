/* Loaded bytes that wait until the check has seen who wrote them. */
#include <stdlib.h>

#include "csim/iss/memory.h"

enum { FEWEST = 64, MOST = 1 << 20 /* a program that only polls: the check drops loads above */ };

void iss_pending_add(struct iss_pending_loads *l, const struct iss_pending_load *load) {
  if (l->n == MOST)
    return;
  if (l->n == l->room) {
    const size_t room = l->room != 0 ? 2 * l->room : FEWEST;
    struct iss_pending_load *more = realloc(l->load, room * sizeof *more);
    if (more == NULL)
      return;
    l->load = more;
    l->room = room;
  }
  l->load[l->n++] = *load;
}

const struct iss_pending_load *iss_pending_unexplained(const struct iss_pending_loads *l,
                                                       const struct iss_shadow *s) {
  for (size_t i = 0; i < l->n; i++)
    if (!iss_shadow_explains(s, l->load[i].address, l->load[i].got, l->load[i].thread))
      return &l->load[i];
  return NULL;
}
