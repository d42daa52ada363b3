/* Ports tables as they are read. */
#include "csim/ports/generate/table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The macros of ports tables.  A letter stands for each argument: n name, w width, c count, s
 * signal, q qualifier. */
static const struct macro {
  const char *name, *arguments;
  enum line_kind kind;
  bool words, computed;
} macros[] = {{"PORT_IN", "nwq", LINE_IN, false, false},
              {"PORT_OUT", "nwq", LINE_OUT, false, false},
              {"PORT_IN_WORDS", "ncq", LINE_IN, true, false},
              {"PORT_OUT_WORDS", "ncq", LINE_OUT, true, false},
              {"STATE", "nwcsq", LINE_STATE, true, false},
              {"STATE_WORDS", "ncsq", LINE_STATE, true, false},
              {"STATE_BY", "nwcsq", LINE_STATE, true, true}};

static const struct macro *macro_of(const struct call *c) {
  for (size_t i = 0; i < sizeof macros / sizeof macros[0]; i++)
    if (strcmp(macros[i].name, c->macro) == 0 && strlen(macros[i].arguments) == c->arguments)
      return &macros[i];
  return NULL;
}

static struct line line_of(const struct macro *m, const struct call *c) {
  struct line l = {.kind = m->kind,
                   .words = m->words,
                   .computed = m->computed,
                   .width = "64",
                   .count = "1",
                   .note = c->note};
  for (unsigned i = 0; i < c->arguments; i++) {
    const char **field[] = {
        ['n'] = &l.name, ['w'] = &l.width, ['c'] = &l.count, ['s'] = &l.signal, ['q'] = &l.when};
    *field[(unsigned char)m->arguments[i]] = c->argument[i];
  }
  return l;
}

int table_read(const char *root, const char *name, struct table *t, struct tandem_error *err) {
  char file[100];
  snprintf(file, sizeof file, "csim/ports/*/%s.def", name);
  *t = (struct table){.name = name};
  int status = calls_read(root, file, &t->calls, err);
  if (status == 0 && (t->line = calloc(t->calls.n + 1, sizeof *t->line)) == NULL)
    status = tandem_fail(err, -ENOMEM, "out of memory");
  for (size_t i = 0; status == 0 && i < t->calls.n; i++) {
    const struct call *c = &t->calls.call[i];
    const struct macro *m = macro_of(c);
    if (m != NULL)
      t->line[t->n++] = line_of(m, c);
    else
      status = tandem_fail(err, -EINVAL, "%s/%s: %s with %u arguments is no line of a ports table",
                           root, file, c->macro, c->arguments);
  }
  if (status != 0)
    table_free(t);
  return status;
}

void table_free(struct table *t) {
  free(t->line);
  calls_free(&t->calls);
  *t = (struct table){.name = NULL};
}
