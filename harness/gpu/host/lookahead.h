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

struct cell;
struct tandem;

struct gpu_lookahead {
  unsigned most;     /* cycles of a stretch */
  uint64_t end;      /* of this stretch; all cells have the cycles before the GPU's */
  unsigned meetings; /* in this piece of the launch */
  unsigned rest;     /* pieces for which stretches stay short: they were so before */
};

/* Reports if the cells of such a GPU may be at different cycles. */
bool lookahead_wanted(const struct tandem_config *c);

/* A launch begins. */
void lookahead_begin(struct tandem *t);
/* Begins a stretch: sets its end, and lets memory go ahead. */
void lookahead_stretch(struct tandem *t);
/* Returns whether a cell may do its next cycle in this stretch. */
bool lookahead_may_step(const struct tandem *t, const struct cell *c);
/* Returns the cycle before which all cells have had theirs. */
uint64_t lookahead_joined(const struct tandem *t);
/* Returns whether cells may do several cycles in this piece of the launch. */
bool lookahead_apart(const struct tandem *t);
/* At the end of each piece of a launch: all cells are in the same cycle. */
void lookahead_piece(struct tandem *t);

#endif
