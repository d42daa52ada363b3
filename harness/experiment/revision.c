/* The revision of the sources, by git. */
#include "harness/experiment/revision.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csim/util/process.h"

/* The first line that git prints in a folder; NULL: it ends with another status than 0. */
static char *git(const char *folder, const char *const *words) {
  const char *argv[8] = {"git"};
  char *text = NULL;
  int status = -1;
  for (size_t i = 0; words[i] != NULL && i < 6; i++)
    argv[i + 1] = words[i];
  const struct process p = {.argv = argv, .folder = folder, .errors = "/dev/null"};
  if (process_output(&p, &status, &text) != 0 || status != 0) {
    free(text);
    return NULL;
  }
  text[strcspn(text, "\n")] = '\0';
  return text;
}

void experiment_revision_of(const char *root, struct experiment_revision *r) {
  static const char *const head[] = {"rev-parse", "HEAD", NULL}, *const changed[] = {
                                                                     "status", "--porcelain",
                                                                     "--untracked-files=no", NULL};
  *r = (struct experiment_revision){.clean = false};
  if (gethostname(r->host, sizeof r->host - 1) != 0)
    r->host[0] = '\0';
  char *text = access(root, R_OK) == 0 ? git(root, head) : NULL;
  char *changes = text != NULL ? git(root, changed) : NULL;
  snprintf(r->text, sizeof r->text, "%s", text != NULL ? text : "");
  r->clean = changes != NULL && *changes == '\0';
  free(text);
  free(changes);
}
