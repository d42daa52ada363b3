/* Bodies of program images, behind a header that fits them; and images with whatever header. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "csim/isa/core/program.h"
#include "tests/fuzz/fuzz.h"

enum { HEADER = 20 };

static void read_one(const char *bytes, size_t n) {
  struct isa_program *p;
  struct tandem_error err;
  if (isa_image_decode(bytes, n, "x.img", &p, &err) == 0)
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
