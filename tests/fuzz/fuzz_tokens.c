/* PTX with one token too few or too many: the first 8 bytes choose the change of the text behind
 * them.  The tree, printed back, has the tokens that were read, or an error names the line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/ptx/print.h"

static void check(const char *text) {
  char what[400];
  if (print_check(text, what, sizeof what) != PRINT_DIFFERS)
    return;
  fprintf(stderr, "%s\n", text);
  fuzz_differ(what);
}

void fuzz_one(const char *text, size_t n) {
  uint64_t choice;
  if (n < sizeof choice)
    return;
  memcpy(&choice, text, sizeof choice);
  check(text + sizeof choice);
  char *edited = print_edit(text + sizeof choice, choice);
  if (edited != NULL)
    check(edited);
  free(edited);
}
