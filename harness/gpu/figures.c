/* All statistics of a run as a list, from their tables. */
#include "harness/gpu/figures.h"

#include <errno.h>
#include <string.h>

#include "harness/gpu/gpu.h"

const char *const figure_groups[FIGURE_GROUPS] = {
    [FIGURES_RUN] = "run",
    [FIGURES_STALLS] = "scheduler slots by stall cause",
    [FIGURES_UNITS] = "warp instructions by unit",
    [FIGURES_SM] = "SMs",
    [FIGURES_MEMORY] = "memory",
    [FIGURES_BUDDY] = "shared front ends",
    [FIGURES_SPU] = "stencil processing unit",
    [FIGURES_ENERGY] = "energy",
};

bool figure_counts(const struct figure *f) {
  return f->kind == FIGURE_COUNT || f->kind == FIGURE_MOST || f->kind == FIGURE_PART;
}

double figure_quotient(const struct figure *f) {
  if (f->kind == FIGURE_REAL)
    return f->real;
  return f->whole != 0 ? (double)f->value / (double)f->whole : 0;
}

/* Lines of a table as figures of the group GROUP, after f. */
#define COUNT(field, path, title, unit, text)                                                      \
  *f++ = (struct figure){GROUP, FIGURE_COUNT, path, title, unit, text, s->field, 0, 0};
#define MOST(field, path, title, unit, text)                                                       \
  *f++ = (struct figure){GROUP, FIGURE_MOST, path, title, unit, text, s->field, 0, 0};
#define VALUE(path, title, value, unit, text)                                                      \
  *f++ = (struct figure){GROUP, FIGURE_COUNT, path, title, unit, text, value, 0, 0};
#define SHARE(path, title, part, whole, text)                                                      \
  *f++ = (struct figure){GROUP, FIGURE_SHARE, path, title, "share", text, part, whole, 0};
#define MEAN(path, title, sum, count, unit, text)                                                  \
  *f++ = (struct figure){GROUP, FIGURE_MEAN, path, title, unit, text, sum, count, 0};

static struct figure *of_run(const struct gpu_stats *s, struct figure *f) {
#define GROUP FIGURES_RUN
#define STAT_COUNT COUNT
#include "harness/gpu/run_stats.def"
#undef GROUP
  return f;
}

/* A slot of each scheduler in each cycle. */
static struct figure *of_stalls(const struct sm_stats *s, bool of_clusters, struct figure *f) {
  static const char *const paths[STALL_CODES] = {
#define STALL(code, id, name, title, of, text) [code] = "stalls." name,
#include "csim/ports/stalls.def"
  };
  uint64_t slots = 0;
  for (unsigned i = 0; i < STALL_CODES; i++)
    slots += s->stalls[i];
  for (unsigned i = 0; i < STALL_CODES; i++)
    if (stalls[i].name != NULL && (of_clusters || stalls[i].of == STALL_OF_ALL))
      *f++ = (struct figure){FIGURES_STALLS,  FIGURE_PART, paths[i],
                             stalls[i].title, "slots",     stalls[i].text,
                             s->stalls[i],    slots,       0};
  return f;
}

static struct figure *of_units(const struct sm_stats *s, struct figure *f) {
#define ISA_UNIT(id, n, name)                                                                      \
  *f++ = (struct figure){FIGURES_UNITS,                                                            \
                         FIGURE_COUNT,                                                             \
                         "units." #id,                                                             \
                         #id,                                                                      \
                         "warp instructions",                                                      \
                         name,                                                                     \
                         s->by_unit[n],                                                            \
                         0,                                                                        \
                         0};
#include "csim/isa/core/isa.def"
  return f;
}

static struct figure *of_sm(const struct sm_stats *s, struct figure *f) {
#define GROUP FIGURES_SM
#define STAT_COUNT COUNT
#include "csim/sm/stats.def"
#undef GROUP
  return f;
}

static struct figure *of_memory(const struct mem_stats *s, struct figure *f) {
#define GROUP FIGURES_MEMORY
#define STAT_COUNT COUNT
#define STAT_MOST MOST
#define STAT_SHARE SHARE
#define STAT_MEAN MEAN
#include "csim/mem/stats.def"
#undef GROUP
  return f;
}

static struct figure *of_buddy(const struct gpu_buddy_stats *s, struct figure *f) {
#define GROUP FIGURES_BUDDY
#define STAT_COUNT COUNT
#define STAT_VALUE VALUE
#define STAT_SHARE SHARE
#include "harness/gpu/buddy/buddy_stats.def"
#undef GROUP
  return f;
}

static struct figure *of_spu(const struct gpu_spu_stats *s, struct figure *f) {
#define GROUP FIGURES_SPU
#define STAT_COUNT COUNT
#define STAT_VALUE VALUE
#include "harness/gpu/spu/spu_stats.def"
#undef GROUP
  return f;
}

#define REAL(path, title, number, unit, text)                                                      \
  *f++ = (struct figure){FIGURES_ENERGY, FIGURE_REAL, path, title, unit, text, 0, 0, number};

static struct figure *of_energy(const struct energy *e, struct figure *f) {
#define ENERGY_SOURCE(...)
#define ENERGY_FIGURE(...)
#define ENERGY_DYNAMIC(name, title, energy, text)                                                  \
  REAL("energy.dynamic." #name, title, e->dynamic_##name, "mJ", text)
#define ENERGY_STATIC(...)
#define ENERGY_CYCLES(...)
#include "harness/gpu/energy/energy.def"
#define ENERGY_SOURCE(...)
#define ENERGY_FIGURE(...)
#define ENERGY_DYNAMIC(...)
#define ENERGY_STATIC(name, title, power, text)                                                    \
  REAL("energy.static." #name, "", e->static_##name, "mJ", "leakage: " text)
#define ENERGY_CYCLES(name, cycles, text)                                                          \
  REAL("energy.sm_cycles." #name, "", e->cycles_##name, "SM cycles", text)
#include "harness/gpu/energy/energy.def"
#define ENERGY_LINE REAL
#include "harness/gpu/energy/totals.def"
  return f;
}

/* How many lines the tables have. */
enum {
#define STAT_COUNT(...) +1
  LINES = STALL_CODES + 16
#include "csim/sm/stats.def"
#define STAT_COUNT(...) +1
#include "harness/gpu/run_stats.def"
#define STAT_COUNT(...) +1
#define STAT_MOST(...) +1
#define STAT_SHARE(...) +1
#define STAT_MEAN(...) +1
#include "csim/mem/stats.def"
#define STAT_COUNT(...) +1
#define STAT_VALUE(...) +1
#define STAT_SHARE(...) +1
#include "harness/gpu/buddy/buddy_stats.def"
#define STAT_COUNT(...) +1
#define STAT_VALUE(...) +1
#include "harness/gpu/spu/spu_stats.def"
#define ENERGY_SOURCE(...)
#define ENERGY_FIGURE(...)
#define ENERGY_DYNAMIC(...) +1
#define ENERGY_STATIC(...) +1
#define ENERGY_CYCLES(...) +1
#include "harness/gpu/energy/energy.def"
#define ENERGY_LINE(...) +1
#include "harness/gpu/energy/totals.def"
};
_Static_assert((int)LINES <= (int)FIGURES, "the list has room for all");

unsigned figures_features(const struct tandem_config *c) {
  return (c->buddy > 1 ? FIGURES_OF_BUDDY : 0) | (c->spu_columns != 0 ? FIGURES_OF_SPU : 0);
}

size_t figures_list(const struct gpu_stats *stats, unsigned features, struct figure list[FIGURES]) {
  struct figure *f = of_run(stats, list);
  f = of_stalls(&stats->sm, (features & FIGURES_OF_BUDDY) != 0, f);
  f = of_units(&stats->sm, f);
  f = of_sm(&stats->sm, f);
  f = of_memory(&stats->mem, f);
  if ((features & FIGURES_OF_BUDDY) != 0)
    f = of_buddy(&stats->buddy, f);
  if ((features & FIGURES_OF_SPU) != 0)
    f = of_spu(&stats->spu, f);
  f = of_energy(&stats->energy, f);
  return (size_t)(f - list);
}

/* The statistics of some figures: those with a name, and of_sm those of a single SM. */
static size_t named(const struct figure *list, size_t n, bool of_sm,
                    struct tandem_statistic rows[FIGURES]) {
  size_t found = 0;
  for (const struct figure *f = list; f < list + n; f++) {
    const bool ratio = !figure_counts(f);
    const bool has =
        f->group == FIGURES_STALLS || f->group == FIGURES_UNITS || f->group == FIGURES_SM;
    if (*f->path != '\0' && (has || !of_sm))
      rows[found++] =
          (struct tandem_statistic){.name = f->path,
                                    .unit = f->unit,
                                    .text = f->text,
                                    .count = ratio ? 0 : f->value,
                                    .value = ratio ? figure_quotient(f) : (double)f->value};
  }
  return found;
}

static size_t all_of(const struct tandem *t, struct tandem_statistic all[FIGURES]) {
  struct gpu_stats stats;
  struct figure list[FIGURES];
  gpu_statistics(t, &stats);
  return named(list, figures_list(&stats, figures_features(&t->config), list), false, all);
}

static size_t fill(const struct tandem_statistic *all, size_t n, struct tandem_statistic *rows,
                   size_t max) {
  for (size_t i = 0; i < n && i < max; i++)
    rows[i] = all[i];
  return n;
}

size_t tandem_statistics(const struct tandem *t, struct tandem_statistic *rows, size_t max) {
  struct tandem_statistic all[FIGURES];
  return fill(all, all_of(t, all), rows, max);
}

size_t tandem_sm_statistics(const struct tandem *t, unsigned sm, struct tandem_statistic *rows,
                            size_t max) {
  struct gpu_stats stats = {0};
  struct figure list[FIGURES];
  struct tandem_statistic all[FIGURES];
  if (sm >= t->nsms)
    return 0;
  gpu_sm_statistics(t, sm, &stats.sm);
  const size_t n = figures_list(&stats, figures_features(&t->config), list);
  return fill(all, named(list, n, true, all), rows, max);
}

enum tandem_status tandem_statistic(const struct tandem *t, const char *name,
                                    struct tandem_statistic *statistic, struct tandem_error *err) {
  struct tandem_statistic all[FIGURES];
  const size_t n = name != NULL ? all_of(t, all) : 0;
  for (size_t i = 0; i < n; i++)
    if (strcmp(all[i].name, name) == 0) {
      *statistic = all[i];
      return TANDEM_OK;
    }
  tandem_fail(err, -EINVAL,
              "there is no statistic \"%s\" of this GPU (docs/statistics.md lists all)",
              name != NULL ? name : "");
  return TANDEM_USAGE;
}
