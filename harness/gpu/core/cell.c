/* The parallel part of a stretch, often of one core cycle: memory partitions, and cells.  A cycle
 * of a cell:
 *
 *   1. read the unit's outputs, if its clock ran since
 *   2. lockstep: compare outputs, and states when they are due
 *   3. memory side and back end of each SM take the outputs and give the next inputs; the
 *      architectural check looks at what retired
 *   4. apply the inputs and step the reference, unless that would change nothing
 *
 * In a stretch of one cycle the RTL of all cells that step is clocked together at the end: an RTL
 * model's code fills a processor's instruction cache, and is then fetched once for all of them
 * (docs/use/speed.md).  In a longer one, RTL that follows has several cycles of a cell in a row.
 *
 * A cell with nothing to do is left out until a CTA comes; one in which nothing can happen before
 * memory answers rests until memory has something for it: when it wakes, the cycles that it missed
 * are counted. */
#include "harness/gpu/core/cell.h"

#include "csim/sm/spin.h"
#include "harness/gpu/core/check.h"
#include "harness/gpu/core/machine.h"

/* The weights of a cycle's parts, to spread the work over threads. */
enum { CYCLE_WORK = 1, STEP_WORK = 2, ISSUE_WORK = 4 };

/* The first failure of an SM stands. */
static void fails(struct tandem *t, struct gpu_sm *s, enum failure_kind kind) {
  if (s->failure.kind == FAIL_NONE)
    s->failure.kind = kind;
  set_failed(t);
}

/* Returns true if the front end's outputs ask for something. */
static inline bool outputs_active(const struct sm_frontend_out *out) {
  return (out->iss0_valid | out->iss1_valid | out->imiss_valid | out->done_valid |
          out->trap_valid) != 0;
}

/* Step 3 of an SM.  The set of raised inputs. */
static inline uint64_t step_sm(struct tandem *t, struct cell *c, struct gpu_sm *s,
                               uint64_t *ticks) {
  const uint64_t issued = s->out->iss0_valid + s->out->iss1_valid;
  if (issued != 0) {
    s->last_issue = c->cycle;
    c->work += ISSUE_WORK * issued;
  }
  uint64_t last = ticks != NULL ? unit_ticks() : 0;
  sm_mem_step(s->mem, c->cycle);
  unit_lap(ticks, TANDEM_WALL_MEMORY, &last);
  const uint64_t raised = t->machine->cycle.back_end(t, s);
  unit_lap(ticks, TANDEM_WALL_BACKEND, &last);
  if (s->iss != NULL) {
    const struct machine_cycle *m = &t->machine->cycle;
    if (!(m->retired != NULL ? m->retired(s) : check_retired(s->iss, s->sm)))
      fails(t, s, FAIL_ISS);
    unit_lap(ticks, TANDEM_WALL_ISS, &last);
  }
  if (s->sm_fault->kind != SM_FAULT_NONE)
    fails(t, s, FAIL_BACKEND);
  return raised;
}

/* Ends the rest, in which nothing but the count of cycles has changed. */
static void end_rest(struct tandem *t, struct cell *c, uint64_t cycle) {
  const uint64_t cycles = cycle - c->skipped_from;
  c->skipped = false;
  for (unsigned i = 0; i < c->sms; i++) {
    sm_mem_skip(c->sm[i].mem, cycles);
    sm_skip(c->sm[i].sm, c->skipped_from, cycles, c->sm[i].out);
  }
  if (t->machine->cycle.passed != NULL)
    t->machine->cycle.passed(c, cycles);
}

void cell_wake(struct tandem *t, struct cell *c, uint64_t cycle) {
  c->quiet_cycles = 0;
  if (c->skipped)
    end_rest(t, c, cycle);
}

static bool memory_waits(const struct cell *c) {
  for (unsigned i = 0; i < c->sms; i++)
    if (!sm_mem_waits(c->mem[i], c->cycle))
      return false;
  return true;
}

static bool waiting(const struct tandem *t, const struct cell *c) {
  for (unsigned i = 0; i < c->sms; i++)
    if (!t->machine->cycle.waiting(&c->sm[i]))
      return false;
  return true;
}

/* Steps 1 and 2. */
static inline void observe(struct tandem *t, struct cell *c, uint64_t *ticks) {
  unit_out(c->unit, ticks);
  if (t->machine->cycle.observed != NULL)
    t->machine->cycle.observed(t, c);
  if (!unit_compare(c->unit, c->cycle, ticks))
    set_failed(t);
}

/* A cycle but for the clock edges of the RTL; returns whether these are due. */
static bool cell_cycle(struct tandem *t, struct cell *c, uint64_t *ticks) {
  const struct machine *m = t->machine;
  struct unit *u = c->unit;
  if (c->skipped) {
    if (memory_waits(c))
      return false;
    end_rest(t, c, c->cycle);
  }
  c->work += CYCLE_WORK;
  if (u->fresh)
    observe(t, c, ticks);
  if (m->cycle.passed != NULL)
    m->cycle.passed(c, 1);
  bool asked = false, raised = false;
  for (unsigned i = 0; i < c->sms; i++) {
    raised |= step_sm(t, c, &c->sm[i], ticks) != 0;
    asked |= outputs_active(c->sm[i].out);
  }
  const bool quiet = m->cycle.quiet(t, c, raised, asked);
  const bool step = !quiet || !t->config.skip_quiet || u->trace_open;
  if (__builtin_expect(u->watched, 0) && t->end.failure.kind == FAIL_NONE &&
      (step || !t->watch.clocked))
    unit_record(u, c->cycle, step);
  if (step) {
    unit_step_ref(u, ticks);
    for (unsigned i = 0; i < c->sms; i++)
      c->sm[i].steps += !c->sm[i].off;
    c->work += STEP_WORK * c->sms;
  }
  c->idle = m->cycle.idle(t, c, quiet) && t->config.skip_quiet;
  if (!t->launch.dispatch.done)
    m->launch.ready(t, c);
  if (!step && !u->watched) { /* a waveform has every cycle: with it, each is a step */
    c->skipped = !c->idle && !asked && waiting(t, c);
    c->skipped_from = c->cycle + 1;
  }
  return step;
}

struct sm_room gpu_room(const struct tandem *t, unsigned first, uint64_t leads) {
  struct sm_room room = SM_ROOM_ANY;
  unsigned i = first;
  do
    sm_cta_room(t->sms[i].sm, &room);
  while (++i < t->config.sms && (leads >> i & 1) == 0);
  return room;
}

static bool takes_ctas(const struct tandem *t, const struct cell *c) {
  return !t->launch.dispatch.done && t->launch.room[c->first];
}

/* Returns whether a cell may do its next cycle in this stretch. */
static bool may_step(const struct tandem *t, const struct cell *c) {
  if (c->idle || c->cycle >= t->lookahead.end)
    return false;
  return c->cycle == t->cycle ||
         (c->sm->failure.kind == FAIL_NONE && c->unit->failure.kind == FAIL_NONE &&
          !takes_ctas(t, c) && sm_may_step(c->sm->sm, c->cycle));
}

uint64_t cells_joined(const struct tandem *t) {
  uint64_t joined = t->lookahead.end;
  for (unsigned i = 0; i < t->ncells && joined > t->cycle + 1; i++) {
    const struct cell *c = &t->cells[i];
    if ((!c->idle || takes_ctas(t, c)) && c->cycle < joined)
      joined = c->cycle;
  }
  return joined > t->cycle ? joined : t->cycle + 1;
}

void gpu_parallel(void *tandem, unsigned thread) {
  struct tandem *t = tandem;
  uint64_t *ticks = t->time.sampled ? t->time.clocks[thread].ticks : NULL;
  const uint64_t last = ticks != NULL ? unit_ticks() : 0;
  gpu_mem_parts(t->mem, t->cycle, t->threads.parts[thread]);
  if (ticks != NULL)
    ticks[TANDEM_WALL_MEMORY] += unit_ticks() - last;
  const bool apart = t->lookahead.end > t->cycle + 1;
  struct cell *clocked[GPU_ALL];
  unsigned n = 0;
  for (unsigned i = t->threads.first[thread]; i < t->threads.first[thread + 1]; i++) {
    struct cell *c = &t->cells[t->threads.order[i]];
    if (c->cycle < t->cycle && !c->idle) /* a CTA has come */
      c->cycle = t->cycle;
    for (; may_step(t, c); c->cycle++) {
      if (!cell_cycle(t, c, ticks))
        continue;
      if (apart)
        follow_edge(&t->follow, c->unit, c->cycle, thread);
      else
        clocked[n++] = c;
    }
    if (apart)
      follow_stretch(&t->follow, c->unit, thread);
  }
  for (unsigned i = 0; i < n; i++) {
    follow_edge(&t->follow, clocked[i]->unit, t->cycle, thread);
    if (t->machine->cycle.stepped != NULL)
      t->machine->cycle.stepped(t, clocked[i]);
  }
}
