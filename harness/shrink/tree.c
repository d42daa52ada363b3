/* Launch descriptions as trees that can be changed. */
#include "harness/shrink/tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/job/job.h"

static json_t *mapping_of(struct yaml_file *f, const yaml_node_t *node) {
  json_t *o = json_object();
  const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
  for (; pair < node->data.mapping.pairs.top; pair++) {
    const char *key;
    struct tandem_error err;
    yaml_node_t *value = yaml_document_get_node(&f->document, pair->value);
    if (yaml_text(f, yaml_document_get_node(&f->document, pair->key), "key", &key, &err) == 0)
      json_object_set_new(o, key, tree_of(f, value));
  }
  return o;
}

json_t *tree_of(struct yaml_file *f, yaml_node_t *node) {
  const char *text;
  struct tandem_error err;
  if (node == NULL)
    return NULL;
  if (node->type == YAML_MAPPING_NODE)
    return mapping_of(f, node);
  if (node->type == YAML_SEQUENCE_NODE) {
    json_t *list = json_array();
    for (size_t i = 0; i < yaml_count(node); i++)
      json_array_append_new(list, tree_of(f, yaml_item(f, node, i)));
    return list;
  }
  return yaml_text(f, node, "value", &text, &err) == 0 ? json_string(text) : NULL;
}

/* A text that YAML takes without quotation marks. */
static bool plain(const char *text) {
  const size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./+-");
  return n != 0 && text[n] == '\0' && strcmp(text, "-") != 0;
}

void tree_write(FILE *out, const json_t *tree) {
  const char *key, *before = "";
  size_t i;
  json_t *value;
  if (json_is_object(tree)) {
    fputc('{', out);
    json_object_foreach((json_t *)(uintptr_t)tree, key, value) {
      fprintf(out, "%s%s: ", before, key);
      tree_write(out, value);
      before = ", ";
    }
    fputc('}', out);
  } else if (json_is_array(tree)) {
    fputc('[', out);
    json_array_foreach(tree, i, value) {
      fputs(before, out);
      tree_write(out, value);
      before = ", ";
    }
    fputc(']', out);
  } else if (json_is_string(tree) && plain(json_string_value(tree))) {
    fputs(json_string_value(tree), out);
  } else {
    json_dumpf(tree, out, JSON_ENCODE_ANY);
  }
}

uint64_t tree_number(const json_t *text) {
  bool negative = false;
  uint64_t value = 0;
  if (!json_is_string(text) || !yaml_whole(json_string_value(text), &negative, &value) || negative)
    return 0;
  return value;
}

json_t *tree_text(uint64_t number) {
  char text[24];
  snprintf(text, sizeof text, "%" PRIu64, number);
  return json_string(text);
}

uint64_t tree_type_bytes(const char *type) {
  for (unsigned i = 0; type != NULL && i < JOB_TYPES; i++)
    if (strcmp(job_type_names[i], type) == 0)
      return job_type_bytes((enum job_type)i);
  return 4;
}
