/* Commands as texts that a shell takes. */
#include "csim/util/shell.h"

#include <string.h>

void shell_word(FILE *out, const char *word) {
  static const char plain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./,:+@%";
  if (*word != '\0' && strspn(word, plain) == strlen(word)) {
    fputs(word, out);
    return;
  }
  fputc('\'', out);
  for (const char *p = word; *p != '\0'; p++)
    if (*p == '\'')
      fputs("'\\''", out);
    else
      fputc(*p, out);
  fputc('\'', out);
}
