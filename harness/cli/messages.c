/* Messages: the standard error without characters that command a terminal.  Names of files,
 * options and kernels may hold any byte, and getopt, argp and the C library repeat them as they
 * are. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csim/util/error.h"
#include "harness/cli/cli.h"

/* Lines of progress start with it: to the line's begin, and clear it. */
static const char clear[] = "\r\033[K";

static bool put(const char *text, size_t n) {
  for (size_t at = 0; at < n;) {
    const ssize_t wrote = write(STDERR_FILENO, text + at, n - at);
    if (wrote < 0 && errno != EINTR)
      return false;
    at += wrote > 0 ? (size_t)wrote : 0;
  }
  return true;
}

/* The stream has no buffer: what is formatted together comes together. */
static ssize_t print(void *cookie, const char *bytes, size_t n) {
  (void)cookie;
  const size_t start = n >= strlen(clear) && memcmp(bytes, clear, strlen(clear)) == 0 ? 4 : 0;
  char *text = malloc(n - start + 1);
  if (text == NULL)
    return 0;
  memcpy(text, bytes + start, n - start);
  text[n - start] = '\0';
  tandem_printable(text);
  const bool good = put(clear, start) && put(text, strlen(text));
  free(text);
  return good ? (ssize_t)n : 0;
}

void cli_messages(void) {
  FILE *out = fopencookie(NULL, "w", (cookie_io_functions_t){.write = print});
  if (out == NULL)
    return;
  setvbuf(out, NULL, _IONBF, 0);
  stderr = out; /* a variable in the C library of GNU */
}
