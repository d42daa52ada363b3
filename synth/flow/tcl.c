/* Texts in Tcl. */
#include "synth/flow/tcl.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void word(FILE *out, const char *format, va_list list) {
  char *text;
  if (vasprintf(&text, format, list) < 0)
    return;
  fputc('"', out);
  for (const char *p = text; *p != '\0'; p++) {
    if (strchr("\\\"$[]{};", *p) != NULL)
      fputc('\\', out);
    if (*p == '\n')
      fputs("\\n", out);
    else
      fputc(*p, out);
  }
  fputc('"', out);
  free(text);
}

void tcl_word(FILE *out, const char *format, ...) {
  va_list list;
  va_start(list, format);
  word(out, format, list);
  va_end(list);
}

void tcl_set(FILE *out, const char *name, const char *format, ...) {
  va_list list;
  va_start(list, format);
  fprintf(out, "set %s ", name);
  word(out, format, list);
  fputc('\n', out);
  va_end(list);
}

void tcl_link(FILE *out, const char *name, const char *format, ...) {
  va_list list;
  va_start(list, format);
  fprintf(out, "file link -symbolic %s ", name);
  word(out, format, list);
  fputc('\n', out);
  va_end(list);
}
