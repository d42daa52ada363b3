/* Prints docs/statistics.md: the introduction, then the tables of stall causes and statistics. */
#include <string.h>

#include "csim/util/page.h"
#include "harness/gpu/figures.h"

static void print_stalls(FILE *out) {
  static const char *const of[] = {[STALL_OF_ALL] = "all front ends",
                                   [STALL_OF_MEMBERS] = "members of clusters",
                                   [STALL_OF_MODEL] = "C models, not at the ports"};
  fprintf(out, "\n## Stall causes\n\n| code | name | of | meaning |\n| --- | --- | --- | --- |\n");
  for (unsigned i = 0; i < STALL_CODES; i++)
    if (stalls[i].name != NULL)
      fprintf(out, "| %u | `%s` | %s | %s |\n", i, stalls[i].name, of[stalls[i].of],
              stalls[i].text);
}

static void print_group(FILE *out, enum figure_group group, const struct figure *list, size_t n) {
  const char *title = figure_groups[group];
  fprintf(out,
          "\n## Figures: %s\n\n| in the JSON | in the text | unit | meaning |\n"
          "| --- | --- | --- | --- |\n",
          title);
  for (const struct figure *f = list; f < list + n; f++) {
    if (f->group != group || (*f->path == '\0' && *f->title == '\0'))
      continue;
    const char *quote = *f->path != '\0' ? "`" : "";
    fprintf(out, "| %s%s%s | %s | %s | ", quote, f->path, quote, f->title, f->unit);
    page_cell(out, f->text);
    fprintf(out, " |\n");
  }
}

static void print(FILE *out) {
  struct figure list[FIGURES];
  const struct gpu_stats none = {0};
  const size_t n = figures_list(&none, FIGURES_OF_ALL, list);
  print_stalls(out);
  for (unsigned g = 0; g < FIGURE_GROUPS; g++)
    if (g != FIGURES_STALLS) /* above */
      print_group(out, (enum figure_group)g, list, n);
}

int main(int argc, char **argv) { return page_main(argc, argv, "statistics_page", print); }
