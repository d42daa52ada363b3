/* Figures of a library of cells that the reports need. */
#ifndef TANDEM_SYNTH_INPUT_LIBERTY_H
#define TANDEM_SYNTH_INPUT_LIBERTY_H

#include <stdbool.h>
#include <stddef.h>

#include "csim/util/error.h"
#include "csim/util/hash.h"
#include "synth/input/liberty_units.h"

enum { LIBERTY_FILES = 32 };

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
  const struct liberty_tree *tree; /* its file, and where it is there */
  const struct liberty_node *node;
};
struct liberty {
  char name[64];
  struct liberty_cell *cells;
  size_t ncells;
  struct liberty_tree trees[LIBERTY_FILES]; /* its files */
  struct liberty_units units[LIBERTY_FILES];
  size_t ntrees;
};
/* text: the file's whole contents; path for messages. */
int liberty_parse(const char *text, const char *path, struct liberty *l, struct tandem_error *err);
/* Reads one more file of a library.  After an error the library can only be freed. */
int liberty_add(struct liberty *l, const char *text, const char *path, struct tandem_error *err);
void liberty_free(struct liberty *l);
/* Checks that the files have what their own groups need, and what the tools would silently leave
 * out: -EINVAL with the line that lacks it. */
int liberty_check(struct liberty *l, struct tandem_error *err);
/* The group holds the state of a cell. */
bool liberty_storage(const struct liberty_node *n);
/* The type of a bus by its name, the cell's or the library's.  NULL: there is none. */
const struct liberty_node *liberty_type(const struct liberty_tree *t,
                                        const struct liberty_node *cell,
                                        const struct liberty_word *name);
const struct liberty_cell *liberty_find(const struct liberty *l, const char *name);
/* Liberty files of one library, which may be compressed: read, parsed and hashed.  `where` becomes
 * the path of what the tools read: the file itself if it is one that they read as it is, else one
 * that is written to the folder, in the units of the flow's scripts. */
int liberty_open(const char *const *paths, size_t n, const char *folder, struct liberty *l,
                 char key[HASH_KEY], char *where, size_t size, struct tandem_error *err);

#endif
