/* Prints docs/reference/units.md: the introduction, then the ports and compared states of all
 * units. */
#include <string.h>

#include "csim/ports/units.h"
#include "csim/util/page.h"

/* A line of a ports table, as its text says. */
struct row {
  const char *kind, *name, *when;
  unsigned width, count;
};

static void print_when(FILE *out, const char *when) {
  if (strcmp(when, "1") == 0)
    fputs("always", out);
  else {
    fputc('`', out);
    page_cell(out, when);
    fputc('`', out);
  }
}

static void print_unit(FILE *out, const char *name, const struct row *rows, size_t n) {
  fprintf(out, "\n## %s\n\n| | name | bits | means something |\n| --- | --- | --- | --- |\n", name);
  for (size_t i = 0; i < n; i++) {
    const struct row *r = &rows[i];
    fprintf(out, "| %s | `%s` | ", r->kind, r->name);
    if (r->count > 1)
      fprintf(out, "%u x %u | ", r->count, r->width);
    else
      fprintf(out, "%u | ", r->width);
    print_when(out, r->when);
    fprintf(out, " |\n");
  }
}

#define PINS(direction, name, width)                                                               \
  (width) * PORT_WORDS(struct PORTS_CAT(PORTS_UNIT, direction), name)
#define PORT_IN(name, width, qualifier) {"in", #name, #qualifier, PINS(_in, name, width), 1},
#define PORT_OUT(name, width, qualifier) {"out", #name, #qualifier, PINS(_out, name, width), 1},
#define STATE(name, width, count, signal, qualifier) {"state", #name, #qualifier, width, count},
#define PORTS_EACH "docs/generate/units.inc"
#include "csim/ports/units.def"

#include "csim/ports/blocks.def"
#undef PORTS_EACH

static void print(FILE *out) {
#define PORTS_EACH "docs/generate/units_print.inc"
#include "csim/ports/units.def"

#include "csim/ports/blocks.def"
#undef PORTS_EACH
}

int main(int argc, char **argv) { return page_main(argc, argv, "units_page", print); }
