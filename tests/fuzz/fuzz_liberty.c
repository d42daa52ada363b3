/* Liberty files, and what the flow needs of them; the one that is written for the tools is a file
 * that they read. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "synth/input/library.h"
#include "tests/fuzz/fuzz.h"

static void write_one(const struct liberty *l) {
  char *text = NULL;
  size_t size;
  struct liberty again;
  struct tandem_error err;
  FILE *out = open_memstream(&text, &size);
  assert(out != NULL);
  liberty_write(out, l->trees, l->units, l->ntrees, "written");
  fclose(out);
  if (liberty_parse(text, "written.lib", &again, &err) != 0) {
    fprintf(stderr, "%s\n%s\n", err.text, text);
    abort();
  }
  assert(again.ncells == l->ncells && liberty_plain(&again.trees[0], &again.units[0]));
  liberty_free(&again);
  free(text);
}

void fuzz_one(const char *text, size_t n) {
  struct liberty l;
  struct synth_library info;
  struct tandem_error err;
  const char *path = fuzz_file(text, n);
  if (n >= 2 && text[0] == 0x1f) /* a compressed one would be unpacked beside netlists */
    return;
  if (synth_library_load(&path, 1, "/proc/nowhere", &l, &info, &err) == 0)
    liberty_free(&l);
  if (liberty_parse(text, "x.lib", &l, &err) == 0) {
    write_one(&l);
    liberty_free(&l);
  }
}
