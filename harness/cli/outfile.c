/* Output files: written beside their path, renamed to it once they are whole. */
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

/* A new file beside the path, whose name goes to *part; NULL on failure, with errno. */
static FILE *open_beside(const char *path, char **part) {
  if (asprintf(part, "%s.partXXXXXX", path) < 0) {
    *part = NULL;
    return NULL;
  }
  const int fd = mkstemp(*part);
  if (fd < 0) {
    const int error = errno;
    free(*part);
    *part = NULL;
    errno = error;
    return NULL;
  }
  const mode_t mask = umask(0);
  umask(mask);
  (void)fchmod(fd, 0666 & ~mask);
  return fdopen(fd, "wb");
}

/* Whether the path could be written now, and how; an errno or 0.  Leaves nothing behind. */
static int try_path(struct outfile *o, const char *path) {
  struct stat st;
  const bool there = stat(path, &st) == 0;
  o->path = there ? realpath(path, NULL) : strdup(path); /* what a link points to is written */
  if (o->path == NULL)
    return errno;
  if (there && S_ISDIR(st.st_mode))
    return EISDIR;
  if (there && access(path, W_OK) != 0)
    return errno;
  o->in_place = there && !S_ISREG(st.st_mode);
  if (o->in_place)
    return 0;
  char *part;
  FILE *f = open_beside(o->path, &part);
  const int error = f != NULL ? 0 : errno;
  if (f != NULL)
    fclose(f);
  if (part != NULL)
    unlink(part);
  free(part);
  return error;
}

bool outfile_open(struct outfile *o, const char *path) {
  memset(o, 0, sizeof *o);
  if (strcmp(path, "-") == 0) {
    o->file = stdout;
    return true;
  }
  const int error = try_path(o, path);
  if (error != 0)
    return refuse(o, path, error);
  o->file = open_memstream(&o->text, &o->size);
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

/* Puts the text where it belongs; an errno or 0. */
static int write_path(struct outfile *o) {
  char *part = NULL;
  FILE *f = o->in_place ? fopen(o->path, "wb") : open_beside(o->path, &part);
  int error = f == NULL ? errno : 0;
  if (f != NULL) {
    (void)fwrite(o->text, 1, o->size, f);
    error = finish(f, true);
  }
  if (part != NULL && error == 0 && rename(part, o->path) != 0)
    error = errno;
  if (part != NULL && error != 0)
    unlink(part);
  free(part);
  return error;
}

bool outfile_commit(struct outfile *o) {
  const bool out = o->file == stdout;
  int error = finish(o->file, !out);
  o->file = NULL;
  if (error == 0 && !out)
    error = write_path(o);
  if (error != 0)
    return refuse(o, out ? "standard output" : o->path, error);
  outfile_abandon(o);
  return true;
}

void outfile_abandon(struct outfile *o) {
  if (o->file != NULL && o->file != stdout)
    fclose(o->file);
  free(o->text);
  free(o->path);
  memset(o, 0, sizeof *o);
}
