/* Error messages, formatted into the record of the caller. */
#include "csim/util/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the UTF-8 character that begins here; 0: none does. */
static size_t character(const unsigned char *c) {
  const size_t n = *c < 0x80                 ? 1
                   : *c >= 0xc2 && *c < 0xe0 ? 2
                   : *c >= 0xe0 && *c < 0xf0 ? 3
                   : *c >= 0xf0 && *c < 0xf5 ? 4
                                             : 0;
  for (size_t i = 1; i < n; i++)
    if (c[i] >> 6 != 2)
      return 0;
  return n;
}

void tandem_printable(char *text) {
  for (unsigned char *c = (unsigned char *)text; *c != '\0';) {
    const size_t n = character(c);
    const bool control = (*c < ' ' && *c != '\n' && *c != '\t') || *c == 0x7f ||
                         (n == 2 && *c == 0xc2 && c[1] < 0xa0);
    if (n == 0 || control)
      memset(c, '?', n > 0 ? n : 1);
    c += n > 0 ? n : 1;
  }
}

int tandem_fail(struct tandem_error *err, int code, const char *format, ...) {
  if (err != NULL) {
    va_list args;
    va_start(args, format);
    (void)vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    tandem_printable(err->text);
  }
  return code;
}
