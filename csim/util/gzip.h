/* Compressed files. */
#ifndef TANDEM_UTIL_GZIP_H
#define TANDEM_UTIL_GZIP_H

#include <stdio.h>

/* Writes bytes as a gzip file.  0 or a negative errno. */
int gzip_write(FILE *out, const void *bytes, size_t n);

#endif
