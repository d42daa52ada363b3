/* Reads a Liberty file as far as the reports need it: groups `name (arguments) { ... }`, attributes
 * `name : value ;` and `name (arguments) ;`. */
#include "synth/input/liberty.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 256, PINS = 2 };

struct scan {
  const char *at, *path;
  unsigned line;
  char word[WORD]; /* the last token: a word, or one character of punctuation */
  bool quoted;
  struct tandem_error *err;
};

/* Parts of a cell while it is read. */
struct reading {
  struct liberty *l;
  struct liberty_port *types; /* types of buses, with their widths */
  size_t ntypes;
  char bus_type[64];
  char pin[32], direction[32], function[WORD];
  char inputs[PINS][32], out_function[WORD];
};

static int wrong(const struct scan *s, const char *what) {
  return tandem_fail(s->err, -EINVAL,
                     "%s:%u: not a Liberty file that can be used: %s\n"
                     "(--liberty takes a .lib file, which may be compressed by gzip)",
                     s->path, s->line, what);
}

static void blanks(struct scan *s) {
  for (;; s->at++) {
    if (*s->at == '\n')
      s->line++;
    else if (s->at[0] == '/' && s->at[1] == '*') {
      for (s->at += 2; *s->at != '\0' && !(s->at[0] == '*' && s->at[1] == '/'); s->at++)
        s->line += *s->at == '\n';
      s->at += *s->at != '\0';
    } else if (s->at[0] == '/' && s->at[1] == '/') {
      while (s->at[1] != '\n' && s->at[1] != '\0')
        s->at++;
    } else if (*s->at != '\\' && !isspace((unsigned char)*s->at))
      return;
    if (*s->at == '\0')
      return;
  }
}

/* The next token; false at the end of the file. */
static bool next(struct scan *s) {
  size_t n = 0;
  blanks(s);
  s->quoted = *s->at == '"';
  if (s->quoted) {
    for (s->at++; *s->at != '"' && *s->at != '\0'; s->at++) {
      s->line += *s->at == '\n';
      if (n + 1 < WORD)
        s->word[n++] = *s->at;
    }
    s->at += *s->at != '\0';
  } else if (strchr("(){}:;,", *s->at) != NULL) {
    if (*s->at == '\0')
      return false;
    s->word[n++] = *s->at++;
  } else {
    for (; *s->at != '\0' && !isspace((unsigned char)*s->at) && strchr("(){}:;,\"", *s->at) == NULL;
         s->at++)
      if (n + 1 < WORD)
        s->word[n++] = *s->at;
  }
  s->word[n] = '\0';
  return true;
}

static bool is(const struct scan *s, char c) { return !s->quoted && s->word[0] == c; }

/* Boolean functions: ! ' * & + | ^ and parentheses; side by side is and. */
struct formula {
  const char *at;
  const struct reading *r;
  unsigned inputs; /* bit i: value of input i */
  bool known;
};

static bool f_or(struct formula *f);

static void f_blanks(struct formula *f) {
  while (isspace((unsigned char)*f->at))
    f->at++;
}

static bool f_factor(struct formula *f) {
  bool v = false;
  f_blanks(f);
  if (*f->at == '!') {
    f->at++;
    return !f_factor(f);
  }
  if (*f->at == '(') {
    f->at++;
    v = f_or(f);
    f_blanks(f);
    f->known &= *f->at == ')';
    f->at += *f->at == ')';
  } else {
    const char *start = f->at;
    while (isalnum((unsigned char)*f->at) || *f->at == '_')
      f->at++;
    const size_t n = (size_t)(f->at - start);
    unsigned i = 0;
    while (i < PINS && (strncmp(f->r->inputs[i], start, n) != 0 || f->r->inputs[i][n] != '\0'))
      i++;
    f->known &= n > 0 && i < PINS;
    v = i < PINS && (f->inputs >> i & 1) != 0;
  }
  for (f_blanks(f); *f->at == '\''; f_blanks(f), f->at++)
    v = !v;
  return v;
}

static bool f_xor(struct formula *f) {
  bool v = f_factor(f);
  for (f_blanks(f); *f->at == '^'; f_blanks(f)) {
    f->at++;
    v ^= f_factor(f);
  }
  return v;
}

static bool f_and(struct formula *f) {
  bool v = f_xor(f);
  for (f_blanks(f); f->known && *f->at != '\0' && strchr("+|)", *f->at) == NULL; f_blanks(f)) {
    f->at += *f->at == '*' || *f->at == '&';
    v &= f_xor(f);
  }
  return v;
}

static bool f_or(struct formula *f) {
  bool v = f_and(f);
  for (f_blanks(f); f->known && (*f->at == '+' || *f->at == '|'); f_blanks(f)) {
    f->at++;
    v |= f_and(f);
  }
  return v;
}

static unsigned truth_table(const struct reading *r, unsigned inputs) {
  unsigned table = 0;
  for (unsigned i = 0; i < 1u << inputs; i++) {
    struct formula f = {r->out_function, r, i, true};
    table |= (unsigned)f_or(&f) << i;
    if (!f.known || *f.at != '\0')
      return ~0u;
  }
  return table;
}

static struct liberty_cell *cell_add(struct reading *r, const char *name) {
  struct liberty *l = r->l;
  struct liberty_cell *more =
      l->ncells % 64 == 0 ? realloc(l->cells, (l->ncells + 64) * sizeof *more) : l->cells;
  if (more == NULL)
    return NULL;
  l->cells = more;
  struct liberty_cell *c = &more[l->ncells++];
  *c = (struct liberty_cell){.table = ~0u};
  snprintf(c->name, sizeof c->name, "%.63s", name);
  memset(r->inputs, 0, sizeof r->inputs);
  r->out_function[0] = '\0';
  return c;
}

/* Adds a name to a list; NULL: out of memory. */
static struct liberty_port *port_add(struct liberty_port **list, size_t *n, const char *name) {
  struct liberty_port *more = *n % 8 == 0 ? realloc(*list, (*n + 8) * sizeof **list) : *list;
  if (more == NULL)
    return NULL;
  *list = more;
  more[*n].width = 1;
  snprintf(more[*n].name, sizeof more->name, "%.*s", (int)sizeof more->name - 1, name);
  return &more[(*n)++];
}

static void bus_end(struct reading *r, struct liberty_cell *c) {
  for (size_t i = 0; i < r->ntypes; i++)
    if (strcmp(r->types[i].name, r->bus_type) == 0)
      c->ports[c->nports - 1].width = r->types[i].width;
}

static void pin_end(struct reading *r, struct liberty_cell *c) {
  if (strcmp(r->direction, "input") == 0) {
    if (c->inputs < PINS)
      memcpy(r->inputs[c->inputs], r->pin, sizeof r->pin);
    c->inputs++;
  } else if (strcmp(r->direction, "output") == 0) {
    c->outputs++;
    memcpy(r->out_function, r->function, sizeof r->function);
    memcpy(c->output, r->pin, sizeof c->output);
  }
}

static void cell_end(struct reading *r, struct liberty_cell *c) {
  if (!c->sequential && c->outputs == 1 && c->inputs >= 1 && c->inputs <= PINS)
    c->table = truth_table(r, c->inputs);
}

/* A cell's area: a number that is one.  False if it is not. */
static bool area(const char *value, double *to) {
  char *end;
  *to = strtod(value, &end);
  return end != value && isfinite(*to) && *to >= 0;
}

static int attribute(const struct scan *s, struct reading *r, const char *group, const char *name,
                     const char *value) {
  struct liberty *l = r->l;
  if (strcmp(group, "cell") == 0 && strcmp(name, "area") == 0 &&
      !area(value, &l->cells[l->ncells - 1].area))
    return wrong(s, "an area is no number from 0");
  if (strcmp(group, "pin") == 0 && strcmp(name, "direction") == 0)
    snprintf(r->direction, sizeof r->direction, "%.31s", value);
  else if (strcmp(group, "pin") == 0 && strcmp(name, "function") == 0)
    snprintf(r->function, sizeof r->function, "%s", value);
  else if (strcmp(group, "bus") == 0 && strcmp(name, "bus_type") == 0)
    snprintf(r->bus_type, sizeof r->bus_type, "%.63s", value);
  else if (strcmp(group, "type") == 0 && strcmp(name, "bit_width") == 0)
    r->types[r->ntypes - 1].width = (unsigned)strtoul(value, NULL, 10);
  return 0;
}

static int statements(struct scan *s, struct reading *r, const char *group, unsigned depth);

/* Returns true if the group stands where its name has a meaning; it has none elsewhere. */
static bool in_place(const char *parent, const char *name, unsigned depth) {
  static const struct {
    const char *parent, *name;
  } places[] = {
      {"", "library"}, {"library", "cell"}, {"library", "type"}, {"cell", "pin"}, {"cell", "bus"}};
  if (depth > 2)
    return false;
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
    if (strcmp(places[i].parent, parent) == 0 && strcmp(places[i].name, name) == 0)
      return true;
  return false;
}

/* The library's name is also a folder's, and stands in reports. */
static void name_library(struct liberty *l, const char *name) {
  snprintf(l->name, sizeof l->name, "%.63s", name);
  for (char *p = l->name; *p != '\0'; p++)
    if (!isgraph((unsigned char)*p) || *p == '/')
      *p = '_';
}

static int group_read(struct scan *s, struct reading *r, const char *parent, const char *name,
                      const char *argument, unsigned depth) {
  struct liberty *l = r->l;
  const bool known = in_place(parent, name, depth);
  const bool is_cell = known && strcmp(name, "cell") == 0;
  const bool in_cell = strcmp(parent, "cell") == 0;
  const bool is_pin = known && strcmp(name, "pin") == 0;
  const bool is_bus = known && strcmp(name, "bus") == 0;
  const bool is_type = known && strcmp(name, "type") == 0;
  static const char *const storage[] = {"ff", "latch", "statetable", "ff_bank", "latch_bank"};
  if (is_cell && cell_add(r, argument) == NULL)
    return tandem_fail(s->err, -ENOMEM, "out of memory for %s", s->path);
  struct liberty_cell *cell = is_pin || is_bus ? &l->cells[l->ncells - 1] : NULL;
  if ((cell != NULL && port_add(&cell->ports, &cell->nports, argument) == NULL) ||
      (is_type && port_add(&r->types, &r->ntypes, argument) == NULL))
    return tandem_fail(s->err, -ENOMEM, "out of memory for %s", s->path);
  if (is_bus)
    r->bus_type[0] = '\0';
  if (is_pin) {
    snprintf(r->pin, sizeof r->pin, "%.31s", argument);
    r->direction[0] = r->function[0] = '\0';
  }
  if (l->ncells > 0 && strcmp(name, "timing") == 0)
    l->cells[l->ncells - 1].timed = true;
  for (size_t i = 0; i < sizeof storage / sizeof storage[0]; i++)
    if (in_cell && strcmp(name, storage[i]) == 0)
      l->cells[l->ncells - 1].sequential = true;
  if (depth == 0)
    name_library(l, argument);
  const int status = statements(s, r, known ? name : "-", depth + 1);
  if (status == 0 && is_pin)
    pin_end(r, &l->cells[l->ncells - 1]);
  if (status == 0 && is_bus)
    bus_end(r, &l->cells[l->ncells - 1]);
  if (status == 0 && is_cell)
    cell_end(r, &l->cells[l->ncells - 1]);
  return status;
}

/* `name : value ;` or `name (arguments) ;` or a group, whose name has been read. */
static int statement(struct scan *s, struct reading *r, const char *group, unsigned depth) {
  char name[WORD], first[WORD] = "";
  memcpy(name, s->word, WORD);
  if (!next(s))
    return wrong(s, "it ends within a statement");
  if (is(s, ':')) {
    if (!next(s))
      return wrong(s, "it ends within an attribute");
    const int status = attribute(s, r, group, name, s->word);
    if (status != 0)
      return status;
    /* A value may be a formula of several words; some files leave the semicolon out. */
    const unsigned line = s->line;
    for (;;) {
      const struct scan before = *s;
      if (!next(s) || is(s, ';'))
        return 0;
      if (is(s, '}') || s->line != line) {
        *s = before;
        return 0;
      }
    }
  }
  if (!is(s, '('))
    return wrong(s, "a colon or a parenthesis is expected");
  while (next(s) && !is(s, ')')) {
    if (is(s, '{') || is(s, '}'))
      return wrong(s, "a parenthesis is not closed");
    if (first[0] == '\0' && !is(s, ','))
      memcpy(first, s->word, WORD);
  }
  const struct scan before = *s;
  if (!next(s))
    return depth == 0 ? wrong(s, "it ends within a statement") : 0;
  if (is(s, '{'))
    return group_read(s, r, group, name, first, depth);
  if (!is(s, ';'))
    *s = before;
  return 0;
}

/* Up to the brace that closes the group. */
static int statements(struct scan *s, struct reading *r, const char *group, unsigned depth) {
  if (depth > 16)
    return wrong(s, "groups are nested too deeply");
  while (next(s)) {
    if (is(s, '}'))
      return 0;
    if (is(s, ';'))
      continue;
    const int status = statement(s, r, group, depth);
    if (status != 0)
      return status;
  }
  return wrong(s, "it ends within a group");
}

int liberty_parse(const char *text, const char *path, struct liberty *l, struct tandem_error *err) {
  struct scan s = {.at = text, .path = path, .line = 1, .err = err};
  struct reading r = {.l = l};
  memset(l, 0, sizeof *l);
  int status = 0;
  if (!next(&s) || strcmp(s.word, "library") != 0)
    status = wrong(&s, "it does not start with library (...)");
  else
    status = statement(&s, &r, "", 0);
  if (status == 0 && l->ncells == 0)
    status = wrong(&s, "it has no cells");
  free(r.types);
  if (status != 0)
    liberty_free(l);
  return status;
}

void liberty_free(struct liberty *l) {
  for (size_t i = 0; i < l->ncells; i++)
    free(l->cells[i].ports);
  free(l->cells);
  memset(l, 0, sizeof *l);
}

const struct liberty_cell *liberty_find(const struct liberty *l, const char *name) {
  for (size_t i = 0; i < l->ncells; i++)
    if (strcmp(l->cells[i].name, name) == 0)
      return &l->cells[i];
  return NULL;
}
