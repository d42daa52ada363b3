/* The job of each step of a unit: its settings for the step's script, and the key of all that its
 * result depends on. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "synth/flow/clock_gating.h"
#include "synth/flow/flow.h"
#include "synth/flow/tcl.h"

/* A load on outputs of a few gates' inputs, in fF. */
enum { LOAD_FF = 50 };

static const char *const elaborate_scripts[] = {"elaborate.tcl", "local.tcl", "memory.v",
                                                "tandem_memory.v", NULL};
static const char *const map_scripts[] = {"local.tcl", "clock_gating.tcl", "clock_gating.v",
                                          "map.tcl", NULL};
static const char *const time_scripts[] = {"tie.lib", "local.tcl", "timing.tcl", NULL};

/* Adds scripts to the key; the list ends with NULL. */
static int scripts_key(struct synth_flow *f, struct hash *h, const char *const *names,
                       struct tandem_error *err) {
  char path[1024];
  int status = 0;
  for (; status == 0 && *names != NULL; names++) {
    snprintf(path, sizeof path, "%s/synth/flow/scripts/%s", f->config->root, *names);
    status = files_hash(h, path, err);
  }
  return status;
}

/* Returns true if a word of the text is this name. */
static bool mentions(const char *text, const char *name) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$";
  const size_t n = strlen(name);
  for (const char *p = strstr(text, name); p != NULL; p = strstr(p + 1, name))
    if ((p == text || strchr(letters, p[-1]) == NULL) &&
        (p[n] == '\0' || strchr(letters, p[n]) == NULL))
      return true;
  return false;
}

/* A word more of a list. */
#define list_add(job, ...) (fputc(' ', (job)), tcl_word((job), __VA_ARGS__))

/* Blanks a source's comments, which may name modules that it does not instantiate. */
static void comments_blank(char *text) {
  for (char *at = text; *at != '\0';) {
    size_t n = 0;
    if (strncmp(at, "//", 2) == 0) {
      n = strcspn(at, "\n");
    } else if (strncmp(at, "/*", 2) == 0) {
      const char *end = strstr(at + 2, "*/");
      n = end != NULL ? (size_t)(end + 2 - at) : strlen(at);
    }
    memset(at, ' ', n);
    at += n > 0 ? n : 1;
  }
}

/* Adds a source to the key, word by word, without its comments: no figure depends on lines. */
static int source_key(struct hash *h, const char *path, struct tandem_error *err) {
  char *text, *rest;
  const int status = files_read(path, &text, NULL, err);
  if (status != 0)
    return status;
  comments_blank(text);
  for (const char *word = strtok_r(text, " \n", &rest); word != NULL;
       word = strtok_r(NULL, " \n", &rest))
    hash_text(h, word);
  hash_text(h, "");
  free(text);
  return 0;
}

/* The files of the modules that a source names, into the job and the key: all that it instantiates
 * are among them. */
static int children_of(struct synth_flow *f, const struct synth_unit *u, const char *source,
                       FILE *job, struct hash *h, struct tandem_error *err) {
  char *text, *rest, path[1024], *modules = synth_modules(&f->designs, f->config->root);
  if (modules == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  int status = files_read(source, &text, NULL, err);
  if (status == 0)
    comments_blank(text);
  fputs("set children [list", job);
  for (char *m = strtok_r(modules, " ", &rest); status == 0 && m != NULL;
       m = strtok_r(NULL, " ", &rest))
    if (strcmp(m, u->spec.module) != 0 && mentions(text, m) &&
        synth_source(&f->designs, f->config->root, m, path, sizeof path)) {
      list_add(job, "%s", path);
      status = source_key(h, path, err);
    }
  fputs("]\n", job);
  free(text);
  free(modules);
  return status;
}

static int elaborate_job(struct synth_flow *f, size_t at, FILE *job, struct hash *h,
                         struct tandem_error *err) {
  const struct synth_unit *u = &f->report->units[at];
  char source[1024], package[1024];
  if (!synth_source(&f->designs, f->config->root, u->spec.module, source, sizeof source))
    return tandem_fail(err, -ENOENT, "there is no source file of the module %s", u->spec.module);
  snprintf(package, sizeof package, "%s/%s", f->config->root, f->designs.package);
  tcl_set(job, "module", "%s", u->spec.module);
  tcl_set(job, "package", "%s", package);
  tcl_set(job, "source", "%s", source);
  fprintf(job, "set min_bits %u\nset parameters [list", f->designs.memory_bits);
  for (unsigned i = 0; i < u->spec.n; i++) {
    list_add(job, "%s", u->spec.parameters[i].name);
    fprintf(job, " %llu", (unsigned long long)u->spec.parameters[i].value);
  }
  fputs("]\n", job);
  hash_text(h, f->report->yosys);
  int status;
  if ((status = source_key(h, package, err)) != 0 || (status = source_key(h, source, err)) != 0 ||
      (status = children_of(f, u, source, job, h, err)) != 0)
    return status;
  return scripts_key(f, h, elaborate_scripts, err);
}

/* Most parameters first: a selection by few of them would also find those. */
static int most_first(const void *a, const void *b) {
  const struct synth_instance *const *x = a, *const *y = b;
  return ((*x)->given.n < (*y)->given.n) - ((*x)->given.n > (*y)->given.n);
}

/* Writes the unit of each instance in these units, as map.tcl reads it. */
static int children_write(FILE *job, const struct synth_flow *f, const size_t *list, size_t n,
                          struct tandem_error *err) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++)
    count += f->nodes[list[i]].elaborated.n;
  const struct synth_instance **all = calloc(count + 1, sizeof *all);
  if (all == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  count = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < f->nodes[list[i]].elaborated.n; k++)
      all[count++] = &f->nodes[list[i]].elaborated.instances[k];
  qsort(all, count, sizeof *all, most_first);
  fprintf(job, "set children {\n");
  for (size_t i = 0; i < count; i++) {
    const struct synth_instance *in = all[i];
    fprintf(job, "  {t:%s", in->given.module);
    for (unsigned p = 0; p < in->given.n; p++)
      fprintf(job, " r:%s=%zu'b%s %%i", in->given.parameters[p].name, strlen(in->bits[p]),
              in->bits[p]);
    fprintf(job, "} %s {", f->report->units[synth_find(f->report, &in->spec, false)].name);
    for (unsigned p = 0; p < in->given.n; p++)
      fprintf(job, " %s", in->given.parameters[p].name);
    fprintf(job, "}\n");
  }
  fprintf(job, "}\n");
  free(all);
  return 0;
}

static void memories_write(FILE *job, const struct synth_flow *f, const size_t *list, size_t n) {
  static const char *const names[] = {"Words", "Width", "Abits", "Reads", "Writes"};
  char name[SYNTH_NAME];
  fprintf(job, "set memories {\n");
  for (size_t i = 0; i < n; i++) {
    const struct synth_elaborated *e = &f->nodes[list[i]].elaborated;
    for (size_t k = 0; k < e->nmemories; k++) {
      synth_memory_name(&e->memories[k], name, sizeof name);
      fprintf(job, "  {t:tandem_memory");
      for (unsigned p = 0; p < 5; p++)
        fprintf(job, " r:%s=%zu'b%s %%i", names[p], strlen(e->memory_bits[k][p]),
                e->memory_bits[k][p]);
      fprintf(job, "} %s {Words Width Abits Reads Writes}\n", name);
    }
  }
  fprintf(job, "}\n");
}

static int map_job(struct synth_flow *f, size_t at, FILE *job, struct hash *h,
                   struct tandem_error *err) {
  const struct synth_report *r = f->report;
  const struct synth_unit *u = &r->units[at];
  const size_t base = u->flat ? f->nodes[at].base : at;
  size_t *list = calloc(r->nunits, sizeof *list), n = 1;
  if (list == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  list[0] = base;
  if (u->flat)
    n = synth_descendants(r, base, list);
  fputs("set inputs [list", job);
  for (size_t i = 0; i < n; i++) {
    list_add(job, "%s/rtl/%s/elaborated.il", f->build, r->units[list[i]].name);
    hash_text(h, f->nodes[list[i]].keys[ELABORATE]);
  }
  fprintf(job, "]\nset flat %d\n", u->flat);
  const int status = children_write(job, f, list, n, err);
  memories_write(job, f, list, n);
  tcl_set(job, "base", "%s", r->units[base].name);
  tcl_set(job, "liberty", "%s", r->library.path);
  tcl_set(job, "driver", "%s", r->library.driver);
  fprintf(job, "set load_ff %d\nset period_ps %.0f\n", LOAD_FF, 1e6 / r->mhz);
  free(list);
  clock_gating_job(job, r);
  hash_text(h, r->library.key);
  return status != 0 ? status : scripts_key(f, h, map_scripts, err);
}

/* The shapes of memories in a unit and all below it, once each. */
static size_t shapes(const struct synth_flow *f, const size_t *list, size_t n,
                     struct synth_memory *to, size_t max) {
  size_t count = 0;
  for (size_t i = 0; i < n; i++) {
    const struct synth_unit *u = &f->report->units[list[i]];
    for (size_t k = 0; k < u->nmemories; k++) {
      size_t j = 0;
      while (j < count && !synth_memory_same(&u->memories[k], &to[j]))
        j++;
      if (j == count && count < max)
        to[count++] = u->memories[k];
    }
  }
  return count;
}

/* One file for all units with the same memories, named by its contents. */
static int macros_file(const struct synth_flow *f, const struct synth_memory *m, size_t n,
                       char *path, size_t size, struct hash *h, struct tandem_error *err) {
  char *text = NULL, key[HASH_KEY];
  size_t length;
  struct hash own;
  FILE *out = open_memstream(&text, &length);
  if (out == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  synth_macros_liberty(out, m, n);
  fclose(out);
  hash_text(h, text);
  hash_start(&own);
  hash_text(&own, text);
  hash_end(&own, key);
  snprintf(path, size, "%s/macros-%.12s.lib", f->build, key);
  int status = 0;
  if (access(path, R_OK) != 0)
    status = files_write(path, text, length, err);
  free(text);
  return status;
}

static int time_job(struct synth_flow *f, size_t at, FILE *job, struct hash *h,
                    struct tandem_error *err) {
  const struct synth_report *r = f->report;
  const struct synth_designs *d = &f->designs;
  struct synth_memory found[4 * SYNTH_SHAPES];
  char macros[600] = "";
  size_t *list = calloc(r->nunits, sizeof *list);
  if (list == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  const size_t n = synth_descendants(r, at, list);
  fputs("set netlists [list", job);
  for (size_t i = 0; i < n; i++) {
    list_add(job, "%s/map/netlist.v", r->units[list[i]].folder);
    hash_text(h, f->nodes[list[i]].keys[MAP]);
  }
  fputs("]\nset clocks [list", job);
  for (unsigned i = 0; i < d->nclocks; i++) {
    list_add(job, "%s", d->clocks[i].port);
    fprintf(job, " %u", d->clocks[i].multiple);
  }
  const size_t nshapes = shapes(f, list, n, found, 4 * SYNTH_SHAPES);
  free(list);
  int status = macros_file(f, found, nshapes, macros, sizeof macros, h, err);
  bool given = false;
  for (size_t i = 0; i < nshapes; i++)
    given |= found[i].source == SYNTH_GIVEN;
  if (status == 0 && given)
    status = files_hash(h, f->macros_path, err);
  fputs("]\nset given [list", job);
  if (given)
    list_add(job, "%s", f->macros_path);
  fputs("]\n", job);
  tcl_set(job, "liberty", "%s", r->library.path);
  tcl_set(job, "macros", "%s", macros);
  tcl_set(job, "reset", "%s", d->reset);
  tcl_set(job, "gate_latch", "%s", r->gate.latch);
  tcl_set(job, "driver", "%s", r->library.driver);
  tcl_set(job, "driver_pin", "%s", r->library.driver_pin);
  fprintf(job, "set period_ns %.6f\nset load %.3f\nset activity %g\n", 1000 / r->mhz,
          LOAD_FF / 1000.0, SYNTH_ACTIVITY);
  hash_text(h, r->library.key);
  hash_text(h, r->sta);
  return status != 0 ? status : scripts_key(f, h, time_scripts, err);
}

int synth_job(struct synth_flow *f, size_t at, FILE *job, struct hash *h,
              struct tandem_error *err) {
  static int (*const writers[])(struct synth_flow *, size_t, FILE *, struct hash *,
                                struct tandem_error *) = {elaborate_job, map_job, time_job};
  return writers[f->nodes[at].stage](f, at, job, h, err);
}

int synth_unit_keys(struct synth_flow *f, struct tandem_error *err) {
  struct synth_report *r = f->report;
  struct hash flow;
  char path[1024], *text;
  hash_start(&flow);
  hash_text(&flow, r->library.key);
  hash_text(&flow, r->sta);
  hash_text(&flow, f->designs.reset);
  hash_bytes(&flow, &r->mhz, sizeof r->mhz);
  for (unsigned i = 0; i < f->designs.nclocks; i++) {
    hash_text(&flow, f->designs.clocks[i].port);
    hash_bytes(&flow, &f->designs.clocks[i].multiple, sizeof f->designs.clocks[i].multiple);
  }
  int status = scripts_key(f, &flow, map_scripts, err);
  if (status == 0)
    status = scripts_key(f, &flow, time_scripts, err);
  snprintf(path, sizeof path, "%s/synth/data/technology.yaml", f->config->root);
  if (status == 0)
    status = files_hash(&flow, path, err);
  for (size_t i = 0; status == 0 && i < r->nunits; i++) {
    struct hash h = flow;
    const size_t base = r->units[i].flat ? f->nodes[i].base : i;
    if (f->nodes[base].stage == ELABORATE) {
      status = synth_flow_job(f, base, &text, err);
      free(text);
    }
    hash_text(&h, f->nodes[base].keys[ELABORATE]);
    hash_end(&h, r->units[i].key);
  }
  return status;
}
