/* Tags of a set-associative cache: creation, victims, states. */
#include "csim/mem/base/tags.h"

#include <stdlib.h>
#include <string.h>

bool tags_init(struct tags *t, uint32_t bytes, uint32_t ways, uint32_t line_bytes) {
  uint32_t lines = bytes / line_bytes;
  *t = (struct tags){.sets = lines / ways,
                     .ways = ways,
                     .tag = malloc(lines * sizeof t->tag[0]),
                     .line = malloc(lines * sizeof t->line[0])};
  if (t->tag == NULL || t->line == NULL)
    return false;
  tags_flush(t);
  return true;
}

void tags_free(struct tags *t) {
  free(t->tag);
  free(t->line);
  *t = (struct tags){0};
}

void tags_flush(struct tags *t) {
  memset(t->tag, 0xff, t->sets * t->ways * sizeof t->tag[0]);
  memset(t->line, 0, t->sets * t->ways * sizeof t->line[0]);
}

int tags_victim(const struct tags *t, uint32_t number) {
  uint32_t first = (number & (t->sets - 1)) * t->ways;
  int best = -1;
  for (uint32_t i = first; i < first + t->ways; i++) {
    if (t->line[i].state == TAG_INVALID)
      return (int)i;
    if (t->line[i].state == TAG_VALID && (best < 0 || t->line[i].used < t->line[best].used))
      best = (int)i;
  }
  return best;
}

void tags_set(struct tags *t, int index, uint32_t number, enum tag_state state) {
  t->tag[index] = number;
  t->line[index] = (struct tag_line){.state = (uint8_t)state};
  tags_touch(t, index);
}
