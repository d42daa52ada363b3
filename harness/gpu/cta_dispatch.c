/* CTA dispatch: the unit cta_dispatch (docs/buddy.md) by the engine of the run, one for the GPU.
 *
 * A cycle in which it is clocked: inputs from the SMs; what is given, compared; a clock edge; the
 * number of the next CTA and the state, compared.  It is left out while no SM is ready and once
 * none is left: nothing would change.  Without clusters every SM is a group of its own. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csim/ref/buddy/cta_dispatch.h"
#include "harness/gpu/gpu.h"

bool cta_dispatch_has_fault(unsigned n, unsigned buddy) {
  /* Those from here on need groups to show. */
  enum { OF_GROUPS = 75 };
#define BUG(number, unit, kind, what) {number, #unit},
  static const struct {
    unsigned number;
    const char *unit;
  } faults[] = {
#include "rtl/buddy/bugs.def"
  };
#undef BUG
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
    if (faults[i].number == n)
      return strcmp(faults[i].unit, "cta_dispatch") == 0 && (buddy > 1 || n < OF_GROUPS);
  return false;
}

int cta_dispatch_open(struct tandem *t, struct tandem_error *err) {
  const struct tandem_config *c = &t->config;
  struct gpu_dispatch *d = &t->dispatch;
  if (c->engine != TANDEM_ENGINE_REF) {
    d->engine_rtl = cta_dispatch_gpu_create(c->seed + c->sms);
    if (d->engine_rtl == NULL)
      return tandem_fail(err, -ENOMEM, "cannot create the verilated CTA dispatch");
    cta_dispatch_gpu_bug(d->engine_rtl, cta_dispatch_has_fault(c->bug, c->buddy) ? c->bug : 0);
  }
  if (c->engine != TANDEM_ENGINE_RTL) {
    d->engine_ref = malloc(sizeof *d->engine_ref);
    if (d->engine_ref == NULL)
      return tandem_fail(err, -ENOMEM, "out of memory for the CTA dispatch");
    cta_dispatch_ref_reset(d->engine_ref);
  }
  return 0;
}

void cta_dispatch_close(struct tandem *t) {
  if (t->dispatch.engine_rtl != NULL)
    cta_dispatch_gpu_destroy(t->dispatch.engine_rtl);
  free(t->dispatch.engine_ref);
}

/* The first difference of a launch stands. */
static void differs(struct tandem *t, enum failure_kind kind, struct port_desc port, uint64_t rtl,
                    uint64_t ref) {
  struct gpu_dispatch *d = &t->dispatch;
  if (d->failure.kind == FAIL_NONE)
    d->failure = (struct failure){.kind = kind,
                                  .of_gpu = true,
                                  .cycle = t->cycle,
                                  .unit = "cta_dispatch",
                                  .port = port,
                                  .rtl = rtl,
                                  .ref = ref,
                                  .agreed = t->cycle};
}

static void compare_outputs(struct tandem *t, const struct cta_dispatch_out *rtl,
                            const struct cta_dispatch_out *ref) {
  bool valid[PORTS_MAX];
  if (cta_dispatch_same(rtl, ref) != 0) {
    cta_dispatch_qualify_out(ref, valid);
    for (unsigned i = 0; cta_dispatch_ports_out[i].name != NULL; i++) {
      const struct port_desc *port = &cta_dispatch_ports_out[i];
      uint64_t a, b;
      memcpy(&a, (const char *)rtl + port->offset, sizeof a);
      memcpy(&b, (const char *)ref + port->offset, sizeof b);
      if (valid[i] && a != b)
        differs(t, FAIL_PORT, *port, a, b);
    }
  }
  for (unsigned i = 0; i < DISPATCH_OUTS; i++)
    t->dispatch.compared_out[i]++; /* none has a qualifier */
}

/* The outputs for these inputs: the RTL's, without RTL the reference's; in lockstep both, compared.
 */
static void outputs(struct tandem *t, struct cta_dispatch_out *rtl, struct cta_dispatch_out *ref) {
  struct gpu_dispatch *d = &t->dispatch;
  if (d->engine_ref != NULL)
    cta_dispatch_ref_eval(d->engine_ref, &d->in, ref);
  if (d->engine_rtl != NULL)
    cta_dispatch_gpu_eval(d->engine_rtl, &d->in, rtl);
  else
    *rtl = *ref;
  if (t->config.engine == TANDEM_ENGINE_LOCKSTEP && t->config.compare)
    compare_outputs(t, rtl, ref);
}

static void compare_views(struct tandem *t) {
  struct gpu_dispatch *d = &t->dispatch;
  struct cta_dispatch_view rtl, ref;
  struct port_diff first = {.state = NULL};
  cta_dispatch_gpu_view(d->engine_rtl, &rtl);
  cta_dispatch_ref_view(d->engine_ref, &ref);
  if (cta_dispatch_view_same(&rtl, &ref, d->compared_state, &first) != 0)
    differs(t, FAIL_STATE, *first.state, first.a, first.b);
}

/* A cycle with the inputs in d->in. */
static void run_cycle(struct tandem *t) {
  struct gpu_dispatch *d = &t->dispatch;
  struct dispatch_record *r = &d->ring[d->clocked++ % HISTORY];
  struct cta_dispatch_out ref = {0};
  *r = (struct dispatch_record){.cycle = t->cycle, .in = d->in};
  outputs(t, &r->rtl, &r->ref);
  if (d->engine_ref != NULL)
    cta_dispatch_ref_step(d->engine_ref, &d->in);
  if (d->engine_rtl != NULL)
    cta_dispatch_gpu_step(d->engine_rtl, &d->in);
  d->in.kernel_start = 0;
  d->in.ready = 0;
  outputs(t, &d->after, &ref);
  if (t->config.engine == TANDEM_ENGINE_LOCKSTEP && t->config.compare)
    compare_views(t);
}

void cta_dispatch_begin(struct tandem *t) {
  const unsigned sms = t->config.sms;
  for (unsigned i = 0; t->clusters == NULL && i < sms; i++)
    t->room[i] = sm_cta_ready(t->sms[i].sm);
  t->dispatch.in =
      (struct cta_dispatch_in){.kernel_start = 1,
                               .ctas = t->grid.ctas,
                               .enabled = sms == 64 ? UINT64_MAX : (UINT64_C(1) << sms) - 1,
                               .lead = UINT64_MAX};
  run_cycle(t);
}

bool cta_dispatch_done(const struct tandem *t) { return t->dispatch.after.done != 0; }

uint64_t cta_dispatch_next(const struct tandem *t) { return t->dispatch.after.first; }

static void launch(struct tandem *t, unsigned sm, uint64_t cta, const struct sm_room *room) {
  const struct grid *g = &t->grid;
  const uint32_t id[3] = {(uint32_t)(cta % g->dim[0]), (uint32_t)(cta / g->dim[0] % g->dim[1]),
                          (uint32_t)(cta / ((uint64_t)g->dim[0] * g->dim[1]))};
  struct gpu_sm *s = &t->sms[sm];
  gpu_wake(t, sm, t->cycle + 1);
  sm_cta_launch_in(s->sm, id, room);
  s->idle = false;
  if (t->clusters == NULL)
    t->room[sm] = sm_cta_ready(s->sm);
}

/* Groups as they are in this cycle, and what is idle. */
static void look_at_sms(struct tandem *t) {
  struct cta_dispatch_in *in = &t->dispatch.in;
  in->idle = 0;
  for (unsigned i = 0; i < t->config.sms; i++)
    in->idle |= (uint64_t)t->sms[i].idle << i;
  if (t->clusters == NULL)
    return;
  in->lead = 0;
  for (unsigned i = 0; i < t->units; i++)
    in->lead |= t->clusters[i].out.cta_lead << t->clusters[i].first;
}

/* To the group that is asked, with the inputs of its cluster's next edge. */
static void split(struct tandem *t, uint64_t leads) {
  for (; leads != 0 && t->clusters != NULL; leads &= leads - 1) {
    const unsigned sm = (unsigned)__builtin_ctzll(leads);
    struct gpu_cluster *c = &t->clusters[sm / t->config.buddy];
    cluster_wake(t, c, t->cycle + 1);
    c->in.split |= UINT64_C(1) << (sm - c->first);
  }
}

/* kernel_start needs two edges to make a cluster's groups. */
enum { FORMING = 2 };

void cta_dispatch_step(struct tandem *t) {
  struct gpu_dispatch *d = &t->dispatch;
  if (t->clusters != NULL && t->cycle - t->launch_cycle < FORMING)
    return;
  for (unsigned i = 0; i < t->config.sms; i++)
    d->in.ready |= (uint64_t)t->room[i] << i;
  if (d->in.ready == 0)
    return;
  look_at_sms(t);
  const uint64_t first = d->after.first;
  run_cycle(t);
  const struct cta_dispatch_out *out = &d->ring[(d->clocked - 1) % HISTORY].rtl;
  struct sm_room room = SM_ROOM_ANY;
  uint64_t cta = first;
  for (uint64_t given = out->give & d->in.enabled; given != 0; given &= given - 1, cta++) {
    const unsigned sm = (unsigned)__builtin_ctzll(given);
    if (cta == first || (d->in.lead >> sm & 1) != 0)
      room = cluster_room(t, sm, d->in.lead);
    launch(t, sm, cta, &room);
  }
  split(t, out->split);
}
