/* Figures of a feature that designs.yaml reckons from a report. */
#ifndef TANDEM_SYNTH_MODEL_FIGURES_H
#define TANDEM_SYNTH_MODEL_FIGURES_H

#include "synth/model/report.h"

/* Checks that each name of an expression is one of a parameter of the feature, a figure before this
 * one (ours.NAME, recomputed.NAME), a number of technology.yaml (wires.hop_mm), or a figure of
 * units of the feature:
 *
 *   gates.U own_gates.U flip_flops.U memory_bits.U  of a unit, with all below it but for own
 *   fmax.U fmax45.U                                 MHz; scaled to 45 nm
 *   leakage.U                                       W at 45 nm, synth_leakage_w
 *   mm2.U own_mm2.U memory_mm2.U                    at 45 nm: of cells; of memories
 *   cycle_pj.U                                      dynamic, at 45 nm, with assumed activity
 *   access_pj.U                                     of its first memory, at 45 nm
 *   count.U.V                                       how many V there are in U */
int synth_figure_check(const struct synth_feature *f, const char *text, struct tandem_error *err);

/* The tables of the report's features: rows and figures. */
int synth_figures_all(struct synth_report *r, const struct synth_designs *d, const char *feature,
                      struct tandem_error *err);

#endif
