/* A report made up for tests: two front ends, one of them with a monitor, and clusters of two. */
#ifndef TANDEM_TEST_SYNTH_SAMPLE_H
#define TANDEM_TEST_SYNTH_SAMPLE_H

#include "synth/model/report.h"

enum sample_unit {
  SAMPLE_SCOREBOARD,
  SAMPLE_ICACHE, /* the one with memories */
  SAMPLE_DECODE,
  SAMPLE_BARRIER,
  SAMPLE_FRONTEND,
  SAMPLE_BASELINE,
  SAMPLE_SCOREBOARD4,
  SAMPLE_MONITOR,
  SAMPLE_LEADER,
  SAMPLE_CLUSTER,
  SAMPLE_UNITS
};

struct synth_report *sample_create(void);
/* Adds two parts and a figure of a feature. */
void sample_feature(struct synth_report *r);
void sample_destroy(struct synth_report *r);

#endif
