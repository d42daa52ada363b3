/* Prints docs/reference/energy.md: the introduction, then the figures and components of the energy
 * model. */
#include <string.h>

#include "csim/util/page.h"
#include "harness/gpu/feature.h"

/* The tables of every GPU, then those of the features; NULL: no more. */
static const struct energy_tables *tables_at(size_t i) {
  if (i == 0)
    return &energy_common;
  return i <= features_count ? &features[i - 1]->energy : NULL;
}

static void print_sources(FILE *out) {
  const struct energy_tables *t;
  fprintf(out, "\n## Sources\n\n| name | source |\n| --- | --- |\n");
  for (size_t k = 0; (t = tables_at(k)) != NULL; k++)
    for (size_t i = 0; i < t->nsources; i++) {
      fprintf(out, "| %s | ", t->sources[i].name);
      page_cell(out, t->sources[i].text);
      fprintf(out, " |\n");
    }
}

static const char *kind_of(const struct energy_figure *f) {
  return strcmp(f->kind, "PRINTED") == 0   ? "printed"
         : strcmp(f->kind, "DERIVED") == 0 ? "derived"
                                           : "assumed";
}

static void print_figures(FILE *out) {
  const struct energy_tables *t;
  fprintf(out, "\n## Figures\n\n| figure | value | unit | kind | source | of |\n"
               "| --- | --- | --- | --- | --- | --- |\n");
  for (size_t k = 0; (t = tables_at(k)) != NULL; k++)
    for (size_t i = 0; i < t->nfigures; i++) {
      const struct energy_figure *f = &t->figures[i];
      fprintf(out, "| `%s` | %.6g | %s | %s | %s | ", f->name, f->value, f->unit, kind_of(f),
              f->source);
      page_cell(out, f->text);
      fprintf(out, " |\n");
    }
}

static void print_components(FILE *out, const char *group, const char *title) {
  const struct energy_tables *t;
  fprintf(out, "\n## %s\n\n| in the JSON | activity |\n| --- | --- |\n", title);
  for (size_t k = 0; (t = tables_at(k)) != NULL; k++)
    for (size_t i = 0; i < t->ncomponents; i++) {
      const struct energy_component *c = &t->components[i];
      if (strcmp(c->group, group) != 0)
        continue;
      fprintf(out, "| `%s` | ", c->path);
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
