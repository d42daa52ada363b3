/* A unit's header. */
#include <string.h>

#include "csim/ports/generate/write.h"

void write_qualifier(FILE *out, const char *when, const char *before, const char *after) {
  for (const char *p = when; *p != '\0';) {
    if (strncmp(p, "p->", 3) != 0) {
      fputc(*p++, out);
      continue;
    }
    const size_t n = strspn(p + 3, "abcdefghijklmnopqrstuvwxyz0123456789_");
    fprintf(out, "%s%.*s%s", before, (int)n, p + 3, after);
    p += 3 + n;
  }
}

/* Writes the comment of a field: "6 bits, if valid: the warp". */
static void write_comment(FILE *out, const struct line *l) {
  fprintf(out, " /* %s%s", l->width, strcmp(l->width, "1") == 0 ? " bit" : " bits");
  if (strcmp(l->when, "1") != 0) {
    fputs(", if ", out);
    write_qualifier(out, l->when, "", "");
  }
  fprintf(out, "%s%s */\n", *l->note != '\0' ? ": " : "", l->note);
}

static void write_fields(FILE *out, const struct table *t, enum line_kind kind) {
  for (const struct line *l = t->line; l < t->line + t->n; l++)
    if (l->kind == kind) {
      fprintf(out, "  uint64_t %s", l->name);
      if (l->words)
        fprintf(out, "[%s]", l->count);
      fputc(';', out);
      write_comment(out, l);
    }
}

/* The inputs as bits of a set, and the set of the controls that are not 0. */
static void write_inputs(FILE *out, const struct table *t) {
  fprintf(out, "enum {\n");
  for (const struct line *l = t->line; l < t->line + t->n; l++)
    if (l->kind == LINE_IN)
      fprintf(out, "  INPUT_%s,\n", l->name);
  fprintf(out,
          "};\n\nstatic inline uint64_t %s_raised(const struct %s_in *in) {\n  uint64_t set = 0;\n",
          t->name, t->name);
  for (const struct line *l = t->line; l < t->line + t->n; l++)
    if (l->kind == LINE_IN && strcmp(l->when, "1") == 0)
      fprintf(out, "  set |= (uint64_t)(in->%s != 0) << INPUT_%s;\n", l->name, l->name);
  fprintf(out, "  return set;\n}\n\n");
}

void write_structs(FILE *out, const struct table *t) {
  const char *u = t->name;
  fprintf(
      out,
      "/* Ports and state of %s. */\n"
      "#ifndef TANDEM_PORTS_OF_%s\n#define TANDEM_PORTS_OF_%s\n\n#include \"csim/ports/ports.h\"\n",
      u, u, u);
  fprintf(out, "\nstruct PORTS_ALIASED %s_in {\n", u);
  write_fields(out, t, LINE_IN);
  fprintf(out, "};\n\nstruct PORTS_ALIASED %s_out {\n", u);
  write_fields(out, t, LINE_OUT);
  fprintf(out, "};\n\nstruct %s_view {\n  uint64_t unused_; /* a unit may have no state */\n", u);
  write_fields(out, t, LINE_STATE);
  fprintf(out, "};\n\n");
  if (strcmp(u, "sm_frontend") == 0) /* the unit whose inputs go through the models as sets */
    write_inputs(out, t);
  fprintf(out, "extern const struct ports_table %s_ports;\n\n#endif\n", u);
}
