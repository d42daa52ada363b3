/* Cells of Liberty files: what the reports need of them. */
#include "synth/input/liberty.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FORMULA = 256, PINS = 2 };

/* Pins of a cell with a function. */
struct pins {
  char inputs[PINS][32], out_function[FORMULA];
};

/* Boolean functions: ! ' * & + | ^ and parentheses; side by side is and. */
struct formula {
  const char *at;
  const struct pins *r;
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

static unsigned truth_table(const struct pins *r, unsigned inputs) {
  unsigned table = 0;
  for (unsigned i = 0; i < 1u << inputs; i++) {
    struct formula f = {r->out_function, r, i, true};
    table |= (unsigned)f_or(&f) << i;
    if (!f.known || *f.at != '\0')
      return ~0u;
  }
  return table;
}

/* Adds a port to a cell; NULL: out of memory. */
static struct liberty_port *port_add(struct liberty_cell *c, const struct liberty_word *name) {
  struct liberty_port *more =
      c->nports % 8 == 0 ? realloc(c->ports, (c->nports + 8) * sizeof *more) : c->ports;
  if (more == NULL)
    return NULL;
  c->ports = more;
  more[c->nports].width = 1;
  liberty_copy(name, more[c->nports].name, sizeof more->name);
  return &more[c->nports++];
}

const struct liberty_node *liberty_type(const struct liberty_tree *t,
                                        const struct liberty_node *cell,
                                        const struct liberty_word *name) {
  const struct liberty_node *const places[] = {t->nodes, cell}, *found = NULL;
  for (size_t i = 0; name != NULL && i < 2; i++)
    LIBERTY_EACH(t, n, places[i]) {
      const struct liberty_word *of = liberty_word(t, n, 0);
      if (liberty_group(n, "type") && of->n == name->n && strncmp(of->at, name->at, of->n) == 0)
        found = n;
    }
  return found;
}

static unsigned bus_width(const struct liberty_tree *t, const struct liberty_node *cell,
                          const struct liberty_node *bus) {
  const struct liberty_node *type = liberty_type(t, cell, liberty_value(t, bus, "bus_type"));
  double bits;
  return type != NULL && liberty_number(liberty_value(t, type, "bit_width"), &bits) && bits >= 0 &&
                 bits < 1e6
             ? (unsigned)bits
             : 1;
}

static void pin_read(const struct liberty_tree *t, const struct liberty_node *pin,
                     const struct liberty_word *name, struct liberty_cell *c, struct pins *pins) {
  const struct liberty_word *direction = liberty_value(t, pin, "direction");
  const struct liberty_word *function = liberty_value(t, pin, "function");
  if (direction != NULL && liberty_is(direction, "input")) {
    if (c->inputs < PINS)
      liberty_copy(name, pins->inputs[c->inputs], sizeof pins->inputs[0]);
    c->inputs++;
  } else if (direction != NULL && liberty_is(direction, "output")) {
    c->outputs++;
    liberty_copy(name, c->output, sizeof c->output);
    pins->out_function[0] = '\0';
    if (function != NULL)
      liberty_copy(function, pins->out_function, sizeof pins->out_function);
  }
}

static bool has_times(const struct liberty_tree *t, const struct liberty_node *n) {
  LIBERTY_EACH(t, c, n)
  if (c->kind == LIBERTY_GROUP && (liberty_is(&c->name, "timing") || has_times(t, c)))
    return true;
  return false;
}

bool liberty_storage(const struct liberty_node *n) {
  static const char *const names[] = {"ff", "latch", "statetable", "ff_bank", "latch_bank"};
  bool found = false;
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    found |= liberty_group(n, names[i]);
  return found;
}

static int cell_read(const struct liberty_tree *t, const struct liberty_node *cell,
                     struct liberty_cell *c, struct tandem_error *err) {
  struct pins pins = {.out_function = ""};
  *c = (struct liberty_cell){.table = ~0u, .tree = t, .node = cell, .timed = has_times(t, cell)};
  liberty_copy(liberty_word(t, cell, 0), c->name, sizeof c->name);
  LIBERTY_EACH(t, n, cell) {
    const bool bus = liberty_group(n, "bus");
    if (n->kind == LIBERTY_VALUE && liberty_is(&n->name, "area") &&
        !(liberty_number(liberty_word(t, n, 0), &c->area) && c->area >= 0))
      return liberty_wrong(t, n->line, err, "an area is no number from 0");
    c->sequential |= liberty_storage(n);
    for (size_t i = 0; (bus || liberty_group(n, "pin")) && (i == 0 || i < n->nwords); i++) {
      const struct liberty_word *name = liberty_word(t, n, i);
      struct liberty_port *port = port_add(c, name);
      if (port == NULL)
        return tandem_fail(err, -ENOMEM, "out of memory for %s", t->path);
      if (bus)
        port->width = bus_width(t, cell, n);
      else
        pin_read(t, n, name, c, &pins);
    }
  }
  if (!c->sequential && c->outputs == 1 && c->inputs >= 1 && c->inputs <= PINS)
    c->table = truth_table(&pins, c->inputs);
  return 0;
}

static int cells_read(struct liberty *l, const struct liberty_tree *t, struct tandem_error *err) {
  const size_t before = l->ncells;
  int status = 0;
  LIBERTY_EACH(t, n, t->nodes) {
    if (status != 0 || !liberty_group(n, "cell"))
      continue;
    struct liberty_cell *more =
        l->ncells % 64 == 0 ? realloc(l->cells, (l->ncells + 64) * sizeof *more) : l->cells;
    if (more == NULL)
      return tandem_fail(err, -ENOMEM, "out of memory for %s", t->path);
    l->cells = more;
    status = cell_read(t, n, &more[l->ncells++], err);
    for (size_t i = 0; status == 0 && i < before; i++)
      if (strcmp(more[i].name, more[l->ncells - 1].name) == 0)
        status = liberty_wrong(t, n->line, err, "the cell %s is in %s, too", more[i].name,
                               more[i].tree->path);
  }
  if (status == 0 && l->ncells == before)
    status = liberty_wrong(t, 1, err, "it has no cells");
  return status;
}

/* The library's name is also a folder's, and stands in reports: of several files that of the first
 * and the number of others. */
static void name_library(struct liberty *l) {
  liberty_copy(liberty_word(&l->trees[0], l->trees[0].nodes, 0), l->name,
               sizeof l->name - (l->ntrees > 1 ? 8 : 0));
  for (char *p = l->name; *p != '\0'; p++)
    if (!isgraph((unsigned char)*p) || *p == '/')
      *p = '_';
  if (l->ntrees > 1)
    snprintf(l->name + strlen(l->name), 8, "+%u", (unsigned)(l->ntrees - 1) % 100);
}

int liberty_add(struct liberty *l, const char *text, const char *path, struct tandem_error *err) {
  if (l->ntrees == LIBERTY_FILES)
    return tandem_fail(err, -EINVAL, "%s: a library has at most %d files", path, LIBERTY_FILES);
  struct liberty_tree *t = &l->trees[l->ntrees];
  int status = liberty_tree_read(t, text, path, err);
  if (status != 0)
    return status;
  l->ntrees++;
  name_library(l);
  if ((status = liberty_units(t, &l->units[l->ntrees - 1], err)) != 0 ||
      (status = liberty_agree(l->trees, l->units, l->ntrees - 1, err)) != 0)
    return status;
  return cells_read(l, t, err);
}

int liberty_parse(const char *text, const char *path, struct liberty *l, struct tandem_error *err) {
  memset(l, 0, sizeof *l);
  const int status = liberty_add(l, text, path, err);
  if (status != 0)
    liberty_free(l);
  return status;
}

void liberty_free(struct liberty *l) {
  for (size_t i = 0; i < l->ncells; i++)
    free(l->cells[i].ports);
  free(l->cells);
  for (size_t i = 0; i < l->ntrees; i++)
    liberty_tree_free(&l->trees[i]);
  memset(l, 0, sizeof *l);
}

const struct liberty_cell *liberty_find(const struct liberty *l, const char *name) {
  for (size_t i = 0; i < l->ncells; i++)
    if (strcmp(l->cells[i].name, name) == 0)
      return &l->cells[i];
  return NULL;
}
