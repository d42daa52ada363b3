/* `tandem run K.cl --kernel ... --arg ...`: the launch description that says the same. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cli/cli.h"

/* A double-quoted YAML text. */
static void quoted(FILE *out, const char *text) {
  fputc('"', out);
  for (; *text != '\0'; text++) {
    if (*text == '"' || *text == '\\')
      fputc('\\', out);
    fputc(*text, out);
  }
  fputc('"', out);
}

/* Returns true if YAML can write the text: one line of UTF-8 without control characters. */
static bool is_text(const char *text) {
  char *shown = strdup(text);
  if (shown == NULL)
    return false;
  tandem_printable(shown);
  const bool good = strcmp(shown, text) == 0 && strpbrk(text, "\n\t") == NULL;
  free(shown);
  return good;
}

/* The first of the words that is none; NULL: there is no such word. */
static const char *no_text(const char *path, const struct cli_launch *l) {
  const char *const words[] = {path, l->kernel, l->grid, l->block, l->dynamic_shared};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (words[i] != NULL && !is_text(words[i]))
      return words[i];
  for (size_t i = 0; i < l->nargs; i++)
    if (!is_text(l->args[i]))
      return l->args[i];
  return NULL;
}

/* buffer:TYPE:COUNT[:zero|range|random|FILE] as a buffer's line.  False if it is malformed. */
static bool buffer_line(FILE *out, size_t index, const char *spec) {
  char type[8], count[24];
  int n = 0;
  if (sscanf(spec, "buffer:%7[a-z0-9]:%23[0-9]%n", type, count, &n) != 2)
    return false;
  const char *fill = spec + n;
  fprintf(out, "  - {name: arg%zu, type: %s, count: %s", index, type, count);
  if (*fill == ':' && strcmp(fill, ":zero") != 0) {
    fputs(", fill: {", out);
    if (strcmp(fill, ":range") == 0)
      fputs("range: {start: 0, step: 1}", out);
    else if (strcmp(fill, ":random") == 0)
      fprintf(out, "random: {seed: %zu, min: 0, max: %d}", index + 1, *type == 'f' ? 1 : 100);
    else {
      fputs("file: ", out);
      quoted(out, fill + 1);
    }
    fputc('}', out);
  } else if (*fill != ':' && *fill != '\0') {
    return false;
  }
  fputs("}\n", out);
  return true;
}

static bool is_buffer(const char *spec) { return strncmp(spec, "buffer:", 7) == 0; }

static bool write_args(FILE *out, const struct cli_launch *l) {
  fputs(", args: [", out);
  for (size_t i = 0; i < l->nargs; i++) {
    const char *colon = strchr(l->args[i], ':');
    if (colon == NULL)
      return false;
    fputs(i != 0 ? ", " : "", out);
    if (is_buffer(l->args[i]))
      fprintf(out, "{buffer: arg%zu}", i);
    else
      fprintf(out, "{%.*s: %s}", (int)(colon - l->args[i]), l->args[i], colon + 1);
  }
  fputs("]", out);
  return true;
}

static bool write_all(FILE *out, const char *program, const struct cli_launch *l) {
  bool good = true, buffers = false;
  fputs("program: ", out);
  quoted(out, program);
  fputc('\n', out);
  for (size_t i = 0; i < l->nargs; i++)
    if (is_buffer(l->args[i])) {
      if (!buffers)
        fputs("buffers:\n", out);
      buffers = true;
      good = buffer_line(out, i, l->args[i]) && good;
    }
  fprintf(out, "steps:\n  - launch: {");
  if (l->kernel != NULL) {
    fputs("kernel: ", out);
    quoted(out, l->kernel);
    fputs(", ", out);
  }
  fprintf(out, "grid: [%s], block: [%s]", l->grid != NULL ? l->grid : "1",
          l->block != NULL ? l->block : "32");
  if (l->dynamic_shared != NULL)
    fprintf(out, ", dynamic_shared: %s", l->dynamic_shared);
  good = write_args(out, l) && good;
  fputs("}\n", out);
  return good;
}

char *cli_launch_text(const char *program, const struct cli_launch *l) {
  char *path = realpath(program, NULL), *text = NULL;
  size_t size;
  if (path == NULL) {
    struct tandem_error err;
    tandem_fail(&err, 0, "cannot read %s: %s", program, strerror(errno));
    fprintf(stderr, "tandem: %s\n", err.text);
    return NULL;
  }
  const char *bad = no_text(path, l);
  if (bad != NULL) {
    fprintf(stderr,
            "tandem: cannot run %s: it is no line of UTF-8 text without control characters; give "
            "the file another name\n",
            bad);
    free(path);
    return NULL;
  }
  FILE *out = open_memstream(&text, &size);
  bool good = out != NULL && write_all(out, path, l);
  if (out != NULL && fclose(out) != 0)
    good = false;
  free(path);
  if (!good) {
    fprintf(stderr, "tandem: an --arg is TYPE:VALUE, local:BYTES or "
                    "buffer:TYPE:COUNT[:zero|range|random|FILE]\n");
    free(text);
    return NULL;
  }
  return text;
}
