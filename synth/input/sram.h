/* Memories of netlists that macros of an SRAM compiler serve, as a map says (docs/use/synth.md). */
#ifndef TANDEM_SYNTH_INPUT_SRAM_H
#define TANDEM_SYNTH_INPUT_SRAM_H

#include <stdbool.h>

#include "synth/input/macros.h"

/* A macro with its ports by what they do, and figures of one of its accesses. */
struct sram_macro {
  const struct liberty_cell *cell;
  unsigned words, bits, reads, writes, both;
  struct technology_macro figures;
};
struct sram_use {
  struct synth_memory shape;
  size_t macro;
};
struct sram_map {
  struct sram_macro *macros;
  size_t nmacros;
  struct sram_use *uses;
  size_t nuses;
};

/* Reads a map of macros that the Liberty has.  0, or -EINVAL with the map's line. */
int sram_load(const char *path, const struct liberty *l, struct sram_map *m,
              struct tandem_error *err);
void sram_free(struct sram_map *m);

/* Fills in the figures of a memory that the map has.  False: it has not. */
bool sram_figures(const struct sram_map *m, struct synth_memory *memory);

#endif
