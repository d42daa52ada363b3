/* Error messages, formatted into the record of the caller. */
#include "csim/util/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

size_t tandem_character(const char *at) {
  const unsigned char *c = (const unsigned char *)at;
  const size_t n = *c < 0x80                 ? 1
                   : *c >= 0xc2 && *c < 0xe0 ? 2
                   : *c >= 0xe0 && *c < 0xf0 ? 3
                   : *c >= 0xf0 && *c < 0xf5 ? 4
                                             : 0;
  unsigned code = n == 1 ? *c : *c & (0x7fu >> n);
  for (size_t i = 1; i < n; i++) {
    if (c[i] >> 6 != 2)
      return 0;
    code = code << 6 | (c[i] & 0x3fu);
  }
  static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool control =
                 (code < ' ' && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0),
             none = code < least[n] || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff ||
                    (code | 1) == 0xffff;
  return control || none ? 0 : n;
}

void tandem_printable(char *text) {
  for (char *c = text; *c != '\0';) {
    const size_t n = tandem_character(c);
    if (n == 0)
      *c = '?';
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
