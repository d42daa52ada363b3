/* Memory for state that is visited all over, every cycle: in pages so large that the processor
 * finds their addresses at once, where the system gives such pages to who asks. */
#ifndef TANDEM_PAGES_H
#define TANDEM_PAGES_H

#include <stddef.h>

enum { PAGES_LARGE = 2 << 20 }; /* bytes: what an allocation takes is a multiple of it */

/* Zeroed up to size, aligned to PAGES_LARGE; NULL if there is no memory.  For free(). */
void *pages_alloc(size_t size);

#endif
