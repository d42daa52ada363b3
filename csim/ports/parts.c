/* Comparing views, and the parts of a front end. */
#include "csim/ports/parts.h"

static uint64_t element(const void *view, const struct port_desc *state, unsigned i) {
  return ((const uint64_t *)((const char *)view + state->offset))[i];
}

unsigned ports_view_find(const struct ports_table *t, const void *a, const void *b,
                         struct port_diff *first) {
  unsigned differ = 0;
  for (unsigned line = 0; line < t->lines; line++)
    for (unsigned i = 0; i < t->states[line].count; i++) {
      const struct port_desc *state = &t->states[line];
      const uint64_t x = element(a, state, i), y = element(b, state, i);
      if (x == y || !t->state_means(a, line, i))
        continue;
      differ++;
      if (first != NULL && first->state == NULL)
        *first = (struct port_diff){state, i, x, y};
    }
  return differ;
}

#define PART(name, unit, switched)                                                                 \
  {"u_" #name, &unit##_ports, offsetof(struct sm_frontend_state, name), switched},
const struct ports_part frontend_parts[FRONTEND_PARTS_WIDE] = {
#include "csim/ports/sm/frontend_parts.def"
    {"u_simt_stack", &sm_frontend_wide_ports, offsetof(struct sm_frontend_state, wide), false},
};
#undef PART

#define PART(name, unit, switched)                                                                 \
  {"u_" #name, &unit##_ports, offsetof(struct flex_member_state, name), switched},
const struct ports_part flex_parts[FLEX_PARTS] = {
#include "csim/ports/flex/flex_parts.def"
    {"u_context", &far_rows_ports, offsetof(struct flex_member_state, far), true},
    {"u_control", &flex_control_ports, offsetof(struct flex_member_state, control), false},
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
