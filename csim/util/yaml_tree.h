/* Reading YAML with errors that name file and line.  libyaml parses; this adds checked access. */
#ifndef TANDEM_YAML_TREE_H
#define TANDEM_YAML_TREE_H

#include <stdbool.h>
#include <stdint.h>
#include <yaml.h>

#include "csim/util/error.h"

struct yaml_file {
  char *name;
  yaml_document_t document;
  bool loaded;
  char **values; /* by node: text given by yaml_put, or NULL; NULL if no node has one */
  size_t nvalues;
};

/* Parses a file, or a text under a name for messages.  0 or a negative errno. */
int yaml_open(struct yaml_file *f, const char *path, struct tandem_error *err);
int yaml_open_text(struct yaml_file *f, const char *text, const char *name,
                   struct tandem_error *err);
void yaml_close(struct yaml_file *f);
yaml_node_t *yaml_root(struct yaml_file *f); /* NULL if the document is empty */

/* Gives a scalar node a text (allocated, the file's from now on) in the place of its own. */
int yaml_put(struct yaml_file *f, const yaml_node_t *node, char *text, struct tandem_error *err);

/* Formats "file:line: ..." and returns -EINVAL.  A node that has a text in the place of its own is
 * shown with its own too. */
int yaml_fail(const struct yaml_file *f, const yaml_node_t *at, struct tandem_error *err,
              const char *format, ...) __attribute__((format(printf, 4, 5)));
unsigned yaml_line(const yaml_node_t *at);

/* Checks that node is a mapping, each key known (keys: NULL-terminated) and there once. */
int yaml_map(struct yaml_file *f, yaml_node_t *node, const char *what, const char *const *keys,
             struct tandem_error *err);
yaml_node_t *yaml_get(struct yaml_file *f, yaml_node_t *map, const char *key); /* NULL: none */

/* Index of the one key, of the first n, that the mapping has; -1: none, or several. */
int yaml_which(struct yaml_file *f, yaml_node_t *map, const char *const *keys, unsigned n);

/* Sequences. */
int yaml_list(const struct yaml_file *f, const yaml_node_t *node, const char *what,
              struct tandem_error *err);
size_t yaml_count(const yaml_node_t *list);
yaml_node_t *yaml_item(struct yaml_file *f, const yaml_node_t *list, size_t i);

/* A whole number: decimal, 0x hexadecimal; digits may be grouped by '_'.  False if the text is
 * none, or has more than 64 bits. */
bool yaml_whole(const char *text, bool *negative, uint64_t *magnitude);

/* Scalars; what names the value in messages.  0 or -EINVAL. */
int yaml_text(const struct yaml_file *f, const yaml_node_t *node, const char *what,
              const char **text, struct tandem_error *err);
int yaml_uint(const struct yaml_file *f, const yaml_node_t *node, const char *what, uint64_t min,
              uint64_t max, uint64_t *value, struct tandem_error *err);
int yaml_int(const struct yaml_file *f, const yaml_node_t *node, const char *what, int64_t min,
             int64_t max, int64_t *value, struct tandem_error *err);
int yaml_real(const struct yaml_file *f, const yaml_node_t *node, const char *what, double *value,
              struct tandem_error *err);
int yaml_bool(const struct yaml_file *f, const yaml_node_t *node, const char *what, bool *value,
              struct tandem_error *err);
/* Index of the text among names (NULL-terminated). */
int yaml_choice(const struct yaml_file *f, const yaml_node_t *node, const char *what,
                const char *const *names, unsigned *value, struct tandem_error *err);

#endif
