/* All statistics of a run as a list, from their tables. */
#include "harness/gpu/results/figures.h"

#include <errno.h>
#include <string.h>

#include "harness/gpu/core/gpu.h"
#include "harness/gpu/feature.h"

bool figure_counts(const struct figure *f) {
  return f->kind == FIGURE_COUNT || f->kind == FIGURE_MOST || f->kind == FIGURE_PART;
}

double figure_quotient(const struct figure *f) {
  if (f->kind == FIGURE_REAL)
    return f->real;
  return f->whole != 0 ? (double)f->value / (double)f->whole : 0;
}

static struct figure *of_run(const struct gpu_stats *s, struct figure *f) {
#define GROUP FIGURES_RUN
#define STAT_COUNT FIGURE_COUNT_ROW
#include "harness/gpu/results/run_stats.def"
#undef GROUP
  return f;
}

/* A slot of each scheduler in each cycle. */
static struct figure *of_stalls(const struct sm_stats *s, bool of_members, struct figure *f) {
  static const char *const paths[STALL_CODES] = {
#define STALL(code, id, name, title, of, text) [code] = "stalls." name,
#include "csim/ports/stalls.def"
  };
  uint64_t slots = 0;
#define GROUP FIGURES_STALLS
  for (unsigned i = 0; i < STALL_CODES; i++)
    slots += s->stalls[i];
  for (unsigned i = 0; i < STALL_CODES; i++)
    if (stalls[i].name != NULL && (of_members || stalls[i].of == STALL_OF_ALL))
      FIGURE_ROW(FIGURE_PART, paths[i], stalls[i].title, "slots", stalls[i].text, s->stalls[i],
                 slots)
#undef GROUP
  return f;
}

static struct figure *of_units(const struct sm_stats *s, struct figure *f) {
#define GROUP FIGURES_UNITS
#define ISA_UNIT(id, n, name)                                                                      \
  FIGURE_ROW(FIGURE_COUNT, "units." #id, #id, "warp instructions", name, s->by_unit[n], 0)
#include "csim/isa/core/isa.def"
#undef GROUP
  return f;
}

static struct figure *of_sm(const struct sm_stats *s, struct figure *f) {
#define GROUP FIGURES_SM
#define STAT_COUNT FIGURE_COUNT_ROW
#include "csim/sm/stats.def"
#undef GROUP
  return f;
}

static struct figure *of_memory(const struct mem_stats *s, struct figure *f) {
#define GROUP FIGURES_MEMORY
#define STAT_COUNT FIGURE_COUNT_ROW
#define STAT_MOST FIGURE_MOST_ROW
#define STAT_SHARE FIGURE_SHARE_ROW
#define STAT_MEAN FIGURE_MEAN_ROW
#include "csim/mem/stats.def"
#undef GROUP
  return f;
}

#define REAL(path, title, number, unit, text)                                                      \
  *f++ = (struct figure){FIGURES_ENERGY, FIGURE_REAL, NULL, path, title, unit, text, 0, 0, number};

/* Components: those of energy.def, then those of features, whose values follow each other. */
static struct figure *of_energy(const struct energy *e, struct figure *f) {
#define ENERGY_SOURCE(...)
#define ENERGY_FIGURE(...)
#define ENERGY_DYNAMIC(name, title, energy, text)                                                  \
  REAL("energy.dynamic." #name, title, e->dynamic_##name, "mJ", text)
#define ENERGY_STATIC(name, title, power, text)                                                    \
  REAL("energy.static." #name, "", e->static_##name, "mJ", "leakage: " text)
#define ENERGY_CYCLES(name, cycles, text)                                                          \
  REAL("energy.sm_cycles." #name, "", e->cycles_##name, "SM cycles", text)
#include "harness/gpu/energy/energy.def"
  const double *value = e->feature;
  for (size_t i = 0; i < features_count; i++)
    for (size_t k = 0; k < features[i]->energy.ncomponents; k++, value++) {
      const struct energy_component *x = &features[i]->energy.components[k];
      const bool cycles = strcmp(x->group, "sm_cycles") == 0;
      REAL(x->path, x->title, *value, cycles ? "SM cycles" : "mJ", x->text)
    }
#define ENERGY_LINE REAL
#include "harness/gpu/energy/totals.def"
  return f;
}

unsigned figures_features(const struct tandem_config *c) {
  unsigned set = 0;
  for (unsigned i = 0; i < features_count; i++)
    set |= (unsigned)(features[i]->present != NULL && features[i]->present(c)) << i;
  return set;
}

/* Gives the figures from *from on their heading; returns the end of the list. */
static struct figure *headed(struct figure *from, struct figure *end, const char *heading) {
  for (; from < end; from++)
    from->heading = heading;
  return end;
}

size_t figures_list(const struct tandem_config *c, const struct gpu_stats *stats, unsigned which,
                    struct figure list[FIGURES]) {
  struct energy energy;
  bool of_members = false;
  for (unsigned i = 0; i < features_count; i++)
    of_members = of_members || ((which >> i & 1) != 0 && features[i]->member_stalls);
  features_energy(c, stats, &energy);
  struct figure *f = headed(list, of_run(stats, list), "run");
  f = headed(f, of_stalls(&stats->sm, of_members, f), "scheduler slots by stall cause");
  f = headed(f, of_units(&stats->sm, f), "warp instructions by unit");
  f = headed(f, of_sm(&stats->sm, f), "SMs");
  f = headed(f, of_memory(&stats->mem, f), "memory");
  for (unsigned i = 0; i < features_count; i++)
    if ((which >> i & 1) != 0 && features[i]->figures != NULL)
      f = headed(f, features[i]->figures(stats, f), features[i]->title);
  f = headed(f, of_energy(&energy, f), "energy");
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
  return named(list, figures_list(&t->config, &stats, figures_features(&t->config), list), false,
               all);
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
  const size_t n = figures_list(&t->config, &stats, figures_features(&t->config), list);
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
              "there is no statistic \"%s\" of this GPU (docs/reference/statistics.md lists all)",
              name != NULL ? name : "");
  return TANDEM_USAGE;
}
