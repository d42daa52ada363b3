#include <errno.h>
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

bool outfile_open(struct outfile *o, const char *path) {
  memset(o, 0, sizeof *o);
  if (strcmp(path, "-") == 0) {
    o->file = stdout;
    return true;
  }
  struct stat st;
  if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
    return refuse(o, path, EISDIR);
  o->path = strdup(path);
  if (o->path == NULL || asprintf(&o->part, "%s.partXXXXXX", path) < 0) {
    o->part = NULL;
    return refuse(o, path, ENOMEM);
  }
  const int fd = mkstemp(o->part);
  if (fd < 0) {
    const int error = errno;
    free(o->part);
    o->part = NULL;
    return refuse(o, path, error);
  }
  const mode_t mask = umask(0);
  umask(mask);
  (void)fchmod(fd, 0666 & ~mask);
  o->file = fdopen(fd, "wb");
  return o->file != NULL ? true : refuse(o, path, errno);
}

bool outfile_commit(struct outfile *o) {
  if (o->path == NULL) {
    o->file = NULL;
    if (fflush(stdout) == 0)
      return true;
    fprintf(stderr, "tandem: cannot write standard output: %s\n", strerror(errno));
    return false;
  }
  const bool bad = ferror(o->file) != 0;
  const int closed = fclose(o->file);
  o->file = NULL;
  if (bad || closed != 0 || rename(o->part, o->path) != 0) {
    char path[512];
    snprintf(path, sizeof path, "%s", o->path);
    return refuse(o, path, errno);
  }
  free(o->part);
  free(o->path);
  memset(o, 0, sizeof *o);
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
