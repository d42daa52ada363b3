/* Sums over the SMs. */
#include <string.h>

#include "harness/gpu/gpu.h"

/* Cycles in which an SM was left out, or began a kernel, count as what they are: both schedulers
 * idle. */
static void add_left_out(struct sm_stats *stats, uint64_t cycles) {
  stats->stalls[STALL_IDLE] += 2 * (cycles - stats->cycles);
  stats->cycles = cycles;
}

void tandem_sm_statistics(const struct tandem *t, unsigned sm, struct sm_stats *stats) {
  memset(stats, 0, sizeof *stats);
  if (sm >= t->config.sms)
    return;
  sm_stats(t->sms[sm].sm, stats);
  add_left_out(stats, t->cycle);
}

static void split_wall(const struct tandem *t, struct tandem_stats *stats) {
  double known = 0, sampled = (double)t->sampled_ticks * t->threads;
  if (t->sampled_ticks == 0)
    return;
  for (unsigned part = 0; part < TANDEM_WALLS; part++) {
    uint64_t ticks = 0;
    for (unsigned i = 0; i < t->threads; i++)
      ticks += t->clocks[i].ticks[part];
    stats->wall[part] = (double)ticks / sampled * t->wall_s * t->threads;
    known += stats->wall[part];
  }
  const double other = t->wall_s * t->threads - known;
  stats->wall[TANDEM_WALL_OTHER] = other > 0 ? other : 0;
}

void tandem_statistics(const struct tandem *t, struct tandem_stats *stats) {
  memset(stats, 0, sizeof *stats);
  stats->cycles = t->cycle;
  stats->launches = t->launches;
  for (unsigned i = 0; i < t->config.sms; i++) {
    const struct gpu_sm *s = &t->sms[i];
    struct sm_stats one;
    tandem_sm_statistics(t, i, &one);
    sm_stats_add(&stats->sm, &one);
    stats->frontend_steps += s->steps;
    for (unsigned k = 0; k < STATE_LINES; k++)
      stats->compared += s->compared_state[k];
    if (s->iss != NULL)
      stats->iss_checked += iss_checked(s->iss);
  }
  stats->compared += lockstep_compared_outputs(t);
  cluster_statistics(t, &stats->buddy);
  for (unsigned k = 0; k < DISPATCH_OUTS; k++)
    stats->compared += t->dispatch.compared_out[k];
  for (unsigned k = 0; k < DISPATCH_STATES; k++)
    stats->compared += t->dispatch.compared_state[k];
  stats->mismatches =
      t->failure.kind == FAIL_PORT || t->failure.kind == FAIL_STATE || t->failure.kind == FAIL_ISS;
  gpu_mem_stats(t->mem, &stats->mem);
  stats->wall_s = t->wall_s;
  stats->khz = t->wall_s > 0 ? (double)t->cycle / t->wall_s / 1000 : 0;
  split_wall(t, stats);
}
