/* Prints docs/reference/statistics.md: the introduction, then the tables of stall causes and
 * statistics. */
#include <string.h>

#include "csim/util/page.h"
#include "harness/gpu/results/figures.h"

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

static void print_group(FILE *out, const char *heading, const struct figure *list, size_t n) {
  fprintf(out,
          "\n## Figures: %s\n\n| in the JSON | in the text | unit | meaning |\n"
          "| --- | --- | --- | --- |\n",
          heading);
  for (const struct figure *f = list; f < list + n && f->heading == heading; f++) {
    if (*f->path == '\0' && *f->title == '\0')
      continue;
    const char *quote = *f->path != '\0' ? "`" : "";
    fprintf(out, "| %s%s%s | %s | %s | ", quote, f->path, quote, f->title, f->unit);
    page_cell(out, f->text);
    fprintf(out, " |\n");
  }
}

static void print(FILE *out) {
  struct figure list[FIGURES];
  struct tandem_config c;
  const struct gpu_stats none = {0};
  const char *heading = NULL;
  gpu_config_default(&c);
  const size_t n = figures_list(&c, &none, FIGURES_OF_ALL, list);
  print_stalls(out);
  for (const struct figure *f = list; f < list + n; f++) {
    if (f->heading != heading && f->group != FIGURES_STALLS) /* above */
      print_group(out, f->heading, f, (size_t)(list + n - f));
    heading = f->heading;
  }
}

int main(int argc, char **argv) { return page_main(argc, argv, "statistics_page", print); }
