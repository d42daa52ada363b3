/* Estimates from a report's figures: other processes, wires, and the papers' table. */
#ifndef TANDEM_SYNTH_ESTIMATES_H
#define TANDEM_SYNTH_ESTIMATES_H

#include "synth/model/report.h"
#include "synth/report/papers.h"

/* A unit with all below it in another process, power at the same clock.  Leakage is not scaled. */
struct synth_scaled {
  double nm;
  double area, memory_area, fmax_mhz;
  double dynamic_w, memory_access_w;
};
/* False: the library's process is not known, or nothing published scales to this one. */
bool synth_scale(const struct synth_report *r, size_t unit, double nm, struct synth_scaled *s);
/* An area of cells in mm2 at 45 nm; NAN: the library's process is not known. */
double synth_mm2_45nm(const struct synth_report *r, double area);

/* Wires of the links of 16 SMs in such clusters, of which no gate is a part.  Power with each wire
 * changing in the assumed share of the links' cycles, two a core cycle, low swing. */
struct synth_wires {
  unsigned down, up; /* wires of a link and its side-band from a leader to a follower, and back */
  struct technology_wiring wiring;
  double watts;
};
/* False: the cluster has no links. */
bool synth_wires(const struct synth_report *r, const struct synth_added *a, struct synth_wires *w);
/* Wires of the side-band that go with a link, as side_band.sv has them: slave, power, reset_fe,
 * hold, park, lead (3); drained, parked, cancel. */
enum { SYNTH_SIDE_DOWN = 8, SYNTH_SIDE_UP = 3 };
/* Wires of the link in a unit of this module (downlink, uplink); 0: there is none. */
unsigned synth_link_wires(const struct synth_report *r, const char *module);

/* The papers' figures beside those of the report: their number.  The rows are to be freed; NULL:
 * out of memory. */
size_t synth_papers(const struct synth_report *r, struct papers_row **rows);

#endif
