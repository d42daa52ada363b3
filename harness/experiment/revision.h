/* The revision of the sources that runs are made with, and the machine. */
#ifndef TANDEM_EXPERIMENT_REVISION_H
#define TANDEM_EXPERIMENT_REVISION_H

#include <stdbool.h>

struct experiment_revision {
  char text[72]; /* of git; "": the sources are in no work tree of git, or there is no git */
  bool clean;    /* no file that git knows differs from it */
  char host[72];
};

/* Looks at the folder of the sources. */
void experiment_revision_of(const char *root, struct experiment_revision *r);

#endif
