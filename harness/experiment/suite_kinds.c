/* Settings of runs that are no simulation of a launch, and of runs that are expected to fail. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/experiment/suite_local.h"
#include "harness/gpu/faults.h"

enum { SEEDS_MOST = 100000 };

const char *const experiment_kinds[] = {"launch",  "random", "unit",
                                        "mutants", "fault",  "random_cl"};

bool experiment_has_seeds(int kind) {
  return kind == EXPERIMENT_RANDOM || kind == EXPERIMENT_RANDOM_CL;
}

static void whole(struct suite_reader *r, yaml_node_t *map, const char *key, uint64_t least,
                  uint64_t most, uint64_t *to) {
  yaml_node_t *node = suite_get(r, map, key);
  if (node != NULL)
    r->status = yaml_uint(&r->s->file, node, key, least, most, to, r->err);
}

static void read_random(struct suite_reader *r, yaml_node_t *map, int kind,
                        struct experiment_special *to) {
  static const char *const keys[] = {"count", "seed", NULL, NULL};
  static const char *const cl_keys[] = {"count", "seed", "programs", NULL};
  const bool cl = kind == EXPERIMENT_RANDOM_CL;
  suite_keys(r, map, experiment_kinds[kind], cl ? cl_keys : keys);
  to->count = 16;
  if (cl)
    whole(r, map, "programs", 1, 10000, &to->count);
  to->seeds = (struct experiment_seeds){.first = 1, .count = 100};
  whole(r, map, "count", 1, SEEDS_MOST, &to->seeds.count);
  whole(r, map, "seed", 0, UINT64_MAX / 2, &to->seeds.first);
}

static void read_mutants(struct suite_reader *r, yaml_node_t *map, struct experiment_special *to) {
  static const char *const keys[] = {"unit", "count", "seed", "least", NULL};
  suite_keys(r, map, "mutants", keys);
  to->count = 10;
  to->seed = 1;
  suite_text(r, map, "unit", &to->unit);
  whole(r, map, "count", 1, 5000, &to->count);
  whole(r, map, "seed", 0, 999999999, &to->seed);
  yaml_node_t *least = suite_get(r, map, "least");
  to->least = least != NULL ? suite_real(r, least, "least (score in %)") : 100;
  if (to->unit == NULL)
    suite_fail(r, map, "mutants need a unit");
}

static void read_fault(struct suite_reader *r, yaml_node_t *node, struct experiment_special *to) {
  const char *name = suite_word(r, node, "fault");
  to->fault = gpu_fault_named(name);
  if (to->fault == NULL)
    suite_fail(r, node,
               "no fault is named \"%s\"; `tandem bugs --list` shows those of every GPU, with "
               "--feature NAME those of a feature",
               name);
}

static void read_expected(struct suite_reader *r, yaml_node_t *map,
                          struct experiment_settings *to) {
  static const char *const names[] = {"pass", "fail", NULL};
  yaml_node_t *expect = suite_get(r, map, "expect");
  suite_text(r, map, "because", &to->because);
  suite_text(r, map, "place", &to->place);
  if (expect != NULL)
    to->expects_failure = (int)suite_choice(r, map, "expect", names);
  if (to->expects_failure == 1 && to->because == NULL)
    suite_fail(r, expect, "expect: fail needs its reason, because: TEXT");
  if (to->expects_failure != 1 && to->because != NULL)
    suite_fail(r, map, "because: is the reason of expect: fail");
  if (to->expects_failure != 1 && to->place != NULL)
    suite_fail(r, map, "place: is where expect: fail is to fail");
}

/* Two settings that name what is run are one too many. */
static void choose(struct suite_reader *r, const yaml_node_t *at, struct experiment_settings *to,
                   enum experiment_kind kind) {
  if (to->kind >= 0)
    suite_fail(
        r, at,
        "a run is one of launch, random, random_cl, unit, mutants, fault, not both %s and %s",
        experiment_kinds[to->kind], experiment_kinds[kind]);
  to->kind = (int)kind;
}

void experiment_read_kind(struct suite_reader *r, yaml_node_t *map,
                          struct experiment_settings *to) {
  yaml_node_t *random = suite_get(r, map, "random"), *unit = suite_get(r, map, "unit"),
              *mutants = suite_get(r, map, "mutants"), *fault = suite_get(r, map, "fault"),
              *random_cl = suite_get(r, map, "random_cl");
  read_expected(r, map, to);
  if (random != NULL) {
    choose(r, random, to, EXPERIMENT_RANDOM);
    read_random(r, random, EXPERIMENT_RANDOM, &to->special);
  }
  if (random_cl != NULL) {
    choose(r, random_cl, to, EXPERIMENT_RANDOM_CL);
    read_random(r, random_cl, EXPERIMENT_RANDOM_CL, &to->special);
  }
  if (unit != NULL) {
    choose(r, unit, to, EXPERIMENT_UNIT);
    to->special.unit = suite_word(r, unit, "unit");
    if (to->special.unit[strspn(to->special.unit, "abcdefghijklmnopqrstuvwxyz0123456789_")] != '\0')
      suite_fail(r, unit, "\"%s\" is no name of a unit", to->special.unit);
  }
  if (mutants != NULL) {
    choose(r, mutants, to, EXPERIMENT_MUTANTS);
    read_mutants(r, mutants, &to->special);
  }
  if (fault != NULL) {
    choose(r, fault, to, EXPERIMENT_FAULT);
    read_fault(r, fault, &to->special);
  }
}

/* ---- the axis of seeds ---- */

static bool within(const struct experiment_seeds *of, uint64_t seed) {
  return seed >= of->first && seed - of->first < of->count;
}

bool experiment_has_seed(const struct experiment_suite *s, const struct experiment_value *entry,
                         const char *seed) {
  const uint64_t number = strtoull(seed, NULL, 10);
  return experiment_has_seeds(entry->settings.kind) &&
         (within(&entry->settings.special.seeds, number) || within(&s->fresh, number));
}

/* Lists the seeds of a range that no list before has; returns their number. */
static size_t list(const struct experiment_suite *s, const struct experiment_seeds *of,
                   const struct experiment_seeds *before, size_t nbefore, size_t n) {
  for (uint64_t seed = of->first; seed < of->first + of->count; seed++) {
    bool known = false;
    for (size_t i = 0; i < nbefore && !known; i++)
      known = within(&before[i], seed);
    if (!known && s->seeds != NULL)
      snprintf(s->seeds[n], sizeof s->seeds[n], "%llu", (unsigned long long)seed);
    n += !known;
  }
  return n;
}

/* All seeds of all entries, each once. */
static size_t list_all(const struct experiment_suite *s, struct experiment_seeds *ranges) {
  const struct experiment_axis *runs = &s->axes[0];
  size_t nranges = 0, n = 0;
  for (size_t i = 0; i < runs->n; i++) {
    const struct experiment_settings *of = &runs->values[i].settings;
    if (!experiment_has_seeds(of->kind))
      continue;
    n = list(s, &of->special.seeds, ranges, nranges, n);
    ranges[nranges++] = of->special.seeds;
  }
  return nranges != 0 ? list(s, &s->fresh, ranges, nranges, n) : 0;
}

void experiment_read_seeds(struct suite_reader *r) {
  struct experiment_suite *s = r->s;
  struct experiment_seeds *ranges = suite_room(r, s->axes[0].n, sizeof *ranges);
  const size_t n = ranges != NULL ? list_all(s, ranges) : 0;
  if (n > SEEDS_MOST)
    suite_fail(r, NULL, "there are more than %d seeds", SEEDS_MOST);
  if (n != 0 && (s->naxes == EXPERIMENT_AXES || experiment_axis(s, "seed") != EXPERIMENT_AXES))
    suite_fail(r, NULL,
               "random programs have an axis \"seed\" of their own, which matrix may not "
               "have, beside at most %d others",
               EXPERIMENT_AXES - 2);
  if (n != 0 && r->status == 0) {
    s->seeds = suite_room(r, n, sizeof *s->seeds);
    struct experiment_axis *axis = suite_add_axis(r, "seed", n);
    if (r->status == 0)
      (void)list_all(s, ranges);
    for (size_t i = 0; r->status == 0 && i < n; i++)
      suite_add_value(r, axis, NULL, s->seeds[i])->settings.seed = s->seeds[i];
    suite_end_axis(r, axis);
  }
  free(ranges);
}
