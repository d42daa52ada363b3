/* A cycle of a buddy cluster (docs/buddy.md), in the place of those of its SMs:
 *
 *   1. read the cluster's outputs, if its clocks ran since
 *   2. lockstep: compare outputs, and state views when they are due
 *   3. memory side, back end and check of each member take its outputs and give its inputs
 *   4. apply all inputs and clock the engines
 *
 * A cluster without any input or output for longer than anything takes to pass through it no longer
 * changes, and is not clocked.  One in which nothing can happen then before memory answers is left
 * out altogether, until memory has something for a member; what its cycles would have counted is
 * added then. */
#include <string.h>

#include "harness/gpu/cycle.h"

/* Clock edges: above twice the longest way through links and verdict window (36, of 16 cycles each
 * way), and what a front end takes to settle. */
enum { STILL = 64 };

/* A member's outputs are those of a front end but for what the cluster has for all, in their order.
 */
_Static_assert(offsetof(struct sm_frontend_out, stall1) ==
                   offsetof(struct buddy_member_out, stall1),
               "outputs of a member");
enum { MEMBER_OUT = offsetof(struct sm_frontend_out, quiet) };

static void watch_record(struct tandem *t, const struct gpu_cluster *c, bool stepped) {
  struct gpu_watch *w = &t->watch;
  const struct gpu_sm *s = &t->sms[w->sm];
  const unsigned m = w->sm - c->first;
  if (w->clocked && !stepped)
    return;
  w->ring[w->filled++ % HISTORY] = (struct port_record){.cycle = t->cycle,
                                                        .stepped = stepped,
                                                        .in = s->in,
                                                        .rtl = s->out,
                                                        .ref = s->ref_out,
                                                        .cluster_in = c->in,
                                                        .cluster_rtl = c->out,
                                                        .cluster_ref = c->ref_out,
                                                        .member_rtl = c->member[m],
                                                        .member_ref = c->ref_member[m]};
}

static bool is_watched(const struct tandem *t, const struct gpu_cluster *c) {
  return __builtin_expect(t->watch.on && t->watch.sm / c->members == c->first / c->members, 0);
}

/* The members whose front ends are off in this cycle. */
static void look_at_power(struct gpu_cluster *c) {
  c->off =
      (~(unsigned)c->out.power | (c->cold & ~(unsigned)c->out.reset_fe)) & ((1U << c->members) - 1);
}

static void read_ref(const struct gpu_cluster *c, struct buddy_cluster_out *out,
                     struct buddy_member_out *member) {
  *out = *buddy_cluster_ref_out(c->ref);
  for (unsigned m = 0; m < c->members; m++)
    member[m] = *buddy_cluster_ref_member(c->ref, m);
}

/* The reference's outputs, for reports. */
static void keep_ref(struct tandem *t, struct gpu_cluster *c) {
  read_ref(c, &c->ref_out, c->ref_member);
  for (unsigned m = 0; m < c->members; m++)
    memcpy(&t->sms[c->first + m].ref_out, &c->ref_member[m], MEMBER_OUT);
}

static bool compare(struct tandem *t, struct gpu_cluster *c, bool watched) {
  bool same = lockstep_cluster(t, c);
  const bool every = watched && t->cycle >= t->watch.views_from;
  struct gpu_sm *s = &t->sms[c->first];
  for (unsigned m = 0; m < c->members; m++, s++) {
    if (every || s->view_steps == 0) {
      s->view_steps = t->config.state_interval;
      /* A state that differs explains an output that does: it is the one to report. */
      if (!lockstep_member_views(t, c, m))
        same = false;
    }
    s->view_steps--;
  }
  return same;
}

/* What the back ends see of the members. */
static inline void give_outputs(struct tandem *t, struct gpu_cluster *c) {
  struct gpu_sm *s = &t->sms[c->first];
  const unsigned off = c->off;
  for (unsigned m = 0; m < c->members; m++, s++) {
    memcpy(&s->out, &c->member[m], MEMBER_OUT);
    if ((off >> m & 1) != 0)
      s->out.stall0 = s->out.stall1 = STALL_GATED;
  }
}

/* Steps 1 and 2. */
static inline void observe(struct tandem *t, struct gpu_cluster *c, enum tandem_engine engine,
                           bool timed, struct gpu_clock *clock) {
  const struct buddy_cluster_out before = c->out;
  const bool lockstep = engine == TANDEM_ENGINE_LOCKSTEP, watched = is_watched(t, c);
  uint64_t last = timed ? gpu_ticks() : 0;
  if (engine == TANDEM_ENGINE_REF) {
    read_ref(c, &c->out, c->member);
    LAP(TANDEM_WALL_REF);
  } else {
    buddy_cluster_rtl_out(c->rtl, &c->out, c->member);
    LAP(TANDEM_WALL_RTL);
  }
  c->fresh = false;
  look_at_power(c);
  give_outputs(t, c);
  cluster_events(t, c, &before);
  if (lockstep && watched)
    keep_ref(t, c);
  if (!lockstep || !t->config.compare)
    return;
  if (timed)
    last = gpu_ticks();
  if (!compare(t, c, watched)) {
    keep_ref(t, c);
    atomic_store_explicit(&t->trouble, true, memory_order_relaxed);
  }
  LAP(TANDEM_WALL_COMPARE);
}

void cluster_wake(struct tandem *t, struct gpu_cluster *c, uint64_t cycle) {
  c->still = 0;
  if (!c->rests)
    return;
  c->rests = false;
  const uint64_t cycles = cycle - c->rests_from;
  for (unsigned m = 0; m < c->members; m++) {
    struct gpu_sm *s = &t->sms[c->first + m];
    sm_mem_skip(s->mem, cycles);
    sm_skip(s->sm, c->rests_from, cycles, &s->out);
  }
  cluster_count(c, cycles);
}

/* Whether nothing happens in a cluster that rests. */
static bool goes_on_resting(const struct tandem *t, const struct gpu_cluster *c) {
  for (unsigned m = 0; m < c->members; m++)
    if (!sm_mem_waits(t->sms[c->first + m].mem, t->cycle))
      return false;
  return true;
}

/* Step 4. */
static inline void clock_engines(struct tandem *t, struct gpu_cluster *c, enum tandem_engine engine,
                                 bool timed, struct gpu_clock *clock) {
  struct gpu_sm *first = &t->sms[c->first];
  uint64_t last = timed ? gpu_ticks() : 0;
  if (engine != TANDEM_ENGINE_REF) {
    buddy_cluster_rtl_step(c->rtl, &c->in, c->told);
    if (t->config.assertions && buddy_cluster_rtl_assertions(c->rtl, NULL) != 0)
      trouble(t, first, FAIL_ASSERT);
    if (first->trace_open)
      buddy_cluster_rtl_trace_sample(c->rtl, t->cycle * 1000000 / t->config.mem.core_mhz);
    LAP(TANDEM_WALL_RTL);
  }
  if (engine != TANDEM_ENGINE_RTL) {
    buddy_cluster_ref_step(c->ref, &c->in, c->told);
    LAP(TANDEM_WALL_REF);
  }
  c->cold = c->off | (c->started ? (unsigned)c->out.slave : 0);
  c->started = c->in.kernel_start != 0;
  c->fresh = true;
  for (unsigned m = 0; m < c->members; m++) {
    struct gpu_sm *s = &t->sms[c->first + m];
    s->view_due = true;
    s->steps += ~c->off >> m & 1;
  }
  first->work += STEP_WORK * c->members;
}

static inline __attribute__((always_inline)) void cluster_cycle(struct tandem *t, unsigned index,
                                                                enum tandem_engine engine,
                                                                bool timed,
                                                                struct gpu_clock *clock) {
  struct gpu_cluster *c = &t->clusters[index];
  struct gpu_sm *first = &t->sms[c->first];
  if (c->rests) {
    if (goes_on_resting(t, c) && !first->trace_open)
      return;
    cluster_wake(t, c, t->cycle);
    c->still = STILL;
  }
  first->work += CYCLE_WORK;
  if (c->fresh)
    observe(t, c, engine, timed, clock);
  cluster_count(c, 1);
  bool active = c->out.hold != 0 || c->in.split != 0, quiescent = true;
  c->resident = 0;
  for (unsigned m = 0; m < c->members; m++) {
    struct gpu_sm *s = &t->sms[c->first + m];
    const uint64_t told = cycle_back_end_of(t, s, false, &first->work, timed, clock);
    c->told[m].set = told;
    active = active || told != 0 || outputs_active(&s->out);
    quiescent = quiescent && sm_quiescent(s->sm);
    const bool done = sm_idle(s->sm);
    c->resident |= (unsigned)!done << m;
    s->idle = done && c->member[m].drained != 0;
  }
  c->in.kernel_start = first->in.kernel_start;
  c->still = active ? 0 : c->still + 1;
  const bool step = c->still < STILL || !t->config.skip_quiet || first->trace_open;
  if (step)
    clock_engines(t, c, engine, timed, clock);
  if (t->dispatch.after.done == 0)
    cluster_ready(t, c);
  if (is_watched(t, c)) {
    if (t->failure.kind == FAIL_NONE)
      watch_record(t, c, step);
  } else {
    c->rests = !step && quiescent && c->still > STILL;
    c->rests_from = t->cycle + 1;
  }
  c->in.split = 0;
}

/* One function an engine, so that the choice is not made for every cluster. */
#define CYCLES(name, engine)                                                                       \
  void name(struct tandem *t, unsigned thread, bool timed) {                                       \
    struct gpu_clock *clock = &t->clocks[thread];                                                  \
    for (unsigned i = t->first[thread]; i < t->first[thread + 1]; i++)                             \
      cluster_cycle(t, t->order[i], engine, timed, clock);                                         \
  }
CYCLES(cluster_cycles_rtl, TANDEM_ENGINE_RTL)
CYCLES(cluster_cycles_ref, TANDEM_ENGINE_REF)
CYCLES(cluster_cycles_lockstep, TANDEM_ENGINE_LOCKSTEP)
