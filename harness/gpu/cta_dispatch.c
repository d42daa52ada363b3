/* CTA dispatch: the unit cta_dispatch (docs/buddy.md), one for the GPU.
 *
 * A cycle in which it is clocked: inputs from the SMs; the outputs for them, compared; a clock
 * edge; the number of the next CTA and the state, compared.  It is left out while no SM is ready
 * and once none is left: nothing would change. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csim/ref/buddy/cta_dispatch.h"
#include "harness/gpu/gpu.h"

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

enum { FIRST_FAULT_OF_GROUPS = 75 /* from here on they need groups to show */ };

bool cta_dispatch_has_fault(unsigned n, unsigned buddy) {
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
      return strcmp(faults[i].unit, "cta_dispatch") == 0 &&
             (buddy > 1 || n < FIRST_FAULT_OF_GROUPS);
  return false;
}

int cta_dispatch_open(struct tandem *t, struct tandem_error *err) {
  const struct tandem_config *c = &t->config;
  const struct unit_request r = {.type = &cta_dispatch,
                                 .parameters = "",
                                 .bug = cta_dispatch_has_fault(c->bug, c->buddy) ? c->bug : 0,
                                 .traced = c->trace != NULL && c->trace_gpu,
                                 .seed = c->seed + c->sms};
  struct unit *u = unit_open(&r, c, err);
  if (u == NULL)
    return -ENOMEM;
  strcpy(u->name, "the GPU");
  u->index = t->nunits;
  t->units[t->nunits++] = t->dispatch.unit = u;
  return 0;
}

static void trouble_of(struct tandem *t, bool good) {
  if (!good)
    atomic_store_explicit(&t->trouble, true, memory_order_relaxed);
}

/* A cycle with the unit's inputs as they are; *given gets its outputs. */
static void run_cycle(struct tandem *t, struct cta_dispatch_out *given) {
  struct gpu_dispatch *d = &t->dispatch;
  struct unit *u = d->unit;
  struct cta_dispatch_in *in = u->in;
  unit_out(u, NULL);
  *given = *(const struct cta_dispatch_out *)u->out;
  bool good = unit_compare(u, t->cycle, NULL);
  if (u->watched && t->failure.kind == FAIL_NONE)
    unit_record(u, t->cycle, true);
  unit_step_ref(u, NULL);
  good &= unit_step_rtl(u, t->cycle, NULL);
  in->kernel_start = 0;
  in->ready = 0;
  unit_out(u, NULL);
  good &= unit_compare(u, t->cycle, NULL);
  const struct cta_dispatch_out *after = u->out;
  d->first = after->first;
  d->done = after->done != 0;
  trouble_of(t, good);
}

void cta_dispatch_begin(struct tandem *t) {
  const unsigned sms = t->config.sms;
  struct cta_dispatch_out none;
  *(struct cta_dispatch_in *)t->dispatch.unit->in =
      (struct cta_dispatch_in){.kernel_start = 1,
                               .ctas = t->grid.ctas,
                               .enabled = sms == 64 ? UINT64_MAX : (UINT64_C(1) << sms) - 1,
                               .lead = UINT64_MAX};
  run_cycle(t, &none);
}

static void launch(struct tandem *t, unsigned sm, uint64_t cta, const struct sm_room *room) {
  const struct grid *g = &t->grid;
  const uint32_t id[3] = {(uint32_t)(cta % g->dim[0]), (uint32_t)(cta / g->dim[0] % g->dim[1]),
                          (uint32_t)(cta / ((uint64_t)g->dim[0] * g->dim[1]))};
  struct gpu_sm *s = &t->sms[sm];
  cell_wake(t, s->cell, t->cycle + 1);
  sm_cta_launch_in(s->sm, id, room);
  s->idle = s->cell->idle = false;
}

void cta_dispatch_step(struct tandem *t) {
  struct cta_dispatch_in *in = t->dispatch.unit->in;
  struct cta_dispatch_out given;
  if (t->cycle - t->launch_cycle < t->machine->forming)
    return;
  in->ready = in->idle = 0;
  for (unsigned i = 0; i < t->config.sms; i++)
    in->ready |= (uint64_t)t->room[i] << i;
  if (in->ready == 0)
    return;
  for (unsigned i = 0; i < t->config.sms; i++)
    in->idle |= (uint64_t)t->sms[i].idle << i;
  in->lead = t->machine->leads(t);
  const uint64_t first = t->dispatch.first;
  run_cycle(t, &given);
  struct sm_room room = SM_ROOM_ANY;
  uint64_t cta = first;
  for (uint64_t left = given.give & in->enabled; left != 0; left &= left - 1, cta++) {
    const unsigned sm = (unsigned)__builtin_ctzll(left);
    if (cta == first || (in->lead >> sm & 1) != 0)
      room = gpu_room(t, sm, in->lead);
    launch(t, sm, cta, &room);
  }
  if (t->machine->split != NULL)
    t->machine->split(t, given.split);
}
