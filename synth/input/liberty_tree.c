/* Reads Liberty files. */
#include "synth/input/liberty_tree.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 16 };

struct scan {
  struct liberty_tree *t;
  const char *at;
  unsigned line;
  bool fresh;               /* no token of a statement has been read */
  struct liberty_word word; /* the last token: a word, or one character of punctuation */
  struct tandem_error *err;
};

static int wrong(const struct liberty_tree *t, unsigned line, struct tandem_error *err,
                 const char *what) {
  return tandem_fail(err, -EINVAL,
                     "%s:%u: not a Liberty file that can be used: %s\n"
                     "(--liberty takes a .lib file, which may be compressed by gzip)",
                     t->path, line, what);
}

int liberty_wrong(const struct liberty_tree *t, unsigned line, struct tandem_error *err,
                  const char *format, ...) {
  char what[400];
  va_list list;
  va_start(list, format);
  vsnprintf(what, sizeof what, format, list);
  va_end(list);
  return wrong(t, line, err, what);
}

static int bad(const struct scan *s, const char *what) {
  return wrong(s->t, s->line, s->err, what);
}

/* Between tokens.  Tools read a statement on one line, or on lines that a backslash joins; a
 * comment or a new line elsewhere in it makes the file one that is written anew for them. */
static void blanks(struct scan *s) {
  for (;; s->at++) {
    const bool joined = s->at[0] == '\\' && s->at[1] == '\n';
    s->at += joined;
    if (*s->at == '\n') {
      s->line++;
      s->t->loose |= !joined && !s->fresh;
    } else if (s->at[0] == '/' && s->at[1] == '*') {
      s->t->loose |= !s->fresh;
      for (s->at += 2; *s->at != '\0' && !(s->at[0] == '*' && s->at[1] == '/'); s->at++)
        s->line += *s->at == '\n';
      s->at += *s->at != '\0';
    } else if (s->at[0] == '/' && s->at[1] == '/') {
      s->t->loose = true;
      while (s->at[1] != '\n' && s->at[1] != '\0')
        s->at++;
    } else if (*s->at == '\\' || *s->at == '\r') {
      s->t->loose = true;
    } else if (!isspace((unsigned char)*s->at))
      return;
    if (*s->at == '\0')
      return;
  }
}

/* A text in quotes, where a backslash stands before a quote that is part of it. */
static void quotation(struct scan *s) {
  for (s->at++; *s->at != '"' && *s->at != '\0'; s->at++) {
    const bool escape = s->at[0] == '\\' && s->at[1] == '"';
    s->t->loose |= escape || *s->at == '\n' || *s->at == '\r';
    s->at += escape;
    s->line += *s->at == '\n';
  }
}

/* The next token; false at the end of the file. */
static bool next(struct scan *s) {
  blanks(s);
  s->fresh = false;
  const bool quoted = *s->at == '"';
  const char *start = s->at + quoted;
  if (*s->at == '\0')
    return false;
  if (quoted) {
    quotation(s);
    s->word = (struct liberty_word){start, (size_t)(s->at - start), true};
    s->at += *s->at != '\0';
    return true;
  }
  if (strchr("(){}:;,", *s->at) != NULL)
    s->at++;
  else /* a range, as A[3:0], is one word */
    for (bool range = false; *s->at != '\0' && !isspace((unsigned char)*s->at) &&
                             strchr(range ? "(){};,\"" : "(){}:;,\"", *s->at) == NULL;
         s->at++)
      range = *s->at == '[' || (range && *s->at != ']');
  s->word = (struct liberty_word){start, (size_t)(s->at - start), false};
  return true;
}

static bool is(const struct scan *s, char c) {
  return !s->word.quoted && s->word.n == 1 && s->word.at[0] == c;
}

/* Room for one more of a list that grows by doubling; NULL: out of memory. */
static void *grown(void *list, size_t n, size_t size) {
  return (n & (n - 1)) == 0 && (n == 0 || n >= 64) ? realloc(list, (n == 0 ? 64 : 2 * n) * size)
                                                   : list;
}

static int word_add(struct scan *s, const struct liberty_word *w) {
  struct liberty_tree *t = s->t;
  struct liberty_word *more = grown(t->words, t->nwords, sizeof *more);
  if (more == NULL)
    return tandem_fail(s->err, -ENOMEM, "out of memory for %s", t->path);
  t->words = more;
  more[t->nwords++] = *w;
  return 0;
}

/* Adds a node of this name; SIZE_MAX: out of memory. */
static size_t node_add(struct scan *s, const struct liberty_word *name) {
  struct liberty_tree *t = s->t;
  struct liberty_node *more = grown(t->nodes, t->nnodes, sizeof *more);
  if (more == NULL)
    return SIZE_MAX;
  t->nodes = more;
  more[t->nnodes] = (struct liberty_node){.name = *name, .line = s->line, .word = t->nwords};
  return t->nnodes++;
}

/* Names and numbers need no quotes, all else is an expression. */
static bool plain(const struct liberty_word *w) {
  for (size_t i = 0; i < w->n; i++)
    if (!isalnum((unsigned char)w->at[i]) && strchr("_.-+", w->at[i]) == NULL)
      return false;
  return true;
}

/* Up to the semicolon, which some files leave out: the line ends the value then. */
static int value_read(struct scan *s, size_t node) {
  struct scan before = *s;
  if (!next(s))
    return bad(s, "it ends within an attribute");
  struct liberty_word w = s->word;
  const unsigned line = s->line;
  if (is(s, ';') || is(s, '}'))
    w.n = 0;
  while (!is(s, ';') && !is(s, '}') && s->line == line) {
    if (s->word.at != w.at && (w.quoted || s->word.quoted || is(s, '{') || is(s, ':')))
      return bad(s, "a semicolon is expected after a value");
    if (!w.quoted)
      w.n = (size_t)(s->at - w.at);
    before = *s;
    if (!next(s))
      break;
  }
  if (!is(s, ';')) {
    *s = before;
    s->t->loose = true;
  }
  /* ABC takes a list of pins for the name of one. */
  s->t->loose |= (!w.quoted && !plain(&w)) || (liberty_is(&s->t->nodes[node].name, "related_pin") &&
                                               liberty_names(&w, w.at) < w.n);
  s->t->nodes[node].nwords = 1;
  return word_add(s, &w);
}

static int statements(struct scan *s, size_t node, unsigned depth);

/* The words in parentheses, and the group if a brace follows. */
static int words_read(struct scan *s, size_t node, unsigned depth) {
  bool separate = true;
  s->t->nodes[node].kind = LIBERTY_WORDS;
  while (next(s) && !is(s, ')')) {
    if (is(s, '{') || is(s, '}'))
      return bad(s, "a parenthesis is not closed");
    s->t->loose |= separate == is(s, ',');
    separate = is(s, ',');
    if (separate)
      continue;
    if (word_add(s, &s->word) != 0)
      return -ENOMEM;
    s->t->nodes[node].nwords++;
  }
  s->t->loose |= liberty_axis(&s->t->nodes[node]) && s->t->nodes[node].nwords > 1;
  const struct scan before = *s;
  if (!next(s))
    return depth == 0 ? bad(s, "it ends within a statement") : 0;
  if (is(s, '{')) {
    s->t->nodes[node].kind = LIBERTY_GROUP;
    s->t->loose |= liberty_is(&s->t->nodes[node].name, "pin") && s->t->nodes[node].nwords > 1;
    return statements(s, node, depth + 1);
  }
  if (!is(s, ';')) {
    *s = before;
    s->t->loose = true;
  }
  return 0;
}

/* A statement, whose name has been read. */
static int statement(struct scan *s, size_t *node, unsigned depth) {
  *node = node_add(s, &s->word);
  s->t->loose |= s->word.quoted;
  if (*node == SIZE_MAX)
    return tandem_fail(s->err, -ENOMEM, "out of memory for %s", s->t->path);
  if (!next(s))
    return bad(s, "it ends within a statement");
  if (is(s, ':'))
    return value_read(s, *node);
  return is(s, '(') ? words_read(s, *node, depth) : bad(s, "a colon or a parenthesis is expected");
}

/* Up to the brace that closes the group. */
static int statements(struct scan *s, size_t node, unsigned depth) {
  size_t last = 0, child;
  if (depth > DEPTH)
    return bad(s, "groups are nested too deeply");
  for (s->fresh = true; next(s); s->fresh = true) {
    if (is(s, '}'))
      return 0;
    if (is(s, ';'))
      continue;
    const int status = statement(s, &child, depth);
    if (status != 0)
      return status;
    *(last == 0 ? &s->t->nodes[node].child : &s->t->nodes[last].next) = child;
    last = child;
  }
  return bad(s, "it ends within a group");
}

int liberty_tree_read(struct liberty_tree *t, const char *text, const char *path,
                      struct tandem_error *err) {
  memset(t, 0, sizeof *t);
  t->text = strdup(text);
  t->path = strdup(path);
  struct scan s = {.t = t, .at = t->text, .line = 1, .fresh = true, .err = err};
  size_t library;
  int status = 0;
  if (t->text == NULL || t->path == NULL)
    status = tandem_fail(err, -ENOMEM, "out of memory for %s", path);
  else if (!next(&s) || !liberty_is(&s.word, "library"))
    status = bad(&s, "it does not start with library (...)");
  else if ((status = statement(&s, &library, 0)) == 0) {
    s.fresh = true;
    if (next(&s) && !is(&s, ';'))
      status = bad(&s, "there is more after the brace that closes the library");
  }
  if (status != 0)
    liberty_tree_free(t);
  return status;
}

void liberty_tree_free(struct liberty_tree *t) {
  free(t->path);
  free(t->text);
  free(t->nodes);
  free(t->words);
  memset(t, 0, sizeof *t);
}

bool liberty_is(const struct liberty_word *w, const char *text) {
  return strlen(text) == w->n && strncmp(w->at, text, w->n) == 0;
}

size_t liberty_names(const struct liberty_word *w, const char *from) {
  const char *p = from, *end = w->at + w->n;
  while (p < end && !isspace((unsigned char)*p))
    p++;
  while (p < end && isspace((unsigned char)*p))
    p++;
  return (size_t)(p - w->at);
}

void liberty_copy(const struct liberty_word *w, char *to, size_t size) {
  snprintf(to, size, "%.*s", (int)(w->n < size ? w->n : size - 1), w->at);
}

bool liberty_number(const struct liberty_word *w, double *value) {
  char text[64], *end;
  if (w == NULL || w->n >= sizeof text)
    return false;
  liberty_copy(w, text, sizeof text);
  *value = strtod(text, &end);
  while (isspace((unsigned char)*end))
    end++;
  return end != text && *end == '\0' && isfinite(*value);
}

const struct liberty_node *liberty_child(const struct liberty_tree *t,
                                         const struct liberty_node *n) {
  return n->child != 0 ? &t->nodes[n->child] : NULL;
}

const struct liberty_node *liberty_next(const struct liberty_tree *t,
                                        const struct liberty_node *n) {
  return n->next != 0 ? &t->nodes[n->next] : NULL;
}

const struct liberty_word *liberty_word(const struct liberty_tree *t, const struct liberty_node *n,
                                        size_t i) {
  static const struct liberty_word none = {"", 0, false};
  return i < n->nwords ? &t->words[n->word + i] : &none;
}

const struct liberty_word *liberty_value(const struct liberty_tree *t, const struct liberty_node *n,
                                         const char *name) {
  const struct liberty_word *found = NULL;
  LIBERTY_EACH(t, c, n)
  if (c->kind == LIBERTY_VALUE && liberty_is(&c->name, name))
    found = liberty_word(t, c, 0);
  return found;
}

bool liberty_axis(const struct liberty_node *n) {
  return n->name.n == 7 && strncmp(n->name.at, "index_", 6) == 0;
}

const struct liberty_node *liberty_words(const struct liberty_tree *t, const struct liberty_node *n,
                                         const char *name) {
  LIBERTY_EACH(t, c, n)
  if (c->kind == LIBERTY_WORDS && liberty_is(&c->name, name))
    return c;
  return NULL;
}

bool liberty_group(const struct liberty_node *n, const char *name) {
  return n->kind == LIBERTY_GROUP && liberty_is(&n->name, name);
}
