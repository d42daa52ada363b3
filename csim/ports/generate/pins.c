/* A unit's C++ header, and the front ends' of their parts. */
#include <string.h>

#include "csim/ports/generate/write.h"

static bool always(const struct line *l) { return strcmp(l->when, "1") == 0; }

/* The lanes of a large warp above 64 have a line X_hi, and bits of the pin of X. */
static bool is_high(const struct line *l) {
  const size_t n = strlen(l->name);
  return n > 3 && strcmp(l->name + n - 3, "_hi") == 0;
}
static int pin_length(const struct line *l) { return (int)strlen(l->name) - (is_high(l) ? 3 : 0); }

/* `if (all || qualifier)` where the line has a qualifier. */
static void write_if(FILE *out, const struct line *l, const char *all) {
  if (!always(l))
    fprintf(out, "  if (%s(%s))\n  ", all, l->when);
}

static void write_apply(FILE *out, const struct table *t) {
  fprintf(out,
          "\n/* Puts inputs to the pins; `all`: payloads without their valid too. */\n"
          "template <class M> void apply_pins(M &m, const %s_in &in, bool all) {\n"
          "  const %s_in *p = &in;\n  (void)all;\n",
          t->name, t->name);
  for (const struct line *l = t->line; l < t->line + t->n; l++)
    if (l->kind == LINE_IN) {
      write_if(out, l, "all || ");
      fprintf(out, "  pin_put%s(m.%.*s_i, p->%s);\n", is_high(l) ? "_high" : "", pin_length(l),
              l->name, l->name);
    }
  fprintf(out, "}\n");
}

static void write_read(FILE *out, const struct table *t) {
  fprintf(out, "\ntemplate <class M> void read_pins(const M &m, %s_out &out) {\n", t->name);
  for (const struct line *l = t->line; l < t->line + t->n; l++) {
    if (l->kind != LINE_OUT)
      continue;
    if (is_high(l))
      fprintf(out, "  out.%s = pin_high(m.%.*s_o);\n", l->name, pin_length(l), l->name);
    else
      fprintf(out, "  pin_read(m.%s_o, out.%s);\n", l->name, l->name);
  }
  fprintf(out, "}\n");
}

/* Pins that have a row for each of several. */
static void write_rows(FILE *out, const struct table *t) {
  fprintf(out,
          "\n/* Puts the inputs of all rows; `all`: payloads that are valid in no row too. */\n"
          "template <unsigned Rows, class M, class In>\n"
          "void %s_apply_rows(M &m, const In *in, bool all) {\n"
          "  %s_in any = {}; /* valid in some row */\n  const %s_in *p = &any;\n  (void)p, "
          "(void)all;\n",
          t->name, t->name, t->name);
  for (const struct line *l = t->line; l < t->line + t->n; l++) {
    if (l->kind != LINE_IN)
      continue;
    write_if(out, l, "all || ");
    if (l->words)
      fprintf(out, "  rows_put_words<Rows>(m.%s_i, %s, [&](unsigned i) { return in[i].%s; });\n",
              l->name, l->count, l->name);
    else
      fprintf(out, "  any.%s = rows_put<Rows>(m.%s_i, %s, [&](unsigned i) { return in[i].%s; });\n",
              l->name, l->name, l->width, l->name);
  }
  fprintf(out,
          "}\n\ntemplate <unsigned Rows, class M> void %s_read_rows(const M &m, %s_out *out) {\n"
          "  %s_out any = {};\n  const %s_out *p = &any;\n  (void)p;\n",
          t->name, t->name, t->name, t->name);
  for (const struct line *l = t->line; l < t->line + t->n; l++) {
    if (l->kind != LINE_OUT)
      continue;
    fprintf(out, "  if (%s) {\n", l->when);
    if (l->words)
      fprintf(out, "    rows_get_words<Rows>(m.%s_o, %s, [&](unsigned i) { return out[i].%s; });\n",
              l->name, l->count, l->name);
    else
      fprintf(out,
              "    any.%s = row_is_some(m.%s_o);\n"
              "    rows_get<Rows>(m.%s_o, %s, [&](unsigned i, uint64_t v) { out[i].%s = v; });\n",
              l->name, l->name, l->name, l->width, l->name);
    fprintf(out, "  }\n");
  }
  fprintf(out, "}\n");
}

/* Lines that read each state, of the object or registers whose names begin with `path`. */
static void write_states(FILE *out, const struct table *t, const char *indent, const char *read,
                         const char *view, const char *path, bool computed) {
  for (const struct line *l = t->line; l < t->line + t->n; l++) {
    if (l->kind != LINE_STATE || (l->computed && !computed))
      continue;
    if (l->computed)
      fprintf(out, "%s%s(%s.%s, root);\n", indent, l->signal, view, l->name);
    else
      fprintf(out, "%s%s(%s.%s, %s%s);\n", indent, read, view, l->name, path, l->signal);
  }
}

static void write_views(FILE *out, const struct table *t) {
  char path[100];
  snprintf(path, sizeof path, "root.%s__DOT__", t->name);
  for (const struct line *l = t->line; l < t->line + t->n; l++)
    if (l->computed)
      fprintf(out, "template <unsigned, class To, class Root> void %.*s(To &, const Root &);\n",
              (int)strcspn(l->signal, "<"), l->signal);
  fprintf(out,
          "\n/* The state of a model, by the root of its registers. */\n"
          "template <class Root> void read_view(const Root &root, %s_view &view) {\n  "
          "(void)root;\n  view = {};\n",
          t->name);
  write_states(out, t, "  ", "read_state", "view", path, true);
  fprintf(out,
          "}\n/* The state of an instance that is not inlined, without what is computed. */\n"
          "template <class Instance> void read_instance(const Instance &unit, %s_view &view) {\n"
          "  (void)unit;\n  view = {};\n",
          t->name);
  write_states(out, t, "  ", "take", "view", "unit.", false);
  fprintf(out, "}\n");
}

void write_pins(FILE *out, const struct table *t, bool rows) {
  fprintf(out,
          "/* %s between its structs and a verilated model. */\n"
          "#include \"csim/ports/%s.h\"\n",
          t->name, t->name);
  if (rows) {
    write_rows(out, t);
    return;
  }
  write_apply(out, t);
  write_read(out, t);
  write_views(out, t);
}

/* The state of all parts of the front end at `path`. */
static void write_parts(FILE *out, const struct part *parts, size_t n, const char *indent,
                        const char *path, bool member) {
  for (const struct part *part = parts; part < parts + n; part++) {
    const bool asks = member && part->switched;
    char deeper[32], view[64], registers[240];
    snprintf(deeper, sizeof deeper, "%s%s", indent, asks ? "  " : "");
    snprintf(view, sizeof view, "s.%s", part->name);
    snprintf(registers, sizeof registers, "root.%s__DOT__u_%s__DOT__", path, part->name);
    if (asks)
      fprintf(out, "%sif (powered) {\n", indent);
    write_states(out, &part->table, deeper, "read_state", view, registers, false);
    if (asks)
      fprintf(out, "%s}\n", indent);
  }
}

void write_frontend(FILE *out, const struct part *parts, size_t n) {
  fprintf(out,
          "\n/* The front end of an SM that works by itself. */\n"
          "template <class Root> void read_frontend(const Root &root, sm_frontend_state &s) {\n");
  write_parts(out, parts, n, "  ", "sm_frontend__DOT__u_frontend", false);
  fprintf(out, "}\n");
}

void write_members(FILE *out, const char *unit, unsigned most, const struct part *parts, size_t n) {
  fprintf(out,
          "\n/* A member of %s; powered: its front end is on. */\n"
          "template <unsigned Members, class Root, class State>\n"
          "void %s_read_member(const Root &root, unsigned member, bool powered, State &s) {\n",
          unit, unit);
  for (unsigned m = 0; m < most; m++) {
    char path[160];
    snprintf(path, sizeof path, "%s__DOT__g_member__BRA__%u__KET____DOT__u_member__DOT__u_frontend",
             unit, m);
    fprintf(out, "  if constexpr (%u < Members)\n    if (member == %u) {\n", m, m);
    write_parts(out, parts, n, "      ", path, true);
    fprintf(out, "    }\n");
  }
  fprintf(out,
          "}\n\n/* The members of %s whose front ends are on, a bit each. */\n"
          "template <unsigned Members, class Root> uint64_t %s_on(const Root &root) {\n  "
          "uint64_t on = 0;\n",
          unit, unit);
  for (unsigned m = 0; m < most; m++)
    fprintf(out,
            "  if constexpr (%u < Members)\n    on |= static_cast<uint64_t>("
            "root.%s__DOT__g_member__BRA__%u__KET____DOT__u_member__DOT__on) << %u;\n",
            m, unit, m, m);
  fprintf(out, "  return on;\n}\n");
}
