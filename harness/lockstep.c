/* The comparison of the RTL's and the reference's front end. */
#include "harness/gpu.h"

/* Names the first output that differs; called once one is known to. */
static void find_output(struct gpu_sm *s, unsigned index, uint64_t cycle) {
  bool valid[PORTS_MAX];
  if (s->failure.kind != FAIL_NONE)
    return; /* an earlier cycle's stands */
  sm_frontend_qualify_out(&s->out, valid);
  for (unsigned i = 0; sm_frontend_ports_out[i].name != NULL; i++) {
    const struct port_desc *port = &sm_frontend_ports_out[i];
    const uint64_t rtl = *(const uint64_t *)(const void *)((const char *)&s->out + port->offset);
    const uint64_t ref =
        *(const uint64_t *)(const void *)((const char *)&s->ref_out + port->offset);
    if (!valid[i] || rtl == ref)
      continue;
    s->failure = (struct failure){.kind = FAIL_PORT,
                                  .sm = index,
                                  .cycle = cycle,
                                  .unit = "sm_frontend",
                                  .port = *port,
                                  .rtl = rtl,
                                  .ref = ref,
                                  .agreed = s->agreed};
    return;
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
  find_output(s, index, cycle);
  return false;
}

bool lockstep_views(struct gpu_sm *s, unsigned index, uint64_t cycle) {
  const struct state_unit *unit = NULL;
  struct port_diff first;
  if (s->failure.kind != FAIL_NONE && s->failure.cycle < cycle)
    return false; /* the views stay those of the first difference, for the report */
  frontend_rtl_state(s->rtl, &s->view_rtl);
  frontend_ref_state(s->ref, &s->view_ref);
  if (frontend_state_same(&s->view_rtl, &s->view_ref, s->compared_state, &unit, &first) == 0) {
    s->agreed = cycle;
    s->view_due = false;
    return true;
  }
  s->failure = (struct failure){.kind = FAIL_STATE,
                                .sm = index,
                                .cycle = cycle,
                                .unit = unit->instance,
                                .port = *first.state,
                                .index = first.index,
                                .rtl = first.a,
                                .ref = first.b,
                                .agreed = s->agreed};
  return false;
}

size_t tandem_comparisons(const struct tandem *t, struct tandem_compared *rows, size_t max) {
  size_t n = 0;
  for (unsigned i = 0; i < OUT_LINES; i++, n++) {
    uint64_t sum = 0;
    for (unsigned s = 0; s < t->config.sms; s++)
      sum += t->sms[s].compared_out[i];
    if (n < max)
      rows[n] = (struct tandem_compared){"sm_frontend", sm_frontend_ports_out[i].name, sum};
  }
  for (unsigned u = 0; u < STATE_UNITS; u++) {
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
