/* Prints docs/reference/units.md: the introduction, then the ports and compared states of all
 * units. */
#include <string.h>

#include "csim/ports/facts.h"
#include "csim/util/page.h"

static void print_when(FILE *out, const char *when) {
  if (strcmp(when, "1") == 0)
    fputs("always", out);
  else {
    fputc('`', out);
    page_cell(out, when);
    fputc('`', out);
  }
}

/* bits: of ports, whose words are one value. */
static void print_lines(FILE *out, const char *kind, const struct port_desc *d, bool bits) {
  for (; d->name != NULL; d++) {
    fprintf(out, "| %s | `%s` | ", kind, d->name);
    if (d->count > 1 && !bits)
      fprintf(out, "%u x %u | ", d->count, d->width);
    else
      fprintf(out, "%u | ", d->width * d->count);
    print_when(out, d->when);
    fprintf(out, " |\n");
  }
}

static void print(FILE *out) {
  for (const struct ports_table *const *t = ports_tables; *t != NULL; t++) {
    fprintf(out, "\n## %s\n\n| | name | bits | means something |\n| --- | --- | --- | --- |\n",
            (*t)->name);
    print_lines(out, "in", (*t)->in, true);
    print_lines(out, "out", (*t)->out, true);
    print_lines(out, "state", (*t)->states, false);
  }
}

int main(int argc, char **argv) { return page_main(argc, argv, "units_page", print); }
