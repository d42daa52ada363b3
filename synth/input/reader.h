/* Reads YAML with an error that sticks: after the first one each function reads nothing and gives
 * 0,
 * "" or NULL, so that a reader looks once, at its end. */
#ifndef TANDEM_SYNTH_INPUT_READER_H
#define TANDEM_SYNTH_INPUT_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "csim/util/yaml_tree.h"

struct reader {
  struct yaml_file file;
  struct tandem_error *err;
  int status; /* 0, or the negative errno of the first error */
};

/* Opens the file; the result is its root, which must be there. */
yaml_node_t *reader_open(struct reader *r, const char *path, struct tandem_error *err);
/* Closes it: the reader's status. */
int reader_close(struct reader *r);
/* Fails at a node's line, unless something failed before. */
void reader_fail(struct reader *r, const yaml_node_t *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void reader_memory(struct reader *r); /* out of it */

/* Checks that the node is a mapping with no other keys than these. */
void reader_keys(struct reader *r, yaml_node_t *node, const char *what, const char *const *keys);
/* The value of a key, NULL if there is none; reader_need fails then. */
yaml_node_t *reader_get(struct reader *r, yaml_node_t *map, const char *key);
yaml_node_t *reader_need(struct reader *r, yaml_node_t *map, const char *key, const char *what);

/* A list, of at most so many items: their number, 0 for NULL. */
size_t reader_list(struct reader *r, const yaml_node_t *list, const char *what, size_t most);
yaml_node_t *reader_item(struct reader *r, const yaml_node_t *list, size_t i);
/* Names with values, at most so many: their number, 0 for NULL. */
size_t reader_pairs(struct reader *r, const yaml_node_t *map, const char *what, size_t most);
yaml_node_t *reader_pair(struct reader *r, const yaml_node_t *map, size_t i, const char **name);

/* Scalars; `what` names the value in messages.  NULL is a missing one. */
const char *reader_text(struct reader *r, const yaml_node_t *node, const char *what);
double reader_real(struct reader *r, const yaml_node_t *node, const char *what);
uint64_t reader_uint(struct reader *r, const yaml_node_t *node, const char *what, uint64_t least,
                     uint64_t most);
bool reader_bool(struct reader *r, const yaml_node_t *node, const char *what);
/* The text of a key, which must be there and fit. */
void reader_copy(struct reader *r, yaml_node_t *map, const char *key, char *to, size_t size);

#endif
