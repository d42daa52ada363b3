/* RTL that follows its references. */
#include "harness/gpu/host/follow.h"

#include "harness/unit/log.h"

bool follow_wanted(const struct tandem_config *c) {
  return c->engine == TANDEM_ENGINE_LOCKSTEP && c->compare && c->rtl_block > 1 &&
         !gpu_config_looked_at(c);
}

/* Outputs that depend on the inputs of their cycle have to be there at once. */
int follow_open(struct gpu_follow *f, struct unit *u, struct tandem_error *err) {
  f->n = u->index + 1;
  if (f->block == 0 || u->type->combinational)
    return 0;
  u->follows = true;
  return unit_log_open(u, f->block, err);
}

bool follow_runs(const struct gpu_follow *f) {
  for (unsigned i = 0; i < f->n; i++)
    if (f->units[i]->follows)
      return true;
  return false;
}

static void differs(struct gpu_follow *f) {
  atomic_store_explicit(f->trouble, true, memory_order_relaxed);
}

/* Returns true if another thread follows already. */
static bool follow(struct gpu_follow *f, struct unit *u, unsigned thread) {
  bool taken;
  if (!unit_follow(u, &taken, f->time->clocks[thread].ticks))
    differs(f);
  return !taken;
}

static void make_room(struct gpu_follow *f, struct unit *u, unsigned thread) {
  for (unsigned waited = 0; unit_log_level(u) == UNIT_LOG_FULL; waited++)
    if (follow(f, u, thread) && !follow_beside(f, thread))
      pool_pause(waited);
}

void follow_edge(struct gpu_follow *f, struct unit *u, uint64_t cycle, unsigned thread) {
  if (!unit_step_rtl(u, cycle, f->time->sampled ? f->time->clocks[thread].ticks : NULL))
    differs(f);
  if (!u->follows)
    return;
  const enum unit_log_level level = unit_log_level(u);
  if (level == UNIT_LOG_FULL)
    make_room(f, u, thread);
  else if (level == UNIT_LOG_BLOCK && !threads_beside(f->threads))
    (void)follow(f, u, thread);
  else if (level == UNIT_LOG_BLOCK)
    pool_ring(f->threads->pool);
}

void follow_stretch(struct gpu_follow *f, struct unit *u, unsigned thread) {
  if (u->follows && unit_log_due(u, f->block / 2))
    (void)follow(f, u, thread);
}

bool follow_beside(struct gpu_follow *f, unsigned thread) {
  bool any = false;
  for (unsigned i = 0; i < f->n; i++) {
    struct unit *u = f->units[i];
    if (u->log != NULL && unit_log_due(u, f->block))
      any |= !follow(f, u, thread);
  }
  return any;
}

void follow_all(struct gpu_follow *f) {
  for (unsigned i = 0; i < f->n; i++) {
    struct unit *u = f->units[i];
    if (!u->follows)
      continue;
    for (unsigned waited = 0; follow(f, u, 0); waited++)
      pool_pause(waited);
    if (!unit_follow_all(u, f->time->clocks[0].ticks))
      differs(f);
  }
}
