/* All configuration keys of struct tandem_config: the tables of the GPU, of its features, of the SM
 * and of the memory (csim/util/config.h), one after the other. */
#ifndef TANDEM_GPU_CONFIG_H
#define TANDEM_GPU_CONFIG_H

#include "csim/util/config.h"
#include "harness/internal.h"

/* The i-th key; NULL: there are no more.  The first gpu_noptions keys have options. */
const struct config_key *gpu_key_at(size_t i);
size_t gpu_noptions(void);

/* The key of a section, NULL if there is none. */
const struct config_key *gpu_key(const char *section, const char *name);
/* The word of a choice. */
const char *gpu_word(const struct tandem_config *c, const char *section, const char *name);

/* Checks that every value is within its range, and that the memory's hold together.  0, or -EINVAL
 * with key, value and range in *err; about (NULL allowed) gets the keys. */
int gpu_config_check(const struct tandem_config *c, struct config_about *about,
                     struct tandem_error *err);

/* Makes a configuration's texts its own copies; false: out of memory, it has none then. */
bool config_own_texts(struct tandem_config *c);
/* Frees such copies. */
void config_free_texts(struct tandem_config *c);

#endif
