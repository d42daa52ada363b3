/* RTL that follows its references. */
#include "harness/gpu/host/follow.h"

#include "harness/gpu/core/gpu.h"
#include "harness/unit/log.h"

bool follow_wanted(const struct tandem_config *c) {
  return c->engine == TANDEM_ENGINE_LOCKSTEP && c->compare && c->rtl_block > 1 &&
         !gpu_config_looked_at(c);
}

/* Outputs that depend on the inputs of their cycle have to be there at once. */
int follow_open(const struct tandem *t, struct unit *u, struct tandem_error *err) {
  if (!follow_wanted(&t->config) || u->type->combinational)
    return 0;
  u->follows = true;
  return unit_log_open(u, t->config.rtl_block, err);
}

bool follow_runs(const struct tandem *t) {
  for (unsigned i = 0; i < t->nunits; i++)
    if (t->units[i]->follows)
      return true;
  return false;
}

/* Returns true if another thread follows already. */
static bool follow(struct tandem *t, struct unit *u, unsigned thread) {
  bool taken;
  if (!unit_follow(u, &taken, t->time.clocks[thread].ticks))
    set_failed(t);
  return !taken;
}

static void make_room(struct tandem *t, struct unit *u, unsigned thread) {
  for (unsigned waited = 0; unit_log_level(u) == UNIT_LOG_FULL; waited++)
    if (follow(t, u, thread) && !follow_beside(t, thread))
      pool_pause(waited);
}

void follow_edge(struct tandem *t, struct unit *u, uint64_t cycle, unsigned thread) {
  if (!unit_step_rtl(u, cycle, t->time.sampled ? t->time.clocks[thread].ticks : NULL))
    set_failed(t);
  if (!u->follows)
    return;
  const enum unit_log_level level = unit_log_level(u);
  if (level == UNIT_LOG_FULL)
    make_room(t, u, thread);
  else if (level == UNIT_LOG_BLOCK && !threads_beside(t))
    (void)follow(t, u, thread);
  else if (level == UNIT_LOG_BLOCK)
    pool_ring(t->threads.pool);
}

void follow_stretch(struct tandem *t, struct unit *u, unsigned thread) {
  if (u->follows && unit_log_due(u, t->config.rtl_block / 2))
    (void)follow(t, u, thread);
}

bool follow_beside(void *tandem, unsigned thread) {
  struct tandem *t = tandem;
  bool any = false;
  for (unsigned i = 0; i < t->nunits; i++) {
    struct unit *u = t->units[i];
    if (u->log != NULL && unit_log_due(u, t->config.rtl_block))
      any |= !follow(t, u, thread);
  }
  return any;
}

void follow_all(struct tandem *t) {
  for (unsigned i = 0; i < t->nunits; i++) {
    struct unit *u = t->units[i];
    if (!u->follows)
      continue;
    for (unsigned waited = 0; follow(t, u, 0); waited++)
      pool_pause(waited);
    if (!unit_follow_all(u, t->time.clocks[0].ticks))
      set_failed(t);
  }
}
