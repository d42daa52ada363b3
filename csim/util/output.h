/* Output files that appear under their names once they are complete. */
#ifndef TANDEM_UTIL_OUTPUT_H
#define TANDEM_UTIL_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

#include "csim/util/error.h"

/* A path that is written: no other output has it, and no input is read from it, until it is
 * released. */
struct output_claim {
  char *path;    /* to be written, links resolved; NULL: no claim */
  bool in_place; /* a device, a pipe or an open file, as /dev/stdout: appended to, not replaced */
  bool there;
  mode_t mode; /* mode of the file that exists */
  dev_t device;
  ino_t inode;
  struct output_claim *next;
};
/* Checks that the path could be written now.  Returns 0 or a negative errno, and leaves nothing
 * behind. */
int output_claim(struct output_claim *c, const char *path, struct tandem_error *err);
void output_release(struct output_claim *c); /* also without a claim */
bool output_is(const struct stat *st);       /* claimed */

/* An output that is kept in memory until it is complete.  A path that is a link means the file that
 * it points to. */
struct output {
  FILE *file; /* to write to; NULL: not open */
  struct output_claim claim;
  char *text;
  size_t size;
};
/* "-" is the standard output.  0 or a negative errno. */
int output_open(struct output *o, const char *path, struct tandem_error *err);
int output_commit(struct output *o, struct tandem_error *err); /* it is closed in any case */
void output_abandon(struct output *o);                         /* also if it is not open */

#endif
