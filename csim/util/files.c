/* Files and folders of the flow. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

#include "csim/util/files.h"
#include "csim/util/output.h"

/* Compressed files are read as what they contain. */
int files_read(const char *path, char **text, size_t *size, struct tandem_error *err) {
  *text = NULL;
  struct stat st;
  const bool there = stat(path, &st) == 0;
  if (there && S_ISDIR(st.st_mode))
    return tandem_fail(err, -EISDIR, "cannot read %s: %s", path, strerror(EISDIR));
  if (there && output_is(&st))
    return tandem_fail(err, -EBUSY, "cannot read %s: it is also the name of an output", path);
  gzFile f = gzopen(path, "rb");
  if (f == NULL)
    return tandem_fail(err, -errno, "cannot read %s: %s", path, strerror(errno));
  size_t n = 0, room = 1 << 16;
  int got = 0;
  do {
    char *more = realloc(*text, room *= 2);
    if (more == NULL) {
      free(*text);
      *text = NULL;
      gzclose(f);
      return tandem_fail(err, -ENOMEM, "out of memory for %s", path);
    }
    *text = more;
    got = gzread(f, more + n, (unsigned)(room - n - 1));
    n += got > 0 ? (size_t)got : 0;
  } while (got > 0 && room < (size_t)1 << 30);
  (*text)[n] = '\0';
  const int end = gzclose(f);
  if (got != 0 || end != Z_OK) {
    free(*text);
    *text = NULL;
    return tandem_fail(err, -EINVAL, "cannot read %s: %s", path,
                       got > 0 ? "it is too large" : "it is cut off or damaged");
  }
  if (size != NULL)
    *size = n;
  return 0;
}

int files_write(const char *path, const char *text, size_t size, struct tandem_error *err) {
  struct output out;
  TRY(output_open(&out, path, err));
  (void)fwrite(text, 1, size, out.file);
  return output_commit(&out, err);
}

int files_folder(const char *path, struct tandem_error *err) {
  char part[1024];
  if (snprintf(part, sizeof part, "%s", path) >= (int)sizeof part)
    return tandem_fail(err, -ENAMETOOLONG, "the path %s is too long", path);
  for (char *p = part + 1;; p++) {
    const char c = *p;
    if (c != '/' && c != '\0')
      continue;
    *p = '\0';
    struct stat st;
    int why = mkdir(part, 0777) == 0 ? 0 : errno;
    if (why == EEXIST)
      why = stat(part, &st) == 0 && S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
    if (why != 0)
      return tandem_fail(err, -why, "cannot make the folder %s: %s", part, strerror(why));
    *p = c;
    if (c == '\0')
      return 0;
  }
}

int files_hash(struct hash *h, const char *path, struct tandem_error *err) {
  char *text;
  size_t size;
  const int status = files_read(path, &text, &size, err);
  if (status == 0)
    hash_bytes(h, text, size + 1);
  free(text);
  return status;
}
