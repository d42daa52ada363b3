/* Rows of a baseline file, one for each unit of a library. */
#ifndef TANDEM_SYNTH_ROWS_H
#define TANDEM_SYNTH_ROWS_H

#include <jansson.h>
#include <stdio.h>

#include "synth/report/baseline.h"

/* Reads the file; *root is {} where there is none.  0, or a negative errno. */
int synth_rows_load(const char *path, json_t **root, struct tandem_error *err);
/* The rows of the report's library.  *verdict: SYNTH_SAME, or SYNTH_STALE with the reasons on out.
 * Errors as for synth_baseline_check. */
int synth_rows_find(FILE *out, const char *path, const json_t *root, const struct synth_report *r,
                    json_t **rows, enum synth_verdict *verdict, struct tandem_error *err);
/* The key of a unit's row: of all that its figures depend on, in it and in all units below it. */
void synth_rows_key(const struct synth_report *r, size_t at, char key[HASH_KEY]);

#endif
