/* The name that a misspelt one is likely to mean. */
#ifndef TANDEM_UTIL_NEAREST_H
#define TANDEM_UTIL_NEAREST_H

/* The nearer of two names, by the letters to change, add or leave out; near NULL: the other one. */
const char *nearest(const char *name, const char *near, const char *other);

#endif
