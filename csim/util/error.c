/* Error messages, formatted into the record of the caller. */
#include "csim/util/error.h"

#include <stdarg.h>
#include <stdio.h>

int tandem_fail(struct tandem_error *err, int code, const char *format, ...) {
  if (err != NULL) {
    va_list args;
    va_start(args, format);
    (void)vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
  }
  return code;
}
