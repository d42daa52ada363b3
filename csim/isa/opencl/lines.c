/* Source lines of the PTX that clang writes with -gline-directives-only.
 *
 *     .loc  2 14 9            the next instructions come from line 14, column 9 of file 2
 *     Ltmp3:                  labels that nothing refers to, likewise Lfunc_begin0, Lfunc_end0
 *     .section .debug_loc { } an empty table
 *     .file 2 "FOLDER" "NAME" behind everything else
 *
 * Without these lines the text is what clang writes without the option. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "csim/isa/opencl/lines.h"

enum { FILES = 1024, NAME = 1024, HIDDEN = -1, UNKNOWN = -2 };

struct files {
  int number[FILES]; /* by clang's number: in the list of sources, HIDDEN or UNKNOWN */
  int n;             /* in that list */
  char *source;
  size_t size;
};

void opencl_lines_free(struct opencl_lines *l) {
  free(l->source);
  free(l->line);
  *l = (struct opencl_lines){0};
}

/* ---- files ---- */

static bool add_name(struct files *f, const char *name) {
  const size_t n = strlen(name), old = f->source != NULL ? strlen(f->source) : 0;
  char *more = realloc(f->source, old + n + 2);
  if (more == NULL)
    return false;
  f->source = more;
  sprintf(more + old, "%s%s", f->n > 0 ? "\n" : "", name);
  f->n++;
  return true;
}

/* The name as a user in this folder would write it. */
static const char *shown(const char *name) {
  static const char here[] = ".";
  char folder[PATH_MAX];
  const size_t n = realpath(here, folder) != NULL ? strlen(folder) : 0;
  return n > 1 && strncmp(name, folder, n) == 0 && name[n] == '/' ? name + n + 1 : name;
}

/* `.file 2 "FOLDER" "NAME"`, or with NAME alone; a name in hidden[] is none of the user's. */
static bool note_file(struct files *f, const char *line, const char *source, const char *hidden) {
  char first[NAME] = "", second[NAME] = "", joined[2 * NAME + 2];
  char a[PATH_MAX], b[PATH_MAX];
  char text[2 * NAME + 64]; /* of this line alone: sscanf measures all that it is given */
  unsigned number;
  snprintf(text, sizeof text, "%.*s", (int)strcspn(line, "\n"), line);
  const int parts =
      sscanf(text, " .file %u \"%1023[^\"\n]\" \"%1023[^\"\n]\"", &number, first, second);
  if (parts < 2 || number >= FILES || f->number[number] != UNKNOWN)
    return true;
  if (parts == 2 || *second == '/')
    snprintf(joined, sizeof joined, "%s", parts == 2 ? first : second);
  else
    snprintf(joined, sizeof joined, "%s/%s", first, second);
  if (strncmp(joined, hidden, strlen(hidden)) == 0) {
    f->number[number] = HIDDEN;
    return true;
  }
  if (strcmp(joined, source) == 0 ||
      (realpath(joined, a) != NULL && realpath(source, b) != NULL && strcmp(a, b) == 0)) {
    f->number[number] = 0;
    return true;
  }
  if (f->n == ISA_LINE_FILES)
    return true;
  f->number[number] = f->n;
  return add_name(f, shown(joined));
}

static bool find_files(struct files *f, const char *ptx, const char *source, const char *path,
                       const char *hidden) {
  for (unsigned i = 0; i < FILES; i++)
    f->number[i] = UNKNOWN;
  bool ok = add_name(f, path);
  for (const char *p = ptx; ok && (p = strstr(p, "\t.file\t")) != NULL; p++)
    ok = note_file(f, p, source, hidden);
  return ok;
}

/* ---- lines ---- */

static bool begins(const char *line, const char *with) {
  return strncmp(line, with, strlen(with)) == 0;
}

/* Returns whether the line is one of the tables' own. */
static bool is_ours(const char *line) {
  return begins(line, "\t.loc\t") || begins(line, "\t.file\t") || begins(line, "Ltmp") ||
         begins(line, "Lfunc_begin") || begins(line, "Lfunc_end");
}

/* The place that a .loc gives, for a place so far. */
static uint32_t locate(const struct files *f, const char *line, uint32_t so_far) {
  char *end;
  const unsigned long file = strtoul(line + strlen("\t.loc\t"), &end, 10),
                      number = strtoul(end, NULL, 10);
  if (file >= FILES || number > UINT32_MAX)
    return so_far;
  if (number == 0 || f->number[file] == HIDDEN)
    return so_far;
  return f->number[file] < 0 ? 0 : isa_line((uint32_t)f->number[file], (uint32_t)number);
}

/* Copies what is no table, and notes the place of each line. */
static void copy(const char *ptx, const struct files *f, char *out, struct opencl_lines *l) {
  uint32_t place = 0;
  for (const char *line = ptx; *line != '\0';) {
    const size_t n = strcspn(line, "\n") + (strchr(line, '\n') != NULL);
    if (begins(line, "\t.section"))
      break; /* tables to the end */
    if (begins(line, "\t.loc\t"))
      place = locate(f, line, place);
    if (begins(line, "}") || *line == '.')
      place = 0;
    if (!is_ours(line)) {
      memcpy(out, line, n);
      out += n;
      l->line[++l->n] = place;
    }
    line += n;
  }
  *out = '\0';
}

char *opencl_take_lines(const char *ptx, const char *source, const char *path, const char *hidden,
                        struct opencl_lines *l) {
  struct files f = {.n = 0};
  size_t lines = 2;
  *l = (struct opencl_lines){0};
  for (const char *p = ptx; (p = strchr(p, '\n')) != NULL; p++)
    lines++;
  char *out = malloc(strlen(ptx) + 1);
  l->line = calloc(lines, sizeof *l->line);
  if (out == NULL || l->line == NULL || !find_files(&f, ptx, source, path, hidden)) {
    free(out);
    free(f.source);
    opencl_lines_free(l);
    return NULL;
  }
  l->source = f.source;
  copy(ptx, &f, out, l);
  return out;
}

static uint32_t line_of(const struct opencl_lines *l, uint32_t ptx) {
  return ptx <= l->n ? l->line[ptx] : 0;
}

int opencl_place_lines(struct isa_program *p, const struct opencl_lines *l) {
  char *source = strdup(l->source);
  if (source == NULL)
    return -ENOMEM;
  free(p->source);
  p->source = source;
  for (size_t pc = 0; pc < p->ncode; pc++)
    p->lines[pc] = line_of(l, p->lines[pc]);
  return 0;
}

/* ---- texts for people ---- */

/* "k.cl:12"; false if it is not known. */
static bool place_text(const struct opencl_lines *l, uint32_t place, char *text, size_t size) {
  const struct isa_program p = {.lines = &place, .ncode = 1, .source = l->source};
  return isa_program_line(&p, 0, text, size);
}

void opencl_place_message(const struct opencl_lines *l, const char *name, const char *path,
                          struct tandem_error *err) {
  const size_t n = strlen(name);
  char where[NAME], *end;
  if (strncmp(err->text, name, n) != 0 || err->text[n] != ':')
    return;
  const unsigned long line = strtoul(err->text + n + 1, &end, 10);
  const char *rest = end != err->text + n + 1 && *end == ':' ? end + 1 : err->text + n + 1;
  if (rest != end + 1 || !place_text(l, line_of(l, (uint32_t)line), where, sizeof where))
    snprintf(where, sizeof where, "%s", path);
  char said[sizeof err->text];
  snprintf(said, sizeof said, "%s", rest);
  tandem_fail(err, 0, "%s:%s", where, said);
}

int opencl_write_ptx(const char *ptx, const struct opencl_lines *l, FILE *out) {
  uint32_t number = 1, last = 0;
  for (const char *line = ptx; *line != '\0'; number++) {
    const size_t n = strcspn(line, "\n");
    const uint32_t place = line_of(l, number);
    char where[NAME];
    fwrite(line, 1, n, out);
    if (n > 0 && place != last && place_text(l, place, where, sizeof where))
      fprintf(out, "%*s// %s", n < 48 ? (int)(48 - n) : 1, "", where);
    fputc('\n', out);
    last = n > 0 ? place : last;
    line += n + (line[n] != '\0');
  }
  return ferror(out) ? -EIO : 0;
}
