/* boundary RTL-FOLDER UNIT [PARAMETERS]: checks the boundary of a unit of the folder's RTL
 * (harness/shim/boundary/boundary.h).  PARAMETERS is one argument, "Name=value Name=value".
 *
 * Exit status: 0 if it is good, 1 if it is broken or yosys refuses the RTL, 2 if the check cannot
 * be made.  Prints why. */
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "csim/util/scratch.h"
#include "harness/shim/boundary/boundary.h"

/* The sources: the package is in the folder itself, modules are in the folders below. */
static int sources_of(const char *folder, glob_t *found) {
  char path[PATH_MAX], pattern[PATH_MAX + 10];
  if (realpath(folder, path) == NULL)
    return -1;
  (void)snprintf(pattern, sizeof pattern, "%s/*.sv", path);
  if (glob(pattern, 0, NULL, found) != 0)
    return -1;
  (void)snprintf(pattern, sizeof pattern, "%s/*/*.sv", path);
  return glob(pattern, GLOB_APPEND, NULL, found);
}

int main(int argc, char **argv) {
  static const int statuses[] = {[BOUNDARY_GOOD] = 0,
                                 [BOUNDARY_BROKEN] = 1,
                                 [BOUNDARY_REFUSED] = 1,
                                 [BOUNDARY_NO_YOSYS] = 2,
                                 [BOUNDARY_FAILED] = 2};
  struct tandem_error err;
  glob_t sources;
  char beside[PATH_MAX], *folder = NULL;
  const char *tmp = getenv("TMPDIR");
  if (argc != 3 && argc != 4) {
    fputs("usage: boundary RTL-FOLDER UNIT [PARAMETERS]\n", stderr);
    return 2;
  }
  if (sources_of(argv[1], &sources) != 0) {
    fprintf(stderr, "%s is no folder of RTL\n", argv[1]);
    return 2;
  }
  scratch_on_signals();
  (void)snprintf(beside, sizeof beside, "%s/boundary", tmp != NULL ? tmp : "/tmp");
  if (scratch_folder(beside, &folder) != 0) {
    fprintf(stderr, "cannot make a folder beside %s\n", beside);
    return 2;
  }
  const struct boundary_request request = {.unit = argv[2],
                                           .parameters = argc == 4 ? argv[3] : "",
                                           .sources = (const char *const *)sources.gl_pathv,
                                           .folder = folder};
  const enum boundary_verdict verdict = boundary_check(&request, &err);
  if (verdict != BOUNDARY_GOOD)
    puts(err.text);
  scratch_drop(folder);
  globfree(&sources);
  return statuses[verdict];
}
