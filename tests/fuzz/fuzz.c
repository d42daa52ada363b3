/* Common to the targets. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
  char *text = malloc(n + 1);
  if (text == NULL)
    return -1;
  if (n != 0)
    memcpy(text, bytes, n);
  text[n] = '\0';
  fuzz_one(text, n);
  free(text);
  return 0;
}

const char *fuzz_file(const char *text, size_t n) {
  static char path[32];
  static int fd = -1;
  if (fd < 0 && (fd = memfd_create("input", MFD_CLOEXEC)) < 0)
    fuzz_differ("no file in memory");
  if (ftruncate(fd, 0) != 0 || pwrite(fd, text, n, 0) != (ssize_t)n)
    fuzz_differ("no room in memory");
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  return path;
}

void fuzz_differ(const char *what) {
  fprintf(stderr, "fuzz: %s\n", what);
  abort();
}
