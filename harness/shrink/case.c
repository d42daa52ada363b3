/* Failing programs: copies and their sizes. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/shrink/program.h"
#include "harness/shrink/tree.h"

bool case_copy(struct shrink_case *to, const struct shrink_case *from) {
  *to = *from;
  to->tree = json_deep_copy(from->tree);
  to->code = from->code != NULL ? code_copy(from->code) : NULL;
  to->source = from->source != NULL ? strdup(from->source) : NULL;
  to->source_name = from->source_name != NULL ? strdup(from->source_name) : NULL;
  if (to->tree != NULL && (to->code != NULL) == (from->code != NULL) &&
      (to->source != NULL) == (from->source != NULL) &&
      (to->source_name != NULL) == (from->source_name != NULL))
    return true;
  case_free(to);
  return false;
}

void case_free(struct shrink_case *c) {
  json_decref(c->tree);
  isa_program_free(c->code);
  free(c->source);
  free(c->source_name);
  c->tree = NULL;
  c->code = NULL;
  c->source = c->source_name = NULL;
}

static uint64_t product(const json_t *shape) {
  uint64_t n = 1;
  size_t i;
  json_t *value;
  json_array_foreach(shape, i, value) n *= tree_number(value);
  return n;
}

/* Adds the launches of a list of steps, each as often as it is carried out at least. */
static void add_steps(const json_t *steps, struct shrink_size *size) {
  size_t i;
  json_t *step, *map;
  const char *kind;
  json_array_foreach(steps, i, step) json_object_foreach(step, kind, map) {
    const uint64_t ctas = product(json_object_get(map, "grid"));
    if (strcmp(kind, "launch") == 0) {
      size->ctas += ctas;
      size->threads += ctas * product(json_object_get(map, "block"));
    } else {
      add_steps(json_object_get(map, "steps"), size);
    }
  }
}

struct shrink_size case_size(const struct shrink_case *c) {
  struct shrink_size size = {0};
  for (size_t pc = 0; c->code != NULL && pc < c->code->ncode; pc++)
    if (c->code->code[pc] == CODE_NOP)
      size.nops++;
    else
      size.instructions++;
  for (const char *s = c->code == NULL ? c->source : ""; *s != '\0'; s++)
    size.instructions += *s == '\n';
  add_steps(json_object_get(c->tree, "steps"), &size);
  return size;
}

static int add_number(char *text, int n, uint64_t value, const char *what) {
  return n + snprintf(text + n, (size_t)(SHRINK_SIZE - n), "%s%" PRIu64 " %s%s", n != 0 ? ", " : "",
                      value, what, value != 1 ? "s" : "");
}

void case_size_text(const struct shrink_size *size, bool source, char text[SHRINK_SIZE]) {
  int n = add_number(text, 0, size->instructions, source ? "line" : "instruction");
  if (size->nops != 0)
    n = add_number(text, n, size->nops, "nop");
  n = add_number(text, n, size->ctas, "CTA");
  (void)add_number(text, n, size->threads, "thread");
}
