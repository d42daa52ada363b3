/* Memory in large pages. */
#include "csim/util/pages.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void *pages_alloc(size_t size) {
  const size_t whole = (size + PAGES_LARGE - 1) / PAGES_LARGE * PAGES_LARGE;
  void *memory = aligned_alloc(PAGES_LARGE, whole);
  if (memory == NULL)
    return NULL;
#ifdef MADV_HUGEPAGE
  (void)madvise(memory, whole, MADV_HUGEPAGE); /* a wish: without, it is only slower */
#endif
  memset(memory, 0, size);
  return memory;
}
