/* Prints docs/energy.md: the introduction, then the figures and components of the energy model. */
#include <string.h>

#include "csim/util/page.h"
#include "harness/gpu/energy/energy.h"

static void print_sources(FILE *out) {
  fprintf(out, "\n## Sources\n\n| name | source |\n| --- | --- |\n");
  for (unsigned i = 0; i < energy_nsources; i++) {
    fprintf(out, "| %s | ", energy_sources[i].name);
    page_cell(out, energy_sources[i].text);
    fprintf(out, " |\n");
  }
}

static const char *kind_of(const struct energy_figure *f) {
  return strcmp(f->kind, "PRINTED") == 0   ? "printed"
         : strcmp(f->kind, "DERIVED") == 0 ? "derived"
                                           : "assumed";
}

static void print_figures(FILE *out) {
  fprintf(out, "\n## Figures\n\n| figure | value | unit | kind | source | of |\n"
               "| --- | --- | --- | --- | --- | --- |\n");
  for (unsigned i = 0; i < energy_nfigures; i++) {
    const struct energy_figure *f = &energy_figures[i];
    fprintf(out, "| `%s` | %.6g | %s | %s | %s | ", f->name, f->value, f->unit, kind_of(f),
            f->source);
    page_cell(out, f->text);
    fprintf(out, " |\n");
  }
}

static void print_components(FILE *out, const char *group, const char *title) {
  fprintf(out, "\n## %s\n\n| in the JSON | activity |\n| --- | --- |\n", title);
  for (unsigned i = 0; i < energy_ncomponents; i++) {
    const struct energy_component *c = &energy_components[i];
    if (strcmp(c->group, group) != 0)
      continue;
    fprintf(out, "| `energy.%s.%s` | ", group, c->name);
    page_cell(out, c->text);
    fprintf(out, " |\n");
  }
}

static void print(FILE *out) {
  print_sources(out);
  print_figures(out);
  print_components(out, "dynamic", "Dynamic energy");
  print_components(out, "static", "Leakage");
  print_components(out, "sm_cycles", "Classes of SM cycles");
}

int main(int argc, char **argv) { return page_main(argc, argv, "energy_page", print); }
