/* Calls of git. */
#ifndef TANDEM_COMPARE_GIT_H
#define TANDEM_COMPARE_GIT_H

#include "csim/util/error.h"

enum { GIT_WORDS = 16 };

struct git {
  const char *folder;  /* where it runs */
  const char *scratch; /* a folder for its messages */
  const char *index;   /* a file in the place of the repository's index; NULL: that itself */
  const char *directory, *tree; /* repository and work tree; NULL: as git finds them */
  /* Folders: new objects are written to the first, and found in the second, too, whose path is
   * quoted (git_quoted); NULL: the repository's. */
  const char *objects, *others;
};

/* A path as git reads it in lists and variables, allocated; NULL: out of memory. */
char *git_quoted(const char *path);

/* Runs git with words, NULL-ended.  *text gets its standard output without the last line's end,
 * allocated; NULL: it is not wanted.  0 or a negative errno, with git's message. */
int git_run(const struct git *g, const char *const *words, char **text, struct tandem_error *err);

#endif
