/* Lockstep: the comparison of a unit's engines. */
#include <string.h>

#include "harness/unit/compare.h"
#include "harness/unit/log.h"

static unsigned rows_of(const struct unit *u, const struct unit_rows *r) {
  return r->of_sms ? u->sms : 1;
}

/* The first word of a port that differs: its number and both values.  False: none. */
static bool word_differs(const struct port_desc *port, const char *rtl, const char *ref,
                         unsigned *index, uint64_t *a, uint64_t *b) {
  for (*index = 0; *index < port->count; ++*index) {
    memcpy(a, rtl + port->offset + *index * sizeof *a, sizeof *a);
    memcpy(b, ref + port->offset + *index * sizeof *b, sizeof *b);
    if (*a != *b)
      return true;
  }
  return false;
}

/* The first difference in the outputs, in the order of the tables; a failure that stands is kept.
 */
static void find_difference(struct unit *u, const void *rtl_out, const void *ref_out,
                            uint64_t cycle) {
  bool valid[PORTS_MAX];
  for (unsigned t = 0; t < u->type->nrows; t++) {
    const struct unit_rows *rows = &u->type->rows[t];
    for (unsigned row = 0; row < rows_of(u, rows); row++) {
      const char *rtl = unit_row_out(rows, rtl_out, row);
      const char *ref = unit_row_out(rows, ref_out, row);
      rows->ports->qualify_out(rtl, valid);
      for (unsigned i = 0; u->failure.kind == FAIL_NONE && i < rows->ports->outs; i++) {
        const struct port_desc *port = &rows->ports->out[i];
        unsigned index;
        uint64_t a, b;
        if (valid[i] && word_differs(port, rtl, ref, &index, &a, &b))
          u->failure = (struct failure){.kind = FAIL_PORT,
                                        .unit = u->index,
                                        .sm = u->first + (rows->of_sms ? row : 0),
                                        .cycle = cycle,
                                        .table = rows->ports->name,
                                        .port = *port,
                                        .index = index,
                                        .rtl = a,
                                        .ref = b,
                                        .agreed = u->state[rows->of_sms ? row : 0].agreed};
      }
    }
  }
}

bool unit_compare_outputs(struct unit *u, const void *rtl, const void *ref, uint64_t cycle) {
  uint64_t diff = 0;
  for (unsigned t = 0; t < u->type->nrows; t++) {
    const struct unit_rows *rows = &u->type->rows[t];
    const unsigned n = rows_of(u, rows);
    for (unsigned row = 0; row < n; row++)
      diff |= rows->ports->diff(unit_row_out(rows, rtl, row), unit_row_out(rows, ref, row),
                                u->compared[t]);
  }
  if (__builtin_expect(diff == 0, 1))
    return true;
  find_difference(u, rtl, ref, cycle);
  return false;
}

bool unit_compare_view(struct unit *u, unsigned sm, bool on, uint64_t cycle) {
  const struct unit_type *type = u->type;
  struct unit_state *s = &u->state[sm];
  const struct ports_part *part = NULL;
  struct port_diff first = {.state = NULL};
  rtl_view(u->rtl, sm, s->rtl);
  if (ports_parts_same(type->parts, type->nparts, on, s->rtl, s->ref, u->compared_state, &part,
                       &first) != 0) {
    u->failure = (struct failure){.kind = FAIL_STATE,
                                  .unit = u->index,
                                  .sm = u->first + sm,
                                  .cycle = cycle,
                                  .table = part->instance,
                                  .port = *first.state,
                                  .index = first.index,
                                  .rtl = first.a,
                                  .ref = first.b,
                                  .agreed = s->agreed};
    return false;
  }
  s->agreed = cycle;
  return true;
}

bool unit_compare_state(struct unit *u, unsigned sm, uint64_t cycle) {
  struct unit_state *s = &u->state[sm];
  if (u->failure.kind != FAIL_NONE && u->failure.cycle < cycle)
    return false; /* the states stay those of the first difference, for the report */
  if (u->opaque)
    s->agreed = cycle;
  else if (!unit_compare_view(u, sm, u->type->ref.view(u->ref, sm, s->ref), cycle))
    return false;
  s->due = false;
  return true;
}

bool unit_state_due(struct unit *u, unsigned sm, uint64_t cycle) {
  struct unit_state *s = &u->state[sm];
  const bool every = __builtin_expect(u->watched, 0) && cycle >= u->views_from;
  const bool due = every || (s->left == 0 && (s->due || u->sms != 0));
  if (due)
    s->left = u->interval;
  if (s->left != 0)
    s->left--;
  return due;
}

bool unit_compare_now(struct unit *u, const void *rtl, const void *ref, uint64_t cycle) {
  bool same = unit_compare_outputs(u, rtl, ref, cycle);
  /* A state that differs explains an output that does: it is the one to report. */
  for (unsigned i = 0; i < unit_states(u); i++)
    if (unit_state_due(u, i, cycle) && !unit_compare_state(u, i, cycle))
      same = false;
  return same;
}

bool unit_compare(struct unit *u, uint64_t cycle, uint64_t *ticks) {
  if (!u->compare)
    return true;
  if (u->follows)
    return unit_log_look(u, cycle, ticks);
  uint64_t last = ticks != NULL ? unit_ticks() : 0;
  const bool same = unit_compare_now(u, u->out, u->ref_out, cycle);
  unit_lap(ticks, TANDEM_WALL_COMPARE, &last);
  return same;
}

/* How often an output was compared.  Line 0 counts for all outputs that always are. */
uint64_t unit_compared_out(const struct unit *u, unsigned rows, unsigned line) {
  const struct ports_table *ports = u->type->rows[rows].ports;
  bool always[PORTS_MAX];
  static const uint64_t none[PORTS_MAX];
  ports->qualify_out(none, always);
  return u->compared[rows][always[line] ? 0 : line];
}

uint64_t unit_compared_state(const struct unit *u, unsigned part, unsigned line) {
  return u->compared_state[ports_part_lines(u->type->parts, part) + line];
}

uint64_t unit_compared(const struct unit *u) {
  uint64_t sum = 0;
  for (unsigned r = 0; r < u->type->nrows; r++)
    for (unsigned i = 0; i < u->type->rows[r].ports->outs; i++)
      sum += unit_compared_out(u, r, i);
  for (unsigned i = 0; i < ports_part_lines(u->type->parts, u->type->nparts); i++)
    sum += u->compared_state[i];
  return sum;
}
