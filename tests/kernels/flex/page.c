/* Prints docs/reference/flex_kernels.md: the introduction, then a line for each kernel. */
#include "tests/kernels/flex/limits.h"

#include <inttypes.h>
#include <stdlib.h>

#include "csim/util/page.h"

static void print_limit(FILE *out, unsigned limit) {
  static const char *const resource[FLEX_RESOURCES] = {"threads", "registers", "shared memory"};
  const char *between = "";
  for (unsigned i = 0; i < FLEX_RESOURCES; i++)
    if (limit >> i & 1) {
      fprintf(out, "%s%s", between, resource[i]);
      between = ", ";
    }
}

static void print_warps(FILE *out, uint32_t warps) {
  if (warps == UINT32_MAX)
    fputs(" | -", out);
  else
    fprintf(out, " | %" PRIu32, warps);
}

static void print_kernel(FILE *out, const struct flex_kernel *k) {
  struct flex_launch l;
  struct tandem_error err;
  if (flex_launch(k, &l, &err) != 0) {
    fprintf(stderr, "%s\n", err.text);
    exit(2);
  }
  fprintf(out, "| %s | `%s` in `%s` | %" PRIu64 " x %" PRIu64 " | %u | ", k->name, l.function,
          k->program, l.launches, l.ctas, l.threads);
  if (l.registers != l.uses)
    fprintf(out, "%u, uses %u | %u", l.registers, l.uses, l.shared);
  else
    fprintf(out, "%u | %u", l.uses, l.shared);
  for (unsigned i = 0; i < FLEX_RESOURCES; i++)
    print_warps(out, l.warps[i]);
  fputs(" | ", out);
  print_limit(out, l.limit);
  fputs(" |\n", out);
}

static void print(FILE *out) {
  fputs("\n| | kernel, program | launches x CTAs | threads | registers | shared bytes | warps by "
        "threads | "
        "by registers | by shared memory | limit |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
        out);
  for (size_t i = 0; i < flex_kernels_count; i++)
    print_kernel(out, &flex_kernels[i]);
}

int main(int argc, char **argv) { return page_main(argc, argv, "flex_kernels_page", print); }
