/* An error: its cause, its place and the remedy.  Library code fills one and returns a negative
 * errno. */
#ifndef TANDEM_ERROR_H
#define TANDEM_ERROR_H

#include <stddef.h>

/* harness/tandem.h has the same text for the library's users (a test compares them). */
#ifndef TANDEM_ERROR_DEFINED
#define TANDEM_ERROR_DEFINED
struct tandem_error {
  char text[1024]; /* one or more lines, no trailing newline; empty: no error */
};
#endif

/* Formats the text (truncating) and returns code, so that `return tandem_fail(err, -EINVAL, ...)`
 * reads well.  err may be NULL. */
int tandem_fail(struct tandem_error *err, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Ends the function with the result of x, a status, unless it is 0. */
#define TRY(x)                                                                                     \
  do {                                                                                             \
    const int status_ = (x);                                                                       \
    if (status_ != 0)                                                                              \
      return status_;                                                                              \
  } while (0)

/* Bytes of the character that begins here; 0: none does that may stand in a text for people or in
 * XML.  That is UTF-8 without control characters, but for line ends and tabulators. */
size_t tandem_character(const char *at);

/* Names of files and kernels may hold any byte: those that are no such character become question
 * marks. */
void tandem_printable(char *text);

#endif
