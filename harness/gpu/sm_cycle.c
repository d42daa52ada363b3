/* The parallel part of a core cycle: memory partitions, and SMs.  One SM:
 *
 *   1. read the front end's outputs, if its clock ran since
 *   2. lockstep: compare outputs, and state views when they are due
 *   3. memory side and back end of the SM take the outputs and give the next inputs; the
 *      architectural check looks at what retired
 *   4. apply the inputs and clock the engines, unless that would change nothing
 *
 * An SM with nothing to do is left out until a CTA comes; one in which nothing can happen before
 * memory answers, until memory has something for it: what it would have counted is added then.
 */
#include <string.h>

#include "harness/gpu/cycle.h"

static void watch_record(struct tandem *t, const struct gpu_sm *s, bool stepped) {
  struct gpu_watch *w = &t->watch;
  if (w->clocked && !stepped)
    return;
  struct port_record *r = &w->ring[w->filled++ % HISTORY];
  *r = (struct port_record){
      .cycle = t->cycle, .stepped = stepped, .in = s->in, .rtl = s->out, .ref = s->ref_out};
  if (s->wide == NULL)
    return;
  r->wide_in = s->wide->in;
  r->wide_rtl = s->wide->out;
  r->wide_ref = s->wide->ref_out;
}

/* The engines' outputs with large warps. */
static void read_rtl_wide(struct gpu_sm *s) {
  frontend_rtl_wide_out(s->rtl, &s->wide->out);
  memcpy(&s->out, &s->wide->out, sizeof s->out);
}

static void read_ref_wide(struct gpu_sm *s, enum tandem_engine engine) {
  const bool alone = engine == TANDEM_ENGINE_REF;
  struct sm_frontend_wide_out *out = alone ? &s->wide->out : &s->wide->ref_out;
  frontend_wide_out(s->wide->ref, out);
  memcpy(alone ? &s->out : &s->ref_out, out, sizeof s->out);
}

/* Steps 1 and 2.  False if something differs. */
static inline bool observe(struct tandem *t, struct gpu_sm *s, unsigned index,
                           enum tandem_engine engine, bool wide, bool timed,
                           struct gpu_clock *clock) {
  uint64_t last = timed ? gpu_ticks() : 0;
  if (engine != TANDEM_ENGINE_REF) {
    if (wide)
      read_rtl_wide(s);
    else
      frontend_rtl_out(s->rtl, &s->out);
    LAP(TANDEM_WALL_RTL);
  }
  if (engine != TANDEM_ENGINE_RTL) {
    if (wide)
      read_ref_wide(s, engine);
    else
      frontend_ref_out(s->ref, engine == TANDEM_ENGINE_REF ? &s->out : &s->ref_out);
    LAP(TANDEM_WALL_REF);
  }
  s->fresh = false;
  if (engine != TANDEM_ENGINE_LOCKSTEP || !t->config.compare)
    return true;
  bool same =
      wide ? lockstep_wide_outputs(s, index, t->cycle) : lockstep_outputs(s, index, t->cycle);
  const bool every = t->watch.on && t->watch.sm == index && t->cycle >= t->watch.views_from;
  if (every || s->view_steps == 0) {
    s->view_steps = t->config.state_interval;
    /* A state that differs explains an output that does: it is the one to report. */
    if (!lockstep_views(s, index, t->cycle))
      same = false;
  }
  s->view_steps--;
  LAP(TANDEM_WALL_COMPARE);
  return same;
}

void gpu_wake(struct tandem *t, unsigned sm, uint64_t cycle) {
  if (t->clusters != NULL)
    cluster_wake(t, &t->clusters[sm / t->config.buddy], cycle);
  else
    sm_cycle_wake(&t->sms[sm], cycle);
}

void sm_cycle_wake(struct gpu_sm *s, uint64_t cycle) {
  if (!s->waits)
    return;
  s->waits = false;
  sm_mem_skip(s->mem, cycle - s->waits_from);
  sm_skip(s->sm, s->waits_from, cycle - s->waits_from, &s->out);
}

static inline __attribute__((always_inline)) void sm_cycle(struct tandem *t, unsigned index,
                                                           enum tandem_engine engine, bool wide,
                                                           bool timed, struct gpu_clock *clock) {
  struct gpu_sm *s = &t->sms[index];
  const bool skip = t->config.skip_quiet;
  if (s->idle && skip)
    return;
  if (s->waits) {
    if (sm_mem_waits(s->mem, t->cycle) && !s->trace_open)
      return;
    sm_cycle_wake(s, t->cycle);
  }
  s->work += CYCLE_WORK;
  if (s->fresh && !observe(t, s, index, engine, wide, timed, clock))
    trouble(t, s, s->failure.kind);
  const uint64_t told = cycle_back_end_of(t, s, wide, &s->work, timed, clock);
  s->in.cfg_lrr = t->config.scheduler == TANDEM_LRR;
  if (wide)
    s->wide->in.cfg_lrr = s->in.cfg_lrr;

  const bool quiet = s->out.quiet != 0 && told == 0;
  const bool step = !quiet || !skip || s->trace_open;
  if (step) {
    uint64_t last = timed ? gpu_ticks() : 0;
    if (engine != TANDEM_ENGINE_REF) {
      if (wide)
        frontend_rtl_wide_step(s->rtl, &s->wide->in);
      else
        frontend_rtl_step(s->rtl, &s->in);
      if (t->config.assertions && frontend_rtl_assertions(s->rtl, NULL) != 0)
        trouble(t, s, FAIL_ASSERT);
      if (s->trace_open)
        frontend_rtl_trace_sample(s->rtl, t->cycle * 1000000 / t->config.mem.core_mhz);
      LAP(TANDEM_WALL_RTL);
    }
    if (engine != TANDEM_ENGINE_RTL) {
      if (wide)
        frontend_wide_step(s->wide->ref, &s->wide->in);
      else
        frontend_ref_step(s->ref, &s->in);
      LAP(TANDEM_WALL_REF);
    }
    s->fresh = true;
    s->view_due = true;
    s->steps++;
    s->work += STEP_WORK;
  }
  s->idle = quiet && (wide ? sm_wide_idle(s->wide->slices) : sm_idle(s->sm));
  if (t->dispatch.after.done == 0) {
    const bool room = sm_cta_ready(s->sm);
    if (t->room[index] != room)
      t->room[index] = room;
  }
  if (__builtin_expect(t->watch.on && t->watch.sm == index, 0)) {
    if (t->failure.kind == FAIL_NONE)
      watch_record(t, s, step);
  } else {
    s->waits = !step && !s->idle && !outputs_active(&s->out) &&
               (wide ? sm_wide_quiescent(s->wide->slices) : sm_quiescent(s->sm));
    s->waits_from = t->cycle + 1;
  }
}

/* One function an engine and kind of warp, so that the choice is not made for every SM. */
#define CYCLES(name, engine, wide)                                                                 \
  static void name(struct tandem *t, unsigned thread, bool timed) {                                \
    struct gpu_clock *clock = &t->clocks[thread];                                                  \
    if (timed)                                                                                     \
      for (unsigned i = t->first[thread]; i < t->first[thread + 1]; i++)                           \
        sm_cycle(t, t->order[i], engine, wide, true, clock);                                       \
    else                                                                                           \
      for (unsigned i = t->first[thread]; i < t->first[thread + 1]; i++)                           \
        sm_cycle(t, t->order[i], engine, wide, false, clock);                                      \
  }
CYCLES(cycles_rtl, TANDEM_ENGINE_RTL, false)
CYCLES(cycles_ref, TANDEM_ENGINE_REF, false)
CYCLES(cycles_lockstep, TANDEM_ENGINE_LOCKSTEP, false)
CYCLES(wide_cycles_rtl, TANDEM_ENGINE_RTL, true)
CYCLES(wide_cycles_ref, TANDEM_ENGINE_REF, true)
CYCLES(wide_cycles_lockstep, TANDEM_ENGINE_LOCKSTEP, true)

void gpu_parallel(void *tandem, unsigned thread) {
  static void (*const cycles[3][3])(struct tandem *, unsigned, bool) = {
      [KIND_SMS] = {[TANDEM_ENGINE_RTL] = cycles_rtl,
                    [TANDEM_ENGINE_REF] = cycles_ref,
                    [TANDEM_ENGINE_LOCKSTEP] = cycles_lockstep},
      [KIND_CLUSTERS] = {[TANDEM_ENGINE_RTL] = cluster_cycles_rtl,
                         [TANDEM_ENGINE_REF] = cluster_cycles_ref,
                         [TANDEM_ENGINE_LOCKSTEP] = cluster_cycles_lockstep},
      [KIND_WIDE] = {[TANDEM_ENGINE_RTL] = wide_cycles_rtl,
                     [TANDEM_ENGINE_REF] = wide_cycles_ref,
                     [TANDEM_ENGINE_LOCKSTEP] = wide_cycles_lockstep},
  };
  struct tandem *t = tandem;
  const bool timed = t->timed;
  const uint64_t last = timed ? gpu_ticks() : 0;
  gpu_mem_parts(t->mem, t->cycle, t->parts[thread]);
  if (timed)
    t->clocks[thread].ticks[TANDEM_WALL_MEMORY] += gpu_ticks() - last;
  cycles[t->kind][t->config.engine](t, thread, timed);
}
