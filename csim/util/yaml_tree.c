/* YAML trees: loading, and access with checks and errors. */
#include "csim/util/yaml_tree.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "csim/util/input.h"

/* Limits of a document: levels, anchors (&name), values, each of which takes about 150 bytes of
 * memory, and values that aliases add. */
enum { DEEPEST = 1000, MOST_ANCHORS = 10000, MOST_VALUES = 10000000 };
#define MOST_NODES UINT64_C(1000000)

static int not_yaml(const struct yaml_file *f, const yaml_parser_t *parser,
                    struct tandem_error *err) {
  if (parser->error == YAML_READER_ERROR)
    return tandem_fail(err, -EINVAL, "%s: not YAML: byte %zu: %s; YAML is text in UTF-8, names too",
                       f->name, parser->problem_offset, parser->problem);
  const size_t line =
      parser->problem_mark.line != 0 ? parser->problem_mark.line : parser->context_mark.line;
  return tandem_fail(err, -EINVAL, "%s:%zu: not YAML: %s%s%s", f->name, line + 1,
                     parser->problem != NULL ? parser->problem : "unreadable",
                     parser->context != NULL ? ", " : "",
                     parser->context != NULL ? parser->context : "");
}

/* A file has one document: a second one would be left unread. */
static int only_document(const struct yaml_file *f, yaml_parser_t *parser,
                         struct tandem_error *err) {
  yaml_document_t next;
  if (!yaml_parser_load(parser, &next))
    return not_yaml(f, parser, err);
  const yaml_node_t *root = yaml_document_get_root_node(&next);
  int status = 0;
  if (root != NULL)
    status = yaml_fail(f, root, err, "a second YAML document; one is all that is read");
  yaml_document_delete(&next);
  return status;
}

/* The time that libyaml takes grows with the square of the depth of brackets, and of the number of
 * anchors; its memory with the number of values, which is that of the characters that begin or end
 * one at most.  Those in quoted texts and comments count too, which seldom are so unlike in number.
 */
static int nested(const char *text, const char *name, struct tandem_error *err) {
  unsigned depth = 0, line = 1, anchors = 0, values = 0;
  for (const char *p = text; *p != '\0'; p++) {
    line += *p == '\n';
    if (*p == '[' || *p == '{')
      depth++;
    else if (depth != 0 && (*p == ']' || *p == '}'))
      depth--;
    if (depth > DEEPEST)
      return tandem_fail(err, -EINVAL, "%s:%u: brackets are nested more than %d deep", name, line,
                         DEEPEST);
    anchors += *p == '&' && (p == text || strchr(" \t\n\r[{,", p[-1]) != NULL);
    if (anchors > MOST_ANCHORS)
      return tandem_fail(err, -EINVAL, "%s:%u: more than %d anchors (&name)", name, line,
                         MOST_ANCHORS);
    values += strchr(",:[{-?\n", *p) != NULL;
    if (values > MOST_VALUES)
      return tandem_fail(err, -EINVAL, "%s:%u: more than %d values; long data comes from a file",
                         name, line, MOST_VALUES);
  }
  return 0;
}

/* The size of a document, each alias counted as all that it stands for. */
struct size {
  const yaml_document_t *d;
  uint64_t *of; /* by node; 0: not known yet */
  bool *open;   /* above the node that is looked at */
  uint64_t most;
  int at; /* the first node that is too large or within itself; 0: none */
};

static const yaml_node_t *node_of(const yaml_document_t *d, int number) {
  return d->nodes.start + number - 1;
}

/* The size of a node, more than `most` cut; 0: a node is within itself. */
static uint64_t size_of(struct size *s, int number, unsigned depth) {
  const yaml_node_t *node = node_of(s->d, number);
  uint64_t sum = 1, one = 1;
  if (s->of[number] != 0)
    return s->of[number];
  if (s->open[number] || depth > DEEPEST) {
    s->at = number;
    return 0;
  }
  s->open[number] = true;
  if (node->type == YAML_SEQUENCE_NODE)
    for (const yaml_node_item_t *i = node->data.sequence.items.start;
         one != 0 && i < node->data.sequence.items.top; i++)
      sum += one = size_of(s, *i, depth + 1);
  if (node->type == YAML_MAPPING_NODE)
    for (const yaml_node_pair_t *i = node->data.mapping.pairs.start;
         one != 0 && i < node->data.mapping.pairs.top; i++) {
      sum += one = size_of(s, i->key, depth + 1);
      if (one != 0)
        sum += one = size_of(s, i->value, depth + 1);
    }
  s->open[number] = false;
  if (one == 0)
    return 0;
  if (sum > s->most && s->at == 0)
    s->at = number;
  return s->of[number] = sum > s->most ? s->most + 1 : sum;
}

/* Aliases let a short text stand for one without end. */
static int check_size(const struct yaml_file *f, struct tandem_error *err) {
  const size_t n = (size_t)(f->document.nodes.top - f->document.nodes.start);
  struct size s = {&f->document, calloc(n + 1, sizeof *s.of), calloc(n + 1, sizeof *s.open),
                   n + MOST_NODES, 0};
  int status = 0;
  const uint64_t all = s.of != NULL && s.open != NULL && n != 0 ? size_of(&s, 1, 0) : 1;
  if (s.of == NULL || s.open == NULL)
    status = tandem_fail(err, -ENOMEM, "out of memory for %s", f->name);
  else if (all == 0)
    status =
        yaml_fail(f, node_of(&f->document, s.at), err,
                  "more than %d levels deep, or an alias of something that it is within", DEEPEST);
  else if (all > s.most)
    status = yaml_fail(f, node_of(&f->document, s.at), err,
                       "its aliases stand for more than %llu values: too many",
                       (unsigned long long)MOST_NODES);
  free(s.of);
  free(s.open);
  return status;
}

/* The first byte of a text that is no text but a command to a terminal, or ends a text of C. */
static const unsigned char *control(const unsigned char *text, size_t n) {
  for (size_t i = 0; i < n; i++)
    if ((text[i] < ' ' && text[i] != '\n' && text[i] != '\t') || text[i] == 0x7f ||
        (text[i] == 0xc2 && i + 1 < n && text[i + 1] < 0xa0))
      return &text[i];
  return NULL;
}

/* Escapes of quoted texts can write any character. */
static int check_texts(const struct yaml_file *f, struct tandem_error *err) {
  for (const yaml_node_t *node = f->document.nodes.start; node < f->document.nodes.top; node++) {
    const unsigned char *bad = node->type == YAML_SCALAR_NODE
                                   ? control(node->data.scalar.value, node->data.scalar.length)
                                   : NULL;
    if (bad != NULL)
      return yaml_fail(f, node, err, "a text has the control character 0x%02x, which no name has",
                       *bad == 0xc2 ? bad[1] : *bad);
  }
  return 0;
}

static int load(struct yaml_file *f, yaml_parser_t *parser, struct tandem_error *err) {
  int status = 0;
  f->loaded = yaml_parser_load(parser, &f->document) != 0;
  if (!f->loaded)
    status = not_yaml(f, parser, err);
  else if (yaml_root(f) != NULL && (status = only_document(f, parser, err)) == 0 &&
           (status = check_texts(f, err)) == 0)
    status = check_size(f, err);
  yaml_parser_delete(parser);
  if (status != 0)
    yaml_close(f);
  return status;
}

int yaml_open(struct yaml_file *f, const char *path, struct tandem_error *err) {
  char *text;
  int status = input_text(path, &text, err);
  memset(f, 0, sizeof *f);
  if (status == 0)
    status = yaml_open_text(f, text, path, err);
  free(text);
  return status;
}

int yaml_open_text(struct yaml_file *f, const char *text, const char *name,
                   struct tandem_error *err) {
  memset(f, 0, sizeof *f);
  yaml_parser_t parser;
  int status = nested(text, name, err);
  if (status != 0)
    return status;
  f->name = strdup(name);
  if (f->name == NULL || !yaml_parser_initialize(&parser)) {
    yaml_close(f);
    return tandem_fail(err, -ENOMEM, "out of memory for %s", name);
  }
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, strlen(text));
  return load(f, &parser, err);
}

void yaml_close(struct yaml_file *f) {
  for (size_t i = 0; i < f->nvalues; i++)
    free(f->values[i]);
  free(f->values);
  if (f->loaded)
    yaml_document_delete(&f->document);
  free(f->name);
  memset(f, 0, sizeof *f);
}

yaml_node_t *yaml_root(struct yaml_file *f) { return yaml_document_get_root_node(&f->document); }

unsigned yaml_line(const yaml_node_t *at) { return (unsigned)at->start_mark.line + 1; }

static size_t index_of(const struct yaml_file *f, const yaml_node_t *node) {
  return (size_t)(node - f->document.nodes.start);
}

int yaml_put(struct yaml_file *f, const yaml_node_t *node, char *text, struct tandem_error *err) {
  const size_t n = index_of(f, f->document.nodes.top);
  if (f->values == NULL && (f->values = calloc(n, sizeof *f->values)) == NULL) {
    free(text);
    return tandem_fail(err, -ENOMEM, "out of memory for %s", f->name);
  }
  f->nvalues = n;
  free(f->values[index_of(f, node)]);
  f->values[index_of(f, node)] = text;
  return 0;
}

/* The value that yaml_put gave a node; NULL: none. */
static const char *put_value(const struct yaml_file *f, const yaml_node_t *node) {
  return f->values != NULL ? f->values[index_of(f, node)] : NULL;
}

static const char *scalar(const struct yaml_file *f, const yaml_node_t *node) {
  if (node->type != YAML_SCALAR_NODE)
    return NULL;
  return put_value(f, node) != NULL ? put_value(f, node) : (const char *)node->data.scalar.value;
}

int yaml_fail(const struct yaml_file *f, const yaml_node_t *at, struct tandem_error *err,
              const char *format, ...) {
  char text[768];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  if (at == NULL)
    return tandem_fail(err, -EINVAL, "%s: %s", f->name, text);
  if (put_value(f, at) != NULL)
    return tandem_fail(err, -EINVAL, "%s:%u: %s (from \"%s\")", f->name, yaml_line(at), text,
                       (const char *)at->data.scalar.value);
  return tandem_fail(err, -EINVAL, "%s:%u: %s", f->name, yaml_line(at), text);
}

int yaml_map(struct yaml_file *f, yaml_node_t *node, const char *what, const char *const *keys,
             struct tandem_error *err) {
  if (node->type != YAML_MAPPING_NODE)
    return yaml_fail(f, node, err, "%s must be a mapping (key: value)", what);
  yaml_node_pair_t *first = node->data.mapping.pairs.start, *end = node->data.mapping.pairs.top;
  for (yaml_node_pair_t *p = first; p < end; p++) {
    yaml_node_t *key = yaml_document_get_node(&f->document, p->key);
    const char *name = scalar(f, key);
    if (name == NULL)
      return yaml_fail(f, key, err, "a key of %s is not a word", what);
    unsigned k = 0;
    while (keys[k] != NULL && strcmp(keys[k], name) != 0)
      k++;
    if (keys[k] == NULL) {
      char known[512] = "";
      size_t n = 0;
      for (k = 0; keys[k] != NULL && n < sizeof known; k++)
        n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", k != 0 ? ", " : "", keys[k]);
      return yaml_fail(f, key, err, "unknown key \"%s\" in %s; known: %s", name, what, known);
    }
    for (yaml_node_pair_t *q = first; q < p; q++) {
      const char *other = scalar(f, yaml_document_get_node(&f->document, q->key));
      if (other != NULL && strcmp(other, name) == 0)
        return yaml_fail(f, key, err, "key \"%s\" is there twice in %s", name, what);
    }
  }
  return 0;
}

yaml_node_t *yaml_get(struct yaml_file *f, yaml_node_t *map, const char *key) {
  if (map->type != YAML_MAPPING_NODE)
    return NULL;
  for (yaml_node_pair_t *p = map->data.mapping.pairs.start; p < map->data.mapping.pairs.top; p++) {
    const char *name = scalar(f, yaml_document_get_node(&f->document, p->key));
    if (name != NULL && strcmp(name, key) == 0)
      return yaml_document_get_node(&f->document, p->value);
  }
  return NULL;
}

int yaml_which(struct yaml_file *f, yaml_node_t *map, const char *const *keys, unsigned n) {
  int which = -1;
  for (unsigned i = 0; i < n; i++) {
    if (yaml_get(f, map, keys[i]) == NULL)
      continue;
    if (which >= 0)
      return -1;
    which = (int)i;
  }
  return which;
}

int yaml_list(const struct yaml_file *f, const yaml_node_t *node, const char *what,
              struct tandem_error *err) {
  return node->type == YAML_SEQUENCE_NODE ? 0 : yaml_fail(f, node, err, "%s must be a list", what);
}

size_t yaml_count(const yaml_node_t *list) {
  return (size_t)(list->data.sequence.items.top - list->data.sequence.items.start);
}

yaml_node_t *yaml_item(struct yaml_file *f, const yaml_node_t *list, size_t i) {
  return yaml_document_get_node(&f->document, list->data.sequence.items.start[i]);
}

int yaml_text(const struct yaml_file *f, const yaml_node_t *node, const char *what,
              const char **text, struct tandem_error *err) {
  *text = scalar(f, node);
  return *text != NULL ? 0 : yaml_fail(f, node, err, "%s must be a single value", what);
}

bool yaml_whole(const char *text, bool *negative, uint64_t *magnitude) {
  char digits[80];
  size_t n = 0;
  *negative = *text == '-';
  text += *text == '-' || *text == '+';
  for (; *text != '\0'; text++) {
    if (*text == '_')
      continue;
    if (n + 1 == sizeof digits)
      return false;
    digits[n++] = *text;
  }
  digits[n] = '\0';
  if (n == 0 || digits[0] < '0' || digits[0] > '9')
    return false;
  const bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  char *end;
  errno = 0;
  *magnitude = strtoull(digits, &end, hex ? 16 : 10);
  return *end == '\0' && errno == 0;
}

int yaml_uint(const struct yaml_file *f, const yaml_node_t *node, const char *what, uint64_t min,
              uint64_t max, uint64_t *value, struct tandem_error *err) {
  const char *text = scalar(f, node);
  bool negative;
  if (text == NULL || !yaml_whole(text, &negative, value))
    return yaml_fail(f, node, err, "%s must be a whole number, not \"%s\"", what,
                     text != NULL ? text : "...");
  if ((negative && *value != 0) || *value < min || *value > max)
    return yaml_fail(f, node, err, "%s must be %" PRIu64 " to %" PRIu64 ", not %s", what, min, max,
                     text);
  return 0;
}

int yaml_int(const struct yaml_file *f, const yaml_node_t *node, const char *what, int64_t min,
             int64_t max, int64_t *value, struct tandem_error *err) {
  const char *text = scalar(f, node);
  bool negative;
  uint64_t magnitude;
  if (text == NULL || !yaml_whole(text, &negative, &magnitude))
    return yaml_fail(f, node, err, "%s must be a whole number, not \"%s\"", what,
                     text != NULL ? text : "...");
  const uint64_t limit = negative ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;
  *value = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
  if (magnitude > limit || *value < min || *value > max)
    return yaml_fail(f, node, err, "%s must be %" PRId64 " to %" PRId64 ", not %s", what, min, max,
                     text);
  return 0;
}

int yaml_real(const struct yaml_file *f, const yaml_node_t *node, const char *what, double *value,
              struct tandem_error *err) {
  const char *text = scalar(f, node);
  char *end;
  if (text == NULL || *text == '\0')
    return yaml_fail(f, node, err, "%s must be a number", what);
  const char *start = text;
  if (strcasecmp(text, ".inf") == 0 || strcasecmp(text, ".nan") == 0)
    start = text + 1;
  else if (strcasecmp(text, "-.inf") == 0)
    start = "-inf";
  errno = 0;
  *value = strtod(start, &end);
  if (*end == '\0' && errno == ERANGE && isinf(*value))
    return yaml_fail(f, node, err, "%s: %s is beyond the numbers of 64 bits", what, text);
  return *end == '\0' ? 0 : yaml_fail(f, node, err, "%s must be a number, not \"%s\"", what, text);
}

int yaml_bool(const struct yaml_file *f, const yaml_node_t *node, const char *what, bool *value,
              struct tandem_error *err) {
  static const char *const names[] = {"false", "true", "no", "yes", "off", "on", NULL};
  unsigned which;
  TRY(yaml_choice(f, node, what, names, &which, err));
  *value = (which & 1) != 0;
  return 0;
}

int yaml_choice(const struct yaml_file *f, const yaml_node_t *node, const char *what,
                const char *const *names, unsigned *value, struct tandem_error *err) {
  const char *text = scalar(f, node);
  char known[256] = "";
  size_t n = 0;
  for (unsigned i = 0; names[i] != NULL; i++) {
    if (text != NULL && strcmp(text, names[i]) == 0) {
      *value = i;
      return 0;
    }
    if (n < sizeof known)
      n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", i != 0 ? ", " : "", names[i]);
  }
  return yaml_fail(f, node, err, "%s must be one of %s, not \"%s\"", what, known,
                   text != NULL ? text : "...");
}
