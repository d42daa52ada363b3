/* Parsers of the tools' files: elaborated netlists, statistics, timing and power. */
#ifndef TANDEM_SYNTH_FLOW_PARSE_H
#define TANDEM_SYNTH_FLOW_PARSE_H

#include "synth/model/report.h"

struct synth_instance {
  struct synth_spec spec;          /* without what is as by default */
  struct synth_spec given;         /* as the instance has it */
  char bits[SYNTH_PARAMETERS][80]; /* of given's values, as in JSON */
  unsigned count;
};
struct synth_elaborated {
  struct synth_instance *instances;
  size_t n;
  struct synth_memory memories[SYNTH_SHAPES];
  char memory_bits[SYNTH_SHAPES][5][80];
  size_t nmemories;
};
int synth_parse_elaborated(const char *path, const char *top, struct synth_elaborated *e,
                           struct tandem_error *err);
void synth_elaborated_free(struct synth_elaborated *e);
/* Sums the cells of a `stat` of the module up; cells that the library lacks are children. */
int synth_parse_stat(const char *path, const char *top, const struct liberty *l,
                     struct synth_size *size, struct tandem_error *err);
int synth_parse_path(const char *path, struct synth_timing *t, struct tandem_error *err);
int synth_parse_power(const char *path, struct synth_power *p, struct tandem_error *err);
int synth_parse_fmax(const char *path, struct synth_timing *t, struct tandem_error *err);

#endif
