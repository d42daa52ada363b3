/* All files that are made of the ports tables. */
#include "csim/ports/generate/generate.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "csim/ports/generate/write.h"
#include "csim/util/files.h"

enum { PARTS = 32, PARTS_FILE = 100, PATH = 4096 };

struct job {
  const char *root;
  ports_taker *take;
  void *user;
  struct tandem_error *err;
};

/* A text that is being written. */
struct text {
  char *text;
  size_t size;
  FILE *out;
};

static FILE *start(struct text *t) { return t->out = open_memstream(&t->text, &t->size); }

/* Gives a text to the taker. */
static int end(const struct job *j, struct text *t, const char *unit, const char *suffix) {
  char name[200];
  int status = -ENOMEM;
  snprintf(name, sizeof name, "csim/ports/%s%s", unit, suffix);
  if (t->out != NULL && fclose(t->out) == 0)
    status = j->take(name, t->text, j->user, j->err);
  else
    tandem_fail(j->err, status, "out of memory");
  free(t->text);
  return status;
}

/* The text of a unit's RTL, to be freed; NULL: it is not there. */
static char *rtl_of(const struct job *j, const char *unit) {
  char pattern[PATH], *rtl = NULL;
  glob_t files;
  snprintf(pattern, sizeof pattern, "%s/rtl/*/%s.sv", j->root, unit);
  if (glob(pattern, 0, NULL, &files) == 0) {
    (void)files_read(files.gl_pathv[0], &rtl, NULL, NULL);
    globfree(&files);
  }
  return rtl;
}

/* The files of a table; those from FILE_INPUTS on have a unit with RTL. */
enum file { FILE_STRUCTS, FILE_CODE, FILE_PINS, FILE_INPUTS, FILE_OUTPUTS, FILE_PORTS, FILE_MITER };
static const char *const suffixes[] = {
    [FILE_STRUCTS] = ".h",           [FILE_CODE] = ".c",
    [FILE_PINS] = "_pins.h",         [FILE_INPUTS] = "_inputs.svh",
    [FILE_OUTPUTS] = "_outputs.svh", [FILE_PORTS] = "_ports.svh",
    [FILE_MITER] = "_miter.sv"};

static void write_one(FILE *out, enum file file, const struct table *t, bool rows,
                      const char *rtl) {
  switch (file) {
  case FILE_STRUCTS:
    write_structs(out, t);
    break;
  case FILE_CODE:
    write_functions(out, t);
    break;
  case FILE_PINS:
    write_pins(out, t, rows);
    break;
  case FILE_INPUTS:
    write_port_list(out, rtl, t->name, LIST_INPUTS);
    break;
  case FILE_OUTPUTS:
    write_port_list(out, rtl, t->name, LIST_OUTPUTS);
    break;
  case FILE_PORTS:
    write_port_list(out, rtl, t->name, LIST_ALL);
    break;
  case FILE_MITER:
    write_miter(out, t, rtl);
    break;
  }
}

static int of_table(const struct job *j, const char *name, bool unit, bool rows) {
  struct table t;
  int status = table_read(j->root, name, &t, j->err);
  char *rtl = unit ? rtl_of(j, name) : NULL;
  const enum file last = rtl != NULL ? FILE_MITER : FILE_PINS;
  for (enum file file = FILE_STRUCTS; status == 0 && file <= last; file++) {
    struct text text = {NULL, 0, NULL};
    if (start(&text) != NULL)
      write_one(text.out, file, &t, rows, rtl);
    status = end(j, &text, name, suffixes[file]);
  }
  free(rtl);
  table_free(&t);
  return status;
}

/* A header that includes those of all tables. */
static void write_includes(FILE *out, const struct calls *units, const char *suffix) {
  fprintf(out, "/* All of csim/ports/units.def. */\n#pragma once\n");
  for (size_t i = 0; i < units->n; i++)
    fprintf(out, "#include \"csim/ports/%s%s\"\n", units->call[i].argument[0], suffix);
}

/* The parts of a front end with their tables. */
struct parts {
  struct calls calls;
  struct part part[PARTS];
  size_t n; /* also counts one that failed */
};

static void parts_free(struct parts *p) {
  for (size_t i = 0; i < p->n; i++)
    table_free(&p->part[i].table);
  calls_free(&p->calls);
}

/* Reads csim/ports/<folder>/<name>.def, of which there is room for PARTS; freed after an error. */
static int parts_read(const struct job *j, const char *name, struct parts *p) {
  char file[PARTS_FILE];
  snprintf(file, sizeof file, "csim/ports/*/%.64s.def", name);
  p->n = 0;
  int status = calls_read(j->root, file, &p->calls, j->err);
  if (status != 0)
    return status;
  while (status == 0 && p->n < p->calls.n && p->n < PARTS) {
    const struct call *c = &p->calls.call[p->n];
    struct part *part = &p->part[p->n++];
    *part = (struct part){.name = c->argument[0], .switched = strcmp(c->argument[2], "1") == 0};
    status = table_read(j->root, c->argument[1], &part->table, j->err);
  }
  if (status != 0)
    parts_free(p);
  return status;
}

/* Writes what the fact MEMBERS(rows, most, parts) of a cluster asks for. */
static int of_cluster(const struct job *j, FILE *out, const struct call *unit) {
  const char *fact = unit->arguments > 1 ? strstr(unit->argument[1], "MEMBERS(") : NULL;
  char name[65];
  unsigned most;
  struct parts parts;
  if (fact == NULL || sscanf(fact, "MEMBERS(%*[^,], %u, %64[a-z0-9_])", &most, name) != 2)
    return 0;
  TRY(parts_read(j, name, &parts));
  write_members(out, unit->argument[0], most, parts.part, parts.n);
  parts_free(&parts);
  return 0;
}

/* pins.h: the C++ of all tables, with that of front ends. */
static int of_pins(const struct job *j, const struct calls *units) {
  struct parts parts;
  struct text text = {NULL, 0, NULL};
  int status = parts_read(j, "frontend_parts", &parts);
  if (status != 0)
    return status;
  if (start(&text) != NULL) {
    write_includes(text.out, units, "_pins.h");
    fprintf(text.out, "#include \"csim/ports/units.h\"\n");
    write_frontend(text.out, parts.part, parts.n);
    for (size_t i = 0; status == 0 && i < units->n; i++)
      status = of_cluster(j, text.out, &units->call[i]);
  }
  parts_free(&parts);
  const int ended = end(j, &text, "pins", ".h");
  return status != 0 ? status : ended;
}

static int of_all(const struct job *j, const struct calls *units) {
  struct text text = {NULL, 0, NULL};
  if (start(&text) != NULL)
    write_includes(text.out, units, ".h");
  TRY(end(j, &text, "all", ".h"));
  return of_pins(j, units);
}

int ports_generate(const char *root, ports_taker *take, void *user, struct tandem_error *err) {
  const struct job j = {root, take, user, err};
  struct calls units; /* UNIT(name, facts), BLOCK(name), ROWS(name) */
  int status = calls_read(root, "csim/ports/units.def", &units, err);
  if (status != 0)
    return status;
  for (size_t i = 0; status == 0 && i < units.n; i++) {
    const struct call *c = &units.call[i];
    status =
        of_table(&j, c->argument[0], strcmp(c->macro, "UNIT") == 0, strcmp(c->macro, "ROWS") == 0);
  }
  if (status == 0)
    status = of_all(&j, &units);
  calls_free(&units);
  return status;
}

struct folder {
  const char *path;
  bool headers;
};

/* A file that has the text already stays as it is, and is not compiled again. */
static bool is_there(const char *path, const char *text) {
  char *old;
  const bool same = files_read(path, &old, NULL, NULL) == 0 && strcmp(old, text) == 0;
  free(old);
  return same;
}

static int write_file(const char *name, const char *text, void *user, struct tandem_error *err) {
  const struct folder *to = user;
  char path[PATH];
  if (to->headers && strcmp(name + strlen(name) - 2, ".c") == 0)
    return 0;
  snprintf(path, sizeof path, "%s/%s", to->path, name);
  if (is_there(path, text))
    return 0;
  FILE *f = fopen(path, "w");
  const bool good = f != NULL && fputs(text, f) >= 0;
  const int error = f == NULL || fclose(f) != 0 || !good ? errno : 0;
  return error == 0 ? 0 : tandem_fail(err, -error, "cannot write %s: %s", path, strerror(error));
}

int ports_write(const char *root, const char *folder, bool headers, struct tandem_error *err) {
  struct folder to = {folder, headers};
  char path[PATH];
  snprintf(path, sizeof path, "%s/csim/ports", folder);
  TRY(files_folder(path, err));
  return ports_generate(root, write_file, &to, err);
}
