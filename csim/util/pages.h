/* Memory for state that every cycle reads all over: in large pages, where the system has them, so
 * that the processor needs few entries of its TLB.  Objects of one owner lie one behind the other,
 * so that no large page is cleared for a part of it. */
#ifndef TANDEM_PAGES_H
#define TANDEM_PAGES_H

#include <stddef.h>

struct pages;

/* Empty; NULL if there is no memory. */
struct pages *pages_create(void);
/* With all that was taken; NULL allowed. */
void pages_destroy(struct pages *p);

/* Returns `size` bytes of zeros at the start of a cache line (64 bytes), until pages_destroy.  NULL
 * if there is no memory. */
void *pages_take(struct pages *p, size_t size);

#endif
