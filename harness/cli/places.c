/* Where the program finds its files: relative to its own, so that an installed tree may be moved;
 * and how it was called.
 *
 *   PREFIX/bin/tandem     the program
 *   PREFIX/share/tandem   its files; in a build folder a link to the sources
 *
 * TANDEM_ROOT in the environment names sources that are elsewhere.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csim/util/shell.h"
#include "harness/cli/cli.h"

enum { PATH = 4096 };

/* TANDEM_ROOT; NULL: not set. */
static const char *sources(void) {
  const char *root = getenv("TANDEM_ROOT");
  return root != NULL && *root != '\0' ? root : NULL;
}

/* PREFIX, joined with a path below it. */
static const char *below_prefix(const char *path, char *joined) {
  char program[PATH];
  const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
  program[n > 0 ? n : 0] = '\0';
  for (unsigned i = 0; i < 2; i++) { /* bin/tandem */
    char *slash = strrchr(program, '/');
    if (slash != NULL)
      *slash = '\0';
  }
  snprintf(joined, PATH, "%.2000s%s", program, path);
  return joined;
}

const char *cli_root(void) {
  static char root[PATH];
  char link[PATH];
  if (sources() != NULL)
    return sources();
  return realpath(below_prefix("/share/tandem", link), root) != NULL ? root : strcpy(root, link);
}

const char *cli_build(void) {
  static char build[PATH];
  if (sources() == NULL)
    return below_prefix("", build);
  snprintf(build, sizeof build, "%.4000s/build", sources());
  return build;
}

char *cli_command(const char *name, int argc, char **argv) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (out == NULL)
    return NULL;
  fprintf(out, "./tandem %s", name);
  for (int i = 1; i < argc; i++) {
    fputc(' ', out);
    shell_word(out, argv[i]);
  }
  return fclose(out) == 0 ? text : NULL;
}
