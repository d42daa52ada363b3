/* Launch descriptions as trees that can be changed: mappings, lists and texts of jansson. */
#ifndef TANDEM_SHRINK_TREE_H
#define TANDEM_SHRINK_TREE_H

#include <jansson.h>
#include <stdio.h>

#include "csim/util/yaml_tree.h"

/* The document below a node, values of parameters put in, all scalars texts; NULL: out of memory.
 */
json_t *tree_of(struct yaml_file *f, yaml_node_t *node);

/* Writes an element in YAML's flow style, as {kernel: k, grid: [1]}. */
void tree_write(FILE *out, const json_t *tree);

/* The number that a text of a tree is; 0: it is none. */
uint64_t tree_number(const json_t *text);
json_t *tree_text(uint64_t number);

/* The bytes of an element of a buffer's type. */
uint64_t tree_type_bytes(const char *type);

#endif
