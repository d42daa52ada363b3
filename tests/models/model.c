/* Makes a model that several tests need, so that none of them waits for it: model UNIT KIND
 * [PARAMETERS]. */
#include <stdio.h>
#include <string.h>

#include "harness/shim/models/models.h"

int main(int argc, char **argv) {
  struct tandem_error err;
  struct rtl_spec s = {.unit = argc > 1 ? argv[1] : "", .parameters = argc > 3 ? argv[3] : ""};
  while (argc > 2 && s.kind < RTL_KINDS && strcmp(argv[2], rtl_kind_names[s.kind]) != 0)
    s.kind++;
  if (argc < 3 || s.kind == RTL_KINDS) {
    fprintf(stderr, "usage: model UNIT KIND [PARAMETERS]\n");
    return 2;
  }
  if (models_get(&s, &err) != NULL)
    return 0;
  fprintf(stderr, "%s\n", err.text);
  return 1;
}
