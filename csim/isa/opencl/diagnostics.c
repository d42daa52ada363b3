/* Messages of clang about a source.
 *
 *     In file included from FILE:LINE:     before a message about an included file
 *     FILE:LINE:COLUMN: error: TEXT        then lines of code
 *     FILE:LINE:COLUMN: note: TEXT         which belongs to the message before
 *     2 errors generated. */
#include "csim/isa/opencl/diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *next(const char *line) {
  line += strcspn(line, "\n");
  return line + (*line != '\0');
}

static const char *find(const char *line, const char *text) {
  const char *at = strstr(line, text);
  return at != NULL && at < line + strcspn(line, "\n") ? at : NULL;
}

static bool begins(const char *line, const char *with) {
  return strncmp(line, with, strlen(with)) == 0;
}

/* Returns the kind and text of the message that begins in this line; NULL: none begins. */
static const char *message(const char *line) {
  static const char *const kinds[] = {": error: ", ": fatal error: ", ": warning: ", ": note: "};
  for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    const char *at = find(line, kinds[i]);
    if (at != NULL)
      return at + 2;
  }
  return NULL;
}

/* Returns whether the line starts something that does not belong to the message before. */
static bool starts(const char *line) {
  return message(line) != NULL || begins(line, "In file included from ") ||
         find(line, " generated.") != NULL;
}

void opencl_hide_diagnostics(char *log, const char *hidden) {
  char first[256] = "", *out = log;
  bool errors = false;
  for (const char *line = log, *end; *line != '\0'; line = end) {
    for (end = next(line); *end != '\0' && !starts(end); end = next(end))
      continue;
    const char *text = message(line);
    const bool error = text != NULL && (begins(text, "error") || begins(text, "fatal"));
    if (begins(line, hidden) || begins(line, "In file included from <built-in>") ||
        (begins(line, "In file included from ") && find(line, hidden) != NULL)) {
      if (error && *first == '\0')
        snprintf(first, sizeof first, "%.*s", (int)strcspn(text, "\n"), text);
      continue;
    }
    errors = errors || error;
    memmove(out, line, (size_t)(end - line));
    out += end - line;
  }
  *out = '\0';
  if (!errors && *first != '\0')
    sprintf(log, "%s", first); /* it came from this text */
}

bool opencl_cut_failure(char *log) {
  char *at = strstr(log, "PLEASE submit a bug report");
  if (at != NULL)
    *at = '\0';
  return at != NULL;
}
