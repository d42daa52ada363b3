/* Files, folders, and keys of their contents. */
#ifndef TANDEM_SYNTH_DATA_FILES_H
#define TANDEM_SYNTH_DATA_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "csim/util/error.h"

int synth_read(const char *path, char **text, size_t *size, struct tandem_error *err);
/* The file is there whole, or as it was. */
int synth_write(const char *path, const char *text, size_t size, struct tandem_error *err);
int synth_folder(const char *path, struct tandem_error *err); /* and those above it */

/* A key: hash of texts and files, 32 hexadecimal digits. */
struct synth_hash {
  uint64_t a, b;
};
void synth_hash_start(struct synth_hash *h);
void synth_hash_text(struct synth_hash *h, const char *text);
/* The text, wherever it stands, without the names of folders that say nothing of its meaning. */
void synth_hash_without(struct synth_hash *h, const char *text, const char *const *left_out,
                        size_t n);
int synth_hash_file(struct synth_hash *h, const char *path, struct tandem_error *err);
void synth_hash_end(const struct synth_hash *h, char key[40]);

#endif
