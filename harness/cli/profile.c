/* Profiles: counters, and their sums by source line. */
#include "harness/cli/profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/core/program.h"

const struct profile_column profile_columns[] = {
#define PROFILE(field, title, text)                                                                \
  {#field, title, text, offsetof(struct gpu_profile_row, sm.field)},
#include "csim/sm/profile.def"
#define PROFILE(field, title, text)                                                                \
  {#field, title, text, offsetof(struct gpu_profile_row, mem.field)},
#include "csim/mem/profile.def"
};
const size_t profile_ncolumns = sizeof profile_columns / sizeof profile_columns[0];

uint64_t profile_waits(const struct gpu_profile_row *r) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < STALL_CODES; i++)
    sum += i != STALL_NONE ? r->sm.stalls[i] : 0;
  return sum;
}

bool profile_counted(const struct gpu_profile_row *r) {
  static const struct gpu_profile_row nothing;
  return memcmp(r, &nothing, sizeof nothing) != 0;
}

struct gpu_profile_row profile_total(const struct gpu_profile_kernel *k) {
  struct gpu_profile_row sum = k->none;
  for (uint32_t i = 0; i < k->end - k->entry; i++)
    gpu_profile_add(&sum, &k->rows[i]);
  return sum;
}

/* ---- source lines ---- */

static uint32_t place_of(const struct gpu_profile_kernel *k, uint32_t pc) {
  const struct isa_program *p = k->program;
  return p->lines != NULL && pc < p->ncode ? p->lines[pc] : 0;
}

static int by_place(const void *a, const void *b) {
  const uint32_t x = ((const struct profile_line *)a)->place;
  const uint32_t y = ((const struct profile_line *)b)->place;
  return x < y ? -1 : x > y;
}

/* Adds the instructions of equal places up. */
static void join_places(struct profile_lines *l) {
  size_t kept = 0;
  for (size_t i = 0; i < l->n; i++) {
    if (kept != 0 && l->line[kept - 1].place == l->line[i].place)
      gpu_profile_add(&l->line[kept - 1].row, &l->line[i].row);
    else
      l->line[kept++] = l->line[i];
  }
  l->n = kept;
}

/* Adds the lines between the first and the last one of each file.  False: out of memory. */
static bool add_between(struct profile_lines *l) {
  size_t n = l->n;
  for (size_t i = 0; i + 1 < l->n; i++)
    if (l->line[i].place >> ISA_LINE_BITS == l->line[i + 1].place >> ISA_LINE_BITS &&
        l->line[i].place != 0)
      n += l->line[i + 1].place - l->line[i].place - 1;
  struct profile_line *more = calloc(n + 1, sizeof *more);
  if (more == NULL)
    return false;
  size_t to = 0;
  for (size_t i = 0; i < l->n; i++) {
    more[to++] = l->line[i];
    if (i + 1 == l->n || l->line[i].place == 0 ||
        l->line[i].place >> ISA_LINE_BITS != l->line[i + 1].place >> ISA_LINE_BITS)
      continue;
    for (uint32_t place = l->line[i].place + 1; place < l->line[i + 1].place; place++)
      more[to++].place = place;
  }
  free(l->line);
  l->line = more;
  l->n = to;
  return true;
}

/* The name of a source file by its number. */
static void file_name(const struct isa_program *p, uint32_t file, char *name, size_t size) {
  const char *at = p->source != NULL ? p->source : "source";
  for (; file != 0 && strchr(at, '\n') != NULL; file--)
    at = strchr(at, '\n') + 1;
  snprintf(name, size, "%.*s", (int)strcspn(at, "\n"), at);
}

/* Reads the texts of the lines of one file, which begin at *l. */
static void read_texts(const char *name, struct profile_line *l, const struct profile_line *end) {
  const uint32_t file = l->place >> ISA_LINE_BITS;
  FILE *in = fopen(name, "r");
  char *text = NULL;
  size_t size = 0;
  for (uint32_t number = 1; in != NULL && getline(&text, &size, in) >= 0; number++) {
    text[strcspn(text, "\r\n")] = '\0';
    for (; l < end && l->place == isa_line(file, number); l++)
      l->text = strdup(text);
  }
  free(text);
  if (in != NULL)
    fclose(in);
}

static void name_lines(const struct isa_program *p, struct profile_lines *l) {
  for (size_t i = 0; i < l->n; i++) {
    struct profile_line *line = &l->line[i];
    const uint32_t file = line->place >> ISA_LINE_BITS;
    char name[4096];
    if (line->place == 0)
      continue;
    file_name(p, file, name, sizeof name);
    const char *base = strrchr(name, '/') != NULL ? strrchr(name, '/') + 1 : name;
    snprintf(line->name, sizeof line->name, "%.100s:%u", base,
             line->place & ((UINT32_C(1) << ISA_LINE_BITS) - 1));
    if (i == 0 || l->line[i - 1].place == 0 || l->line[i - 1].place >> ISA_LINE_BITS != file)
      read_texts(name, line, l->line + l->n);
  }
}

bool profile_lines(const struct gpu_profile_kernel *k, bool all, struct profile_lines *l) {
  const uint32_t n = k->end - k->entry;
  *l = (struct profile_lines){.line = calloc(n + 1, sizeof *l->line)};
  if (l->line == NULL)
    return false;
  for (uint32_t i = 0; i < n; i++)
    if (profile_counted(&k->rows[i]) || place_of(k, k->entry + i) != 0)
      l->line[l->n++] =
          (struct profile_line){.place = place_of(k, k->entry + i), .row = k->rows[i]};
  qsort(l->line, l->n, sizeof *l->line, by_place);
  join_places(l);
  if (all && !add_between(l)) {
    profile_lines_free(l);
    return false;
  }
  name_lines(k->program, l);
  return true;
}

void profile_lines_free(struct profile_lines *l) {
  for (size_t i = 0; i < l->n; i++)
    free(l->line[i].text);
  free(l->line);
  *l = (struct profile_lines){NULL, 0};
}
