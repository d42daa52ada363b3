/* The machine of SMs that share resources with their neighbours (docs/hardware/flex.md): a cell is
 * a cluster of 2 or 6 SMs, whose front ends, lent buffers and stacks are one unit.
 *
 * A cluster without any input or output for longer than anything takes to pass through it no longer
 * changes, and is not clocked. */
#include "harness/gpu/flex/flex.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "csim/ref/flex/flex_cluster.h"
#include "csim/sm/lanes/lanes.h"
#include "harness/gpu/core/check.h"
#include "harness/gpu/core/sms.h"

enum {
  STILL = 64, /* clock edges: above what decoded instructions, pops and fetches take to settle */
  FORMING = 2 /* cycles from the start of a launch to the outputs of its mode */
};

/* ---- the unit ---- */

static void *create(const unsigned *numbers) {
  return flex_cluster_ref_create(numbers[0], numbers[1]);
}

static void destroy(void *ref) { flex_cluster_ref_destroy(ref); }

static const void *out(void *ref, const void *in, void *room) {
  struct flex_ports_out *o = room;
  (void)in;
  flex_cluster_ref_out(ref, &o->own, o->member);
  return o;
}

static void step(void *ref, const void *in) {
  const struct flex_ports_in *p = in;
  flex_cluster_ref_step(ref, &p->own, p->sm);
}

static bool view(void *ref, unsigned sm, void *state) {
  return flex_cluster_ref_state(ref, sm, state);
}

static const struct unit_type flex_cluster = {
    .name = "flex_cluster",
    .rows = {{.ports = &flex_cluster_ports,
              .in_at = offsetof(struct flex_ports_in, own),
              .out_at = offsetof(struct flex_ports_out, own)},
             {.ports = &flex_member_ports,
              .of_sms = true,
              /* what the cluster has for all members stands before */
              .in_at =
                  offsetof(struct flex_ports_in, sm) + offsetof(struct flex_sm_in, launch_valid),
              .in_stride = sizeof(struct flex_sm_in),
              .out_at = offsetof(struct flex_ports_out, member),
              .out_stride = sizeof(struct flex_member_out)}},
    .nrows = 2,
    .in_bytes = sizeof(struct flex_ports_in),
    .out_bytes = sizeof(struct flex_ports_out),
    .parts = flex_parts,
    .nparts = FLEX_PARTS,
    .view_bytes = sizeof(struct flex_member_state),
    .ref = {create, destroy, out, step, view}};

/* ---- the machine ---- */

static bool wanted(const struct tandem_config *c) { return c->feature.flex.size != 0; }

static unsigned cell_sms(const struct tandem_config *c) { return c->feature.flex.size; }

static unsigned pause_of(const struct tandem_config *c) { return c->feature.flex.power_up; }

/* A pair for each SM that borrows from all of a neighbour; the roles are those of any such scheme.
 */
static int make_pairs(struct cell *c, struct flex_cluster *f, struct tandem_error *err) {
  for (unsigned m = 0; m < c->sms; m++) {
    const int lender = flex_lender(FLEX_BIGSM, m);
    if (lender < 0)
      continue;
    f->pair[m] = sm_lanes_create(c->sm[m].sm, c->sm[lender].sm, err);
    if (f->pair[m] == NULL)
      return -ENOMEM;
  }
  return 0;
}

static int open_one(struct tandem *t, struct cell *c, struct tandem_error *err) {
  const struct flex_config *k = &t->config.feature.flex;
  const unsigned numbers[] = {k->size, k->dummy};
  struct flex_cluster *f = &((struct flex *)t->own)->cluster[c->first / c->sms];
  char parameters[40];
  snprintf(parameters, sizeof parameters, "Members=%u Dummy=%u", k->size, k->dummy);
  TRY(machine_unit(t, c, &flex_cluster, parameters, numbers, "cluster", err));
  c->own = f;
  f->in = c->unit->in;
  f->out = c->unit->out;
  f->first = c->first;
  f->members = c->sms;
  f->before.power = (UINT64_C(1) << FLEX_DOMAINS * c->sms) - 1; /* as at reset */
  f->before.active = (UINT64_C(1) << c->sms) - 1;
  f->active = (uint8_t)c->sms;
  f->in->own.power_up = k->power_up;
  f->in->own.cfg_lrr = t->config.scheduler == TANDEM_LRR;
  for (unsigned m = 0; m < c->sms; m++) {
    /* A member's ports begin with those of a front end; masks have 64 lanes. */
    c->sm[m].in = (struct sm_frontend_in *)&f->in->sm[m];
    c->sm[m].out = (const struct sm_frontend_out *)&f->out->member[m];
  }
  return make_pairs(c, f, err);
}

static int open_cells(struct tandem *t, struct tandem_error *err) {
  struct flex *f = calloc(1, sizeof *f);
  t->own = f;
  TRY(machine_cells(t, err));
  if (f != NULL)
    f->cluster = calloc(t->ncells, sizeof *f->cluster);
  if (f == NULL || f->cluster == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory for %u clusters", t->ncells);
  for (unsigned i = 0; i < t->ncells; i++)
    TRY(open_one(t, &t->cells[i], err));
  return 0;
}

static void close_cells(struct tandem *t) {
  struct flex *f = t->own;
  if (f == NULL)
    return;
  for (unsigned i = 0; f->cluster != NULL && i < t->ncells; i++)
    for (unsigned m = 0; m < FLEX_MEMBERS; m++)
      sm_lanes_destroy(f->cluster[i].pair[m]);
  free(f->cluster);
  free(f->known);
  free(f->chosen);
  free(f);
}

/* ---- a launch ---- */

static enum flex_scheme scheme_of(const struct tandem *t) {
  return ((const struct flex *)t->own)->now.scheme;
}

/* The pair of an SM that has warps of 64 threads with its lender; NULL: it works by itself, or
 * lends. */
static struct sm_lanes *pair_of(const struct gpu_sm *s) {
  const struct flex_cluster *c = s->cell->own;
  const unsigned m = (unsigned)(s - s->cell->sm);
  return (c->wide >> m & 1) != 0 ? c->pair[m] : NULL;
}

/* A half without a pair of its own: its lanes are stepped with the borrower's. */
static bool is_half(const struct gpu_sm *s) {
  const struct flex_cluster *c = s->cell->own;
  const unsigned m = (unsigned)(s - s->cell->sm);
  return (c->wide >> m & 1) != 0 && c->pair[m] == NULL;
}

/* kernel_start comes with the back ends' next step. */
static void begin(struct tandem *t) {
  struct flex *f = t->own;
  const enum flex_scheme scheme = f->now.scheme;
  for (unsigned i = 0; i < t->ncells; i++) {
    struct flex_cluster *c = t->cells[i].own;
    c->in->own.mode = scheme;
    c->in->own.own_memory = f->now.own_memory;
    c->wide = flex_wide(scheme) ? (1U << c->members) - 1 : 0;
    for (unsigned m = 0; m < c->members && c->wide != 0; m++)
      if (c->pair[m] != NULL)
        sm_lanes_begin(c->pair[m], &t->launch.grid, &f->shape);
  }
  for (unsigned i = 0; i < t->config.sms; i++)
    t->launch.room[i] = false;
  f->formed = t->cycle + (f->changes ? FORMING : 0);
  flex_launch_measure(t);
  flex_usage_begin(t);
}

static uint64_t enabled(const struct tandem *t) {
  const unsigned members = t->config.feature.flex.size;
  const uint64_t active = flex_active(scheme_of(t), members);
  uint64_t set = 0;
  for (unsigned first = 0; first < t->config.sms; first += members)
    set |= active << first;
  return set;
}

static void take(struct tandem *t, struct gpu_sm *s, const uint32_t ctaid[3]) {
  struct sm_lanes *pair = pair_of(s);
  (void)t;
  if (pair != NULL)
    sm_lanes_cta(pair, ctaid);
  else
    sm_cta_launch(s->sm, ctaid);
}

static bool has_room(const struct gpu_sm *s) {
  const struct sm_lanes *pair = pair_of(s);
  return pair != NULL ? sm_lanes_ready(pair) : sm_cta_ready(s->sm);
}

static void ready(struct tandem *t, struct cell *c) {
  const struct flex_cluster_out *o = &((struct flex_cluster *)c->own)->out->own;
  const bool formed = t->cycle >= ((const struct flex *)t->own)->formed;
  for (unsigned m = 0; m < c->sms; m++) {
    const bool works = formed && ((o->active & ~o->hold) >> m & 1) != 0;
    const bool room = works && has_room(&c->sm[m]);
    if (t->launch.room[c->first + m] != room)
      t->launch.room[c->first + m] = room;
  }
}

/* ---- a cycle ---- */

static void observed(struct tandem *t, struct cell *c) {
  struct flex_cluster *f = c->own;
  const uint64_t power = f->out->own.power;
  uint64_t off = 0;
  (void)t;
  for (unsigned m = 0; m < c->sms; m++)
    off |= (~power >> FLEX_DOMAINS * m & 1) << m;
  machine_switch(c, off);
  flex_events(f);
}

static void passed(struct cell *c, uint64_t cycles) { flex_count(c->own, cycles); }

/* Credits of side 1 have ports of their own. */
static uint64_t add_far_credits(struct gpu_sm *s, uint64_t raised) {
  struct flex_sm_in *in = (struct flex_sm_in *)s->in;
  const struct sm_credits far =
      (raised & SM_RAISED_FAR) != 0 ? sm_far_credits(s->sm) : (struct sm_credits){0};
  in->sp_credit1 = far.sp;
  in->sfu_credit1 = far.sfu;
  in->mem_credit1 = far.mem;
  return raised;
}

static uint64_t back_end(struct tandem *t, struct gpu_sm *s) {
  struct sm_lanes *pair = pair_of(s);
  if (pair != NULL)
    return add_far_credits(s, sm_lanes_step(pair, t->cycle, s->out, s->in));
  return is_half(s) ? 0 : add_far_credits(s, sm_step(s->sm, t->cycle, s->out, s->in));
}

static bool retired(struct gpu_sm *s) {
  if (is_half(s))
    return true;
  if (pair_of(s) == NULL)
    return check_retired(s->iss, s->sm);
  const int lender = flex_lender(FLEX_BIGSM, (unsigned)(s - s->cell->sm));
  return check_retired_pair(s->iss, s->sm, s->cell->sm[lender].sm);
}

static bool quiet(struct tandem *t, struct cell *c, bool raised, bool asked) {
  struct flex_cluster *f = c->own;
  (void)t;
  f->in->own.kernel_start = c->sm->in->kernel_start; /* member 0 is active in all schemes */
  const bool active = raised || asked || f->out->own.hold != 0;
  c->quiet_cycles = active ? 0 : c->quiet_cycles + 1;
  return c->quiet_cycles >= STILL;
}

/* A cluster is never left out but rests: cycles without power are counted. */
static bool idle(struct tandem *t, struct cell *c, bool quiet_now) {
  (void)t, (void)quiet_now;
  for (unsigned m = 0; m < c->sms; m++) {
    struct gpu_sm *s = &c->sm[m];
    const struct sm_lanes *pair = pair_of(s);
    s->idle = pair != NULL ? sm_lanes_idle(pair) : is_half(s) || sm_idle(s->sm);
  }
  return false;
}

static bool waiting(const struct gpu_sm *s) {
  const struct sm_lanes *pair = pair_of(s);
  return pair != NULL ? sm_lanes_waiting(pair) : is_half(s) || sm_waiting(s->sm);
}

const struct machine machine_flex = {.shape = {.name = "clusters that share resources",
                                               .wanted = wanted,
                                               .cell_sms = cell_sms,
                                               .open = open_cells,
                                               .close = close_cells},
                                     .launch = {.pause = pause_of,
                                                .occupancy = flex_launch_occupancy,
                                                .enabled = enabled,
                                                .take = take,
                                                .place = flex_launch_place,
                                                .drop = flex_launch_drop,
                                                .begin = begin,
                                                .ready = ready,
                                                .leads = sms_leads,
                                                .statistics = flex_statistics},
                                     .cycle = {.observed = observed,
                                               .passed = passed,
                                               .back_end = back_end,
                                               .retired = retired,
                                               .quiet = quiet,
                                               .idle = idle,
                                               .waiting = waiting}};
