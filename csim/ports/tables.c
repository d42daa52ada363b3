/* The tables of all units, expanded from csim/ports/<unit>.def, and of a front end's parts. */
#include "csim/ports/tables.h"

#include <string.h>

/* Not 0 if words differ; `bytes` is a constant, 8 for most ports. */
static inline uint64_t words_xor(const void *a, const void *b, size_t bytes) {
  uint64_t diff = 0, x, y;
  for (size_t at = 0; at < bytes; at += sizeof x) {
    memcpy(&x, (const char *)a + at, sizeof x);
    memcpy(&y, (const char *)b + at, sizeof y);
    diff |= x ^ y;
  }
  return diff;
}

#define PORTS_EACH "csim/ports/tables.inc"
#include "csim/ports/units.def"

#include "csim/ports/blocks.def"
#undef PORTS_EACH

#define VIEW(member) offsetof(struct sm_frontend_state, member)
const struct ports_part frontend_parts[FRONTEND_PARTS_WIDE] = {
#define PART_EACH "csim/ports/part_row.inc"
#include "csim/ports/frontend_parts.def"
#undef PART_EACH
    {"u_simt_stack", &sm_frontend_wide_ports, VIEW(wide), false},
};

unsigned ports_part_lines(const struct ports_part *parts, unsigned n) {
  unsigned lines = 0;
  for (unsigned i = 0; i < n; i++)
    lines += parts[i].ports->lines;
  return lines;
}

unsigned ports_parts_same(const struct ports_part *parts, unsigned n, bool on, const void *a,
                          const void *b, uint64_t *counts, const struct ports_part **part,
                          struct port_diff *first) {
  unsigned total = 0;
  first->state = NULL;
  for (unsigned i = 0; i < n; counts += parts[i].ports->lines, i++) {
    if (parts[i].switched && !on)
      continue;
    const unsigned differ = parts[i].ports->view_same(
        (const char *)a + parts[i].offset, (const char *)b + parts[i].offset, counts, first);
    if (differ != 0 && total == 0)
      *part = &parts[i];
    total += differ;
  }
  return total;
}
