/* Memory in large pages. */
#include "csim/util/pages.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
  LINE = 64,
  LARGE = 2 << 20, /* bytes of a large page */
  REGION = 32 * LARGE
};

/* Address space; the system gives memory to what is touched of it. */
struct region {
  char *memory;
  size_t size, used;
  struct region *next;
};

struct pages {
  struct region *region; /* the newest, which has room */
};

static size_t round_up(size_t size, size_t to) { return (size + to - 1) / to * to; }

struct pages *pages_create(void) {
  return calloc(1, sizeof(struct pages));
}

void pages_destroy(struct pages *p) {
  while (p != NULL && p->region != NULL) {
    struct region *r = p->region;
    p->region = r->next;
    free(r->memory);
    free(r);
  }
  free(p);
}

static struct region *add_region(struct pages *p, size_t size) {
  struct region *r = calloc(1, sizeof *r);
  if (r == NULL)
    return NULL;
  r->size = size <= REGION ? REGION : round_up(size, LARGE);
  r->memory = aligned_alloc(LARGE, r->size);
  if (r->memory == NULL) {
    free(r);
    return NULL;
  }
#ifdef MADV_HUGEPAGE
  (void)madvise(r->memory, r->size, MADV_HUGEPAGE); /* a wish: without, it is only slower */
#endif
  r->next = p->region;
  p->region = r;
  return r;
}

void *pages_take(struct pages *p, size_t size) {
  const size_t whole = round_up(size, LINE);
  struct region *r = p->region;
  if ((r == NULL || r->size - r->used < whole) && (r = add_region(p, whole)) == NULL)
    return NULL;
  void *memory = r->memory + r->used;
  r->used += whole;
  return memset(memory, 0, whole);
}
