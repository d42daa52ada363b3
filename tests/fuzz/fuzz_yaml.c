/* YAML with parameters. */
#include <stdlib.h>

#include "csim/util/yaml_parameters.h"
#include "csim/util/yaml_tree.h"
#include "tests/fuzz/fuzz.h"

void fuzz_one(const char *text, size_t n) {
  struct yaml_file f;
  struct yaml_parameter *list = NULL;
  struct tandem_error err;
  size_t count;
  (void)n;
  if (yaml_open_text(&f, text, "x.yaml", &err) != 0)
    return;
  if (yaml_root(&f) != NULL)
    (void)yaml_parameters(&f, yaml_get(&f, yaml_root(&f), "parameters"), NULL, 0, &list, &count,
                          &err);
  free(list);
  yaml_close(&f);
}
