/* CTA dispatch: the unit cta_dispatch (docs/hardware/dispatch.md), one for the GPU.
 *
 * A cycle in which it is clocked: inputs from the SMs; the outputs for them, compared; a clock
 * edge; the number of the next CTA and the state, compared.  It is left out while no SM is ready
 * and once none is left: nothing would change. */
#include <stdlib.h>

#include "csim/ref/gpu/cta_dispatch.h"
#include "harness/gpu/core/cell.h"
#include "harness/gpu/core/gpu.h"
#include "harness/gpu/core/machine.h"

/* ---- the unit ---- */

static void *create(const unsigned *numbers) {
  struct cta_dispatch_ref *r = malloc(sizeof *r);
  (void)numbers;
  if (r != NULL)
    cta_dispatch_ref_reset(r);
  return r;
}
static const void *out(void *ref, const void *in, void *room) {
  cta_dispatch_ref_eval(ref, in, room);
  return room;
}
static void step(void *ref, const void *in) { cta_dispatch_ref_step(ref, in); }
static bool view(void *ref, unsigned sm, void *state) {
  (void)sm;
  cta_dispatch_ref_view(ref, state);
  return true;
}

static const struct ports_part parts[] = {{"cta_dispatch", &cta_dispatch_ports, 0, false}};
static const struct unit_type cta_dispatch = {.name = "cta_dispatch",
                                              .rows = {{.ports = &cta_dispatch_ports}},
                                              .nrows = 1,
                                              .in_bytes = sizeof(struct cta_dispatch_in),
                                              .out_bytes = sizeof(struct cta_dispatch_out),
                                              .parts = parts,
                                              .nparts = 1,
                                              .view_bytes = sizeof(struct cta_dispatch_view),
                                              .combinational = true,
                                              .ref = {create, free, out, step, view}};

/* ---- its place in the GPU ---- */

enum { NOISE_IDLE = 997 /* cycles, at most */, NOISE_SPAN = 7 /* cycles, a power of two */ };

/* A cycle with the unit's inputs as they are; *given gets its outputs. */
static void run_cycle(struct tandem *t, struct unit *u, struct cta_dispatch_out *given) {
  struct cta_dispatch_in *in = u->in;
  gpu_unit_cycle(t, u);
  *given = *(const struct cta_dispatch_out *)u->out;
  in->kernel_start = 0;
  in->ready = 0;
  gpu_unit_look(t, u);
  const struct cta_dispatch_out *after = u->out;
  t->launch.dispatch.first = after->first;
  t->launch.dispatch.done = after->done != 0;
  t->launch.dispatch.form = (unsigned)after->form;
}

static void begin(struct tandem *t, struct unit *u) {
  if (t->launch.dispatch.own)
    return;
  const unsigned sms = t->config.sms;
  struct cta_dispatch_out none;
  *(struct cta_dispatch_in *)u->in = (struct cta_dispatch_in){
      .kernel_start = 1,
      .ctas = t->launch.grid.ctas,
      .adaptive = t->machine->launch.adaptive != NULL && t->machine->launch.adaptive(&t->config),
      .cluster = t->machine->shape.cell_sms(&t->config) - 1,
      .enabled = t->machine->launch.enabled != NULL ? t->machine->launch.enabled(t)
                 : sms == 64                        ? UINT64_MAX
                                                    : (UINT64_C(1) << sms) - 1,
      .lead = UINT64_MAX};
  run_cycle(t, u, &none);
}

static void launch(struct tandem *t, unsigned sm, uint64_t cta, const struct sm_room *room) {
  const struct grid *g = &t->launch.grid;
  const uint32_t id[3] = {(uint32_t)(cta % g->dim[0]), (uint32_t)(cta / g->dim[0] % g->dim[1]),
                          (uint32_t)(cta / ((uint64_t)g->dim[0] * g->dim[1]))};
  struct gpu_sm *s = &t->sms[sm];
  cell_wake(t, s->cell, t->cycle + 1);
  if (t->machine->launch.take != NULL)
    t->machine->launch.take(t, s, id);
  else
    sm_cta_launch_in(s->sm, id, room);
  if (s->iss != NULL)
    iss_cta(s->iss, cta, true);
  s->idle = s->cell->idle = false;
}

/* SMs that config.dispatch_noise lets wait in this cycle: at first all, then each one of four spans
 * of time. */
static uint64_t waiting(const struct tandem *t) {
  const uint64_t noise = t->config.dispatch_noise, age = t->cycle - t->launch.start;
  uint64_t wait = 0;
  if (noise == 0)
    return 0;
  if (age < noise % NOISE_IDLE)
    return UINT64_MAX;
  for (unsigned i = 0; i < t->config.sms; i++) {
    uint64_t x = (noise ^ i << 8 ^ (age >> NOISE_SPAN) << 16) * UINT64_C(0x9e3779b97f4a7c15);
    x ^= x >> 32;
    wait |= (uint64_t)((x * UINT64_C(0xbf58476d1ce4e5b9) >> 62) == 0) << i;
  }
  return wait;
}

/* Returns whether an SM has had no cycle after this one: what is known of it is of this cycle. */
static bool is_here(const struct tandem *t, unsigned sm) {
  return t->sms[sm].cell->cycle <= t->cycle + 1;
}

static void give(struct tandem *t, struct unit *u) {
  struct cta_dispatch_in *in = u->in;
  struct cta_dispatch_out given;
  const struct machine *m = t->machine;
  const unsigned forming = m->launch.forming != NULL ? m->launch.forming(&t->config) : 0;
  if (t->launch.dispatch.own || t->launch.dispatch.done || t->cycle - t->launch.start < forming)
    return;
  in->ready = in->idle = 0;
  for (unsigned i = 0; i < t->config.sms; i++)
    in->ready |= (uint64_t)(t->launch.room[i] && is_here(t, i)) << i;
  in->ready &= ~waiting(t);
  if (in->ready == 0)
    return;
  for (unsigned i = 0; i < t->config.sms; i++)
    in->idle |= (uint64_t)(t->sms[i].idle && is_here(t, i)) << i;
  in->lead = t->machine->launch.leads(t);
  const uint64_t first = t->launch.dispatch.first;
  run_cycle(t, u, &given);
  struct sm_room room = SM_ROOM_ANY;
  uint64_t cta = first;
  for (uint64_t left = given.give & in->enabled; left != 0; left &= left - 1, cta++) {
    const unsigned sm = (unsigned)__builtin_ctzll(left);
    if (cta == first || (in->lead >> sm & 1) != 0)
      room = gpu_room(t, sm, in->lead);
    launch(t, sm, cta, &room);
  }
  if (t->machine->launch.split != NULL)
    t->machine->launch.split(t, given.split);
}

const struct gpu_unit gpu_unit_cta_dispatch = {&cta_dispatch, begin, give};
