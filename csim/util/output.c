/* Output files. */
#include "csim/util/output.h"

#include <errno.h>
#include <fcntl.h>
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
                     : error == EBUSY    ? "another output has that name"
                                         : strerror(error));
}

/* The path of a file that is not there yet, its folder's links resolved; NULL: errno. */
static char *new_path(const char *path) {
  const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
  char *folder = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
  char *real = folder != NULL ? realpath(folder, NULL) : NULL, *whole = NULL;
  free(folder);
  if (real != NULL && *name == '\0')
    errno = ENOENT;
  else if (real != NULL && access(real, W_OK) == 0 && asprintf(&whole, "%s/%s", real, name) < 0)
    whole = NULL;
  free(real);
  return whole;
}

/* Fills the claim: 0 or an errno. */
static int look(struct output_claim *c, const char *path) {
  struct stat st;
  c->there = stat(path, &st) == 0;
  if (!c->there && lstat(path, &st) == 0) /* replacing the link would not write what it points to */
    return ENOLINK;
  if (c->there && S_ISDIR(st.st_mode))
    return EISDIR;
  if (c->there && access(path, W_OK) != 0)
    return errno;
  if (c->there && input_was(&st)) /* inputs that are read later are refused there */
    return ENOTUNIQ;
  c->in_place = c->there && (!S_ISREG(st.st_mode) || strncmp(path, "/dev/", 5) == 0 ||
                             strncmp(path, "/proc/", 6) == 0);
  c->path = c->in_place ? strdup(path) : c->there ? realpath(path, NULL) : new_path(path);
  if (c->path == NULL)
    return errno;
  c->mode = st.st_mode & 0777;
  c->device = st.st_dev;
  c->inode = st.st_ino;
  return 0;
}

/* Two outputs may go to one device or pipe, not to one file. */
static bool same(const struct output_claim *a, const struct output_claim *b) {
  return !a->in_place && !b->in_place &&
         (strcmp(a->path, b->path) == 0 ||
          (a->there && b->there && a->device == b->device && a->inode == b->inode));
}

int output_claim(struct output_claim *c, const char *path, struct tandem_error *err) {
  *c = (struct output_claim){0};
  int error = look(c, path);
  pthread_mutex_lock(&lock);
  for (const struct output_claim *o = claims; error == 0 && o != NULL; o = o->next)
    error = same(c, o) ? EBUSY : 0;
  if (error == 0) {
    c->next = claims;
    claims = c;
  }
  pthread_mutex_unlock(&lock);
  if (error == 0)
    return 0;
  free(c->path);
  c->path = NULL;
  return refuse(path, error, err);
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
  pthread_mutex_lock(&lock);
  for (const struct output_claim *o = claims; o != NULL; o = o->next)
    found |= o->there && !o->in_place && o->device == st->st_dev && o->inode == st->st_ino;
  pthread_mutex_unlock(&lock);
  return found;
}

/* ---- outputs in memory ---- */

int output_open(struct output *o, const char *path, struct tandem_error *err) {
  *o = (struct output){.file = stdout};
  if (strcmp(path, "-") == 0)
    return 0;
  o->file = NULL;
  TRY(output_claim(&o->claim, path, err));
  o->file = open_memstream(&o->text, &o->size);
  if (o->file != NULL)
    return 0;
  output_abandon(o);
  return refuse(path, ENOMEM, err);
}

/* Ends the text in memory and puts it where it belongs, in one step if that is a file; an errno or
 * 0. */
static int put(struct output *o) {
  const struct output_claim *c = &o->claim;
  char *part = NULL;
  const bool whole = ferror(o->file) == 0;
  if (fclose(o->file) != 0 || !whole)
    return ENOMEM;
  (void)fflush(stdout); /* which the path may name */
  const int fd =
      c->in_place ? open(c->path, O_WRONLY | O_APPEND | O_CLOEXEC) : scratch_file(c->path, &part);
  if (fd < 0)
    return c->in_place ? errno : -fd;
  FILE *f = fdopen(fd, "a");
  const bool good = f != NULL && fwrite(o->text, 1, o->size, f) == o->size && fflush(f) == 0 &&
                    (c->in_place || ((!c->there || fchmod(fd, c->mode) == 0) && fsync(fd) == 0));
  int error = good ? 0 : errno;
  if ((f != NULL ? fclose(f) : close(fd)) != 0 && error == 0)
    error = errno;
  if (part != NULL && error == 0)
    return -scratch_become(part, c->path);
  scratch_drop(part);
  return error;
}

/* Flushes the standard output.  Returns 0 if all has arrived, else an errno, once:
 * what has not arrived is dropped. */
static int finish_standard(void) {
  int error = fflush(stdout) != 0 ? errno : 0;
  if (error == 0 && ferror(stdout) != 0) /* an earlier write; the next one has the cause, too */
    error = write(STDOUT_FILENO, "\n", 1) < 0 ? errno : EIO;
  if (error != 0) {
    __fpurge(stdout);
    clearerr(stdout);
  }
  return error;
}

int output_commit(struct output *o, struct tandem_error *err) {
  const bool out = o->file == stdout;
  const int error = out ? finish_standard() : put(o);
  o->file = NULL;
  const int status = error != 0 ? refuse(out ? "standard output" : o->claim.path, error, err) : 0;
  output_abandon(o);
  return status;
}

void output_abandon(struct output *o) {
  if (o->file != NULL && o->file != stdout)
    fclose(o->file);
  free(o->text);
  output_release(&o->claim);
  *o = (struct output){0};
}
