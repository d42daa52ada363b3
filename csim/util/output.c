/* Output files. */
#include "csim/util/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csim/util/input.h"
#include "csim/util/scratch.h"

/* ---- claims ---- */

static struct output_claim *claims;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int refuse(const char *path, int error, struct tandem_error *err) {
  return tandem_fail(err, -error, "cannot write %s: %s", path,
                     *path == '\0'       ? "the name is empty"
                     : error == ENOLINK  ? "it is a link to a file that is not there"
                     : error == ENOTUNIQ ? "it is also the name of an input"
                                         : strerror(error));
}

/* The open file that a path names, as /dev/stdout and /dev/fd/3 do; -1: none. */
static int names_open_file(const char *path) {
  static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
  if (strcmp(path, "/dev/stdout") == 0)
    return STDOUT_FILENO;
  if (strcmp(path, "/dev/stderr") == 0)
    return STDERR_FILENO;
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
    const size_t n = strlen(folders[i]);
    char *end;
    if (strncmp(path, folders[i], n) != 0 || path[n] < '0' || path[n] > '9')
      continue;
    const long fd = strtol(path + n, &end, 10);
    if (*end == '\0' && fd <= INT_MAX)
      return (int)fd;
  }
  return -1;
}

/* The path of a file that is not there yet, its folder's links resolved; NULL: errno. */
static char *new_path(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
  char *folder = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
  char *real = folder != NULL ? realpath(folder, NULL) : NULL, *whole = NULL;
  free(folder);
  if (real != NULL && *name == '\0')
    errno = ENOENT;
  else if (real != NULL && asprintf(&whole, "%s/%s", strcmp(real, "/") != 0 ? real : "", name) < 0)
    whole = NULL;
  free(real);
  return whole;
}

/* Fills the claim: 0 or an errno. */
static int look(struct output_claim *c, const char *path) {
  struct stat st;
  c->fd = names_open_file(path);
  c->in_place = c->fd >= 0;
  if (c->in_place) {
    c->path = strdup(path);
    return c->path == NULL ? ENOMEM : fcntl(c->fd, F_GETFL) < 0 ? errno : 0;
  }
  c->there = stat(path, &st) == 0;
  if (!c->there && lstat(path, &st) == 0) /* replacing the link would not write what it points to */
    return ENOLINK;
  c->in_place = c->there && !S_ISREG(st.st_mode);
  if (c->there && S_ISDIR(st.st_mode))
    return EISDIR;
  if (c->there && access(path, W_OK) != 0)
    return errno;
  if (c->there && input_was(&st)) /* inputs that are read later are refused there */
    return ENOTUNIQ;
  c->path = c->in_place ? strdup(path) : c->there ? realpath(path, NULL) : new_path(path);
  if (c->path == NULL)
    return errno;
  c->mode = st.st_mode & 0777;
  c->device = st.st_dev;
  c->inode = st.st_ino;
  if (c->in_place)
    return 0;
  char *part;
  const int fd = scratch_file(c->path, &part);
  if (fd < 0)
    return -fd;
  close(fd);
  scratch_drop(part);
  return 0;
}

/* Two outputs may go to one device or pipe, not to one file. */
static bool same(const struct output_claim *a, const struct output_claim *b) {
  if (a->in_place || b->in_place)
    return false;
  return strcmp(a->path, b->path) == 0 ||
         (a->there && b->there && a->device == b->device && a->inode == b->inode);
}

int output_claim(struct output_claim *c, const char *path, struct tandem_error *err) {
  *c = (struct output_claim){.fd = -1};
  const int error = look(c, path);
  bool twice = false;
  pthread_mutex_lock(&lock);
  for (const struct output_claim *o = claims; error == 0 && o != NULL; o = o->next)
    twice |= same(c, o);
  if (error == 0 && !twice) {
    c->next = claims;
    claims = c;
  }
  pthread_mutex_unlock(&lock);
  if (error == 0 && !twice)
    return 0;
  free(c->path);
  c->path = NULL;
  return twice ? tandem_fail(err, -EBUSY, "cannot write %s: another output has that name", path)
               : refuse(path, error, err);
}

void output_release(struct output_claim *c) {
  if (c->path == NULL)
    return;
  pthread_mutex_lock(&lock);
  struct output_claim **at = &claims;
  while (*at != c)
    at = &(*at)->next;
  *at = c->next;
  pthread_mutex_unlock(&lock);
  free(c->path);
  c->path = NULL;
}

bool output_is(const struct stat *st) {
  bool found = false;
  if (!S_ISREG(st->st_mode))
    return false;
  pthread_mutex_lock(&lock);
  for (const struct output_claim *o = claims; o != NULL; o = o->next)
    found |= o->there && !o->in_place && o->device == st->st_dev && o->inode == st->st_ino;
  pthread_mutex_unlock(&lock);
  return found;
}

/* ---- outputs in memory ---- */

int output_open(struct output *o, const char *path, struct tandem_error *err) {
  memset(o, 0, sizeof *o);
  if (strcmp(path, "-") == 0) {
    o->file = stdout;
    return 0;
  }
  const int status = output_claim(&o->claim, path, err);
  if (status != 0)
    return status;
  o->file = open_memstream(&o->text, &o->size);
  if (o->file != NULL)
    return 0;
  output_abandon(o);
  return refuse(path, ENOMEM, err);
}

/* Ends a text in memory.  Returns 0 if it is complete, else an errno. */
static int finish(FILE *f) {
  const bool bad = ferror(f) != 0;
  errno = 0;
  if (fclose(f) != 0 || bad)
    return errno != 0 ? errno : ENOMEM;
  return 0;
}

/* Flushes the standard output.  Returns 0 if all has arrived, else an errno, once: the rest is
 * dropped. */
static int finish_standard(void) {
  const bool bad = ferror(stdout) != 0;
  errno = 0;
  int error = fflush(stdout) != 0 ? errno : 0;
  if (bad && error == 0) /* an earlier write failed, and its reason is lost: another one has it */
    error = write(STDOUT_FILENO, "\n", 1) < 0 ? errno : EIO;
  if (error != 0) {
    __fpurge(stdout);
    clearerr(stdout);
  }
  return error;
}

static int write_all(int fd, const char *text, size_t size) {
  for (size_t at = 0; at < size;) {
    const ssize_t n = write(fd, text + at, size - at);
    if (n < 0 && errno != EINTR)
      return errno;
    at += n > 0 ? (size_t)n : 0;
  }
  return 0;
}

/* Puts the text where it belongs; an errno or 0. */
static int put(const struct output *o) {
  const struct output_claim *c = &o->claim;
  char *part = NULL;
  const int fd = c->fd >= 0    ? fcntl(c->fd, F_DUPFD_CLOEXEC, 0)
                 : c->in_place ? open(c->path, O_WRONLY | O_CLOEXEC)
                               : scratch_file(c->path, &part);
  if (fd < 0)
    return part == NULL && !c->in_place ? -fd : errno;
  int error = c->fd == STDOUT_FILENO && fflush(stdout) != 0 ? errno : 0;
  if (error == 0)
    error = write_all(fd, o->text, o->size);
  if (error == 0 && part != NULL && c->there && fchmod(fd, c->mode) != 0)
    error = errno;
  if (error == 0 && !c->in_place && fsync(fd) != 0)
    error = errno;
  if (close(fd) != 0 && error == 0)
    error = errno;
  if (part != NULL && error == 0)
    return -scratch_become(part, c->path);
  scratch_drop(part);
  return error;
}

int output_commit(struct output *o, struct tandem_error *err) {
  const bool out = o->file == stdout;
  int error = out ? finish_standard() : finish(o->file);
  o->file = NULL;
  if (error == 0 && !out)
    error = put(o);
  const int status = error != 0 ? refuse(out ? "standard output" : o->claim.path, error, err) : 0;
  output_abandon(o);
  return status;
}

void output_abandon(struct output *o) {
  if (o->file != NULL && o->file != stdout)
    fclose(o->file);
  free(o->text);
  output_release(&o->claim);
  memset(o, 0, sizeof *o);
}
