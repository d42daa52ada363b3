/* Reports of whole features, from their RTL. */
#include "tests/synth/feature.h"
#include "tests/test.h"

struct synth_report *feature_report(const char *name, uint64_t timed) {
  const struct synth_config c = {.root = ROOT, .build = BUILD, .feature = name, .timed = timed};
  struct synth_report *r;
  struct tandem_error err;
  if (synth_run(&c, &r, &err) != 0)
    fail_msg("%s", err.text);
  return r;
}

size_t feature_unit(const struct synth_report *r, const char *name) {
  for (size_t i = 0; i < r->nunits; i++)
    if (strcmp(r->units[i].name, name) == 0)
      return i;
  fail_msg("there is no unit %s", name);
  return 0;
}

const struct synth_figure *feature_figure(const struct synth_report *r, const char *name) {
  for (size_t i = 0; i < r->nfigures; i++)
    if (strcmp(r->figures[i].rule.figure, name) == 0)
      return &r->figures[i];
  fail_msg("there is no figure \"%s\"", name);
  return NULL;
}

unsigned feature_count(const struct synth_report *r, size_t in, size_t unit, bool by_module) {
  const struct synth_unit *u = &r->units[in];
  const bool same =
      by_module ? strcmp(u->spec.module, r->units[unit].spec.module) == 0 : in == unit;
  unsigned n = same ? 1 : 0;
  for (size_t i = 0; i < u->nchildren; i++)
    n += u->children[i].count * feature_count(r, u->children[i].unit, unit, by_module);
  return n;
}
