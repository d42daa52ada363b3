/* Sums over the SMs. */
#include "harness/gpu/results/statistics.h"

#include <string.h>

#include "harness/gpu/core/gpu.h"
#include "harness/gpu/core/machine.h"

/* Cycles in which an SM was left out, or began a kernel, count as what they are: both schedulers
 * idle. */
static void add_left_out(struct sm_stats *stats, uint64_t cycles) {
  stats->stalls[STALL_IDLE] += 2 * (cycles - stats->cycles);
  stats->cycles = cycles;
}

void gpu_sm_statistics(const struct tandem *t, unsigned sm, struct sm_stats *stats) {
  memset(stats, 0, sizeof *stats);
  if (sm >= t->nsms)
    return;
  sm_stats(t->sms[sm].sm, stats);
  add_left_out(stats, t->cycle);
}

static void split_wall(const struct tandem *t, struct gpu_stats *stats) {
  double known = 0, sampled = (double)t->time.sampled_ticks * t->threads.n;
  if (t->time.sampled_ticks == 0)
    return;
  for (unsigned part = 0; part < TANDEM_WALLS; part++) {
    uint64_t ticks = 0;
    for (unsigned i = 0; i < t->threads.n; i++)
      ticks += t->time.clocks[i].ticks[part];
    stats->wall[part] = (double)ticks / sampled * t->time.wall_s * t->threads.n;
    known += stats->wall[part];
  }
  const double other = t->time.wall_s * t->threads.n - known;
  stats->wall[TANDEM_WALL_OTHER] = other > 0 ? other : 0;
}

void gpu_statistics(const struct tandem *t, struct gpu_stats *stats) {
  memset(stats, 0, sizeof *stats);
  stats->cycles = t->cycle;
  stats->launches = t->launch.count;
  for (unsigned i = 0; i < t->nsms; i++) {
    const struct gpu_sm *s = &t->sms[i];
    struct sm_stats one;
    gpu_sm_statistics(t, i, &one);
    sm_stats_add(&stats->sm, &one);
    stats->frontend_steps += s->steps;
    if (s->iss != NULL)
      stats->iss_checked += iss_checked(s->iss);
  }
  stats->shared_races = t->check != NULL ? iss_shared_races(t->check) : 0;
  stats->global_races = t->check != NULL ? iss_global_races(t->check) : 0;
  for (unsigned i = 0; i < t->nunits; i++)
    stats->compared += unit_compared(t->units[i]);
  stats->mismatches = t->end.failure.kind == FAIL_PORT || t->end.failure.kind == FAIL_STATE ||
                      t->end.failure.kind == FAIL_ISS;
  stats->warp_room = t->config.sm.warps * stats->sm.active_cycles;
  gpu_mem_stats(t->mem, &stats->mem);
  if (t->machine->launch.statistics != NULL)
    t->machine->launch.statistics(t, stats);
  stats->wall_s = t->time.wall_s;
  stats->khz = t->time.wall_s > 0 ? (double)t->cycle / t->time.wall_s / 1000 : 0;
  split_wall(t, stats);
}

/* The units from first on that are of its type: up to which one. */
static unsigned same_type(const struct tandem *t, unsigned first) {
  unsigned end = first + 1;
  while (end < t->nunits && t->units[end]->type == t->units[first]->type)
    end++;
  return end;
}

static void add_row(struct tandem_compared *rows, size_t max, size_t *n, const char *unit,
                    const char *name, uint64_t count) {
  if (*n < max)
    rows[*n] = (struct tandem_compared){unit, name, count};
  ++*n;
}

size_t tandem_comparisons(const struct tandem *t, struct tandem_compared *rows, size_t max) {
  size_t n = 0;
  for (unsigned u = 0, end; u < t->nunits; u = end) {
    const struct unit_type *type = t->units[u]->type;
    end = same_type(t, u);
    for (unsigned r = 0; r < type->nrows; r++)
      for (unsigned i = 0; i < type->rows[r].ports->outs; i++) {
        uint64_t sum = 0;
        for (unsigned k = u; k < end; k++)
          sum += unit_compared_out(t->units[k], r, i);
        add_row(rows, max, &n, type->rows[r].ports->name, type->rows[r].ports->out[i].name, sum);
      }
    for (unsigned p = 0; p < type->nparts; p++)
      for (unsigned i = 0; i < type->parts[p].ports->lines; i++) {
        uint64_t sum = 0;
        for (unsigned k = u; k < end; k++)
          sum += unit_compared_state(t->units[k], p, i);
        add_row(rows, max, &n, type->parts[p].instance, type->parts[p].ports->states[i].name, sum);
      }
  }
  return n;
}
