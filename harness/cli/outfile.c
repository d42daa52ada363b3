#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/cli/cli.h"

static bool refuse(struct outfile *o, const char *path, int error) {
  fprintf(stderr, "tandem: cannot write %s: %s\n", path, strerror(error));
  outfile_abandon(o);
  return false;
}

/* Writes beside o->path. */
static bool open_beside(struct outfile *o) {
  if (asprintf(&o->part, "%s.partXXXXXX", o->path) < 0) {
    o->part = NULL;
    return refuse(o, o->path, ENOMEM);
  }
  const int fd = mkstemp(o->part);
  if (fd < 0) {
    const int error = errno;
    free(o->part);
    o->part = NULL;
    return refuse(o, o->path, error);
  }
  const mode_t mask = umask(0);
  umask(mask);
  (void)fchmod(fd, 0666 & ~mask);
  o->file = fdopen(fd, "wb");
  return o->file != NULL ? true : refuse(o, o->path, errno);
}

bool outfile_open(struct outfile *o, const char *path) {
  memset(o, 0, sizeof *o);
  if (strcmp(path, "-") == 0) {
    o->file = stdout;
    return true;
  }
  struct stat st;
  const bool there = stat(path, &st) == 0;
  o->path = there ? realpath(path, NULL) : strdup(path); /* what a link points to is written */
  if (o->path == NULL)
    return refuse(o, path, errno);
  if (there && S_ISDIR(st.st_mode))
    return refuse(o, path, EISDIR);
  if (there && access(path, W_OK) != 0)
    return refuse(o, path, errno);
  if (!there || S_ISREG(st.st_mode))
    return open_beside(o);
  o->file = fopen(path, "wb"); /* a device or pipe is not replaced by a file */
  return o->file != NULL ? true : refuse(o, path, errno);
}

/* Whether all that was written has arrived; an errno or 0. */
static int finish(FILE *f, bool shut) {
  const bool bad = ferror(f) != 0;
  errno = 0;
  if ((shut ? fclose(f) : fflush(f)) != 0 || bad)
    return errno != 0 ? errno : EIO;
  return 0;
}

bool outfile_commit(struct outfile *o) {
  const bool out = o->file == stdout;
  int error = finish(o->file, !out);
  o->file = NULL;
  if (error == 0 && o->part != NULL && rename(o->part, o->path) != 0)
    error = errno;
  if (error != 0)
    return refuse(o, out ? "standard output" : o->path, error);
  free(o->part);
  o->part = NULL;
  outfile_abandon(o);
  return true;
}

void outfile_abandon(struct outfile *o) {
  if (o->file != NULL && o->file != stdout)
    fclose(o->file);
  if (o->part != NULL)
    unlink(o->part);
  free(o->part);
  free(o->path);
  memset(o, 0, sizeof *o);
}
