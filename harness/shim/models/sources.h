/* The RTL that a model is made of: the top module's file and those of all modules and packages
 * whose names stand in a file that it reads.  Names are looked for in the text without its
 * comments, so a file may be there that Verilator does not read, but none is missing. */
#ifndef TANDEM_MODELS_SOURCES_H
#define TANDEM_MODELS_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

#include "csim/util/error.h"

struct source {
  char *name;    /* of the module */
  size_t length; /* of the name */
  char *path;    /* where it is */
  char *shown;   /* what messages call it: "rtl/sm/issue.sv", or its path in the user's folder */
  char *text;
  bool own;       /* of the user's folder */
  bool package;   /* to be read before modules */
  bool include;   /* `include has its name */
  unsigned order; /* of what is read: what a file needs comes before it */
  bool read;      /* the model is made of it */
};

struct sources {
  struct source *file;
  size_t n, room;
  unsigned ordered;
  const char *own; /* the user's folder; NULL: none */
};

/* Lists the files of root/rtl (root NULL: nothing) and of the user's folder (NULL: none), whose
 * modules replace those; both with the folders in them.  0 or a negative errno. */
int sources_open(struct sources *s, const char *root, const char *own, struct tandem_error *err);
/* Marks what a module, or a text that instantiates some, is made of; their texts are read. */
int sources_of_module(struct sources *s, const char *module, struct tandem_error *err);
int sources_of_text(struct sources *s, const char *text, struct tandem_error *err);
void sources_close(struct sources *s);

#endif
