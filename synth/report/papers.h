/* Cost of the added logic: the papers' figures beside those of Tandem's RTL. */
#ifndef TANDEM_SYNTH_PAPERS_H
#define TANDEM_SYNTH_PAPERS_H

#include <stdbool.h>

#include "synth/input/technology.h"

/* Figures of the synthesised designs, for clusters of 2 and 4 members; NAN: not known. */
struct papers_measured {
  double monitor_bits[2];    /* added to the scoreboards of a 16-SM GPU, one leader a cluster */
  double monitor_bits_built; /* of 4 members: with those that lead a part of the cluster */
  double scoreboard_bits;    /* of the baseline's scoreboard */
  double added_bits;         /* to one leader's */
  double scoreboard_power;   /* of the baseline's scoreboard, in W */
  double leader_scoreboard_power; /* of a leader's, its monitor included, in W */
  bool power_measured;            /* these two: else with assumed activity */
  double flit_changes;            /* wires of a link that change for a flit, measured */
  double icache_pj;               /* of reading an instruction from the instruction cache */
  unsigned down, up;              /* wires of a link */
};

struct papers_row {
  const char *feature, *figure, *unit;
  const char *source; /* document and section */
  double paper;       /* as published */
  double recomputed;  /* by their method, with this project's figures */
  double ours;        /* measured on the RTL */
  const char *recomputed_how, *ours_how;
};

enum { PAPERS_ROWS = 8 };

/* Fills the rows of Buddy SM; NAN where there is no such figure. */
void papers_compare(const struct technology *t, const struct papers_measured *m,
                    struct papers_row rows[PAPERS_ROWS]);

#endif
