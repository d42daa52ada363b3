/* Reports of whole features, from their RTL. */
#ifndef TANDEM_TESTS_SYNTH_FEATURE_H
#define TANDEM_TESTS_SYNTH_FEATURE_H

#include <stdbool.h>

#include "synth/flow/synth.h"

/* The report of the feature, with netlists in the build folder; designs of more than so many cells
 * are not timed. */
struct synth_report *feature_report(const char *name, uint64_t timed);
size_t feature_unit(const struct synth_report *r, const char *name);
const struct synth_figure *feature_figure(const struct synth_report *r, const char *name);
/* Instances of a unit in another; by_module: with whatever parameters. */
unsigned feature_count(const struct synth_report *r, size_t in, size_t unit, bool by_module);

#endif
