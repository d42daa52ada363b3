/* The limit of what comparisons keep in build/compare: trees, programs, netlists.  Each is a
 * folder; its time is that of its last use. */
#ifndef TANDEM_COMPARE_KEPT_H
#define TANDEM_COMPARE_KEPT_H

#include <sys/stat.h>

#include "harness/compare/compare.h"

struct compare_kept {
  char folder[COMPARE_PATH];
  int lock;              /* shared by all comparisons that are running; -1: not open */
  struct timespec begun; /* what was used since then is this comparison's */
};

/* A comparison begins: from now on nothing is removed.  It waits while another one removes. */
int compare_kept_open(const struct compare_places *at, struct compare_kept *k,
                      struct tandem_error *err);
/* Notes that a folder is used. */
void compare_kept_use(const char *path);
/* The comparison ends.  Unless another one is running, which then does the same, it removes the
 * folders that were used longest ago until the others have at most so many bytes; its own ones
 * stay.  removed is called for each. */
void compare_kept_close(struct compare_kept *k, uint64_t most,
                        void (*removed)(const char *path, uint64_t bytes));

#endif
