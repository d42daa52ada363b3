/* CTA dispatch: round robin over the SMs, at most one CTA an SM and cycle, in the order of the
 * grid. */
#include "harness/gpu.h"

void cta_dispatch_begin(struct tandem *t) {
  t->dispatch.next = 0;
  t->dispatch.sm = 0;
  for (unsigned i = 0; i < t->config.sms; i++)
    t->room[i] = sm_cta_ready(t->sms[i].sm);
}

bool cta_dispatch_done(const struct tandem *t) { return t->dispatch.next == t->grid.ctas; }

void cta_dispatch_step(struct tandem *t) {
  const struct grid *g = &t->grid;
  for (unsigned n = 0; n < t->config.sms && t->dispatch.next < g->ctas; n++) {
    const unsigned sm = t->dispatch.sm;
    t->dispatch.sm = sm + 1 == t->config.sms ? 0 : sm + 1;
    if (!t->room[sm])
      continue;
    struct gpu_sm *s = &t->sms[sm];
    const uint64_t cta = t->dispatch.next++;
    const uint32_t id[3] = {(uint32_t)(cta % g->dim[0]), (uint32_t)(cta / g->dim[0] % g->dim[1]),
                            (uint32_t)(cta / ((uint64_t)g->dim[0] * g->dim[1]))};
    sm_cycle_wake(s, t->cycle + 1);
    sm_cta_launch(s->sm, id);
    t->room[sm] = sm_cta_ready(s->sm);
    s->idle = false;
  }
}
