/* Words of a command line: KEY=VALUE of --set, and the launch description that the options of a
 * program stand for.  A word a line: the first is the program's name, then those of --kernel,
 * --grid, --block and --arg. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csim/util/shell.h"
#include "csim/util/yaml_tree.h"
#include "harness/cli/cli.h"
#include "tests/fuzz/fuzz.h"

static void set(char *word) {
  struct tandem_error err;
  char *value = strchr(word, '='), shown[64];
  struct tandem_config *c = tandem_config_create();
  if (value != NULL)
    *value++ = '\0';
  /* A value that is taken is one that is shown and taken again. */
  if (tandem_config_set(c, word, value, &err) == TANDEM_OK &&
      (tandem_config_get(c, word, shown, sizeof shown, &err) != TANDEM_OK ||
       tandem_config_set(c, word, shown, &err) != TANDEM_OK))
    fuzz_differ(err.text);
  tandem_config_destroy(c);
}

static void launch(const struct cli_launch *l) {
  struct yaml_file f;
  struct tandem_error err;
  char *text = cli_launch_text("/dev/null", l);
  if (text != NULL && yaml_open_text(&f, text, "words", &err) == 0)
    yaml_close(&f);
  free(text);
}

void fuzz_one(const char *text, size_t n) {
  struct cli_launch l = {0};
  char *words = strndup(text, n), *rest = words, *word;
  while ((word = strsep(&rest, "\n")) != NULL && l.nargs < sizeof l.args / sizeof l.args[0]) {
    char *copy = strdup(word);
    set(copy);
    free(copy);
    const char **to = l.kernel == NULL  ? &l.kernel
                      : l.grid == NULL  ? &l.grid
                      : l.block == NULL ? &l.block
                                        : &l.args[l.nargs++];
    *to = word;
  }
  launch(&l);
  free(words);
}
