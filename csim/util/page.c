/* Pages of documentation from tables: printed, or compared with the file. */
#include "csim/util/page.h"

#include <stdlib.h>
#include <string.h>

void page_cell(FILE *out, const char *text) {
  for (; *text != '\0'; text++)
    fprintf(out, *text == '|' ? "\\|" : "%c", *text);
}

/* The whole file as a string, NULL if it cannot be read. */
static char *read_all(const char *path) {
  FILE *f = fopen(path, "rb");
  char *text = NULL;
  size_t size = 0, got;
  FILE *memory = f == NULL ? NULL : open_memstream(&text, &size);
  if (memory != NULL) {
    char buffer[4096];
    while ((got = fread(buffer, 1, sizeof buffer, f)) > 0)
      (void)fwrite(buffer, 1, got, memory);
    (void)fclose(memory);
  }
  if (f != NULL)
    (void)fclose(f);
  return text;
}

static char *page(const char *introduction, void (*print)(FILE *out)) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (out == NULL)
    return NULL;
  fprintf(out, "%s", introduction);
  print(out);
  (void)fclose(out);
  return text;
}

static int compare(const char *path, const char *want, const char *target) {
  char *got = read_all(path);
  if (got != NULL && strcmp(got, want) == 0) {
    free(got);
    return 0;
  }
  unsigned line = 1;
  for (const char *x = got, *y = want; x != NULL && *x == *y && *x != '\0'; x++, y++)
    line += *x == '\n';
  fprintf(stderr, "%s:%u: not what the table says; build the target %s\n", path, line, target);
  free(got);
  return 1;
}

int page_main(int argc, char **argv, const char *target, void (*print)(FILE *out)) {
  if (argc != 2 && argc != 3) {
    fprintf(stderr, "usage: %s INTRODUCTION [PAGE]\n", argv[0]);
    return 2;
  }
  char *introduction = read_all(argv[1]);
  char *text = introduction == NULL ? NULL : page(introduction, print);
  int status = 2;
  if (text == NULL)
    fprintf(stderr, "%s: cannot read %s\n", argv[0], argv[1]);
  else if (argc == 3)
    status = compare(argv[2], text, target);
  else
    status = fputs(text, stdout) == EOF || fflush(stdout) != 0 ? 2 : 0;
  free(text);
  free(introduction);
  return status;
}
