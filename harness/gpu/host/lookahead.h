/* Lookahead: cells that do some cycles each before they meet.
 *
 * Cells whose SMs touch each other through memory and CTA dispatch alone need not have the same
 * cycle: memory runs ahead of them, and answers only after many cycles (csim/mem/mem.h).  A stretch
 * is the cycles from one meeting to the next; a cell stops in it where it would need what another
 * one does, and the serial part goes as far as all cells have come.  Results are the same for any
 * length; docs/models/lockstep.md says why. */
#ifndef TANDEM_GPU_LOOKAHEAD_H
#define TANDEM_GPU_LOOKAHEAD_H

#include "harness/gpu/config.h"

/* Cycles of a piece of a launch, after which threads and stretches adapt. */
enum { GPU_PIECE = 256 };

struct gpu_lookahead {
  unsigned most;     /* cycles of a stretch */
  uint64_t end;      /* of this stretch; all cells have the cycles before the GPU's */
  unsigned meetings; /* in this piece of the launch */
  unsigned rest;     /* pieces for which stretches stay short: they were so before */
};

/* Reports if the cells of such a GPU may be at different cycles; apart: its machine's may. */
bool lookahead_wanted(const struct tandem_config *c, bool apart);

/* A launch begins, with stretches of `most` cycles at most. */
void lookahead_begin(struct gpu_lookahead *l, unsigned most, uint64_t cycle);
/* Begins a stretch in `cycle` of a launch that began in cycle `start`: sets its end. */
void lookahead_stretch(struct gpu_lookahead *l, const struct tandem_config *c, uint64_t cycle,
                       uint64_t start);
/* Returns whether cells may do several cycles in this piece of the launch. */
bool lookahead_apart(const struct gpu_lookahead *l);
/* At the end of each piece of a launch: all cells are in the same cycle. */
void lookahead_piece(struct gpu_lookahead *l);

#endif
