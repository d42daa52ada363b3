/* Results that runs are to have, by their kinds. */
#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "csim/ports/facts.h"
#include "csim/util/nearest.h"
#include "harness/experiment/runner.h"
#include "harness/gpu/faults.h"

/* The share of mutants that the test of their unit found. */
static bool score_good(const struct experiment_run *run, const json_t *o,
                       struct tandem_error *why) {
  const json_t *score = json_object_get(json_object_get(o, "all"), "score");
  if (!json_is_number(score))
    return tandem_fail(why, -EINVAL, "no mutant was judged") == 0;
  if (json_number_value(score) >= run->settings.special.least)
    return true;
  return tandem_fail(why, -EINVAL, "score %.1f %%, and at least %g %% is wanted",
                     json_number_value(score), run->settings.special.least) == 0;
}

static bool fault_good(const struct experiment_run *run, const json_t *o,
                       struct tandem_error *why) {
  const json_int_t faults = json_integer_value(json_object_get(o, "faults"));
  if (faults == 1 && json_integer_value(json_object_get(o, "lockstep")) == faults)
    return true;
  return tandem_fail(why, -EINVAL, "no program of `tandem bugs` finds the fault \"%s\" in lockstep",
                     run->settings.special.fault->name) == 0;
}

bool experiment_kind_good(const struct experiment_run *run, const char *json,
                          struct tandem_error *why) {
  const int kind = run->settings.kind;
  if (kind == EXPERIMENT_UNIT)
    return true;
  json_t *o = json != NULL ? json_loads(json, 0, NULL) : NULL;
  const bool good = o != NULL && (kind == EXPERIMENT_MUTANTS ? score_good(run, o, why)
                                  : kind == EXPERIMENT_FAULT ? fault_good(run, o, why)
                                                             : true);
  json_decref(o);
  return good;
}

bool experiment_no_unit(const char *name, char *text, size_t size) {
  const char *near = NULL;
  size_t n = 0;
  for (const struct unit_facts *f = unit_facts; f->name != NULL; f++)
    near = nearest(name, near, f->name);
  n += (size_t)snprintf(text, size, "there is no unit \"%s\"; the nearest name is %s, of", name,
                        near != NULL ? near : "none");
  for (const struct unit_facts *f = unit_facts; f->name != NULL && n < size; f++)
    n += (size_t)snprintf(text + n, size - n, "%s%s", f == unit_facts ? " " : ", ", f->name);
  return unit_facts_of(name) == NULL;
}
