/* A folder with the scripts of the tree and modules of a test's own, for reports on them. */
#ifndef TANDEM_TESTS_SYNTH_TREE_H
#define TANDEM_TESTS_SYNTH_TREE_H

#include "synth/flow/synth.h"

extern char tree_root[64], tree_build[80];

/* Makes it, with a memory of 16 x 32 bits and three leaves as `top`; for setup and teardown. */
int tree_start(void **state);
int tree_stop(void **state);
/* A file of the folder. */
void tree_put(const char *name, const char *text);
/* Its path, to be used before the next call. */
const char *tree_path(const char *name);

/* The report of a unit (NULL: the designs) with what `more` says of libraries and the like. */
int tree_report(const char *unit, const struct synth_config *more, struct synth_report **r,
                struct tandem_error *err);
const struct synth_unit *tree_unit(const struct synth_report *r, const char *name);

extern const char tree_leaf[]; /* text of the module leaf */

#endif
