/* Input files. */
#include "csim/util/input.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/output.h"

/* ---- files that were read ---- */

/* The last ones, of a program that wants it.  A file that has another time of change is no longer
 * the one that was read. */
enum { REMEMBERED = 256 };
static bool keeps;
static struct {
  dev_t device;
  ino_t inode;
  struct timespec changed;
} read_files[REMEMBERED];
static size_t nread;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void input_keep(void) { keeps = true; }

static void remember(const struct stat *st) {
  if (!keeps || !S_ISREG(st->st_mode) || input_was(st))
    return;
  pthread_mutex_lock(&lock);
  const size_t at = nread++ % REMEMBERED;
  read_files[at].device = st->st_dev;
  read_files[at].inode = st->st_ino;
  read_files[at].changed = st->st_ctim;
  pthread_mutex_unlock(&lock);
}

bool input_was(const struct stat *st) {
  bool found = false;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < REMEMBERED && i < nread && !found; i++)
    found = read_files[i].device == st->st_dev && read_files[i].inode == st->st_ino &&
            read_files[i].changed.tv_sec == st->st_ctim.tv_sec &&
            read_files[i].changed.tv_nsec == st->st_ctim.tv_nsec;
  pthread_mutex_unlock(&lock);
  return found;
}

void input_forget(const char *path) {
  struct stat st;
  if (stat(path, &st) != 0)
    return;
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < REMEMBERED && i < nread; i++)
    if (read_files[i].device == st.st_dev && read_files[i].inode == st.st_ino)
      read_files[i].changed.tv_nsec = -1; /* that of no file */
  pthread_mutex_unlock(&lock);
}

/* ---- reading ---- */

/* The bytes of an open file: 0 or an errno, -1 if there are more than `most`. */
static int take(FILE *f, size_t most, char **bytes, size_t *n) {
  size_t room = 1 << 15;
  *n = 0;
  do {
    char *more = realloc(*bytes, (room *= 2) + 1);
    if (more == NULL)
      return ENOMEM;
    *bytes = more;
    *n += fread(*bytes + *n, 1, room - *n, f);
  } while (*n == room && *n <= most);
  return ferror(f) != 0 ? errno : *n > most ? -1 : 0;
}

static int is_output(const char *path, struct tandem_error *err) {
  return tandem_fail(err, -EBUSY, "cannot read %s: it is also the name of an output", path);
}

int input_note(const char *path, struct tandem_error *err) {
  struct stat st;
  if (stat(path, &st) != 0)
    return 0;
  if (output_is(&st))
    return is_output(path, err);
  remember(&st);
  return 0;
}

int input_read(const char *path, size_t most, char **bytes, size_t *n, struct tandem_error *err) {
  struct stat st;
  *bytes = NULL;
  FILE *f = fopen(path, "re");
  if (f == NULL)
    return tandem_fail(err, -errno, "cannot read %s: %s", path, strerror(errno));
  int why = fstat(fileno(f), &st) != 0 ? errno : S_ISDIR(st.st_mode) ? EISDIR : 0;
  const bool written = why == 0 && output_is(&st);
  if (why == 0 && !written)
    why = take(f, most, bytes, n);
  fclose(f);
  if (why == 0 && !written) {
    remember(&st);
    (*bytes)[*n] = '\0';
    return 0;
  }
  free(*bytes);
  *bytes = NULL;
  if (written)
    return is_output(path, err);
  if (why < 0)
    return tandem_fail(err, -EFBIG, "cannot read %s: it has more than %zu bytes", path, most);
  return tandem_fail(err, -why, "cannot read %s: %s", path, strerror(why));
}

int input_text(const char *path, char **text, struct tandem_error *err) {
  size_t n;
  int status = input_read(path, INPUT_TEXT_MOST, text, &n, err);
  if (status != 0 || strlen(*text) == n)
    return status;
  unsigned line = 1;
  for (const char *p = *text; *p != '\0'; p++)
    line += *p == '\n';
  free(*text);
  *text = NULL;
  return tandem_fail(err, -EINVAL, "%s:%u: a byte 0, which no text has", path, line);
}
