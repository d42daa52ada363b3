/* Tags of a set-associative cache with least-recently-used replacement; no data. */
#ifndef TANDEM_MEM_TAGS_H
#define TANDEM_MEM_TAGS_H

#include <stdbool.h>
#include <stdint.h>

enum tag_state { TAG_INVALID, TAG_VALID, TAG_RESERVED /* a fill is on its way */ };

#define TAG_NONE UINT32_MAX

struct tag_line {
  uint64_t used; /* stamp of the last touch */
  uint16_t mshr; /* miss register of a reserved line */
  uint8_t state; /* enum tag_state */
  uint8_t valid; /* sectors that can be read */
  uint8_t dirty; /* sectors to be written back */
};

struct tags {
  uint32_t sets, ways;
  uint64_t stamp;
  uint32_t *tag; /* line number of each way, [set * ways + way]; TAG_NONE if invalid */
  struct tag_line *line;
};

bool tags_init(struct tags *t, uint32_t bytes, uint32_t ways, uint32_t line_bytes);
void tags_free(struct tags *t);
void tags_flush(struct tags *t);

/* Returns the index of the line, or -1, without touching it. */
static inline int tags_find(const struct tags *t, uint32_t number) {
  uint32_t first = (number & (t->sets - 1)) * t->ways;
  for (uint32_t i = first; i < first + t->ways; i++)
    if (t->tag[i] == number)
      return (int)i;
  return -1;
}
static inline void tags_touch(struct tags *t, int index) { t->line[index].used = ++t->stamp; }
static inline void tags_drop(struct tags *t, int index) {
  t->tag[index] = TAG_NONE;
  t->line[index] = (struct tag_line){0};
}

/* Returns the way for a new line: an invalid one, else the least recently used one that is not
 * reserved, else -1. */
int tags_victim(const struct tags *t, uint32_t number);

/* Puts a line there, as the most recently used one. */
void tags_set(struct tags *t, int index, uint32_t number, enum tag_state state);

#endif
