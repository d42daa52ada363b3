/* Input files. */
#include "csim/util/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "csim/util/output.h"

/* The bytes of an open file: 0 or an errno, -1 if there are more than `most`. */
static int take(int fd, size_t most, char **bytes, size_t *n) {
  size_t room = 0;
  for (*n = 0;;) {
    if (*n == room || *bytes == NULL) {
      room = room == 0 ? 1 << 16 : 2 * room;
      char *more = realloc(*bytes, room + 1);
      if (more == NULL)
        return ENOMEM;
      *bytes = more;
    }
    const ssize_t got = read(fd, *bytes + *n, room - *n);
    if (got == 0)
      return 0;
    if (got < 0 && errno != EINTR)
      return errno;
    *n += got > 0 ? (size_t)got : 0;
    if (*n > most)
      return -1;
  }
}

int input_read(const char *path, size_t most, char **bytes, size_t *n, struct tandem_error *err) {
  struct stat st;
  *bytes = NULL;
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return tandem_fail(err, -errno, "cannot read %s: %s", path, strerror(errno));
  int why = fstat(fd, &st) != 0 ? errno : S_ISDIR(st.st_mode) ? EISDIR : 0;
  const bool written = why == 0 && output_is(&st);
  if (why == 0 && !written)
    why = take(fd, most, bytes, n);
  close(fd);
  if (why == 0 && !written) {
    (*bytes)[*n] = '\0';
    return 0;
  }
  free(*bytes);
  *bytes = NULL;
  if (written)
    return tandem_fail(err, -EBUSY, "cannot read %s: it is also the name of an output", path);
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
