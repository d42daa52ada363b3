/* Memories of netlists: their figures, and the Liberty of those that the user does not give. */
#ifndef TANDEM_SYNTH_INPUT_MACROS_H
#define TANDEM_SYNTH_INPUT_MACROS_H

#include <stdio.h>

#include "synth/input/liberty.h"
#include "synth/input/spec.h"
#include "synth/input/technology.h"

/* Where a memory's figures are from: nowhere, it is ideal; technology.yaml; its own cell in the
 * Liberty of macros that was given; macros there that serve it. */
enum synth_source { SYNTH_IDEAL, SYNTH_ESTIMATED, SYNTH_GIVEN, SYNTH_MAPPED };

#define SYNTH_MEMORY "tandem_mem_" /* how names of memories begin in netlists */

/* Memories of one shape: synchronous writes, asynchronous reads. */
struct synth_memory {
  unsigned words, width, abits, reads, writes;
  uint64_t count; /* how many of them */
  enum synth_source source;
  struct technology_macro macro; /* of one; 0: not known.  A given one has its area alone. */
  unsigned macros;               /* of a mapped one: how many serve it, and their cell */
  char cell[64];
};

/* Compares their shapes. */
bool synth_memory_same(const struct synth_memory *a, const struct synth_memory *b);
/* The macro's name in netlists. */
void synth_memory_name(const struct synth_memory *m, char *name, size_t size);
/* Writes the Liberty of those memories of `m` that are not given. */
void synth_macros_liberty(FILE *out, const struct synth_memory *m, size_t n);
/* Reads the Liberty of memories that is given; nothing if it is NULL.  `path` becomes that of what
 * the tools read.  mapped: its cells need not be called as the netlists call theirs. */
int synth_macros_load(const char *given, bool mapped, const char *folder, struct liberty *l,
                      char *path, size_t size, struct tandem_error *err);
/* Fills in the source and the figures of a memory of this shape that no macros serve: those of
 * `given`, which is of `file`, else those that the technology has at this process (nm 0: not
 * known). */
int synth_memory_figures(const struct technology *t, struct technology_corner process,
                         const struct liberty *given, const char *file, struct synth_memory *m,
                         struct tandem_error *err);

#endif
