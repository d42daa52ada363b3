/* The machine of buddy clusters (docs/hardware/buddy.md): a cell is a cluster of 2, 4 or 8 SMs,
 * whose front ends and links are one unit.
 *
 * A cluster without any input or output for longer than anything takes to pass through it no longer
 * changes, and is not clocked. */
#include "harness/gpu/buddy/buddy.h"
#include "harness/gpu/core/cell.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/ref/buddy/buddy_cluster.h"
#include "harness/gpu/core/sms.h"

enum {
  /* Clock edges: above twice the longest way through links and verdict window (36, of 16 cycles
   * each way), and what a front end takes to settle. */
  STILL = 64,
  FORMING = 2 /* edges that kernel_start needs to make a cluster's groups, besides the side-band */
};

unsigned buddy_delay(const struct tandem_config *c) {
  return (c->feature.buddy.hop_latency * (c->feature.buddy.size - 1) + 2) / 2;
}

/* ---- the unit ---- */

static void *create(const unsigned *numbers) {
  struct buddy_cluster_ref *c = buddy_cluster_ref_create(numbers[0], numbers[1], numbers[2]);
  if (c != NULL)
    buddy_cluster_ref_ibuffer(c, numbers[3]);
  return c;
}

static void destroy(void *ref) { buddy_cluster_ref_destroy(ref); }

static const void *out(void *ref, const void *in, void *room) {
  struct cluster_out *o = room;
  (void)in;
  buddy_cluster_ref_out(ref, &o->own, o->member);
  return o;
}

static void step(void *ref, const void *in) {
  const struct cluster_in *p = in;
  struct input_set inputs[CLUSTER_MEMBERS];
  for (unsigned m = 0; m < CLUSTER_MEMBERS; m++)
    inputs[m] = (struct input_set){&p->sm[m], p->raised[m]};
  buddy_cluster_ref_step(ref, &p->own, inputs);
}

static bool view(void *ref, unsigned sm, void *state) {
  return buddy_cluster_ref_state(ref, sm, state);
}

static const struct unit_type buddy_cluster = {
    .name = "buddy_cluster",
    .rows = {{.ports = &buddy_cluster_ports,
              .in_at = offsetof(struct cluster_in, own),
              .out_at = offsetof(struct cluster_out, own)},
             {.ports = &buddy_member_ports,
              .of_sms = true,
              /* what the cluster has for all members stands before */
              .in_at =
                  offsetof(struct cluster_in, sm) + offsetof(struct sm_frontend_in, launch_valid),
              .in_stride = sizeof(struct sm_frontend_in),
              .out_at = offsetof(struct cluster_out, member),
              .out_stride = sizeof(struct buddy_member_out)}},
    .nrows = 2,
    .in_bytes = sizeof(struct cluster_in),
    .out_bytes = sizeof(struct cluster_out),
    .parts = frontend_parts,
    .nparts = FRONTEND_PARTS,
    .view_bytes = sizeof(struct sm_frontend_state),
    .ref = {create, destroy, out, step, view}};

/* ---- the machine ---- */

enum { FAR_MOST = 30 /* NoC cycles to the farthest member */ };

/* The RTL's parameters. */
static void parameters_of(const struct tandem_config *c, char text[SMS_PARAMETERS]) {
  char own[48];
  snprintf(own, sizeof own, "Members=%u Hop=%u Entries=%u", c->feature.buddy.size,
           c->feature.buddy.hop_latency, c->feature.buddy.mon_entries);
  sms_parameters(c, own, text);
}

int buddy_check(const struct tandem_config *c, struct tandem_error *err) {
  if (c->sms % c->feature.buddy.size != 0) {
    const unsigned fewer = c->sms / c->feature.buddy.size * c->feature.buddy.size,
                   more = fewer + c->feature.buddy.size;
    if (fewer == 0 || more > 64)
      return tandem_fail(err, -EINVAL, "%u SMs do not make clusters of %u: %u do", c->sms,
                         c->feature.buddy.size, fewer == 0 ? more : fewer);
    return tandem_fail(err, -EINVAL, "%u SMs do not make clusters of %u: %u and %u do", c->sms,
                       c->feature.buddy.size, fewer, more);
  }
  if (c->feature.buddy.hop_latency * (c->feature.buddy.size - 1) > FAR_MOST)
    return tandem_fail(err, -EINVAL,
                       "buddy.hop_latency must be 1 to %u with clusters of %u, not %u",
                       FAR_MOST / (c->feature.buddy.size - 1), c->feature.buddy.size,
                       c->feature.buddy.hop_latency);
  return 0;
}

static bool wanted(const struct tandem_config *c) { return c->feature.buddy.size > 1; }

static unsigned forming(const struct tandem_config *c) { return FORMING + buddy_delay(c); }

static unsigned pause_of(const struct tandem_config *c) { return c->feature.buddy.power_up; }

static bool adaptive(const struct tandem_config *c) {
  return c->feature.buddy.formation == BUDDY_FORM_ADAPTIVE;
}

static unsigned cell_sms(const struct tandem_config *c) { return c->feature.buddy.size; }

static int open_one(struct tandem *t, struct cell *c, struct tandem_error *err) {
  const struct tandem_config *k = &t->config;
  const unsigned numbers[] = {k->feature.buddy.size, k->feature.buddy.hop_latency,
                              k->feature.buddy.mon_entries, k->sm.ibuffer_entries};
  struct cluster *own = &((struct cluster *)t->own)[c->first / c->sms];
  char parameters[SMS_PARAMETERS];
  parameters_of(k, parameters);
  TRY(machine_unit(t, c, &buddy_cluster, parameters, numbers, "cluster", err));
  c->own = own;
  own->in = c->unit->in;
  own->out = c->unit->out;
  own->first = c->first;
  own->members = c->sms;
  own->before.power = (1U << c->sms) - 1; /* as at reset */
  own->in->own.power_up = k->feature.buddy.power_up;
  own->in->own.halfway = k->feature.buddy.regroup == BUDDY_REGROUP_HALFWAY;
  own->in->own.cfg_lrr = k->scheduler == TANDEM_LRR;
  for (unsigned m = 0; m < c->sms; m++) {
    c->sm[m].in = &own->in->sm[m];
    /* A member's outputs begin with those of a front end. */
    c->sm[m].out = (const struct sm_frontend_out *)&own->out->member[m];
  }
  return 0;
}

static int open_cells(struct tandem *t, struct tandem_error *err) {
  TRY(machine_cells(t, err));
  t->own = calloc(t->ncells, sizeof(struct cluster));
  if (t->own == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory for %u clusters", t->ncells);
  for (unsigned i = 0; i < t->ncells; i++)
    TRY(open_one(t, &t->cells[i], err));
  return 0;
}

static void close_cells(struct tandem *t) { free(t->own); }

/* kernel_start comes with the back ends' next step. */
static void begin(struct tandem *t) {
  for (unsigned i = 0; i < t->ncells; i++) {
    struct cluster *c = t->cells[i].own;
    c->in->own.solo = t->config.feature.buddy.formation == BUDDY_FORM_APART;
  }
  for (unsigned i = 0; i < t->config.sms; i++)
    t->launch.room[i] = false;
}

static void observed(struct tandem *t, struct cell *c) {
  struct cluster *b = c->own;
  const struct buddy_cluster_out *o = &b->out->own;
  b->off = (~(unsigned)o->power | (b->cold & ~(unsigned)o->reset_fe)) & ((1U << b->members) - 1);
  b->waking = b->off & (unsigned)o->power;
  machine_switch(c, b->off);
  buddy_events(t, c);
  b->before = *o;
}

static void passed(struct cell *c, uint64_t cycles) { buddy_count(c->own, cycles); }

static uint64_t back_end(struct tandem *t, struct gpu_sm *s) {
  struct cluster *b = s->cell->own;
  const uint64_t raised = sm_step(s->sm, t->cycle, s->out, s->in);
  b->in->raised[s - s->cell->sm] = raised;
  return raised;
}

static bool quiet(struct tandem *t, struct cell *c, bool raised, bool asked) {
  struct cluster *b = c->own;
  b->in->own.kernel_start = c->sm->in->kernel_start;
  if (b->in->own.kernel_start) /* CTA dispatch has had the grid before */
    b->in->own.form = c == &t->cells[t->ncells - 1] ? t->launch.dispatch.form : 0;
  const bool active = raised || asked || b->out->own.hold != 0 || b->in->own.split != 0;
  c->quiet_cycles = active ? 0 : c->quiet_cycles + 1;
  return c->quiet_cycles >= STILL;
}

static void stepped(struct tandem *t, struct cell *c) {
  struct cluster *b = c->own;
  (void)t;
  b->cold = b->off;
  b->in->own.split = 0;
}

/* A cluster is never left out but rests: its groups' cycles are counted. */
static bool idle(struct tandem *t, struct cell *c, bool quiet_now) {
  struct cluster *b = c->own;
  (void)t, (void)quiet_now;
  b->resident = 0;
  for (unsigned m = 0; m < b->members; m++) {
    const bool done = sm_idle(c->sm[m].sm);
    b->resident |= (unsigned)!done << m;
    c->sm[m].idle = done && b->out->member[m].drained != 0;
  }
  return false;
}

static bool waiting(const struct gpu_sm *s) { return sm_waiting(s->sm); }

static unsigned issuer(const struct gpu_sm *s) {
  const struct cluster *c = s->cell->own;
  const unsigned m = (unsigned)(s - s->cell->sm);
  return c->first + buddy_lead(&c->out->own, m);
}

/* Each member by itself: room for a CTA where the members of its group before it have room, too. */
static void ready(struct tandem *t, struct cell *c) {
  const struct buddy_cluster_out *o = &((struct cluster *)c->own)->out->own;
  struct sm_room room = SM_ROOM_ANY;
  for (unsigned m = 0; m < c->sms; m++) {
    if ((o->cta_lead >> m & 1) != 0)
      room = SM_ROOM_ANY;
    sm_cta_room(c->sm[m].sm, &room);
    const bool is_ready = sm_room_fits(&room) && (o->hold >> m & 1) == 0;
    if (t->launch.room[c->first + m] != is_ready)
      t->launch.room[c->first + m] = is_ready;
  }
}

static uint64_t leads(const struct tandem *t) {
  uint64_t set = 0;
  for (unsigned i = 0; i < t->ncells; i++)
    set |= ((const struct cluster *)t->cells[i].own)->out->own.cta_lead << t->cells[i].first;
  return set;
}

/* To the group that is asked, with the inputs of its cluster's next edge. */
static void split(struct tandem *t, uint64_t groups) {
  for (; groups != 0; groups &= groups - 1) {
    const unsigned sm = (unsigned)__builtin_ctzll(groups);
    struct cell *c = t->sms[sm].cell;
    cell_wake(t, c, t->cycle + 1);
    ((struct cluster *)c->own)->in->own.split |= UINT64_C(1) << (sm - c->first);
  }
}

const struct machine machine_buddy = {.shape = {.name = "buddy clusters",
                                                .wanted = wanted,
                                                .cell_sms = cell_sms,
                                                .open = open_cells,
                                                .close = close_cells},
                                      .launch = {.forming = forming,
                                                 .pause = pause_of,
                                                 .adaptive = adaptive,
                                                 .begin = begin,
                                                 .ready = ready,
                                                 .leads = leads,
                                                 .split = split,
                                                 .statistics = buddy_statistics},
                                      .cycle = {.observed = observed,
                                                .passed = passed,
                                                .back_end = back_end,
                                                .quiet = quiet,
                                                .stepped = stepped,
                                                .idle = idle,
                                                .waiting = waiting,
                                                .issuer = issuer}};
