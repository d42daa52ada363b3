/* Waveforms, of which the names of signals are read: a file as it is, and one whose hierarchy is
 * the input, as LZ4 that the input gives and as literals alone. */
#include <stdlib.h>
#include <string.h>

#include "harness/gpu/report/fst.h"
#include "tests/fuzz/fuzz.h"

enum { HIERARCHY = 6, HEAD = 17, LONG = 15, MOST = 1 << 16 };

static void read_file(const char *bytes, size_t n) {
  struct fst_names names;
  if (fst_names_read(fuzz_file(bytes, n), &names) != 0)
    return;
  for (size_t i = 0; i < names.n; i++)
    if (strlen(names.name[i]) == 0)
      fuzz_differ("a signal has no name");
  fst_names_free(&names);
}

static void put_number(char *at, uint64_t v) {
  for (unsigned i = 0; i < 8; i++)
    at[i] = (char)(v >> (56 - 8 * i));
}

/* A file of one block, whose contents expand to `expanded` bytes. */
static void read_block(const char *contents, size_t n, size_t expanded) {
  char *file = malloc(HEAD + n);
  if (file == NULL)
    return;
  file[0] = HIERARCHY;
  put_number(file + 1, n + 16);
  put_number(file + 9, expanded);
  memcpy(file + HEAD, contents, n);
  read_file(file, HEAD + n);
  free(file);
}

/* The text of a hierarchy as one sequence of literals. */
static void read_entries(const char *text, size_t n) {
  const size_t more = n >= LONG ? (n - LONG) / 255 + 1 : 0;
  char *block = malloc(1 + more + n);
  if (block == NULL || n == 0) {
    free(block);
    return;
  }
  block[0] = (char)((n < LONG ? n : LONG) << 4);
  for (size_t i = 0; i < more; i++)
    block[1 + i] = (char)(i + 1 < more ? 255 : (n - LONG) % 255);
  memcpy(block + 1 + more, text, n);
  read_block(block, 1 + more + n, n);
  free(block);
}

void fuzz_one(const char *text, size_t n) {
  if (n > MOST)
    return;
  read_file(text, n);
  read_block(text, n, n < 2 ? 1 : 2 * n);
  read_entries(text, n);
}
