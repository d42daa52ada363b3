/* Modules with parameters. */
#ifndef TANDEM_SYNTH_INPUT_SPEC_H
#define TANDEM_SYNTH_INPUT_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SYNTH_NAME = 128, SYNTH_PARAMETERS = 8, SYNTH_SHAPES = 32, SYNTH_PARTS = 24 };
enum {
  SYNTH_VARIABLES = 24,
  SYNTH_LABELS = 64,
  SYNTH_ROWS = 32,
  SYNTH_FIGURES = 96,
  SYNTH_LABEL = 40
};

struct synth_parameter {
  char name[32];
  uint64_t value;
};

/* A module and the parameters in which it differs from its defaults, sorted by name. */
struct synth_spec {
  char module[64];
  unsigned n;
  struct synth_parameter parameters[SYNTH_PARAMETERS];
};

void synth_spec_sort(struct synth_spec *s);
bool synth_spec_same(const struct synth_spec *a, const struct synth_spec *b);
void synth_spec_name(const struct synth_spec *s, char *name, size_t size);

#endif
