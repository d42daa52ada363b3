/* The comparison of the RTL's and the reference's front end. */
#include <string.h>

#include "harness/gpu.h"

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
  const struct sm_frontend_out *p = &s->out, *b = &s->ref_out;
  uint64_t diff = 0, *count = s->compared_out;
#define PORT_IN(name, width, qualifier)
#define PORT_OUT(name, width, qualifier)                                                           \
  {                                                                                                \
    const uint64_t q = (qualifier) != 0;                                                           \
    *count++ += q;                                                                                 \
    diff |= (p->name ^ b->name) & (0 - q);                                                         \
  }
#include "harness/ports/sm_frontend.def"
#undef PORT_IN
#undef PORT_OUT
  if (__builtin_expect(diff == 0, 1))
    return true;
  bool valid[PORTS_MAX];
  sm_frontend_qualify_out(p, valid);
  find_difference(s, index, cycle, "sm_frontend", sm_frontend_ports_out, valid, p, b);
  return false;
}

/* The ports of a front end of large warps. */
static bool wide_same(const struct sm_frontend_wide_out *p, const struct sm_frontend_wide_out *b,
                      uint64_t *count) {
  uint64_t diff = 0;
#define STATE(name, width, count, signal, qualifier)
#define PORT_IN(name, width, qualifier)
#define PORT_OUT(name, width, qualifier)                                                           \
  {                                                                                                \
    const uint64_t q = (qualifier) != 0;                                                           \
    *count++ += q;                                                                                 \
    diff |= (p->name ^ b->name) & (0 - q);                                                         \
  }
#include "harness/ports/sm_frontend_wide.def"
#undef STATE
#undef PORT_IN
#undef PORT_OUT
  return diff == 0;
}

bool lockstep_wide_outputs(struct gpu_sm *s, unsigned index, uint64_t cycle) {
  const struct gpu_wide *w = s->wide;
  if (wide_same(&w->out, &w->ref_out, s->compared_out))
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

#define STATE(name, width, count, signal, qualifier)
#define PORT_IN(name, width, qualifier)
#define PORT_OUT(name, width, qualifier)                                                           \
  {                                                                                                \
    const uint64_t q = (qualifier) != 0;                                                           \
    *count++ += q;                                                                                 \
    diff |= (p->name ^ b->name) & (0 - q);                                                         \
  }
static bool member_same(const struct buddy_member_out *p, const struct buddy_member_out *b,
                        uint64_t *count) {
  uint64_t diff = 0;
#include "harness/ports/buddy_member.def"
  return diff == 0;
}

static bool cluster_same(const struct buddy_cluster_out *p, const struct buddy_cluster_out *b,
                         uint64_t *count) {
  uint64_t diff = 0;
#include "harness/ports/buddy_cluster.def"
  return diff == 0;
}
#undef STATE
#undef PORT_IN
#undef PORT_OUT

bool lockstep_cluster(struct tandem *t, struct gpu_cluster *c) {
  bool valid[PORTS_MAX], same = true;
  if (!cluster_same(&c->out, &c->ref_out, c->compared_out)) {
    buddy_cluster_qualify_out(&c->out, valid);
    find_difference(&t->sms[c->first], c->first, t->cycle, "buddy_cluster", buddy_cluster_ports_out,
                    valid, &c->out, &c->ref_out);
    same = false;
  }
  for (unsigned m = 0; m < c->members; m++) {
    struct gpu_sm *s = &t->sms[c->first + m];
    if (member_same(&c->member[m], &c->ref_member[m], s->compared_out))
      continue;
    buddy_member_qualify_out(&c->member[m], valid);
    find_difference(s, c->first + m, t->cycle, "buddy_member", buddy_member_ports_out, valid,
                    &c->member[m], &c->ref_member[m]);
    same = false;
  }
  return same;
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

size_t tandem_comparisons(const struct tandem *t, struct tandem_compared *rows, size_t max) {
  const bool shared = t->clusters != NULL;
  const bool wide = t->config.warp_size > 32;
  const struct port_desc *ports = shared ? buddy_member_ports_out
                                  : wide ? sm_frontend_wide_ports_out
                                         : sm_frontend_ports_out;
  size_t n = 0;
  for (unsigned i = 0; shared && i < CLUSTER_LINES; i++, n++) {
    uint64_t sum = 0;
    for (unsigned c = 0; c < t->units; c++)
      sum += t->clusters[c].compared_out[i];
    if (n < max)
      rows[n] = (struct tandem_compared){"buddy_cluster", buddy_cluster_ports_out[i].name, sum};
  }
  for (unsigned i = 0; ports[i].name != NULL; i++, n++) {
    uint64_t sum = 0;
    for (unsigned s = 0; s < t->config.sms; s++)
      sum += t->sms[s].compared_out[i];
    if (n < max)
      rows[n] =
          (struct tandem_compared){shared ? "buddy_member" : "sm_frontend", ports[i].name, sum};
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
