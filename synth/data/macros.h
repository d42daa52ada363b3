/* Memories, and the Liberty of those that are not given. */
#ifndef TANDEM_SYNTH_DATA_MACROS_H
#define TANDEM_SYNTH_DATA_MACROS_H

#include <stdio.h>

#include "synth/data/report.h"

void synth_memory_name(const struct synth_memory *m, char *name, size_t size);
void synth_macros_liberty(FILE *out, const struct synth_memory *m, size_t n);
/* Reads the Liberty of memories that is given; nothing if it is NULL. */
int synth_macros_load(const char *given, const char *folder, struct liberty *l,
                      struct synth_report *r, struct tandem_error *err);
/* Fills in the source and the figures of a memory of this shape. */
int synth_memory_figures(const struct synth_report *r, const struct liberty *given,
                         struct synth_memory *m, struct tandem_error *err);
/* Adds memories of one shape to a size, at a clock in MHz. */
void synth_memory_add(struct synth_size *to, const struct synth_memory *m, double mhz);

#endif
