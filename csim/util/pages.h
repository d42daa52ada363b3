/* Memory for state that every cycle reads all over: in large pages, where the system has them, so
 * that the processor needs few entries of its TLB. */
#ifndef TANDEM_PAGES_H
#define TANDEM_PAGES_H

#include <stddef.h>

enum { PAGES_LARGE = 2 << 20 }; /* bytes: an allocation takes a multiple of it */

/* Zeroed up to size, aligned to PAGES_LARGE; NULL if there is no memory.  For free(). */
void *pages_alloc(size_t size);

#endif
