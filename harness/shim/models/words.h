/* Lists of words, as commands take them. */
#ifndef TANDEM_MODELS_WORDS_H
#define TANDEM_MODELS_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct words {
  char **word; /* NULL-ended once it has one */
  size_t n, room;
  bool failed; /* out of memory: words are missing */
};

void words_add(struct words *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Each word of a text, behind `before`. */
void words_split(struct words *w, const char *before, const char *text);
void words_all(struct words *w, const struct words *more);
bool words_have(const struct words *w, const char *word);
void words_free(struct words *w);

#endif
