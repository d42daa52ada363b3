/* The committed figures that a report is held against (docs/use/synth.md): of each library area,
 * cells, memory bits and highest frequency of every unit, with the versions of library and tools.
 * A row also has the key of all that its figures depend on, and the seconds that its own steps
 * took.
 */
#ifndef TANDEM_SYNTH_BASELINE_H
#define TANDEM_SYNTH_BASELINE_H

#include <stdio.h>

#include "synth/flow/synth.h"

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

/* The units that one check takes on. */
struct synth_turn {
  double seconds;  /* of a processor, by the rows; 0: any */
  uint64_t number; /* chooses the large unit that comes first */
};
/* Synthesises the units of the designs whose row has another key than the tree's, as far as the
 * seconds allow, and compares them with their rows.  Prints what it checks, what it leaves for
 * another turn, and the differences.  Returns as synth_baseline_check, or as synth_run. */
int synth_changed_check(FILE *out, const char *path, const struct synth_config *config,
                        const struct synth_turn *turn, enum synth_verdict *verdict,
                        struct tandem_error *err);

/* Writes to out what the file has to become: the report's figures in place of those of the same
 * library; of a report that is not whole, in place of those of its units.  0, or -EINVAL for a file
 * that is not a baseline, or one whose other units were made in another way. */
int synth_baseline_update(FILE *out, const char *path, const struct synth_report *r, bool whole,
                          struct tandem_error *err);

#endif
