/* Figures of a Liberty file that the reports need. */
#ifndef TANDEM_SYNTH_INPUT_LIBERTY_H
#define TANDEM_SYNTH_INPUT_LIBERTY_H

#include <stdbool.h>
#include <stddef.h>

#include "csim/util/error.h"
#include "csim/util/hash.h"

struct liberty_port {
  char name[64];
  unsigned width; /* bits of a bus; 1: a pin */
};
struct liberty_cell {
  char name[64];
  double area;
  bool sequential;
  bool timed; /* has times */
  unsigned inputs, outputs;
  unsigned table; /* truth table of up to two inputs in the order of their pins; ~0u: not known */
  char output[32];
  struct liberty_port *ports; /* pins and buses */
  size_t nports;
};
struct liberty {
  char name[64];
  struct liberty_cell *cells;
  size_t ncells;
};
/* text: the file's whole contents; path for messages. */
int liberty_parse(const char *text, const char *path, struct liberty *l, struct tandem_error *err);
void liberty_free(struct liberty *l);
const struct liberty_cell *liberty_find(const struct liberty *l, const char *name);
/* A Liberty file, which may be compressed: read, parsed, hashed and, for the tools, unpacked into
 * the folder; where is its path then. */
int liberty_open(const char *path, const char *folder, struct liberty *l, char key[HASH_KEY],
                 char *where, size_t size, struct tandem_error *err);

#endif
