/* A report as text and as JSON. */
#ifndef TANDEM_SYNTH_REPORT_REPORT_H
#define TANDEM_SYNTH_REPORT_REPORT_H

#include <stdio.h>

#include "synth/model/report.h"

/* Tables for people; JSON as docs/use/synth.md describes.  False: could not be written. */
void synth_text(FILE *out, const struct synth_report *r);
bool synth_json(FILE *out, const struct synth_report *r);

/* Reports of the measured power; nothing if none was measured. */
void synth_measured_text(FILE *out, const struct synth_report *r);
struct json_t *synth_measured_json(const struct synth_report *r);

#endif
