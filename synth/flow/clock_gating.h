/* Clock gates in the flow: what map.tcl is given, and what it found. */
#ifndef TANDEM_SYNTH_FLOW_CLOCK_GATING_H
#define TANDEM_SYNTH_FLOW_CLOCK_GATING_H

#include <stdio.h>

#include "synth/model/report.h"

/* The settings gate_rule, gate_model, gate_latch, gate_levels and gated (0: no gates). */
void clock_gating_job(FILE *job, const struct synth_report *r);
/* Reads gates.txt, and takes the gates' latches from the size's registers. */
int clock_gating_parse(const char *path, struct synth_size *size, struct tandem_error *err);

#endif
