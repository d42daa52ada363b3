/* One kernel, from its first cycle to its last.
 *
 * A cycle; cells may have some cycles before the rest of a cycle follows (lookahead.h):
 *   1. in parallel, every cell and memory partition: cell.c
 *   2. the machine's own units
 *   3. gpu_mem_join: loads, stores and atomics take effect, packets move
 *   4. the units of every GPU: CTA dispatch
 *   5. has anything failed, is everything done?
 */
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "csim/sm/spin.h"
#include "harness/gpu/core/cell.h"
#include "harness/gpu/core/check.h"
#include "harness/gpu/core/gpu.h"
#include "harness/gpu/core/grid.h"
#include "harness/gpu/core/journal.h"
#include "harness/gpu/core/launch.h"
#include "harness/gpu/core/machine.h"

enum {
  SAMPLE = 61, /* every how many stretches time is taken; coprime to other periods */
  LOOK = 1024, /* every how many cycles to look for hangs */
  PROGRESS = 2048
};

/* The weight of the cells' work since the last call. */
static void take_work(struct tandem *t, uint64_t work[GPU_ALL]) {
  for (unsigned i = 0; i < t->ncells; i++) {
    work[i] = t->cells[i].work;
    t->cells[i].work = 0;
  }
}

static void begin(struct tandem *t) {
  t->launch.start = t->cycle;
  gpu_mem_begin(t->mem, &t->launch.grid);
  for (unsigned i = 0; i < t->ncells; i++) {
    cell_wake(t, &t->cells[i], t->cycle);
    t->cells[i].idle = false;
  }
  for (unsigned i = 0; i < t->nsms; i++) {
    struct gpu_sm *s = &t->sms[i];
    sm_begin(s->sm, &t->launch.grid);
    if (s->iss != NULL)
      iss_begin(s->iss, &t->launch.grid);
    s->idle = false;
    s->last_issue = t->cycle;
  }
  t->launch.dispatch = (struct gpu_dispatch){0};
  t->machine->launch.begin(t);
  gpu_units_begin(t);
  const bool ahead =
      lookahead_wanted(&t->config, t->machine->shape.apart) && !t->watch.on && t->nobservers == 0;
  const unsigned most = ahead ? gpu_mem_lookahead(t->mem) : 1;
  lookahead_begin(&t->lookahead, most < t->config.lookahead ? most : t->config.lookahead, t->cycle);
  uint64_t work[GPU_ALL];
  take_work(t, work);
  threads_begin(&t->threads, lookahead_apart(&t->lookahead), work, t->ncells);
}

/* Returns true if a failure of a unit comes before another one: in an earlier cycle, or in the same
 * one, where it is of no higher an SM, or before one of no SM. */
static bool comes_first(const struct unit *u, const struct failure *f) {
  if (f->kind == FAIL_NONE || u->failure.cycle != f->cycle)
    return f->kind == FAIL_NONE || u->failure.cycle < f->cycle;
  return f->kind > FAIL_ISS || (u->sms != 0 && u->failure.sm <= f->sm);
}

/* A failure of the machine, or none, and those of units.  Keeps the first one of the run. */
static void fail(struct tandem *t, struct failure f) {
  if (t->end.failure.kind != FAIL_NONE)
    return;
  follow_all(&t->follow);
  for (unsigned i = 0; i < t->nunits; i++)
    if (t->units[i]->failure.kind != FAIL_NONE && comes_first(t->units[i], &f))
      f = t->units[i]->failure;
  f.launch_cycle = t->launch.start;
  t->end.failure = f;
}

/* Keeps one failure of a cycle: that of the lowest SM; its unit's comes before its own. */
static void look_at_cells(struct tandem *t) {
  if (!atomic_load_explicit(&t->end.trouble, memory_order_relaxed))
    return;
  unsigned i = 0;
  while (i < t->nsms && t->sms[i].failure.kind == FAIL_NONE)
    i++;
  struct failure f = i < t->nsms ? t->sms[i].failure : (struct failure){.kind = FAIL_NONE};
  f.sm = i;
  f.cycle = t->cycle;
  fail(t, f);
}

static void look_for_faults(struct tandem *t) {
  const struct mem_fault *m = gpu_mem_fault(t->mem);
  look_at_cells(t);
  if (t->machine->cycle.fault != NULL && t->machine->cycle.fault(t) != NULL)
    fail(t, (struct failure){.kind = FAIL_MACHINE, .cycle = t->cycle});
  if (m->kind != 0)
    fail(t, (struct failure){.kind = FAIL_MEMORY, .sm = m->sm, .cycle = t->cycle});
}

static void look_for_hang(struct tandem *t) {
  uint64_t last = t->launch.start;
  unsigned busy = 0;
  for (unsigned i = 0; i < t->nsms; i++) {
    if (t->sms[i].last_issue > last)
      last = t->sms[i].last_issue;
    if (!t->sms[i].idle && t->sms[busy].idle)
      busy = i;
  }
  /* With memory still at work, progress may be slow but sure. */
  const uint64_t limit =
      (uint64_t)t->config.hang_cycles * (gpu_mem_idle(t->mem) ? 1 : 20) +
      (t->machine->launch.pause != NULL ? t->machine->launch.pause(&t->config) : 0);
  if (t->cycle - last > limit)
    fail(t, (struct failure){.kind = FAIL_HANG, .sm = busy, .cycle = t->cycle});
  if (t->cycle - t->launch.start > t->config.max_cycles)
    fail(t, (struct failure){.kind = FAIL_ENDLESS, .sm = busy, .cycle = t->cycle});
}

/* Returns whether nothing can happen any more: every live warp spins or waits for one that does, no
 * CTA can start, and memory is as it was when each of them was seen to repeat its loop.  *sm
 * becomes the first SM at work. */
static bool all_spin(const struct tandem *t, unsigned *sm) {
  uint64_t since = UINT64_MAX, changed = 0;
  unsigned first = t->nsms;
  for (unsigned i = 0; i < t->nsms; i++) {
    sm_take_changes(t->sms[i].sm);
    if (!t->sms[i].idle && !sm_spins(t->sms[i].sm, &since))
      return false;
    if (!t->launch.dispatch.done && t->launch.room[i])
      return false;
    if (first == t->nsms && !t->sms[i].idle)
      first = i;
    if (sm_changed(t->sms[i].sm) > changed)
      changed = sm_changed(t->sms[i].sm);
  }
  *sm = first;
  return since != UINT64_MAX && since > changed;
}

static void look_for_spin(struct tandem *t) {
  unsigned sm;
  if (all_spin(t, &sm))
    fail(t, (struct failure){.kind = FAIL_SPIN, .sm = sm, .cycle = t->cycle});
}

/* For those who look at statistics. */
static void wake_all(struct tandem *t) {
  for (unsigned i = 0; i < t->ncells; i++)
    cell_wake(t, &t->cells[i], t->cycle);
}

static void show_progress(struct tandem *t) {
  const double now = gpu_seconds();
  if (now - t->launch.progress_at < 0.25)
    return;
  t->launch.progress_at = now;
  wake_all(t);
  struct tandem_progress p = {.cycles = t->cycle,
                              .ctas = t->launch.grid.ctas,
                              .ctas_done = t->launch.dispatch.first,
                              .kernel = t->launch.grid.kernel->name};
  for (unsigned i = 0; i < t->nsms; i++) {
    struct sm_stats s;
    sm_stats(t->sms[i].sm, &s);
    p.warp_instructions += s.warp_instructions;
  }
  t->config.on_progress(t->config.user, &p);
}

/* The SMs last: what they say is in the caches of other threads' processors. */
static bool finished(struct tandem *t) {
  if (!t->launch.dispatch.done || gpu_mem_works(t->mem))
    return false;
  for (unsigned n = 0; n < t->nsms; n++) {
    const struct gpu_sm *s = &t->sms[t->launch.not_idle];
    if (!s->idle || s->cell->cycle > t->cycle)
      return false;
    t->launch.not_idle = t->launch.not_idle + 1 == t->nsms ? 0 : t->launch.not_idle + 1;
  }
  return gpu_mem_idle(t->mem);
}

/* Things that need not be done every cycle. */
static void now_and_then(struct tandem *t) {
  const uint64_t age = t->cycle - t->launch.start;
  if (age % LOOK == 0)
    look_for_spin(t);
  if (age % LOOK == 0 || age > t->config.max_cycles)
    look_for_hang(t);
  if (age % GPU_PIECE == 0) {
    uint64_t work[GPU_ALL];
    take_work(t, work);
    lookahead_piece(&t->lookahead);
    threads_step(&t->threads, lookahead_apart(&t->lookahead), work, t->ncells);
  }
  if (t->config.on_progress != NULL && age % PROGRESS == 0)
    show_progress(t);
}

/* The parallel part of a stretch: each cell goes as far as it can. */
static void cells_run(struct tandem *t) {
  t->time.sampled = t->time.stretches++ % SAMPLE == 0;
  const uint64_t start = t->time.sampled ? unit_ticks() : 0;
  for (unsigned i = 0; t->lookahead.most > 1 && i < t->nsms; i++)
    sm_take_changes(t->sms[i].sm);
  lookahead_stretch(&t->lookahead, &t->config, t->cycle, t->launch.start);
  if (t->lookahead.end > t->cycle + 1)
    gpu_mem_ahead(t->mem, t->lookahead.end);
  if (t->time.sampled)
    t->time.clocks[0].ticks[TANDEM_WALL_MEMORY] += unit_ticks() - start;
  pool_run(t->threads.pool, t->threads.meet);
  if (t->time.sampled)
    t->time.sampled_ticks += unit_ticks() - start;
}

/* The serial part of a cycle, which all cells have had. */
static void cells_meet(struct tandem *t) {
  const uint64_t start = t->time.sampled ? unit_ticks() : 0;
  if (t->machine->cycle.step != NULL)
    t->machine->cycle.step(t);
  const uint64_t memory = t->time.sampled ? unit_ticks() : 0;
  gpu_mem_join(t->mem, t->cycle);
  if (t->time.sampled)
    t->time.clocks[0].ticks[TANDEM_WALL_MEMORY] += unit_ticks() - memory;
  gpu_units_step(t);
  look_for_faults(t);
  if (t->time.sampled)
    t->time.sampled_ticks += unit_ticks() - start;
}

/* Lets the observers look at what the last cycle has left. */
static int observe(struct tandem *t, struct tandem_error *err) {
  for (unsigned i = 0; i < t->nobservers; i++)
    TRY(t->observers[i].look(t, t->observers[i].own, err));
  return 0;
}

/* Returns whether the launch goes on after a cycle; *tail: cycles left after a failure. */
static bool goes_on(struct tandem *t, unsigned *tail) {
  if (__builtin_expect(t->end.failure.kind != FAIL_NONE, 0) &&
      (t->end.failure.kind > FAIL_ISS || (*tail)-- == 0))
    return false;
  t->launch.stopped = t->config.stop != 0 && t->cycle >= t->config.stop;
  return !t->launch.stopped && !(t->watch.on && t->cycle > t->watch.stop) && !finished(t);
}

/* To the end of the launch or the first failure, and the watch's tail. */
static int run(struct tandem *t, struct tandem_error *err) {
  unsigned tail = t->watch.tail;
  bool more = true;
  while (more) {
    const int status = observe(t, err);
    if (status != 0)
      return status;
    cells_run(t);
    const uint64_t joined = cells_joined(t);
    do {
      cells_meet(t);
      t->cycle++;
      now_and_then(t);
      more = goes_on(t, &tail);
    } while (more && t->cycle < joined);
  }
  return 0;
}

/* States that changed since they were compared, and instructions that the check still holds. */
static void compare_rest(struct tandem *t) {
  const bool compare = t->config.engine == TANDEM_ENGINE_LOCKSTEP && t->config.compare;
  for (unsigned i = 0; i < t->nsms && t->end.failure.kind == FAIL_NONE; i++) {
    struct gpu_sm *s = &t->sms[i];
    struct unit *u = s->cell->unit;
    const unsigned row = i - u->first;
    if (compare && u->state[row].due && !unit_compare_state(u, row, t->cycle))
      fail(t, u->failure);
    else if (s->iss != NULL && !iss_finish(s->iss))
      fail(t, (struct failure){.kind = FAIL_ISS, .sm = i, .cycle = t->cycle});
  }
  unsigned sm = 0;
  if (t->end.failure.kind == FAIL_NONE && !check_finish(t, &sm))
    fail(t, (struct failure){.kind = FAIL_ISS, .sm = sm, .cycle = t->cycle});
  for (unsigned i = t->ncells; i < t->nunits && t->end.failure.kind == FAIL_NONE; i++) {
    struct unit *u = t->units[i];
    if (compare && u->state[0].due && !unit_compare_state(u, 0, t->cycle))
      fail(t, u->failure);
  }
  uint64_t compared = 0;
  for (unsigned i = 0; i < t->ncells; i++)
    compared += t->cells[i].unit->compared[0][0];
  if (compared == 0 && compare)
    fail(t, (struct failure){.kind = FAIL_EMPTY, .cycle = t->cycle});
}

enum tandem_status gpu_launch(struct tandem *t, const struct tandem_launch *launch,
                              struct tandem_error *err) {
  int status = gpu_grid_make(t, launch, err);
  if (status == 0 && t->journal != NULL && !journal_launch(t->journal, launch))
    status = tandem_fail(err, -ENOMEM, "out of memory");
  if (status == 0)
    status = check_begin(t, err);
  if (status == 0)
    status = gpu_results.begin(t, err);
  if (status != 0) {
    gpu_grid_drop(t);
    return TANDEM_USAGE;
  }
  const double start = gpu_seconds();
  begin(t);
  status = run(t, err);
  follow_all(&t->follow);
  look_at_cells(t);
  wake_all(t);
  t->time.wall_s += gpu_seconds() - start;
  if (status == 0 && t->end.failure.kind == FAIL_NONE && !t->watch.on && !t->launch.stopped)
    compare_rest(t);
  t->launch.count++;
  const int kept = gpu_results.end(t, status == 0 ? launch->kernel : NULL, err);
  if (status == 0)
    status = kept;
  if (t->end.failure.kind != FAIL_NONE)
    return TANDEM_FAULT;
  if (t->launch.stopped || (t->watch.on && t->cycle > t->watch.stop)) {
    tandem_fail(err, 0, "stopped");
    return TANDEM_FAULT;
  }
  gpu_grid_drop(t);
  return status != 0 ? TANDEM_USAGE : TANDEM_OK;
}
