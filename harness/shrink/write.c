/* A program as files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/asm/asm.h"
#include "csim/util/files.h"
#include "harness/job/config.h"
#include "harness/shrink/program.h"
#include "harness/shrink/tree.h"

/* A file that is written into memory first. */
struct text {
  FILE *out;
  char *bytes;
  size_t size;
};

static int text_open(struct text *t, struct tandem_error *err) {
  *t = (struct text){0};
  t->out = open_memstream(&t->bytes, &t->size);
  return t->out != NULL ? 0 : tandem_fail(err, -ENOMEM, "out of memory");
}

/* Puts it into a folder. */
static int text_put(struct text *t, const char *folder, const char *name,
                    struct tandem_error *err) {
  char *path = NULL;
  int status = fclose(t->out) == 0 && asprintf(&path, "%s/%s", folder, name) >= 0
                   ? files_write(path, t->bytes, t->size, err)
                   : tandem_fail(err, -ENOMEM, "out of memory");
  free(path);
  free(t->bytes);
  return status;
}

/* The assembler text, with many nops in a line. */
static int write_code(FILE *out, const struct isa_program *code) {
  enum { FEW = 2 };
  static const char nop[] = "  nop\n";
  char *text = NULL;
  size_t size = 0;
  FILE *all = open_memstream(&text, &size);
  int status = all != NULL ? isa_disassemble(code, all) : -ENOMEM;
  if (all != NULL && fclose(all) != 0)
    status = -ENOMEM;
  for (const char *line = text; status == 0 && *line != '\0';) {
    size_t nops = 0, length = strcspn(line, "\n") + 1;
    while (strncmp(line + nops * (sizeof nop - 1), nop, sizeof nop - 1) == 0)
      nops++;
    if (nops > FEW)
      fprintf(out, "  .nops %zu\n", nops);
    else
      fprintf(out, "%.*s", (int)length, line);
    line += nops > FEW ? nops * (sizeof nop - 1) : length;
  }
  free(text);
  return status;
}

static int write_program(const struct shrink_case *c, const char *folder, const char *head,
                         struct tandem_error *err) {
  struct text t;
  TRY(text_open(&t, err));
  for (const char *line = head; *line != '\0';) {
    const int n = (int)strcspn(line, "\n");
    fprintf(t.out, "// %.*s\n", n, line);
    line += n + (line[n] == '\n');
  }
  int status = 0;
  if (c->code == NULL)
    fputs(c->source, t.out);
  else
    status = write_code(t.out, c->code);
  const int put = text_put(&t, folder, c->code != NULL ? SHRINK_CODE : c->source_name, err);
  return status != 0 ? tandem_fail(err, status, "the program cannot be written as text") : put;
}

static void write_list(FILE *out, const char *name, const json_t *list) {
  size_t i;
  json_t *item;
  if (json_array_size(list) == 0)
    return;
  fprintf(out, "%s:\n", name);
  json_array_foreach(list, i, item) {
    fputs("  - ", out);
    tree_write(out, item);
    fputc('\n', out);
  }
}

static int write_description(const struct shrink_case *c, const char *folder,
                             struct tandem_error *err) {
  struct text t;
  const json_t *options = json_object_get(c->tree, "options");
  TRY(text_open(&t, err));
  fprintf(t.out, "program: %s\n", c->code != NULL ? SHRINK_CODE : c->source_name);
  if (options != NULL && c->code == NULL) {
    fputs("options: ", t.out);
    tree_write(t.out, options);
    fputc('\n', t.out);
  }
  fputs("gpu:\n", t.out);
  config_write(t.out, &c->config, NULL, 1);
  write_list(t.out, "buffers", json_object_get(c->tree, "buffers"));
  write_list(t.out, "steps", json_object_get(c->tree, "steps"));
  return text_put(&t, folder, SHRINK_LAUNCH, err);
}

/* The bytes of a buffer that the description takes from a file, as many as it has now. */
static int write_data(const struct shrink_case *c, const json_t *buffer, const char *folder,
                      struct tandem_error *err) {
  const json_t *file = json_object_get(json_object_get(buffer, "fill"), "file");
  const char *name = json_string_value(json_object_get(buffer, "name"));
  const uint64_t bytes = tree_number(json_object_get(buffer, "count")) *
                         tree_type_bytes(json_string_value(json_object_get(buffer, "type")));
  struct text t;
  for (size_t i = 0; file != NULL && i < c->ndata; i++)
    if (strcmp(c->data[i].name, name) == 0) {
      TRY(text_open(&t, err));
      fwrite(c->data[i].bytes, 1, bytes < c->data[i].size ? bytes : c->data[i].size, t.out);
      return text_put(&t, folder, json_string_value(file), err);
    }
  return 0;
}

int case_write(const struct shrink_case *c, const char *folder, const char *head,
               struct tandem_error *err) {
  size_t i;
  json_t *buffer;
  TRY(write_program(c, folder, head, err));
  json_array_foreach(json_object_get(c->tree, "buffers"), i, buffer)
      TRY(write_data(c, buffer, folder, err));
  return write_description(c, folder, err);
}
