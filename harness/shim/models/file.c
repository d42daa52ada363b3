/* Files of the cache.  After the ELF file stand the tools that made it, a line each with its
 * processor seconds, and the seal, which is of all bytes before it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csim/util/files.h"
#include "harness/shim/models/local.h"

const char models_made_by[] = "made_by";
static const char mark[] = "\ntandem model ", begin[] = "\nmade by\n";
enum { MARK = sizeof mark - 1, SEAL = MARK + HASH_KEY - 1 + 1 /* bytes: mark, key, newline */ };

static void seal_of(const char *bytes, size_t n, char seal[SEAL + 1]) {
  struct hash h;
  char key[HASH_KEY];
  hash_start(&h);
  hash_bytes(&h, bytes, n);
  hash_end(&h, key);
  snprintf(seal, SEAL + 1, "%s%s\n", mark, key);
}

static int append(const char *path, const char *bytes, size_t n, struct tandem_error *err) {
  FILE *f = fopen(path, "ab");
  const bool good = f != NULL && fwrite(bytes, 1, n, f) == n;
  const int error = f == NULL || fclose(f) != 0 || !good ? errno : 0;
  return error == 0 ? 0 : tandem_fail(err, -error, "cannot write %s: %s", path, strerror(error));
}

int file_seal(const char *path, const char *made_by, struct tandem_error *err) {
  size_t n;
  char seal[SEAL + 1], *bytes;
  int status = append(path, begin, sizeof begin - 1, err);
  if (status == 0 && files_read(made_by, &bytes, &n, NULL) == 0) {
    status = append(path, bytes, n, err);
    free(bytes);
  }
  if (status == 0)
    status = files_read(path, &bytes, &n, err);
  if (status != 0)
    return status;
  seal_of(bytes, n, seal);
  free(bytes);
  return append(path, seal, SEAL, err);
}

static enum model_stage stage_of(const char *log) {
  return strcmp(log, "yosys") == 0                                   ? MODEL_YOSYS
         : strcmp(log, "verilator") == 0 || strcmp(log, "root") == 0 ? MODEL_VERILATOR
         : strcmp(log, "link") == 0                                  ? MODEL_LINKER
                                                                     : MODEL_COMPILER;
}

void file_seconds(const char *path, double seconds[MODEL_STAGES]) {
  enum { LINES = 1000 }; /* more bytes than the lines have */
  char end[LINES + 1], log[20];
  double s;
  FILE *f = fopen(path, "rb");
  for (unsigned i = 0; i < MODEL_STAGES; i++)
    seconds[i] = 0;
  if (f == NULL)
    return;
  const bool found = fseek(f, -LINES, SEEK_END) == 0 && fread(end, 1, LINES, f) == LINES;
  fclose(f);
  end[LINES] = '\0';
  char *line = found ? memmem(end, LINES, begin, sizeof begin - 1) : NULL;
  if (line == NULL)
    return;
  for (line += sizeof begin - 1; sscanf(line, "%19s %lf", log, &s) == 2;
       line += strcspn(line, "\n") + 1)
    seconds[stage_of(log)] += s;
}

bool file_whole(const char *path) {
  size_t n;
  char seal[SEAL + 1], *bytes = NULL;
  struct stat st; /* reading anything else may wait */
  bool whole = stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
               files_read(path, &bytes, &n, NULL) == 0 && n > SEAL;
  if (whole) {
    seal_of(bytes, n - SEAL, seal);
    whole = memcmp(bytes + n - SEAL, seal, SEAL) == 0;
  }
  free(bytes);
  return whole;
}
