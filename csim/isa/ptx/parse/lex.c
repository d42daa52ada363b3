/* Tokens of PTX, interned names, and the arena. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/ptx/ptx.h"

/* ---- arena ---- */

struct ptx_chunk {
  struct ptx_chunk *next;
  size_t used, size;
  _Alignas(16) unsigned char bytes[];
};

enum { PTX_CHUNK = 256 * 1024, PTX_NAMES = 4096 };

void *ptx_alloc(struct ptx *x, size_t bytes) {
  bytes = (bytes + 15) & ~(size_t)15;
  struct ptx_chunk *c = x->chunks;
  if (!c || c->size - c->used < bytes) {
    size_t size = bytes > PTX_CHUNK ? bytes : PTX_CHUNK;
    c = calloc(1, sizeof *c + size);
    if (!c)
      ptx_fail_code(x, -ENOMEM, "out of memory");
    c->size = size;
    c->next = x->chunks;
    x->chunks = c;
  }
  void *p = c->bytes + c->used;
  c->used += bytes;
  return p;
}

void ptx_release(struct ptx *x) {
  while (x->chunks) {
    struct ptx_chunk *c = x->chunks;
    x->chunks = c->next;
    free(c);
  }
}

void *ptx_grow(struct ptx *x, void *old, size_t count, size_t *cap, size_t size) {
  size_t want = *cap ? *cap * 2 : 16;
  void *p = ptx_alloc(x, want * size);
  if (count)
    memcpy(p, old, count * size);
  *cap = want;
  return p;
}

/* ---- errors ---- */

void ptx_fail(struct ptx *x, unsigned line, const char *format, ...) {
  char text[800];
  va_list ap;
  va_start(ap, format);
  vsnprintf(text, sizeof text, format, ap);
  va_end(ap);
  x->status = tandem_fail(x->err, -EINVAL, "%s:%u: %s", x->file, line, text);
  longjmp(x->unwind, 1);
}

void ptx_fail_code(struct ptx *x, int status, const char *text) {
  x->status = tandem_fail(x->err, status, "%s: %s", x->file, text);
  longjmp(x->unwind, 1);
}

/* ---- names ---- */

struct ptx_name {
  struct ptx_name *next;
  size_t n;
  char text[];
};

const char *ptx_intern(struct ptx *x, const char *s, size_t n) {
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

/* ---- types ---- */

static const struct {
  const char *name;
  unsigned bits;
} types[PTX_TYPES] = {
    [PTX_NONE] = {"", 0},        [PTX_PRED] = {"pred", 1}, [PTX_B8] = {"b8", 8},
    [PTX_B16] = {"b16", 16},     [PTX_B32] = {"b32", 32},  [PTX_B64] = {"b64", 64},
    [PTX_U8] = {"u8", 8},        [PTX_U16] = {"u16", 16},  [PTX_U32] = {"u32", 32},
    [PTX_U64] = {"u64", 64},     [PTX_S8] = {"s8", 8},     [PTX_S16] = {"s16", 16},
    [PTX_S32] = {"s32", 32},     [PTX_S64] = {"s64", 64},  [PTX_F16] = {"f16", 16},
    [PTX_F16X2] = {"f16x2", 32}, [PTX_F32] = {"f32", 32},  [PTX_F64] = {"f64", 64},
};

enum ptx_type ptx_type_of(const char *name) {
  for (unsigned t = PTX_PRED; t < PTX_TYPES; t++)
    if (strcmp(types[t].name, name) == 0)
      return (enum ptx_type)t;
  return PTX_NONE;
}

unsigned ptx_bits(enum ptx_type t) { return types[t].bits; }

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
    if (e[0] == ':' && e[1] == ':') /* .shared::cta and its like */
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
