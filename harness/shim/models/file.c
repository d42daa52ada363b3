/* Files of the cache: an ELF file does not mind what stands behind it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "harness/shim/models/local.h"

static const char mark[] = "\ntandem model ";
enum { MARK = sizeof mark - 1, SEAL = MARK + HASH_KEY - 1 + 1 /* bytes: mark, key, newline */ };

static void seal_of(const char *bytes, size_t n, char seal[SEAL + 1]) {
  struct hash h;
  char key[HASH_KEY];
  hash_start(&h);
  hash_bytes(&h, bytes, n);
  hash_end(&h, key);
  snprintf(seal, SEAL + 1, "%s%s\n", mark, key);
}

int file_seal(const char *path, struct tandem_error *err) {
  size_t n;
  char seal[SEAL + 1], *bytes;
  const int status = files_read(path, &bytes, &n, err);
  if (status != 0)
    return status;
  seal_of(bytes, n, seal);
  free(bytes);
  FILE *f = fopen(path, "ab");
  const bool good = f != NULL && fwrite(seal, 1, SEAL, f) == SEAL;
  const int error = f == NULL || fclose(f) != 0 || !good ? errno : 0;
  return error == 0 ? 0 : tandem_fail(err, -error, "cannot write %s: %s", path, strerror(error));
}

bool file_whole(const char *path) {
  size_t n;
  char seal[SEAL + 1], *bytes;
  bool whole = files_read(path, &bytes, &n, NULL) == 0 && n > SEAL;
  if (whole) {
    seal_of(bytes, n - SEAL, seal);
    whole = memcmp(bytes + n - SEAL, seal, SEAL) == 0;
  }
  free(bytes);
  return whole;
}
