/* Reading lines MACRO(argument, ...) of the tables of csim/ports. */
#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/ports/generate/table.h"
#include "csim/util/files.h"

enum { DEFINITIONS = 16, NAME = 64, PATH = 4096 };

/* A file that is being read. */
struct reader {
  const char *root;
  struct calls *calls;
  struct {
    char name[NAME], value[NAME];
  } definition[DEFINITIONS];
  unsigned definitions;
  struct tandem_error *err;
};

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_'; }
static size_t name_length(const char *p) {
  size_t n = 0;
  while (is_name(p[n]))
    n++;
  return n;
}

static const char *value_of(const struct reader *r, const char *name, size_t n) {
  for (unsigned i = 0; i < r->definitions; i++)
    if (strncmp(r->definition[i].name, name, n) == 0 && r->definition[i].name[n] == '\0')
      return r->definition[i].value;
  return NULL;
}

/* #define NAME value: the last one holds. */
static void define(struct reader *r, const char *p) {
  const char *name = p + strspn(p, " ");
  const size_t n = name_length(name);
  const char *value = name + n + strspn(name + n, " ");
  unsigned i = 0;
  while (i < r->definitions &&
         (strncmp(r->definition[i].name, name, n) != 0 || r->definition[i].name[n] != '\0'))
    i++;
  if (i == DEFINITIONS)
    return;
  if (i == r->definitions)
    r->definitions++;
  snprintf(r->definition[i].name, NAME, "%.*s", (int)n, name);
  snprintf(r->definition[i].value, NAME, "%.*s", (int)strcspn(value, "\n"), value);
}

/* A copy of n bytes without the spaces at both ends, lines joined, with definitions replaced. */
static char *copy(const struct reader *r, const char *p, size_t n) {
  const char *end = p + n;
  while (p < end && isspace((unsigned char)*p))
    p++;
  while (end > p && isspace((unsigned char)end[-1]))
    end--;
  char *text = malloc((size_t)(end - p) * NAME + 1), *out = text; /* each byte may be a name */
  while (text != NULL && p < end) {
    const size_t length = isdigit((unsigned char)*p) ? 0 : name_length(p);
    const char *value = length != 0 ? value_of(r, p, length) : NULL;
    if (value != NULL)
      out = stpcpy(out, value);
    else if (isspace((unsigned char)*p))
      *out++ = ' ';
    else
      out = mempcpy(out, p, length != 0 ? length : 1);
    if (isspace((unsigned char)*p))
      p += strspn(p, " \t\r\n");
    else
      p += length != 0 ? length : 1;
  }
  if (text == NULL)
    return NULL;
  *out = '\0';
  return realloc(text, (size_t)(out - text) + 1);
}

static struct call *add_call(struct calls *calls) {
  struct call *more = realloc(calls->call, (calls->n + 1) * sizeof *more);
  if (more == NULL)
    return NULL;
  calls->call = more;
  more[calls->n] = (struct call){.arguments = 0};
  return &more[calls->n++];
}

/* The end of an argument: the comma or parenthesis behind it; NULL: there is none. */
static const char *argument_end(const char *p) {
  unsigned depth = 0;
  bool quoted = false;
  for (; *p != '\0'; p++) {
    if (*p == '"')
      quoted = !quoted;
    else if (!quoted && depth == 0 && (*p == ',' || *p == ')'))
      return p;
    else if (!quoted && *p == '(')
      depth++;
    else if (!quoted && *p == ')')
      depth--;
  }
  return NULL;
}

/* Reads the call at *at, and the comment behind it on its line. */
static int read_call(struct reader *r, const char **at) {
  struct call *c = add_call(r->calls);
  const char *p = *at;
  const size_t n = name_length(p);
  if (c == NULL)
    return tandem_fail(r->err, -ENOMEM, "out of memory");
  c->macro = strndup(p, n);
  for (p += n; *p == '(' || *p == ',';) {
    const char *end = argument_end(p + 1);
    if (end == NULL || c->arguments == sizeof c->argument / sizeof c->argument[0])
      return -EINVAL;
    c->argument[c->arguments++] = copy(r, p + 1, (size_t)(end - p - 1));
    p = end;
  }
  if (*p++ != ')')
    return -EINVAL;
  p += strspn(p, " ");
  const char *end = strncmp(p, "/*", 2) == 0 ? strstr(p, "*/") : NULL;
  c->note = end != NULL ? copy(r, p + 2, (size_t)(end - p - 2)) : strdup("");
  *at = end != NULL ? end + 2 : p;
  return 0;
}

static int read_file(struct reader *r, const char *file);

/* A line of the preprocessor; of its conditions both ways are read, the last definition holds. */
static int read_directive(struct reader *r, const char *p) {
  char file[NAME];
  if (sscanf(p, "#include \"%63[^\"]\"", file) == 1)
    return read_file(r, file);
  if (strncmp(p, "#define ", 8) == 0)
    define(r, p + 8);
  return 0;
}

static int read_file(struct reader *r, const char *file) {
  char path[PATH];
  snprintf(path, sizeof path, "%s/%s", r->root, file);
  char *text;
  int status = files_read(path, &text, NULL, r->err);
  for (const char *p = text; status == 0 && *p != '\0';) {
    const char *start = p;
    if (isspace((unsigned char)*p)) {
      p++;
    } else if (strncmp(p, "/*", 2) == 0 && strstr(p, "*/") != NULL) {
      p = strstr(p, "*/") + 2;
    } else if (*p == '#') {
      status = read_directive(r, p);
      p += strcspn(p, "\n");
    } else {
      status = is_name(*p) ? read_call(r, &p) : -EINVAL;
      if (status == -EINVAL)
        tandem_fail(r->err, status, "%s: this is no line of a table: %.*s", path,
                    (int)strcspn(start, "\n"), start);
    }
  }
  free(text);
  return status;
}

int calls_read(const char *root, const char *file, struct calls *calls, struct tandem_error *err) {
  struct reader r = {.root = root, .calls = calls, .err = err};
  *calls = (struct calls){NULL, 0};
  define(&r, "PORT_LANES 32");
  char pattern[PATH];
  glob_t found;
  snprintf(pattern, sizeof pattern, "%s/%s", root, file);
  const bool there = glob(pattern, 0, NULL, &found) == 0;
  const int status = read_file(&r, there ? found.gl_pathv[0] + strlen(root) + 1 : file);
  if (there)
    globfree(&found);
  if (status != 0)
    calls_free(calls);
  return status;
}

void calls_free(struct calls *calls) {
  for (size_t i = 0; i < calls->n; i++) {
    struct call *c = &calls->call[i];
    for (unsigned k = 0; k < c->arguments; k++)
      free(c->argument[k]);
    free(c->macro);
    free(c->note);
  }
  free(calls->call);
  *calls = (struct calls){NULL, 0};
}
