/* Modules that a change concerns: those whose texts differ, and above them the units. */
#include "harness/compare/modules.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "csim/util/files.h"

/* Removes comments and the blanks at the ends of lines. */
static void strip(char *text) {
  char *to = text;
  for (const char *from = text; *from != '\0';) {
    if (strncmp(from, "//", 2) == 0) {
      from += strcspn(from, "\n");
    } else if (strncmp(from, "/*", 2) == 0 && strncmp(from, "/*verilator", 11) != 0) {
      const char *end = strstr(from + 2, "*/");
      from = end != NULL ? end + 2 : from + strlen(from);
    } else if (*from == '\n') {
      while (to > text && isspace((unsigned char)to[-1]))
        to--;
      *to++ = *from++;
    } else {
      *to++ = *from++;
    }
  }
  *to = '\0';
}

static bool is_letter(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

bool compare_names(const struct compare_text *of, int side, const char *name) {
  const size_t n = strlen(name);
  const char *text = of->text[side];
  for (const char *p = text != NULL ? strstr(text, name) : NULL; p != NULL; p = strstr(p + 1, name))
    if ((p == text || !is_letter(p[-1])) && !is_letter(p[n]))
      return true;
  return false;
}

/* The module of a name, added if it is new; NULL: out of memory. */
static struct compare_text *module_of(struct compare_modules *m, const char *name, size_t length) {
  for (size_t i = 0; i < m->n; i++)
    if (strncmp(m->at[i].name, name, length) == 0 && m->at[i].name[length] == '\0')
      return &m->at[i];
  struct compare_text *more = realloc(m->at, (m->n + 1) * sizeof *more);
  if (more == NULL)
    return NULL;
  m->at = more;
  more[m->n] = (struct compare_text){.name = strndup(name, length)};
  return more[m->n].name != NULL ? &more[m->n++] : NULL;
}

static int read_file(struct compare_modules *m, int side, const char *path,
                     struct tandem_error *err) {
  const char *name = strrchr(path, '/') + 1;
  struct compare_text *to = module_of(m, name, strlen(name) - strlen(".sv"));
  char table[COMPARE_PATH];
  if (to == NULL || (to->path[side] = strdup(path)) == NULL)
    return tandem_fail(err, -ENOMEM, "out of memory");
  TRY(files_read(path, &to->text[side], NULL, err));
  strip(to->text[side]);
  const char *first = to->text[side] + strspn(to->text[side], " \n\t");
  to->package = strncmp(first, "package", 7) == 0;
  glob_t found;
  snprintf(table, sizeof table, "%.3000s/csim/ports{,/?*}/%.200s.def", m->sides[side].root,
           to->name);
  if (glob(table, GLOB_BRACE, NULL, &found) == 0) {
    to->unit = true;
    globfree(&found);
  }
  return 0;
}

static int read_side(struct compare_modules *m, int side, struct tandem_error *err) {
  static const char *const patterns[] = {"rtl/*.sv", "rtl/*/*.sv"};
  int status = 0;
  for (size_t k = 0; k < sizeof patterns / sizeof patterns[0]; k++) {
    char pattern[COMPARE_PATH];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%.3000s/%s", m->sides[side].root, patterns[k]);
    if (glob(pattern, 0, NULL, &found) != 0)
      continue;
    for (size_t i = 0; status == 0 && i < found.gl_pathc; i++)
      status = read_file(m, side, found.gl_pathv[i], err);
    globfree(&found);
  }
  return status;
}

/* Chooses what is made of chosen modules that are no units; true: there were some. */
static bool choose_above(struct compare_modules *m) {
  bool any = false;
  for (size_t i = 0; i < m->n; i++) {
    const struct compare_text *below = &m->at[i];
    for (size_t k = 0; below->chosen && !below->unit && k < m->n; k++) {
      struct compare_text *above = &m->at[k];
      if (!above->chosen && !above->package && k != i &&
          (compare_names(above, BEFORE, below->name) || compare_names(above, AFTER, below->name)))
        any = above->chosen = true;
    }
  }
  return any;
}

static int by_name(const void *a, const void *b) {
  const struct compare_text *x = a, *y = b;
  return strcmp(x->name, y->name);
}

static int choose(struct compare_modules *m, const char *const *also, size_t nalso,
                  struct tandem_error *err) {
  for (size_t i = 0; i < m->n; i++) {
    struct compare_text *t = &m->at[i];
    t->changed = t->text[BEFORE] == NULL || t->text[AFTER] == NULL ||
                 strcmp(t->text[BEFORE], t->text[AFTER]) != 0;
    t->chosen = t->changed && !t->package;
  }
  while (choose_above(m))
    continue;
  for (size_t k = 0; k < nalso; k++) {
    size_t i = 0;
    while (i < m->n && (m->at[i].package || strcmp(m->at[i].name, also[k]) != 0))
      i++;
    if (i == m->n)
      return tandem_fail(err, -ENOENT, "--area %s: there is no such module in rtl", also[k]);
    m->at[i].asked = !m->at[i].chosen;
    m->at[i].chosen = true;
  }
  return 0;
}

int compare_modules_read(const struct compare_side *sides, const char *const *also, size_t nalso,
                         struct compare_modules *m, struct tandem_error *err) {
  *m = (struct compare_modules){.sides = sides};
  TRY(read_side(m, BEFORE, err));
  TRY(read_side(m, AFTER, err));
  if (m->n != 0)
    qsort(m->at, m->n, sizeof *m->at, by_name);
  return choose(m, also, nalso, err);
}

void compare_modules_free(struct compare_modules *m) {
  for (size_t i = 0; i < m->n; i++) {
    for (int side = 0; side < SIDES; side++) {
      free(m->at[i].path[side]);
      free(m->at[i].text[side]);
    }
    free(m->at[i].name);
  }
  free(m->at);
  *m = (struct compare_modules){.n = 0};
}
