/* Keys of texts: FNV-1a, twice from different starts. */
#include "csim/util/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void hash_start(struct hash *h) {
  h->a = 0xcbf29ce484222325u;
  h->b = 0x9e3779b97f4a7c15u;
}

void hash_bytes(struct hash *h, const void *bytes, size_t n) {
  const unsigned char *p = bytes;
  for (size_t i = 0; i < n; i++) {
    h->a = (h->a ^ p[i]) * 0x100000001b3u;
    h->b = (h->b ^ p[i]) * 0x100000001b3u;
    h->b ^= h->b >> 29;
  }
}

void hash_text(struct hash *h, const char *text) { hash_bytes(h, text, strlen(text) + 1); }

void hash_without(struct hash *h, const char *text, const char *const *left_out, size_t n) {
  for (const char *p = text; *p != '\0';) {
    size_t skip = 0;
    for (size_t i = 0; i < n && skip == 0; i++)
      if (strncmp(p, left_out[i], strlen(left_out[i])) == 0)
        skip = strlen(left_out[i]);
    if (skip == 0)
      hash_bytes(h, p, 1);
    p += skip != 0 ? skip : 1;
  }
  hash_bytes(h, "", 1);
}

void hash_end(const struct hash *h, char key[HASH_KEY]) {
  snprintf(key, HASH_KEY, "%016" PRIx64 "%016" PRIx64, h->a, h->b);
}
