/* Tokens of PTX text, and interned names. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/ptx/parse/parse.h"

/* ---- names ---- */

enum { PTX_NAMES = 4096 };

struct ptx_name {
  struct ptx_name *next;
  size_t n;
  char text[];
};

/* Returns the one copy of an identifier, so that equal names are equal pointers. */
static const char *ptx_intern(struct ptx *x, const char *s, size_t n) {
  if (!x->names)
    x->names = ptx_alloc(x, PTX_NAMES * sizeof *x->names);
  uint32_t h = 2166136261U;
  for (size_t i = 0; i < n; i++)
    h = (h ^ (unsigned char)s[i]) * 16777619U;
  struct ptx_name **slot = &x->names[h % PTX_NAMES];
  for (struct ptx_name *e = *slot; e; e = e->next)
    if (e->n == n && memcmp(e->text, s, n) == 0)
      return e->text;
  struct ptx_name *e = ptx_alloc(x, sizeof *e + n + 1);
  e->n = n;
  memcpy(e->text, s, n);
  e->next = *slot;
  *slot = e;
  return e->text;
}

/* ---- tokens ---- */

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

static void skip_blanks(struct ptx *x) {
  for (;;) {
    const char *p = x->pos;
    if (*p == '\n') {
      x->line++;
      x->pos++;
    } else if (isspace((unsigned char)*p)) {
      x->pos++;
    } else if (p[0] == '/' && p[1] == '/') {
      while (*x->pos && *x->pos != '\n')
        x->pos++;
    } else if (p[0] == '/' && p[1] == '*') {
      unsigned start = x->line;
      for (x->pos += 2; x->pos[0] != '*' || x->pos[1] != '/'; x->pos++) {
        if (!*x->pos)
          ptx_fail(x, start, "this comment has no end; close it with */");
        x->line += *x->pos == '\n';
      }
      x->pos += 2;
    } else {
      return;
    }
  }
}

/* 0f with 8 hexadecimal digits, 0d with 16. */
static struct ptx_token lex_bits(struct ptx *x, struct ptx_token t) {
  bool wide = tolower((unsigned char)x->pos[1]) == 'd';
  unsigned digits = wide ? 16 : 8;
  x->pos += 2;
  for (unsigned i = 0; i < digits; i++, x->pos++) {
    int c = tolower((unsigned char)*x->pos);
    if (!isxdigit(c))
      ptx_fail(x, x->line, "a float constant needs %u hexadecimal digits", digits);
    t.value = t.value << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
  }
  t.kind = wide ? PTX_T_F64 : PTX_T_F32;
  return t;
}

static struct ptx_token lex_number(struct ptx *x, struct ptx_token t) {
  const char *p = x->pos;
  int c1 = tolower((unsigned char)p[1]);
  if (p[0] == '0' && (c1 == 'f' || c1 == 'd') && isxdigit((unsigned char)p[2]))
    return lex_bits(x, t);
  char *end;
  t.kind = PTX_T_INT;
  errno = 0;
  if (p[0] == '0' && c1 == 'b')
    t.value = strtoull(p + 2, &end, 2);
  else
    t.value = strtoull(p, &end, 0);
  bool hex = c1 == 'x' || c1 == 'b';
  if (!hex && (*end == '.' || *end == 'e' || *end == 'E')) {
    double v = strtod(p, &end);
    memcpy(&t.value, &v, sizeof v);
    t.kind = PTX_T_F64;
  } else if (errno == ERANGE) {
    ptx_fail(x, x->line, "this number does not fit 64 bits");
  }
  if (*end == 'U')
    end++;
  x->pos = end;
  if (is_word(*end))
    ptx_fail(x, x->line, "'%.16s' is no number", p);
  return t;
}

struct ptx_token ptx_lex(struct ptx *x) {
  skip_blanks(x);
  struct ptx_token t = {.kind = PTX_T_END, .line = x->line, .text = ""};
  const char *p = x->pos;
  if (!*p)
    return t;
  if (isdigit((unsigned char)*p))
    return lex_number(x, t);
  if (is_word(*p) || (*p == '%' && is_word(p[1]))) {
    const char *e = p + 1;
    while (is_word(*e))
      e++;
    t.kind = PTX_T_ID;
    t.text = ptx_intern(x, p, (size_t)(e - p));
    x->pos = e;
  } else if (*p == '.' && is_word(p[1])) {
    const char *e = p + 1;
    while (is_word(*e))
      e++;
    while (e[0] == ':' && e[1] == ':') /* .shared::cta and its like */
      for (e += 2; is_word(*e);)
        e++;
    t.kind = PTX_T_DOT;
    t.text = ptx_intern(x, p + 1, (size_t)(e - p - 1));
    x->pos = e;
  } else if (*p == '"') {
    const char *e = p + 1;
    while (*e && *e != '"' && *e != '\n')
      e += e[0] == '\\' && e[1] ? 2 : 1;
    if (*e != '"')
      ptx_fail(x, x->line, "this string has no end; close it with \"");
    t.kind = PTX_T_STR;
    t.text = ptx_intern(x, p + 1, (size_t)(e - p - 1));
    x->pos = e + 1;
  } else {
    t.kind = PTX_T_PUNCT;
    t.value = (unsigned char)*p;
    t.text = ptx_intern(x, p, 1);
    x->pos++;
  }
  return t;
}
