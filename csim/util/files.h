/* Files and folders. */
#ifndef TANDEM_UTIL_FILES_H
#define TANDEM_UTIL_FILES_H

#include <stddef.h>

#include "csim/util/error.h"
#include "csim/util/hash.h"

int files_read(const char *path, char **text, size_t *size, struct tandem_error *err);
/* The file is there whole, or as it was. */
int files_write(const char *path, const char *text, size_t size, struct tandem_error *err);
int files_folder(const char *path, struct tandem_error *err); /* and those above it */

/* With a 0 behind its bytes. */
int files_hash(struct hash *h, const char *path, struct tandem_error *err);

#endif
