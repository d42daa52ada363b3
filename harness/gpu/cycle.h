/* What cycles of SMs and of clusters are made of; for sm_cycle.c and cluster_cycle.c. */
#ifndef TANDEM_CYCLE_H
#define TANDEM_CYCLE_H

#include <string.h>

#include "harness/gpu/check.h"
#include "harness/gpu/gpu.h"

/* What parts of a cycle cost about, to spread the work over threads. */
enum { CYCLE_WORK = 1, STEP_WORK = 2, ISSUE_WORK = 4 };

/* Where the time goes: adds the time since *last to a part. */
#define LAP(part)                                                                                  \
  do {                                                                                             \
    if (timed) {                                                                                   \
      const uint64_t now_ = gpu_ticks();                                                           \
      clock->ticks[part] += now_ - last;                                                           \
      last = now_;                                                                                 \
    }                                                                                              \
  } while (0)

/* Whether the front end's outputs ask for something. */
static inline bool outputs_active(const struct sm_frontend_out *out) {
  return (out->iss0_valid | out->iss1_valid | out->imiss_valid | out->done_valid |
          out->trap_valid) != 0;
}

/* The first failure of an SM stands. */
static inline void trouble(struct tandem *t, struct gpu_sm *s, enum failure_kind kind) {
  if (s->failure.kind == FAIL_NONE)
    s->failure.kind = kind;
  atomic_store_explicit(&t->trouble, true, memory_order_relaxed);
}

/* The back end with large warps: in->cfg_lrr stays as it is, as with others. */
static inline uint64_t cycle_slices(struct tandem *t, struct gpu_sm *s) {
  struct gpu_wide *w = s->wide;
  sm_wide_step(w->slices, t->cycle, &w->out, &w->in);
  memcpy(&s->in, &w->in, sizeof s->in);
  return told_set(&s->in);
}

/* Step 3: memory side, back end and check of an SM take s->out and give s->in, with large warps
 * those of s->wide, and say which of it is told.  work grows by what was issued. */
static inline __attribute__((always_inline)) uint64_t cycle_back_end_of(struct tandem *t,
                                                                        struct gpu_sm *s, bool wide,
                                                                        uint64_t *work, bool timed,
                                                                        struct gpu_clock *clock) {
  if (s->out.iss0_valid | s->out.iss1_valid) {
    s->last_issue = t->cycle;
    *work += ISSUE_WORK * (s->out.iss0_valid + s->out.iss1_valid);
  }
  uint64_t last = timed ? gpu_ticks() : 0;
  sm_mem_step(s->mem, t->cycle);
  LAP(TANDEM_WALL_MEMORY);
  const uint64_t told = wide ? cycle_slices(t, s) : sm_step(s->sm, t->cycle, &s->out, &s->in);
  LAP(TANDEM_WALL_BACKEND);
  if (s->iss != NULL) {
    if (!check_retired(s->iss, s->sm))
      trouble(t, s, FAIL_ISS);
    LAP(TANDEM_WALL_ISS);
  }
  if (s->sm_fault->kind != SM_FAULT_NONE)
    trouble(t, s, FAIL_BACKEND);
  return told;
}

#endif
