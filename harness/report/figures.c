/* All statistics of a run as a list, from their tables. */
#include "harness/report/figures.h"

const char *const figure_groups[FIGURE_GROUPS] = {
    [FIGURES_RUN] = "run",
    [FIGURES_STALLS] = "scheduler slots by stall cause",
    [FIGURES_UNITS] = "warp instructions by unit",
    [FIGURES_SM] = "SMs",
    [FIGURES_MEMORY] = "memory",
    [FIGURES_BUDDY] = "shared front ends",
};

double figure_quotient(const struct figure *f) {
  return f->whole != 0 ? (double)f->value / (double)f->whole : 0;
}

/* Lines of a table as figures of the group GROUP, after f. */
#define COUNT(field, path, title, unit, text)                                                      \
  *f++ = (struct figure){GROUP, FIGURE_COUNT, path, title, unit, text, s->field, 0};
#define VALUE(path, title, value, unit, text)                                                      \
  *f++ = (struct figure){GROUP, FIGURE_COUNT, path, title, unit, text, value, 0};
#define SHARE(path, title, part, whole, text)                                                      \
  *f++ = (struct figure){GROUP, FIGURE_SHARE, path, title, "share", text, part, whole};
#define MEAN(path, title, sum, count, unit, text)                                                  \
  *f++ = (struct figure){GROUP, FIGURE_MEAN, path, title, unit, text, sum, count};

static struct figure *of_run(const struct tandem_stats *s, struct figure *f) {
#define GROUP FIGURES_RUN
#define STAT_COUNT COUNT
#include "harness/run_stats.def"
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
      *f++ = (struct figure){FIGURES_STALLS, FIGURE_PART,    paths[i],     stalls[i].title,
                             "slots",        stalls[i].text, s->stalls[i], slots};
  return f;
}

static struct figure *of_units(const struct sm_stats *s, struct figure *f) {
#define ISA_UNIT(id, n, name)                                                                      \
  *f++ = (struct figure){FIGURES_UNITS,       FIGURE_COUNT, "units." #id,  #id,                    \
                         "warp instructions", name,         s->by_unit[n], 0};
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
#define STAT_MOST COUNT
#define STAT_SHARE SHARE
#define STAT_MEAN MEAN
#include "csim/mem/stats.def"
#undef GROUP
  return f;
}

static struct figure *of_buddy(const struct tandem_buddy *s, struct figure *f) {
#define GROUP FIGURES_BUDDY
#define STAT_COUNT COUNT
#define STAT_VALUE VALUE
#define STAT_SHARE SHARE
#include "harness/buddy_stats.def"
#undef GROUP
  return f;
}

/* How many lines the tables have. */
enum {
#define STAT_COUNT(...) +1
  LINES = STALL_CODES + 16
#include "csim/sm/stats.def"
#define STAT_COUNT(...) +1
#include "harness/run_stats.def"
#define STAT_COUNT(...) +1
#define STAT_MOST(...) +1
#define STAT_SHARE(...) +1
#define STAT_MEAN(...) +1
#include "csim/mem/stats.def"
#define STAT_COUNT(...) +1
#define STAT_VALUE(...) +1
#define STAT_SHARE(...) +1
#include "harness/buddy_stats.def"
};
_Static_assert((int)LINES <= (int)FIGURES, "the list has room for all");

size_t figures_list(const struct tandem_stats *stats, bool of_clusters,
                    struct figure list[FIGURES]) {
  struct figure *f = of_run(stats, list);
  f = of_stalls(&stats->sm, of_clusters, f);
  f = of_units(&stats->sm, f);
  f = of_sm(&stats->sm, f);
  f = of_memory(&stats->mem, f);
  if (of_clusters)
    f = of_buddy(&stats->buddy, f);
  return (size_t)(f - list);
}
