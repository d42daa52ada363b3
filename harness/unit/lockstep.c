/* The comparison of the RTL's and the reference's front end. */
#include <string.h>

#include "harness/gpu/gpu.h"

/* A table's lines: whether outputs differ whose qualifier holds, and how often each was compared.
 * Of those that always are, the first line counts for all. */
#define PORT_IN(name, width, qualifier)
#define STATE(name, width, count, signal, qualifier)
#define PORT_OUT(name, width, qualifier)                                                           \
  if (PORT_ALWAYS(qualifier)) {                                                                    \
    diff |= p->name ^ b->name;                                                                     \
  } else if (qualifier) {                                                                          \
    ++*line;                                                                                       \
    diff |= p->name ^ b->name;                                                                     \
  }                                                                                                \
  line++;

static inline uint64_t frontend_diff(const struct sm_frontend_out *restrict p,
                                     const struct sm_frontend_out *restrict b,
                                     uint64_t *restrict counts) {
  uint64_t diff = 0, *line = counts;
#include "csim/ports/sm_frontend.def"
  ++*counts;
  return diff;
}

/* Of a front end of large warps. */
static inline uint64_t wide_diff(const struct sm_frontend_wide_out *restrict p,
                                 const struct sm_frontend_wide_out *restrict b,
                                 uint64_t *restrict counts) {
  uint64_t diff = 0, *line = counts;
#include "csim/ports/sm_frontend_wide.def"
  ++*counts;
  return diff;
}

static inline uint64_t member_diff(const struct buddy_member_out *restrict p,
                                   const struct buddy_member_out *restrict b,
                                   uint64_t *restrict counts) {
  uint64_t diff = 0, *line = counts;
#include "csim/ports/buddy_member.def"
  ++*counts;
  return diff;
}

static inline uint64_t cluster_diff(const struct buddy_cluster_out *restrict p,
                                    const struct buddy_cluster_out *restrict b,
                                    uint64_t *restrict counts) {
  uint64_t diff = 0, *line = counts;
#include "csim/ports/buddy_cluster.def"
  ++*counts;
  return diff;
}
#undef STATE
#undef PORT_IN
#undef PORT_OUT

/* The first difference between two tables of outputs stands in s. */
static void find_difference(struct gpu_sm *s, unsigned index, uint64_t cycle, const char *unit,
                            const struct port_desc *ports, const bool *valid, const void *rtl,
                            const void *ref) {
  for (unsigned i = 0; ports[i].name != NULL; i++) {
    uint64_t a, b;
    memcpy(&a, (const char *)rtl + ports[i].offset, sizeof a);
    memcpy(&b, (const char *)ref + ports[i].offset, sizeof b);
    if (!valid[i] || a == b || s->failure.kind != FAIL_NONE)
      continue;
    s->failure = (struct failure){.kind = FAIL_PORT,
                                  .sm = index,
                                  .cycle = cycle,
                                  .unit = unit,
                                  .port = ports[i],
                                  .rtl = a,
                                  .ref = b,
                                  .agreed = s->agreed};
  }
}

bool lockstep_outputs(struct gpu_sm *s, unsigned index, uint64_t cycle) {
  if (__builtin_expect(frontend_diff(&s->out, &s->ref_out, s->compared_out) == 0, 1))
    return true;
  bool valid[PORTS_MAX];
  sm_frontend_qualify_out(&s->out, valid);
  find_difference(s, index, cycle, "sm_frontend", sm_frontend_ports_out, valid, &s->out,
                  &s->ref_out);
  return false;
}

bool lockstep_wide_outputs(struct gpu_sm *s, unsigned index, uint64_t cycle) {
  const struct gpu_wide *w = s->wide;
  if (wide_diff(&w->out, &w->ref_out, s->compared_out) == 0)
    return true;
  bool valid[PORTS_MAX];
  sm_frontend_wide_qualify_out(&w->out, valid);
  find_difference(s, index, cycle, "sm_frontend", sm_frontend_wide_ports_out, valid, &w->out,
                  &w->ref_out);
  return false;
}

static unsigned views_same(struct gpu_sm *s, const struct state_unit **unit,
                           struct port_diff *first) {
  if (s->wide == NULL) {
    frontend_ref_state(s->ref, &s->view_ref);
    return frontend_state_same(&s->view_rtl, &s->view_ref, s->compared_state, unit, first);
  }
  frontend_wide_state(s->wide->ref, &s->view_ref);
  frontend_wide_view_wide(s->wide->ref, &s->view_ref.wide);
  return frontend_wide_state_same(&s->view_rtl, &s->view_ref, s->compared_state, unit, first);
}

static void state_differs(struct gpu_sm *s, unsigned index, uint64_t cycle,
                          const struct state_unit *unit, const struct port_diff *first) {
  s->failure = (struct failure){.kind = FAIL_STATE,
                                .sm = index,
                                .cycle = cycle,
                                .unit = unit->instance,
                                .port = *first->state,
                                .index = first->index,
                                .rtl = first->a,
                                .ref = first->b,
                                .agreed = s->agreed};
  if (s->wide != NULL && first->state->width == PORT_LANES && first->state->count > 1)
    s->failure.port.width = 64; /* a mask's lower lanes */
}

/* What has no state to look at agrees as far as its outputs do. */
static bool agrees(struct gpu_sm *s, uint64_t cycle) {
  s->agreed = cycle;
  s->view_due = false;
  return true;
}

bool lockstep_views(struct gpu_sm *s, unsigned index, uint64_t cycle) {
  const struct state_unit *unit = NULL;
  struct port_diff first;
  if (s->failure.kind != FAIL_NONE && s->failure.cycle < cycle)
    return false; /* the views stay those of the first difference, for the report */
  if (s->opaque)
    return agrees(s, cycle);
  frontend_rtl_state(s->rtl, &s->view_rtl);
  if (views_same(s, &unit, &first) == 0)
    return agrees(s, cycle);
  state_differs(s, index, cycle, unit, &first);
  return false;
}

/* What differs in a cluster, of which some does. */
static void find_differences(struct tandem *t, const struct gpu_cluster *c) {
  bool valid[PORTS_MAX];
  buddy_cluster_qualify_out(&c->out, valid);
  find_difference(&t->sms[c->first], c->first, t->cycle, "buddy_cluster", buddy_cluster_ports_out,
                  valid, &c->out, buddy_cluster_ref_out(c->ref));
  for (unsigned m = 0; m < c->members; m++) {
    buddy_member_qualify_out(&c->member[m], valid);
    find_difference(&t->sms[c->first + m], c->first + m, t->cycle, "buddy_member",
                    buddy_member_ports_out, valid, &c->member[m],
                    buddy_cluster_ref_member(c->ref, m));
  }
}

bool lockstep_cluster(struct tandem *t, struct gpu_cluster *c) {
  struct gpu_sm *s = &t->sms[c->first];
  uint64_t diff = cluster_diff(&c->out, buddy_cluster_ref_out(c->ref), c->compared_out);
  for (unsigned m = 0; m < c->members; m++)
    diff |= member_diff(&c->member[m], buddy_cluster_ref_member(c->ref, m), s[m].compared_out);
  if (__builtin_expect(diff == 0, 1))
    return true;
  find_differences(t, c);
  return false;
}

/* Of a front end that is off, stack and barrier alone. */
static unsigned powered_same(struct gpu_sm *s, const struct state_unit **unit,
                             struct port_diff *first) {
  enum { STACK = 3, BARRIER = 8 };
  unsigned n = simt_stack_view_same(&s->view_rtl.simt_stack, &s->view_ref.simt_stack,
                                    s->compared_state + state_units[STACK].first, first);
  if (n != 0)
    *unit = &state_units[STACK];
  const unsigned b = barrier_view_same(&s->view_rtl.barrier, &s->view_ref.barrier,
                                       s->compared_state + state_units[BARRIER].first, first);
  if (n == 0 && b != 0)
    *unit = &state_units[BARRIER];
  return n + b;
}

bool lockstep_member_views(struct tandem *t, struct gpu_cluster *c, unsigned m) {
  struct gpu_sm *s = &t->sms[c->first + m];
  const struct state_unit *unit = NULL;
  struct port_diff first = {.state = NULL};
  if (s->failure.kind != FAIL_NONE && s->failure.cycle < t->cycle)
    return false; /* the views stay those of the first difference, for the report */
  if (s->opaque)
    return agrees(s, t->cycle);
  buddy_cluster_rtl_state(c->rtl, m, &s->view_rtl);
  const bool on = buddy_cluster_ref_state(c->ref, m, &s->view_ref);
  if ((on ? frontend_state_same(&s->view_rtl, &s->view_ref, s->compared_state, &unit, &first)
          : powered_same(s, &unit, &first)) == 0)
    return agrees(s, t->cycle);
  state_differs(s, c->first + m, t->cycle, unit, &first);
  return false;
}

/* The outputs of an SM's table, or of a cluster's, and which are compared always. */
struct out_lines {
  const char *unit;
  const struct port_desc *ports;
  bool always[PORTS_MAX];
};

static void cluster_lines(struct out_lines *lines) {
  static const struct buddy_cluster_out none;
  *lines = (struct out_lines){"buddy_cluster", buddy_cluster_ports_out, {false}};
  buddy_cluster_qualify_out(&none, lines->always);
}

static void sm_lines(const struct tandem *t, struct out_lines *lines) {
  static const struct buddy_member_out member;
  static const struct sm_frontend_wide_out wide;
  static const struct sm_frontend_out usual;
  *lines = (struct out_lines){"sm_frontend", sm_frontend_ports_out, {false}};
  if (t->clusters != NULL) {
    *lines = (struct out_lines){"buddy_member", buddy_member_ports_out, {false}};
    buddy_member_qualify_out(&member, lines->always);
  } else if (t->config.warp_size > 32) {
    lines->ports = sm_frontend_wide_ports_out;
    sm_frontend_wide_qualify_out(&wide, lines->always);
  } else {
    sm_frontend_qualify_out(&usual, lines->always);
  }
}

static uint64_t count_of(const struct out_lines *lines, const uint64_t *counts, unsigned i) {
  return counts[lines->always[i] ? 0 : i];
}

uint64_t lockstep_compared_outputs(const struct tandem *t) {
  struct out_lines lines;
  uint64_t sum = 0;
  sm_lines(t, &lines);
  for (unsigned s = 0; s < t->config.sms; s++)
    for (unsigned i = 0; lines.ports[i].name != NULL; i++)
      sum += count_of(&lines, t->sms[s].compared_out, i);
  cluster_lines(&lines);
  for (unsigned c = 0; t->clusters != NULL && c < t->units; c++)
    for (unsigned i = 0; lines.ports[i].name != NULL; i++)
      sum += count_of(&lines, t->clusters[c].compared_out, i);
  return sum;
}

size_t tandem_comparisons(const struct tandem *t, struct tandem_compared *rows, size_t max) {
  const bool wide = t->config.warp_size > 32;
  struct out_lines lines;
  size_t n = 0;
  cluster_lines(&lines);
  for (unsigned i = 0; t->clusters != NULL && lines.ports[i].name != NULL; i++, n++) {
    uint64_t sum = 0;
    for (unsigned c = 0; c < t->units; c++)
      sum += count_of(&lines, t->clusters[c].compared_out, i);
    if (n < max)
      rows[n] = (struct tandem_compared){lines.unit, lines.ports[i].name, sum};
  }
  sm_lines(t, &lines);
  for (unsigned i = 0; lines.ports[i].name != NULL; i++, n++) {
    uint64_t sum = 0;
    for (unsigned s = 0; s < t->config.sms; s++)
      sum += count_of(&lines, t->sms[s].compared_out, i);
    if (n < max)
      rows[n] = (struct tandem_compared){lines.unit, lines.ports[i].name, sum};
  }
  for (unsigned u = 0; u < (wide ? STATE_UNITS_WIDE : STATE_UNITS); u++) {
    for (unsigned i = 0; state_units[u].states[i].name != NULL; i++, n++) {
      uint64_t sum = 0;
      for (unsigned s = 0; s < t->config.sms; s++)
        sum += t->sms[s].compared_state[state_units[u].first + i];
      if (n < max)
        rows[n] =
            (struct tandem_compared){state_units[u].instance, state_units[u].states[i].name, sum};
    }
  }
  for (unsigned i = 0; i < DISPATCH_OUTS; i++, n++)
    if (n < max)
      rows[n] = (struct tandem_compared){"cta_dispatch", cta_dispatch_ports_out[i].name,
                                         t->dispatch.compared_out[i]};
  for (unsigned i = 0; i < DISPATCH_STATES; i++, n++)
    if (n < max)
      rows[n] = (struct tandem_compared){"cta_dispatch", cta_dispatch_states[i].name,
                                         t->dispatch.compared_state[i]};
  return n;
}
