/* Bodies of program images, behind a header that fits them; and images with whatever header.  The
 * text of a program assembles to the same image. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "csim/isa/asm/asm.h"
#include "tests/fuzz/fuzz.h"

enum { HEADER = 20 };

/* The image of a program, and its text; false: it has none. */
static bool write_image(const struct isa_program *p, char **bytes, size_t *n) {
  FILE *out = open_memstream(bytes, n);
  const bool good = out != NULL && isa_image_write(p, out, NULL) == 0;
  return out != NULL && fclose(out) == 0 && good;
}

static bool write_text(const struct isa_program *p, char **text, size_t *n) {
  FILE *out = open_memstream(text, n);
  const bool good = out != NULL && isa_disassemble(p, out) == 0;
  return out != NULL && fclose(out) == 0 && good;
}

static void round_trip(const struct isa_program *p) {
  char *text = NULL, *first = NULL, *second = NULL;
  size_t size, m, n;
  struct isa_program *again;
  struct tandem_error err;
  if (!write_image(p, &first, &m) || !write_text(p, &text, &size))
    fuzz_differ("a program that was read has no image or no text");
  if (p->nkernels != 0) {
    if (isa_assemble(text, "x.s", &again, &err) != 0)
      fuzz_differ(err.text);
    if (!write_image(again, &second, &n) || m != n || memcmp(first, second, n) != 0)
      fuzz_differ("the text of a program gives another one");
    isa_program_free(again);
  }
  free(text);
  free(first);
  free(second);
}

static void read_one(const char *bytes, size_t n) {
  struct isa_program *p;
  struct tandem_error err;
  if (isa_image_decode(bytes, n, "x.img", &p, &err) != 0)
    return;
  round_trip(p);
  isa_program_free(p);
}

void fuzz_one(const char *text, size_t n) {
  read_one(text, n);
  if (n < HEADER)
    return;
  char *image = malloc(n);
  const uint32_t words[3] = {
      1, (uint32_t)(n - HEADER),
      (uint32_t)crc32_z(0, (const unsigned char *)text + HEADER, n - HEADER)};
  static const char magic[8] = {'T', 'A', 'N', 'D', 'E', 'M', 'I', 'M'};
  memcpy(image, text, n);
  memcpy(image, magic, sizeof magic);
  memcpy(image + sizeof magic, words, sizeof words);
  read_one(image, n);
  free(image);
}
