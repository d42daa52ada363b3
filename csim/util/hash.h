/* Keys of texts: 128 bits that tell one text from another.  Not for texts that somebody makes to
 * collide. */
#ifndef TANDEM_UTIL_HASH_H
#define TANDEM_UTIL_HASH_H

#include <stddef.h>
#include <stdint.h>

struct hash {
  uint64_t a, b;
};
enum { HASH_KEY = 33 /* bytes of a key as text: 32 hexadecimal digits, 0 */ };

void hash_start(struct hash *h);
void hash_bytes(struct hash *h, const void *bytes, size_t n);
/* A text with its end, so that "ab" and "c" are not "a" and "bc". */
void hash_text(struct hash *h, const char *text);
/* A text without the names in left_out, which stand for places and say nothing of its meaning. */
void hash_without(struct hash *h, const char *text, const char *const *left_out, size_t n);
void hash_end(const struct hash *h, char key[HASH_KEY]);

#endif
