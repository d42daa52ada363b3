/* Clock gates in reports. */
#ifndef TANDEM_SYNTH_REPORT_CLOCK_GATING_H
#define TANDEM_SYNTH_REPORT_CLOCK_GATING_H

#include <stdio.h>

#include "synth/model/report.h"

/* Writes the gates' cells, or why there are no gates. */
void synth_clock_gating_words(const struct synth_report *r, char *text, size_t size);
/* These words, and a row for each unit that is a top: its gates, and the flip-flops behind them. */
void synth_clock_gating_text(FILE *out, const struct synth_report *r);

#endif
