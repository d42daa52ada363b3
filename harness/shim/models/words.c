/* Lists of words. */
#include "harness/shim/models/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(struct words *w, char *word) {
  if (word != NULL && w->n + 1 >= w->room) {
    const size_t room = w->room != 0 ? 2 * w->room : 32;
    char **more = realloc(w->word, room * sizeof *more);
    if (more == NULL) {
      free(word);
      word = NULL;
    } else {
      w->word = more;
      w->room = room;
    }
  }
  if (word == NULL) {
    w->failed = true;
    return;
  }
  w->word[w->n++] = word;
  w->word[w->n] = NULL;
}

void words_add(struct words *w, const char *format, ...) {
  char *word = NULL;
  va_list args;
  va_start(args, format);
  const int n = vasprintf(&word, format, args);
  va_end(args);
  put(w, n < 0 ? NULL : word);
}

void words_split(struct words *w, const char *before, const char *text) {
  for (const char *p = text + strspn(text, " "); *p != '\0'; p += strspn(p, " ")) {
    const size_t n = strcspn(p, " ");
    words_add(w, "%s%.*s", before, (int)n, p);
    p += n;
  }
}

void words_all(struct words *w, const struct words *more) {
  for (size_t i = 0; i < more->n; i++)
    words_add(w, "%s", more->word[i]);
  w->failed = w->failed || more->failed;
}

bool words_have(const struct words *w, const char *word) {
  for (size_t i = 0; i < w->n; i++)
    if (strcmp(w->word[i], word) == 0)
      return true;
  return false;
}

void words_free(struct words *w) {
  for (size_t i = 0; i < w->n; i++)
    free(w->word[i]);
  free(w->word);
  *w = (struct words){0};
}
