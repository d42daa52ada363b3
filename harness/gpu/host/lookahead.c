/* The lengths of stretches. */
#include "harness/gpu/host/lookahead.h"

#include "csim/sm/spin.h"
#include "harness/gpu/core/gpu.h"

enum {
  SHORTEST = 2, /* cycles of a stretch on average, for which meeting less often pays */
  REST = 15     /* pieces without stretches after one in which they were shorter */
};

bool lookahead_wanted(const struct tandem_config *c) {
  /* Without quiet cycles that are left out, a cell would go on behind the end of a launch. */
  return c->lookahead > 1 && c->skip_quiet && !c->races && !gpu_config_looked_at(c) &&
         machine_of(c)->shape.apart;
}

void lookahead_begin(struct tandem *t) {
  const bool wanted = lookahead_wanted(&t->config) && !t->watch.on && t->nobservers == 0;
  const unsigned most = wanted ? gpu_mem_lookahead(t->mem) : 1;
  t->lookahead = (struct gpu_lookahead){
      .most = t->config.lookahead < most ? t->config.lookahead : most, .end = t->cycle};
}

static uint64_t earlier(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Returns the end of the stretch that begins now: something looks at all cells in the same cycle
 * there. */
static uint64_t end_of(const struct tandem *t) {
  const uint64_t age = t->cycle - t->launch.start, next = t->cycle + 1;
  uint64_t end = t->cycle + t->lookahead.most;
  end = earlier(end, t->launch.start + (age / GPU_PIECE + 1) * GPU_PIECE);
  end = earlier(end, t->launch.start + t->config.max_cycles + 1);
  if (t->config.stop != 0)
    end = earlier(end, t->config.stop);
  return end > next ? end : next;
}

bool lookahead_apart(const struct tandem *t) {
  return t->lookahead.most > 1 && t->lookahead.rest == 0;
}

void lookahead_stretch(struct tandem *t) {
  struct gpu_lookahead *l = &t->lookahead;
  l->meetings++;
  for (unsigned i = 0; l->most > 1 && i < t->nsms; i++)
    sm_take_changes(t->sms[i].sm);
  l->end = lookahead_apart(t) ? end_of(t) : t->cycle + 1;
  if (l->end > t->cycle + 1)
    gpu_mem_ahead(t->mem, l->end);
}

static bool takes_ctas(const struct tandem *t, const struct cell *c) {
  return !t->launch.dispatch.done && t->launch.room[c->first];
}

bool lookahead_may_step(const struct tandem *t, const struct cell *c) {
  if (c->idle || c->cycle >= t->lookahead.end)
    return false;
  return c->cycle == t->cycle ||
         (c->sm->failure.kind == FAIL_NONE && c->unit->failure.kind == FAIL_NONE &&
          !takes_ctas(t, c) && sm_may_step(c->sm->sm, c->cycle));
}

uint64_t lookahead_joined(const struct tandem *t) {
  uint64_t joined = t->lookahead.end;
  for (unsigned i = 0; i < t->ncells && joined > t->cycle + 1; i++) {
    const struct cell *c = &t->cells[i];
    if (!c->idle || takes_ctas(t, c))
      joined = earlier(joined, c->cycle);
  }
  return joined > t->cycle ? joined : t->cycle + 1;
}

void lookahead_piece(struct tandem *t) {
  struct gpu_lookahead *l = &t->lookahead;
  if (l->rest > 0)
    l->rest--;
  else if (l->meetings * SHORTEST > GPU_PIECE)
    l->rest = REST;
  l->meetings = 0;
}
