/* cvise: makes a text small as long as a script, test.sh beside it, ends with status 0. */
#ifndef TANDEM_SHRINK_CVISE_H
#define TANDEM_SHRINK_CVISE_H

#include <stdbool.h>
#include <stddef.h>

struct cvise {
  const char *folder, *name; /* where test.sh and the text are; the text's name */
  size_t slots;              /* scripts at once */
  double run_s;              /* limit of one */
  bool lines;                /* leave out lines only, not words within them */
  bool (*late)(void *user);  /* true: it is to end */
  void *user;
};

/* Returns true if cvise is installed. */
bool cvise_there(void);
/* Runs cvise until nothing is smaller, or it is late; the text is in its file then.  0, or a
 * negative errno if it could not be started. */
int cvise_run(const struct cvise *c);

#endif
