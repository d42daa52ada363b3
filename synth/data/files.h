/* Files and folders. */
#ifndef TANDEM_SYNTH_DATA_FILES_H
#define TANDEM_SYNTH_DATA_FILES_H

#include <stddef.h>

#include "csim/util/error.h"
#include "csim/util/hash.h"

int synth_read(const char *path, char **text, size_t *size, struct tandem_error *err);
/* The file is there whole, or as it was. */
int synth_write(const char *path, const char *text, size_t size, struct tandem_error *err);
int synth_folder(const char *path, struct tandem_error *err); /* and those above it */

/* With a 0 behind its bytes. */
int synth_hash_file(struct hash *h, const char *path, struct tandem_error *err);

#endif
