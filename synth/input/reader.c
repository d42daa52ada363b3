/* YAML with an error that sticks. */
#include "synth/input/reader.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

yaml_node_t *reader_open(struct reader *r, const char *path, struct tandem_error *err) {
  r->err = err;
  r->status = yaml_open(&r->file, path, err);
  yaml_node_t *root = r->status == 0 ? yaml_root(&r->file) : NULL;
  if (r->status == 0 && root == NULL)
    r->status = tandem_fail(err, -EINVAL, "%s: is empty", path);
  return root;
}

int reader_close(struct reader *r) {
  yaml_close(&r->file);
  return r->status;
}

void reader_fail(struct reader *r, const yaml_node_t *at, const char *format, ...) {
  char text[800];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  if (r->status == 0)
    r->status = yaml_fail(&r->file, at, r->err, "%s", text);
}

void reader_memory(struct reader *r) {
  if (r->status == 0)
    r->status = tandem_fail(r->err, -ENOMEM, "out of memory");
}

/* Returns true if the node is there, and nothing failed. */
static bool there(struct reader *r, const yaml_node_t *node, const char *what) {
  if (node == NULL)
    reader_fail(r, NULL, "%s is missing", what);
  return r->status == 0;
}

void reader_keys(struct reader *r, yaml_node_t *node, const char *what, const char *const *keys) {
  if (there(r, node, what))
    r->status = yaml_map(&r->file, node, what, keys, r->err);
}

yaml_node_t *reader_get(struct reader *r, yaml_node_t *map, const char *key) {
  return r->status == 0 && map != NULL ? yaml_get(&r->file, map, key) : NULL;
}

yaml_node_t *reader_need(struct reader *r, yaml_node_t *map, const char *key, const char *what) {
  yaml_node_t *node = reader_get(r, map, key);
  if (node == NULL)
    reader_fail(r, map, "%s has no %s", what, key);
  return node;
}

static size_t at_most(struct reader *r, const yaml_node_t *node, const char *what, size_t n,
                      size_t most) {
  if (r->status == 0 && n > most)
    reader_fail(r, node, "at most %zu %s", most, what);
  return r->status == 0 ? n : 0;
}

size_t reader_list(struct reader *r, const yaml_node_t *list, const char *what, size_t most) {
  if (r->status != 0 || list == NULL)
    return 0;
  r->status = yaml_list(&r->file, list, what, r->err);
  return r->status == 0 ? at_most(r, list, what, yaml_count(list), most) : 0;
}

yaml_node_t *reader_item(struct reader *r, const yaml_node_t *list, size_t i) {
  return r->status == 0 ? yaml_item(&r->file, list, i) : NULL;
}

size_t reader_pairs(struct reader *r, const yaml_node_t *map, const char *what, size_t most) {
  if (r->status != 0 || map == NULL)
    return 0;
  if (map->type != YAML_MAPPING_NODE) {
    reader_fail(r, map, "%s: names and values are expected", what);
    return 0;
  }
  return at_most(r, map, what,
                 (size_t)(map->data.mapping.pairs.top - map->data.mapping.pairs.start), most);
}

yaml_node_t *reader_pair(struct reader *r, const yaml_node_t *map, size_t i, const char **name) {
  *name = "";
  if (r->status != 0)
    return NULL;
  const yaml_node_pair_t *p = &map->data.mapping.pairs.start[i];
  *name = reader_text(r, yaml_document_get_node(&r->file.document, p->key), "a name");
  return r->status == 0 ? yaml_document_get_node(&r->file.document, p->value) : NULL;
}

const char *reader_text(struct reader *r, const yaml_node_t *node, const char *what) {
  const char *text = "";
  if (there(r, node, what))
    r->status = yaml_text(&r->file, node, what, &text, r->err);
  return r->status == 0 ? text : "";
}

double reader_real(struct reader *r, const yaml_node_t *node, const char *what) {
  double v = 0;
  if (there(r, node, what))
    r->status = yaml_real(&r->file, node, what, &v, r->err);
  return v;
}

uint64_t reader_uint(struct reader *r, const yaml_node_t *node, const char *what, uint64_t least,
                     uint64_t most) {
  uint64_t v = 0;
  if (there(r, node, what))
    r->status = yaml_uint(&r->file, node, what, least, most, &v, r->err);
  return v;
}

bool reader_bool(struct reader *r, const yaml_node_t *node, const char *what) {
  bool v = false;
  if (there(r, node, what))
    r->status = yaml_bool(&r->file, node, what, &v, r->err);
  return v;
}

void reader_copy(struct reader *r, yaml_node_t *map, const char *key, char *to, size_t size) {
  const char *text = reader_text(r, reader_need(r, map, key, "it"), key);
  if (snprintf(to, size, "%s", text) >= (int)size)
    reader_fail(r, map, "%s: \"%s\" is too long", key, text);
}
