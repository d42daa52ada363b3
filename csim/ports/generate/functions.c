/* A unit's C file. */
#include <string.h>

#include "csim/ports/generate/write.h"

static const char *const parts[] = {[LINE_IN] = "in", [LINE_OUT] = "out", [LINE_STATE] = "view"};
static const char *const arrays[] = {
    [LINE_IN] = "inputs", [LINE_OUT] = "outputs", [LINE_STATE] = "states"};

static bool always(const struct line *l) { return strcmp(l->when, "1") == 0; }

static unsigned lines_of(const struct table *t, enum line_kind kind) {
  unsigned n = 0;
  for (const struct line *l = t->line; l < t->line + t->n; l++)
    n += l->kind == kind;
  return n;
}

static void write_descriptions(FILE *out, const struct table *t, enum line_kind kind) {
  const char *part = parts[kind];
  fprintf(out, "\nstatic const struct port_desc %s[] = {\n", arrays[kind]);
  for (const struct line *l = t->line; l < t->line + t->n; l++)
    if (l->kind == kind)
      fprintf(out, "    {\"%s\", %s, offsetof(struct %s_%s, %s), %s, \"%s\"},\n", l->name, l->width,
              t->name, part, l->name, l->count, l->when);
  fprintf(out, "    {.name = NULL}};\n");
}

static void write_qualify(FILE *out, const struct table *t, enum line_kind kind) {
  const char *part = parts[kind];
  unsigned n = 0;
  fprintf(out,
          "\nstatic void %s_qualify_%s(const void *ports, bool valid[PORTS_MAX]) {\n"
          "  const struct %s_%s *p = ports;\n  (void)p, (void)valid;\n",
          t->name, part, t->name, part);
  for (const struct line *l = t->line; l < t->line + t->n; l++)
    if (l->kind == kind)
      fprintf(out,
              always(l) ? "  valid[%u] = true%.0s; /* %s */\n"
                        : "  valid[%u] = (%s) != 0; /* %s */\n",
              n++, l->when, l->name);
  fprintf(out, "}\n");
}

static void write_difference(FILE *out, const struct line *l) {
  if (l->words)
    fprintf(out, "diff |= words_xor(p->%s, q->%s, %s);\n", l->name, l->name, l->count);
  else
    fprintf(out, "diff |= p->%s ^ q->%s;\n", l->name, l->name);
}

static void write_diff(FILE *out, const struct table *t) {
  unsigned n = 0;
  fprintf(out,
          "\nstatic uint64_t %s_diff(const void *a, const void *b, uint64_t *counts) {\n"
          "  const struct %s_out *restrict p = a, *restrict q = b;\n"
          "  uint64_t diff = 0, *restrict line = counts;\n  (void)p, (void)q;\n",
          t->name, t->name);
  for (const struct line *l = t->line; l < t->line + t->n; l++) {
    if (l->kind != LINE_OUT)
      continue;
    if (always(l)) {
      fputs("  ", out);
      write_difference(out, l);
    } else {
      fprintf(out, "  if (%s) {\n    line[%u]++;\n    ", l->when, n);
      write_difference(out, l);
      fprintf(out, "  }\n");
    }
    n++;
  }
  fprintf(out, "  line[0]++;\n  return diff;\n}\n");
}

/* A state's qualifier, in which p->name is the first element of another state. */
static void write_state_when(FILE *out, const struct line *l) {
  write_qualifier(out, l->when, "a->", "[0]");
}

static void write_means(FILE *out, const struct table *t) {
  unsigned n = 0;
  fprintf(out,
          "\nstatic bool %s_state_means(const void *view, unsigned state, unsigned i) {\n"
          "  const struct %s_view *a = view;\n  (void)a, (void)i;\n  switch (state) {\n",
          t->name, t->name);
  for (const struct line *l = t->line; l < t->line + t->n; l++) {
    if (l->kind != LINE_STATE)
      continue;
    if (!always(l)) {
      fprintf(out, "  case %u: /* %s */\n    return (", n, l->name);
      write_state_when(out, l);
      fprintf(out, ") != 0;\n");
    }
    n++;
  }
  fprintf(out, "  default:\n    return true;\n  }\n}\n");
}

/* The end of the states from l on that have its number of elements and its qualifier. */
static const struct line *end_of_loop(const struct table *t, const struct line *l) {
  const struct line *end = l + 1;
  while (end < t->line + t->n && end->kind == LINE_STATE && strcmp(end->count, l->count) == 0 &&
         strcmp(end->when, l->when) == 0)
    end++;
  return end;
}

/* Compares the elements of some states, of which the first is number n, in one loop. */
static void write_loop(FILE *out, const struct line *l, const struct line *end, unsigned n) {
  fprintf(out,
          "  compared = 0;\n  for (unsigned i = 0; i < %s; i++) {\n    const uint64_t means = (",
          l->count);
  write_state_when(out, l);
  fprintf(out, ") != 0;\n    compared += means;\n    diff |= (");
  for (const struct line *k = l; k < end; k++)
    fprintf(out, "%s(a->%s[i] ^ b->%s[i])", k == l ? "" : " | ", k->name, k->name);
  fprintf(out, ") & (0 - means);\n  }\n");
  for (const struct line *k = l; k < end; k++)
    fprintf(out, "  counts[%u] += compared;\n", n + (unsigned)(k - l));
}

static void write_same(FILE *out, const struct table *t) {
  unsigned n = 0;
  fprintf(out,
          "\nstatic unsigned %s_view_same(const void *view, const void *other, uint64_t *counts,\n"
          "    struct port_diff *first) {\n"
          "  const struct %s_view *a = view, *b = other;\n  uint64_t diff = 0, compared;\n"
          "  (void)a, (void)b, (void)counts, (void)compared;\n",
          t->name, t->name);
  for (const struct line *l = t->line; l < t->line + t->n;) {
    const struct line *end = l + 1;
    if (l->kind == LINE_STATE) {
      end = end_of_loop(t, l);
      write_loop(out, l, end, n);
      n += (unsigned)(end - l);
    }
    l = end;
  }
  fprintf(out, "  return diff == 0 ? 0 : ports_view_find(&%s_ports, a, b, first);\n}\n", t->name);
}

void write_functions(FILE *out, const struct table *t) {
  const char *u = t->name;
  fprintf(out, "/* The ports table of %s. */\n#include \"csim/ports/%s.h\"\n", u, u);
  for (enum line_kind kind = LINE_IN; kind <= LINE_STATE; kind++)
    write_descriptions(out, t, kind);
  write_qualify(out, t, LINE_IN);
  write_qualify(out, t, LINE_OUT);
  write_diff(out, t);
  write_means(out, t);
  write_same(out, t);
  fprintf(
      out,
      "\nconst struct ports_table %s_ports = {\n    .name = \"%s\",\n    .in = inputs,\n    .out = "
      "outputs,\n"
      "    .states = states,\n    .in_bytes = sizeof(struct %s_in),\n    .out_bytes = "
      "sizeof(struct %s_out),\n"
      "    .view_bytes = sizeof(struct %s_view),\n    .outs = %u,\n    .lines = %u,\n"
      "    .qualify_in = %s_qualify_in,\n    .qualify_out = %s_qualify_out,\n    .diff = %s_diff,\n"
      "    .state_means = %s_state_means,\n    .view_same = %s_view_same};\n",
      u, u, u, u, u, lines_of(t, LINE_OUT), lines_of(t, LINE_STATE), u, u, u, u, u);
}
