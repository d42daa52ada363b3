/* make_models SOURCES FOLDER [objects]: the models of a GPU as configured by default, plain and
 * full (the fact DEFAULT of csim/ports/units.def), made while Tandem is built (models_ship). */
#include <stdio.h>
#include <string.h>

#include "csim/ports/facts.h"
#include "harness/shim/models/models.h"

enum { MOST = 32 };

int main(int argc, char **argv) {
  struct rtl_spec specs[MOST];
  struct tandem_error err;
  size_t n = 0;
  const bool objects = argc == 4 && strcmp(argv[3], "objects") == 0;
  if (argc != 3 && !objects) {
    fprintf(stderr, "usage: make_models SOURCES FOLDER [objects]\n");
    return 2;
  }
  for (const struct unit_facts *f = unit_facts; f->name != NULL; f++)
    for (unsigned full = 0; f->standard != NULL && full < 2 && n < MOST; full++)
      specs[n++] = (struct rtl_spec){
          .unit = f->name, .parameters = f->standard, .kind = full != 0 ? RTL_FULL : RTL_PLAIN};
  models_places(argv[1], NULL);
  if (models_ship(specs, n, argv[2], objects, &err) == 0)
    return 0;
  fprintf(stderr, "make_models: %s\n", err.text);
  return 1;
}
