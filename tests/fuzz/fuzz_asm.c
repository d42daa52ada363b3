/* Assembler text; the text of a program assembles to the same program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/asm/asm.h"
#include "tests/fuzz/fuzz.h"

/* Its image; NULL: it has none. */
static char *image(const struct isa_program *p, size_t *n) {
  char *bytes = NULL;
  FILE *out = open_memstream(&bytes, n);
  if (out == NULL || isa_image_write(p, out, NULL) != 0)
    fuzz_differ("a program that was assembled has no image");
  fclose(out);
  return bytes;
}

void fuzz_one(const char *text, size_t n) {
  struct isa_program *p, *again;
  struct tandem_error err;
  char *listing = NULL;
  size_t size, first, second;
  (void)n;
  if (isa_assemble(text, "x.s", &p, &err) != 0)
    return;
  FILE *out = open_memstream(&listing, &size);
  if (out == NULL || isa_disassemble(p, out) != 0 || fclose(out) != 0)
    fuzz_differ("a program has no text");
  if (isa_assemble(listing, "y.s", &again, &err) != 0)
    fuzz_differ(err.text);
  char *a = image(p, &first), *b = image(again, &second);
  if (first != second || memcmp(a, b, first) != 0)
    fuzz_differ("the text of a program gives another one");
  free(a);
  free(b);
  free(listing);
  isa_program_free(p);
  isa_program_free(again);
}
