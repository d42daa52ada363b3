/* A table of csim/ports as it is read: its lines, with the texts that stand there. */
#ifndef TANDEM_PORTS_TABLE_H
#define TANDEM_PORTS_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "csim/util/error.h"

/* MACRO(argument, argument) and the comment behind it. */
struct call {
  char *macro, *note; /* note: "" without a comment */
  char *argument[5];
  unsigned arguments;
};

struct calls {
  struct call *call;
  size_t n;
};

enum line_kind { LINE_IN, LINE_OUT, LINE_STATE };

/* A line of a ports table (csim/ports/ports.h). */
struct line {
  enum line_kind kind;
  bool words;                /* an array of words in C */
  bool computed;             /* STATE_BY: signal is the function that computes it */
  const char *name, *signal; /* signal: of a state */
  const char *width, *count; /* expressions; count: words of a port, elements of a state */
  const char *when;          /* the qualifier; "1": always */
  const char *note;
};

struct table {
  const char *name;
  struct calls calls; /* that the lines' texts are of */
  struct line *line;
  size_t n;
};

/* Reads the calls of the only file of a pattern below root, with those of files that it includes;
 * names that it defines are replaced in arguments.  0 or a negative errno. */
int calls_read(const char *root, const char *file, struct calls *calls, struct tandem_error *err);
void calls_free(struct calls *calls);

/* Reads csim/ports/<folder>/<name>.def. */
int table_read(const char *root, const char *name, struct table *table, struct tandem_error *err);
void table_free(struct table *table);

#endif
