/* Making a model: its sources are put into a folder of their own, verilated, compiled by several
 * processes and linked. */
#include <errno.h>
#include <libgen.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "csim/ports/facts.h"
#include "csim/ports/generate/generate.h"
#include "csim/util/files.h"
#include "csim/util/scratch.h"
#include "harness/shim/boundary/boundary.h"
#include "harness/shim/models/local.h"

static int out_of_memory(struct tandem_error *err) {
  return tandem_fail(err, -ENOMEM, "out of memory");
}

/* ---- files ---- */

static int write_file(const char *folder, const char *name, const char *before, const char *text,
                      struct tandem_error *err) {
  char path[MODELS_PATH];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "w");
  const bool good = f != NULL && fputs(before, f) >= 0 && fputs(text, f) >= 0;
  const int error = f == NULL || fclose(f) != 0 || !good ? errno : 0;
  return error == 0 ? 0
                    : tandem_fail(err, -error, "cannot write the cache of models: %s: %s", path,
                                  strerror(error));
}

/* The sources as they were hashed; messages of tools have the names that the user knows. */
static int write_sources(const struct model *m, const char *folder, struct tandem_error *err) {
  for (size_t i = 0; i < m->sources.n; i++) {
    const struct source *s = &m->sources.file[i];
    char name[300], line[MODELS_PATH + 20];
    if (!s->read)
      continue;
    snprintf(name, sizeof name, s->include ? "%s" : "%s.sv", s->name);
    snprintf(line, sizeof line, "`line 1 \"%s\" 0\n", s->shown);
    TRY(write_file(folder, name, line, s->text, err));
  }
  return 0;
}

/* ---- Verilator ---- */

static void add_packages(const struct model *m, struct words *w) {
  for (unsigned order = 0; order < m->sources.ordered; order++)
    for (size_t i = 0; i < m->sources.n; i++)
      if (m->sources.file[i].package && m->sources.file[i].order == order)
        words_add(w, "%s.sv", m->sources.file[i].name);
}

static bool ends(const char *name, const char *end) {
  const size_t n = strlen(name), k = strlen(end);
  return n >= k && strcmp(name + n - k, end) == 0;
}

static void add_given(const struct model *m, struct words *w) {
  for (const char *const *f = m->spec->files; f != NULL && *f != NULL; f++)
    if (!ends(*f, ".h"))
      words_add(w, "%s", *f);
}

/* All RTL files, what a file needs before it. */
static void add_sources(const struct model *m, const char *folder, struct words *w) {
  for (unsigned order = 0; order < m->sources.ordered; order++)
    for (size_t i = 0; i < m->sources.n; i++) {
      const struct source *s = &m->sources.file[i];
      if (s->read && !s->include && s->order == order)
        words_add(w, "%s/%s.sv", folder, s->name);
    }
}

/* The netlist of the unit, netlist.v. */
static int synthesise(const struct model *m, const char *folder, struct tandem_error *err) {
  const struct unit_facts *f = unit_facts_of(m->spec->unit);
  struct command yosys, c = {.folder = folder, .log = "yosys.log", .complaint = "rror:"};
  int status = command_open(&yosys, "yosys", folder, NULL, err);
  if (status != 0)
    return status;
  snprintf(c.refuses, sizeof c.refuses, "yosys does not accept %s", m->spec->unit);
  words_add(&c.words, "%s/synth/flow/scripts/netlist.sh", models_root());
  words_all(&c.words, &yosys.words);
  words_free(&yosys.words);
  words_add(&c.words, "%s", m->spec->unit);
  words_add(&c.words, "netlist.v");
  words_add(&c.words, "%s", f != NULL && f->gates ? "gates" : "words");
  words_add(&c.words, "%s", m->spec->parameters != NULL ? m->spec->parameters : "");
  add_sources(m, ".", &c.words); /* where it runs: yosys would read a path in its own way */
  return command_run(&c, err);
}

/* The Verilog that stands for the unit's RTL. */
static int add_text(const struct model *m, const char *folder, struct words *w,
                    struct tandem_error *err) {
  int status = 0;
  add_packages(m, w);
  if (m->spec->kind == RTL_NETLIST && m->ngiven == 0) {
    status = synthesise(m, folder, err);
    words_add(w, "netlist.v");
  } else if (m->ngiven == 0 || m->spec->kind == RTL_COVERED) {
    words_add(w, "%s.sv", m->spec->unit);
  }
  add_given(m, w);
  return status;
}

/* Passes on Verilator's warnings about the user's RTL. */
static void warn(const char *folder) {
  char path[MODELS_PATH], *text;
  snprintf(path, sizeof path, "%s/verilator.log", folder);
  if (files_read(path, &text, NULL, NULL) != 0)
    return;
  if (*text != '\0')
    models_warning(text);
  free(text);
}

static int verilate(const struct model *m, const char *folder, struct tandem_error *err) {
  const struct recipe *r = &m->recipe;
  struct command c;
  int status = command_open(&c, "verilator", folder, "verilator.log", err);
  if (status != 0)
    return status;
  c.complaint = m->own ? "%Error" : "%"; /* a warning about Tandem's own RTL is an error, too */
  snprintf(c.refuses, sizeof c.refuses, "Verilator does not accept %s", r->name);
  words_split(&c.words, "", "--make cmake --Mdir . -y . --prefix");
  words_add(&c.words, "%s", m->class);
  words_add(&c.words, "--top-module");
  words_add(&c.words, "%s", m->spec->unit);
  words_all(&c.words, &r->options);
  for (size_t i = 0; i < r->vlt.n; i++)
    words_add(&c.words, "%s/rtl/%s", models_root(), r->vlt.word[i]);
  status = add_text(m, folder, &c.words, err);
  if (status != 0)
    words_free(&c.words);
  else
    status = command_run(&c, err);
  if (status == 0 && m->own)
    warn(folder);
  return status;
}

/* Adds lines #include "file" for the files of a list of Verilator's cmake file. */
static void add_classes(const char *class, const char *cmake, const char *list, FILE *out) {
  char start[64];
  snprintf(start, sizeof start, "set(%s_%s ", class, list);
  const char *p = strstr(cmake, start), *end = p != NULL ? strchr(p, ')') : NULL;
  while (p != NULL && (p = strchr(p, '"')) != NULL && p < end) {
    const size_t n = strcspn(p + 1, "\"");
    fprintf(out, "#include \"%.*s\"\n", (int)n, p + 1);
    p += n + 2;
  }
}

/* fast.cpp, what runs in each cycle, and slow.cpp, by Verilator's own lists. */
static int write_units(const char *class, const char *folder, struct tandem_error *err) {
  static const char *const speeds[] = {"FAST", "SLOW"}, *const names[] = {"fast.cpp", "slow.cpp"};
  char path[MODELS_PATH];
  int status = 0;
  snprintf(path, sizeof path, "%s/%s.cmake", folder, class);
  char *cmake;
  status = files_read(path, &cmake, NULL, err);
  if (status != 0)
    return status;
  for (unsigned i = 0; status == 0 && i < 2; i++) {
    char *text = NULL, list[32];
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) {
      status = out_of_memory(err);
      break;
    }
    snprintf(list, sizeof list, "CLASSES_%s", speeds[i]);
    add_classes(class, cmake, list, out);
    snprintf(list, sizeof list, "SUPPORT_%s", speeds[i]);
    add_classes(class, cmake, list, out);
    fclose(out);
    status = write_file(folder, names[i], "", text, err);
    free(text);
  }
  free(cmake);
  return status;
}

/* ---- the compiler ---- */

struct compilation {
  pthread_t thread;
  bool started;
  struct command command;
  int status;
  struct tandem_error err;
};

static void *compile(void *argument) {
  struct compilation *c = argument;
  c->status = command_run(&c->command, &c->err);
  return NULL;
}

/* Verilator's include folder. */
static int verilator_include(const char *folder, char include[MODELS_PATH],
                             struct tandem_error *err) {
  char path[MODELS_PATH], *text;
  struct command c;
  int status = command_open(&c, "verilator", folder, "root.log", err);
  if (status != 0)
    return status;
  words_split(&c.words, "", "--getenv VERILATOR_ROOT");
  status = command_run(&c, err);
  snprintf(path, sizeof path, "%s/root.log", folder);
  if (status == 0)
    status = files_read(path, &text, NULL, err);
  if (status != 0)
    return status;
  snprintf(include, MODELS_PATH, "%.*s/include", (int)strcspn(text, "\n"), text);
  free(text);
  return 0;
}

/* A compilation of a model or support `name`, named by its log, with all but the file and its
 * flags.  `first`: a header that is included first, NULL: none. */
static int compilation_open(struct compilation *c, const char *name, const char *folder,
                            const char *include, const char *first, const char *log,
                            struct tandem_error *err) {
  struct words *w = &c->command.words;
  TRY(command_open(&c->command, "c++", folder, log, err));
  c->command.complaint = "rror";
  snprintf(c->command.refuses, sizeof c->command.refuses, "the compiler does not accept %s", name);
  words_add(w, "-c");
  recipe_compile(w);
  words_add(w, "-I.");
  words_add(w, "-I%s", models_root());
  words_add(w, "-I%s", include);
  words_add(w, "-I%s/vltstd", include);
  if (first != NULL)
    words_split(w, "-include", first);
  words_add(w, "-o");
  words_add(w, "%.*s.o", (int)strcspn(log, "."), log);
  return 0;
}

/* Compiles all, side by side; err is of the first that fails. */
static int compile_all(struct compilation *c, unsigned n, struct tandem_error *err) {
  int status = 0;
  for (unsigned i = 0; i < n; i++) {
    c[i].started = pthread_create(&c[i].thread, NULL, compile, &c[i]) == 0;
    if (!c[i].started)
      compile(&c[i]);
  }
  for (unsigned i = 0; i < n; i++) {
    if (c[i].started)
      pthread_join(c[i].thread, NULL);
    if (status == 0 && c[i].status != 0) {
      status = c[i].status;
      *err = c[i].err;
    }
  }
  return status;
}

/* Adds the definitions and headers with which the shim of a model is compiled. */
static void add_definitions(const struct model *m, struct words *w) {
  words_add(w, "-DMODEL=%s", m->class);
  words_add(w, "-DMODEL_H=\"%s.h\"", m->class);
  words_add(w, "-DROOT_H=\"%s___024root.h\"", m->class);
  words_add(w, "-DSYMS_H=\"%s__Syms.h\"", m->class);
  words_add(w, "-DRTL_TYPE=%s", m->type);
  for (size_t i = 0; i < m->recipe.definitions.n; i++)
    words_add(w, "-D%s", m->recipe.definitions.word[i]);
  for (const char *const *f = m->spec->files; f != NULL && *f != NULL; f++)
    if (ends(*f, ".h")) {
      words_add(w, "-include");
      words_add(w, "%s", *f);
    }
}

/* The shim with what runs in each cycle, and the rest, which a small model has in the same unit. */
static int add_compilations(const struct model *m, const char *folder, struct compilation c[2],
                            unsigned *n, struct tandem_error *err) {
  static const char *const sources[] = {"shim.cpp", "slow.cpp"};
  static const char *const logs[] = {"shim.log", "slow.log"};
  const struct recipe *r = &m->recipe;
  char include[MODELS_PATH];
  TRY(verilator_include(folder, include, err));
  *n = r->whole ? 1 : 2;
  for (unsigned i = 0; i < *n; i++) {
    TRY(compilation_open(&c[i], r->name, folder, include, "harness/shim/headers.h", logs[i], err));
    add_definitions(m, &c[i].command.words);
    words_split(&c[i].command.words, "", i == 0 ? r->fast : r->slow);
    words_add(&c[i].command.words, "%s", sources[i]);
  }
  return 0;
}

static int write_shim(const struct recipe *r, const char *folder, struct tandem_error *err) {
  char text[300];
  snprintf(text, sizeof text, "#include \"fast.cpp\"\n%s#include \"%s\"\n",
           r->whole ? "#include \"slow.cpp\"\n" : "", r->shim);
  return write_file(folder, "shim.cpp", "", text, err);
}

/* ---- linking ---- */

/* The objects as the file `to`: by its name's end one object, or a shared object with the supports
 * that it needs, under the file's own name. */
static int link_all(const struct compilation *c, unsigned n, const char *folder, const char *to,
                    char *const supports[SUPPORTS], struct tandem_error *err) {
  char name[MODELS_PATH], path[MODELS_PATH], made_by[MODELS_PATH];
  const bool object = ends(to, ".o");
  struct command l;
  TRY(command_open(&l, "c++", folder, "link.log", err));
  l.complaint = "";
  snprintf(l.refuses, sizeof l.refuses, "cannot link a model");
  snprintf(name, sizeof name, "%s", to);
  words_split(&l.words, "",
              object ? "-r -nostdlib -o object.so"
                     : "-shared -Wl,-Bsymbolic -Wl,-z,relro -pthread -o object.so -Xlinker -soname "
                       "-Xlinker");
  if (!object)
    words_add(&l.words, "%s", basename(name));
  for (unsigned i = 0; i < n; i++)
    words_add(&l.words, "%.*s.o", (int)strcspn(c[i].command.log, "."), c[i].command.log);
  for (unsigned i = 0; !object && i < SUPPORTS; i++)
    if (supports[i] != NULL)
      words_add(&l.words, "%s", supports[i]);
  if (!object)
    words_split(&l.words, "", "-lz -latomic");
  TRY(command_run(&l, err));
  snprintf(path, sizeof path, "%s/object.so", folder);
  snprintf(made_by, sizeof made_by, "%s/%s", folder, models_made_by);
  if (!object)
    TRY(file_seal(path, made_by, err));
  if (rename(path, to) != 0)
    return tandem_fail(err, -errno, "cannot write %s: %s", to, strerror(errno));
  return 0;
}

/* ---- all of it ---- */

/* The check of the boundary of the user's RTL, beside the compiler. */
struct boundary {
  const struct model *m;
  const char *folder;
  pthread_t thread;
  bool started;
  enum boundary_verdict verdict;
  struct tandem_error err;
};

static void *check_boundary(void *argument) {
  struct boundary *b = argument;
  struct words files = {0};
  add_sources(b->m, b->folder, &files);
  const char *parameters = b->m->spec->parameters;
  const struct boundary_request r = {.unit = b->m->spec->unit,
                                     .parameters = parameters != NULL ? parameters : "",
                                     .sources = (const char *const *)files.word,
                                     .folder = b->folder};
  b->verdict = boundary_check(&r, &b->err);
  words_free(&files);
  return NULL;
}

static int boundary_end(struct boundary *b, struct tandem_error *err) {
  char text[1200];
  if (!b->started)
    return 0;
  pthread_join(b->thread, NULL);
  if (b->verdict == BOUNDARY_BROKEN)
    return tandem_fail(err, -EINVAL, "%s", b->err.text);
  if (b->verdict != BOUNDARY_GOOD) {
    snprintf(text, sizeof text,
             "the boundary of %s (registered ports, clocks) was not checked: %s\n",
             b->m->spec->unit, b->err.text);
    models_warning(text);
  }
  return 0;
}

/* Writes all that is compiled. */
static int write_all(const struct model *m, const char *folder, struct tandem_error *err) {
  char header[MODELS_PATH];
  snprintf(header, sizeof header, "%s/%s.h", folder, m->class);
  TRY(write_sources(m, folder, err));
  TRY(ports_write(models_root(), folder, true, err));
  TRY(verilate(m, folder, err));
  TRY(ports_check(m, header, err));
  TRY(write_units(m->class, folder, err));
  return write_shim(&m->recipe, folder, err);
}

/* The compiler takes a file of the folder <header>.gch that has its flags, in place of the header.
 */
static int link_headers(char *const headers[HEADERS], const char *folder,
                        struct tandem_error *err) {
  static const char *const folders[] = {"harness", "harness/shim", "harness/shim/headers.h.gch"};
  char path[MODELS_PATH];
  bool good = true;
  for (unsigned i = 0; i < sizeof folders / sizeof folders[0]; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, folders[i]);
    good = good && mkdir(path, 0777) == 0;
  }
  for (unsigned i = 0; i < HEADERS; i++) {
    snprintf(path, sizeof path, "%s/%s/%s", folder, folders[2], headers_names[i]);
    good = good && (headers[i] == NULL || symlink(headers[i], path) == 0);
  }
  return good ? 0 : tandem_fail(err, -errno, "cannot write %s: %s", path, strerror(errno));
}

static int make_in(const struct model *m, char *const supports[SUPPORTS],
                   char *const headers[HEADERS], const char *folder, char **to,
                   struct tandem_error *err) {
  struct boundary b = {.m = m, .folder = folder};
  struct compilation c[2];
  struct tandem_error other;
  struct timespec start;
  unsigned n = 0;
  clock_gettime(CLOCK_REALTIME, &start); /* as times of files */
  TRY(write_all(m, folder, err));
  TRY(reads_note(m, folder, &start, to, err));
  TRY(link_headers(headers, folder, err));
  TRY(add_compilations(m, folder, c, &n, err));
  if (m->own && m->ngiven == 0 && !cache_has_unit(m->spec))
    b.started = pthread_create(&b.thread, NULL, check_boundary, &b) == 0;
  const int compiled = compile_all(c, n, err);
  const int boundary = boundary_end(&b, compiled == 0 ? err : &other);
  TRY(compiled);
  TRY(boundary);
  return link_all(c, n, folder, *to, supports, err);
}

/* A folder for a while, beside the file. */
static int scratch_beside(const char *to, char **folder, struct tandem_error *err) {
  const int status = scratch_folder(to, folder);
  return status == 0 ? 0
                     : tandem_fail(err, status,
                                   "cannot write the cache of models beside %s: %s "
                                   "(XDG_CACHE_HOME names another folder)",
                                   to, strerror(-status));
}

int model_make(const struct model *m, char *const supports[SUPPORTS], char *const headers[HEADERS],
               char **to, struct tandem_error *err) {
  char *folder;
  TRY(scratch_beside(*to, &folder, err));
  const int status = make_in(m, supports, headers, folder, to, err);
  scratch_drop(folder);
  return status;
}

static int make_support_in(enum recipe_support s, const char *name, char *const supports[SUPPORTS],
                           const char *folder, const char *to, struct tandem_error *err) {
  static const char *const logs[] = {"a.log", "b.log", "c.log", "d.log"};
  struct compilation c[4] = {{.status = 0}};
  char include[MODELS_PATH];
  unsigned n = 0;
  TRY(verilator_include(folder, include, err));
  for (; support_sources[s][n].file != NULL; n++) {
    const struct support_source *source = &support_sources[s][n];
    struct words *w = &c[n].command.words;
    TRY(compilation_open(&c[n], name, folder, include, "harness/shim/runtime.h", logs[n], err));
    words_split(w, "", "-Og");
    words_split(w, "", source->flags);
    if (source->shim)
      words_add(w, "%s/harness/shim/%s", models_root(), source->file);
    else
      words_add(w, "%s/%s", include, source->file);
  }
  TRY(compile_all(c, n, err));
  return link_all(c, n, folder, to, supports, err);
}

int support_make(enum recipe_support s, const char *name, char *const supports[SUPPORTS],
                 const char *to, struct tandem_error *err) {
  char *folder;
  TRY(scratch_beside(to, &folder, err));
  const int status = make_support_in(s, name, supports, folder, to, err);
  scratch_drop(folder);
  return status;
}

static int make_headers_in(enum recipe_headers h, const char *folder, const char *to,
                           struct tandem_error *err) {
  struct compilation c;
  char include[MODELS_PATH], path[MODELS_PATH], made_by[MODELS_PATH];
  TRY(verilator_include(folder, include, err));
  TRY(compilation_open(&c, headers_names[h], folder, include, NULL, "headers.log", err));
  words_split(&c.command.words, "", headers_flags[h]);
  words_split(&c.command.words, "", "-x c++-header");
  words_add(&c.command.words, "%s/harness/shim/headers.h", models_root());
  TRY(command_run(&c.command, err));
  snprintf(path, sizeof path, "%s/headers.o", folder);
  snprintf(made_by, sizeof made_by, "%s/%s", folder, models_made_by);
  TRY(file_seal(path, made_by, err));
  if (rename(path, to) != 0)
    return tandem_fail(err, -errno, "cannot write %s: %s", to, strerror(errno));
  return 0;
}

int headers_make(enum recipe_headers h, const char *to, struct tandem_error *err) {
  char *folder;
  TRY(scratch_beside(to, &folder, err));
  const int status = make_headers_in(h, folder, to, err);
  scratch_drop(folder);
  return status;
}
