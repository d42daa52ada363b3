/* A save file of GTKWave beside a mismatch's waveform: what to look at, and when. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/output.h"
#include "harness/gpu/report/fst.h"
#include "harness/gpu/report/report.h"

enum { HEX = 0x22, BINARY = 0x28, COMMENT = 0x200, BEFORE = 16 };

/* The picoseconds of the clock edge that ends a cycle. */
static uint64_t edge(const struct unit *u, uint64_t cycle) { return cycle * 1000000 / u->core_mhz; }

static void comment(FILE *out, const char *text) {
  fprintf(out, "@%x\n-%s\n", (unsigned)COMMENT, text);
}

static void signal(FILE *out, const char *name) {
  fprintf(out, "@%x\n%s\n", (unsigned)(strchr(name, ':') != NULL ? HEX : BINARY), name);
}

/* Returns true if the signal is a port of the model: it has no other scope around it. */
static bool is_port(const char *name) {
  return strncmp(name, "TOP.", 4) == 0 && strchr(name + 4, '.') == NULL;
}

static bool is_clock(const char *name) { return is_port(name) && strstr(name, "clk_i") != NULL; }

/* Returns true if the name is a register of the instance, or of a part of it; *scope gets the
 * length of the instance's path. */
static bool is_register(const char *name, const char *instance, size_t *scope) {
  const size_t n = strlen(instance);
  for (const char *at = name; (at = strstr(at, instance)) != NULL; at += n)
    if (at > name && at[-1] == '.' && at[n] == '.') {
      *scope = (size_t)(at + n - name);
      const char *leaf = strrchr(name, '.'), *end = strstr(leaf, "_q");
      return end != NULL && (end[2] == '\0' || end[2] == '[');
    }
  return false;
}

/* Returns true if the signal is an element of an array, and not the one with this index. */
static bool other_element(const char *name, unsigned index) {
  unsigned at;
  const char *bracket = strchr(name + strcspn(name, "["), '[');
  return bracket != NULL && sscanf(bracket, "[%u]", &at) == 1 &&
         bracket[strcspn(bracket, ":]")] == ']' && at != index;
}

/* Writes the registers of the instance; several SMs behind the unit have one each. */
static void registers(FILE *out, const struct fst_names *names, const struct failure *f,
                      unsigned member) {
  const char *last = NULL;
  size_t last_scope = 0;
  unsigned seen = 0;
  for (size_t i = 0; i < names->n; i++) {
    size_t scope = 0;
    if (!is_register(names->name[i], f->table, &scope))
      continue;
    if (last == NULL || scope != last_scope || strncmp(last, names->name[i], scope) != 0)
      seen++;
    last = names->name[i];
    last_scope = scope;
    if (seen == member + 1 && !other_element(names->name[i], f->index))
      signal(out, names->name[i]);
  }
}

static void write_view(FILE *out, const struct unit *u, const struct failure *f, const char *fst,
                       const struct fst_names *names) {
  const uint64_t at = edge(u, f->cycle > 0 ? f->cycle - 1 : 0);
  const uint64_t from = edge(u, f->cycle > BEFORE ? f->cycle - BEFORE : 0);
  char text[512];
  fprintf(out, "[dumpfile] \"%s\"\n[timestart] %" PRIu64 "\n", fst, from);
  fprintf(out, "*-14.0 %" PRIu64 " -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n", at);
  for (size_t i = 0; i < names->n; i++)
    if (is_clock(names->name[i]))
      signal(out, names->name[i]);
  if (f->kind == FAIL_PORT || f->kind == FAIL_STATE) {
    snprintf(text, sizeof text, "%s.%s[%u] differs in cycle %" PRIu64, f->table, f->port.name,
             f->index, f->cycle);
    comment(out, text);
    snprintf(text, sizeof text, "RTL 0x%" PRIx64 ", reference 0x%" PRIx64, f->rtl, f->ref);
    comment(out, text);
  }
  if (f->kind == FAIL_STATE)
    registers(out, names, f, f->sm - u->first);
  comment(out, "ports");
  for (size_t i = 0; i < names->n; i++)
    if (is_port(names->name[i]) && !is_clock(names->name[i]))
      signal(out, names->name[i]);
}

bool view_write(const struct tandem *t, const char *fst, char *path, size_t size) {
  struct fst_names names;
  struct output o = {.file = NULL};
  const size_t n = strlen(fst);
  *path = '\0';
  if (n < 4 || strcmp(fst + n - 4, ".fst") != 0 || fst_names_read(fst, &names) != 0)
    return false;
  char *whole = realpath(fst, NULL); /* found from any folder */
  snprintf(path, size, "%.*s.gtkw", (int)(n - 4), fst);
  bool good = output_open(&o, path, NULL) == 0;
  if (good)
    write_view(o.file, report_unit(t), &t->end.failure, whole != NULL ? whole : fst, &names);
  good = good && output_commit(&o, NULL) == 0;
  output_abandon(&o);
  free(whole);
  fst_names_free(&names);
  if (!good)
    *path = '\0';
  return good;
}
