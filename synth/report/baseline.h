/* The committed figures that a report is held against (docs/use/synth.md): of each library area,
 * cells, memory bits and highest frequency of every unit, with the versions of library and tools.
 */
#ifndef TANDEM_SYNTH_BASELINE_H
#define TANDEM_SYNTH_BASELINE_H

#include <stdio.h>

#include "synth/model/report.h"

enum synth_verdict {
  SYNTH_SAME,    /* within SYNTH_TOLERANCE */
  SYNTH_CHANGED, /* a figure beyond it, a new unit, or one that is gone */
  SYNTH_STALE,   /* made by another version of a tool, or with another version of the library */
};

/* Share of its former value by which a figure may go up or down. */
#define SYNTH_TOLERANCE 0.02

/* Compares the report with the baseline in a file; prints the differences on out, a line each.
 * whole: the report is of all designs, so that a unit that it lacks is gone (a flat one only if the
 * report has others).  0, or an errno: -EINVAL for a file that is not a baseline or has another
 * clock, -ENOENT if there is none of the library, others of reading it. */
int synth_baseline_check(FILE *out, const char *path, const struct synth_report *r, bool whole,
                         enum synth_verdict *verdict, struct tandem_error *err);

/* Writes to out what the file has to become: the report's figures in place of those of the same
 * library; of a report that is not whole, in place of those of its units.  0, or -EINVAL for a file
 * that is not a baseline, or one whose other units were made in another way. */
int synth_baseline_update(FILE *out, const char *path, const struct synth_report *r, bool whole,
                          struct tandem_error *err);

#endif
