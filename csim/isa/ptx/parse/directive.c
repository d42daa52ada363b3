/* PTX directives that say nothing about the code: debugging, versions, limits of tuning.  Each is
 * read by its own grammar, so that a token out of place is an error. */
#include <string.h>

#include "csim/isa/ptx/parse/parse.h"

static void keep_kind(struct ptx_parser *p, enum ptx_tok kind, const char *what) {
  if (p->tok.kind != kind)
    ptx_fail(p->x, p->tok.line, "syntax error: %s expected before '%s'", what, ptx_shown(p));
  ptx_keep(p);
}

static void keep_integer(struct ptx_parser *p) { keep_kind(p, PTX_T_INT, "an integer"); }

/* .file 1 "name" [, time, size] */
static void parse_file(struct ptx_parser *p) {
  keep_integer(p);
  keep_kind(p, PTX_T_STR, "a file's name");
  for (unsigned i = 0; i < 2 && ptx_is(p, ','); i++) {
    ptx_keep(p);
    keep_integer(p);
  }
}

static void parse_place(struct ptx_parser *p) {
  for (unsigned i = 0; i < 3; i++)
    keep_integer(p);
}

/* .loc file line column [, function_name label [+ offset] , inlined_at file line column] */
static void parse_loc(struct ptx_parser *p) {
  parse_place(p);
  while (ptx_is(p, ',')) {
    ptx_keep(p);
    const bool inlined = p->tok.kind == PTX_T_ID && strcmp(p->tok.text, "inlined_at") == 0;
    if (!inlined && (p->tok.kind != PTX_T_ID || strcmp(p->tok.text, "function_name") != 0))
      ptx_fail(p->x, p->tok.line, "syntax error: function_name or inlined_at expected before '%s'",
               ptx_shown(p));
    ptx_keep(p);
    if (inlined) {
      parse_place(p);
      continue;
    }
    keep_kind(p, PTX_T_ID, "a label");
    if (ptx_is(p, '+')) {
      ptx_keep(p);
      keep_integer(p);
    }
  }
}

/* .section .name { bytes and labels } */
static void parse_section(struct ptx_parser *p) {
  const unsigned line = p->tok.line;
  if (p->tok.kind != PTX_T_ID)
    keep_kind(p, PTX_T_DOT, "the name of a section");
  else
    ptx_keep(p);
  ptx_keep_token(p, '{');
  while (!ptx_is(p, '}')) {
    if (p->tok.kind == PTX_T_END || ptx_is(p, '{'))
      ptx_fail(p->x, line, "this section has no end; close it with }");
    ptx_keep(p);
  }
  ptx_keep(p);
}

/* "text" [, "text"] ; */
static void parse_pragma(struct ptx_parser *p) {
  keep_kind(p, PTX_T_STR, "a string");
  while (ptx_is(p, ',')) {
    ptx_keep(p);
    keep_kind(p, PTX_T_STR, "a string");
  }
  ptx_keep_token(p, ';');
}

static void parse_alias(struct ptx_parser *p) {
  struct ptx_alias a = {.name = p->tok.text, .line = p->tok.line};
  keep_kind(p, PTX_T_ID, "the name of a function");
  ptx_keep_token(p, ',');
  a.of = p->tok.text;
  keep_kind(p, PTX_T_ID, "the name of a function");
  ptx_keep_token(p, ';');
  PTX_PUSH(p->x, p->m->aliases, p->m->naliases, p->m->caliases) = a;
}

static void parse_version(struct ptx_parser *p) {
  if (p->tok.kind != PTX_T_F64)
    keep_integer(p);
  else
    ptx_keep(p);
}

/* sm_20, texmode_unified, ...: only map_f64_to_f32 says something about the code. */
static void parse_target(struct ptx_parser *p) {
  static const char *const known[] = {"sm_", "compute_", "texmode_", "debug", "map_f64_to_f32"};
  do {
    bool ok = false;
    for (size_t i = 0; i < sizeof known / sizeof *known && p->tok.kind == PTX_T_ID; i++)
      ok = ok || strncmp(p->tok.text, known[i], strlen(known[i])) == 0;
    if (!ok)
      ptx_fail(p->x, p->tok.line, "syntax error: a target like sm_20 expected before '%s'",
               ptx_shown(p));
    p->m->doubles_are_floats |= strcmp(p->tok.text, "map_f64_to_f32") == 0;
    ptx_keep(p);
    if (!ptx_is(p, ','))
      break;
    ptx_keep(p);
  } while (true);
}

static void parse_address_size(struct ptx_parser *p) {
  const uint64_t bits = p->tok.value;
  if (p->tok.kind == PTX_T_INT && bits != 32 && bits != 64)
    ptx_fail(p->x, p->tok.line, ".address_size must be 32 or 64");
  keep_integer(p);
  p->m->address_bits = (unsigned)bits;
}

/* @@DWARF and what follows in its line, as compilers before PTX 2.0 wrote it. */
static bool parse_dwarf(struct ptx_parser *p) {
  if (!ptx_is(p, '@') || p->next.kind != PTX_T_PUNCT || p->next.value != '@')
    return false;
  const unsigned line = p->tok.line;
  ptx_keep(p);
  ptx_keep(p);
  if (p->tok.kind != PTX_T_ID || strcmp(p->tok.text, "DWARF") != 0)
    ptx_fail(p->x, line, "syntax error: DWARF expected behind '@@'");
  while (p->tok.line == line && p->tok.kind != PTX_T_END)
    ptx_keep(p);
  return true;
}

bool ptx_parse_directive(struct ptx_parser *p) {
  static const struct {
    const char *word;
    void (*parse)(struct ptx_parser *p);
    bool module; /* at module scope only */
  } table[] = {{"loc", parse_loc, false},        {"file", parse_file, false},
               {"pragma", parse_pragma, false},  {"alias", parse_alias, true},
               {"section", parse_section, true}, {"version", parse_version, true},
               {"target", parse_target, true},   {"address_size", parse_address_size, true}};
  if (ptx_is(p, ';')) {
    ptx_keep(p);
    return true;
  }
  if (parse_dwarf(p))
    return true;
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (ptx_is_dot(p, table[i].word) && !(table[i].module && p->f)) {
      ptx_keep(p);
      table[i].parse(p);
      return true;
    }
  return false;
}

/* Only .reqntid binds. */
void ptx_parse_tuning(struct ptx_parser *p) {
  static const struct {
    const char *word;
    unsigned least, most; /* numbers behind it */
  } table[] = {{"maxnreg", 1, 1},      {"maxntid", 1, 3},      {"reqntid", 1, 3},
               {"minnctapersm", 1, 1}, {"maxnctapersm", 1, 1}, {"maxclusterrank", 1, 1},
               {"abi_preserve", 1, 1}, {"noreturn", 0, 0},     {"abi_preserve_control", 1, 1}};
  for (size_t i = 0; p->tok.kind == PTX_T_DOT && i < sizeof table / sizeof *table; i++) {
    if (!ptx_is_dot(p, table[i].word))
      continue;
    const bool req = strcmp(table[i].word, "reqntid") == 0;
    ptx_keep(p);
    for (unsigned k = 0; k < 3 && req; k++)
      p->f->reqntid[k] = 1;
    for (unsigned k = 0; k < table[i].most; k++) {
      if (k > 0 && !ptx_is(p, ','))
        break;
      if (k > 0)
        ptx_keep(p);
      if (req && p->tok.kind == PTX_T_INT && p->tok.value > 0)
        p->f->reqntid[k] = (uint32_t)p->tok.value;
      keep_integer(p);
    }
    i = (size_t)-1; /* the next one */
  }
  if (ptx_is_dot(p, "reqnctapercluster") || ptx_is_dot(p, "explicitcluster") ||
      ptx_is_dot(p, "blocksareclusters"))
    ptx_fail(p->x, p->tok.line, "'.%s': clusters of blocks are not supported", p->tok.text);
  if (ptx_is_dot(p, "pragma") && ptx_parse_directive(p))
    ptx_parse_tuning(p);
}
