/* Delta debugging, whatever is made smaller. */
#ifndef TANDEM_SHRINK_REDUCE_H
#define TANDEM_SHRINK_REDUCE_H

#include <stdbool.h>
#include <stddef.h>

/* Makes candidate i in *to; false: there is none of this number. */
typedef bool tries_make(void *user, size_t i, void *to);

/* Tries candidates.  first: the number of the first of n candidates that still fails as it must; n:
 * none does.  It may try several at once, and looks at none behind the first that fails. */
struct tries {
  void *self;
  size_t (*first)(void *self, size_t n, tries_make *make, void *user);
};

/* Makes the candidate without the items that are gone. */
typedef bool reduce_make(void *user, const bool *gone, void *to);

/* Leaves out as many of n items as it can: halves, then smaller parts, down to parts of `least`
 * items; with least 1 at last each by itself until none can go.  gone[i]: item i is gone; the
 * caller gives those that are gone at first.  Returns true if another one has gone. */
bool reduce_list(const struct tries *t, size_t n, size_t least, bool *gone, reduce_make *make,
                 void *user);

/* The smallest number from `least` to `now` that still fails; numbers below 9, powers of two, and
 * three quarters of them are tried, from below.  make gets the number as i. */
size_t reduce_number(const struct tries *t, size_t least, size_t now, tries_make *make, void *user);

#endif
