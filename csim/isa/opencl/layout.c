/* Types in the text of LLVM IR, and where their members lie. */
#include "csim/isa/opencl/layout.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t MOST = UINT64_C(1) << 31, STEPS = UINT64_C(1) << 26;

/* ---- text ---- */

void layout_fail(struct layout_reader *r) {
  if (r->wrong == NULL)
    r->wrong = r->at;
}

bool layout_take(struct layout_reader *r, const char *word) {
  const size_t n = strlen(word);
  if (r->wrong != NULL || strncmp(r->at, word, n) != 0)
    return false;
  r->at += n;
  return true;
}

void layout_expect(struct layout_reader *r, const char *word) {
  if (!layout_take(r, word))
    layout_fail(r);
}

uint64_t layout_number(struct layout_reader *r) {
  char *end;
  const uint64_t n = strtoull(r->at, &end, 10);
  if (end == r->at)
    layout_fail(r);
  r->at = end;
  return n;
}

size_t layout_skip_name(struct layout_reader *r) {
  const char *from = r->at++;
  if (*r->at == '"')
    r->at += 1 + strcspn(r->at + 1, "\"\n");
  r->at += *r->at == '"' ? 1
                         : strspn(r->at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                         "0123456789-$._");
  return (size_t)(r->at - from);
}

/* Skips up to and with the parenthesis that closes the one here. */
static void skip_parentheses(struct layout_reader *r) {
  unsigned open = 0;
  do {
    open += *r->at == '(';
    open -= *r->at == ')';
    if (*r->at == '\0')
      layout_fail(r);
    else
      r->at++;
  } while (open > 0 && r->wrong == NULL);
}

static uint64_t round_up(uint64_t n, uint64_t align) { return (n + align - 1) / align * align; }

/* ---- types ---- */

static struct layout scalar(enum layout_kind kind, uint64_t bytes, uint64_t align) {
  return (struct layout){kind, bytes, round_up(bytes, align), align, false};
}

static struct layout integer(struct layout_reader *r) {
  uint64_t bytes = (layout_number(r) + 7) / 8, align = 1;
  while (align < bytes && align < 16)
    align *= 2;
  return scalar(LAYOUT_INTEGER, bytes, align);
}

/* "3 x float>" or "3 x float]" */
static struct layout repeated(struct layout_reader *r, bool vector) {
  const uint64_t n = layout_number(r);
  layout_expect(r, " x ");
  const char *element = r->at;
  struct layout l = layout_read(r);
  l.kind = LAYOUT_AGGREGATE;
  if (n > MOST || l.room > MOST || n * l.room > MOST)
    layout_fail(r);
  l.bytes = l.room = r->wrong == NULL ? n * l.room : 1;
  if (vector) {
    for (l.align = 1; l.align < l.bytes;)
      l.align *= 2;
    l.room = l.align;
    l.gap = l.bytes != l.room;
    if (*element == 'i' && strtoul(element + 1, NULL, 10) % 8 != 0)
      layout_fail(r);
  }
  layout_expect(r, vector ? ">" : "]");
  return l;
}

uint64_t layout_append(struct layout *whole, const struct layout *member, bool packed) {
  const uint64_t at = packed ? whole->bytes : round_up(whole->bytes, member->align);
  whole->bytes = at + member->room;
  if (!packed && member->align > whole->align)
    whole->align = member->align;
  whole->room = round_up(whole->bytes, whole->align);
  whole->gap = whole->gap || member->gap;
  return at;
}

struct layout layout_structure(struct layout_reader *r, bool packed, uint64_t until) {
  struct layout l = scalar(LAYOUT_AGGREGATE, 0, 1);
  for (uint64_t i = 0; r->wrong == NULL && !layout_take(r, "}") && !layout_take(r, " }"); i++) {
    (void)(layout_take(r, ",") && layout_take(r, " "));
    (void)layout_take(r, " ");
    const char *member = r->at;
    const struct layout m = layout_read(r);
    if (i == until) {
      r->at = member;
      l.bytes = packed ? l.bytes : round_up(l.bytes, m.align);
      return l;
    }
    layout_append(&l, &m, packed);
  }
  if (packed)
    layout_expect(r, ">");
  l.bytes = l.room;
  return l;
}

const char *layout_enter_name(struct layout_reader *r) {
  const char *name = r->at, *p = r->ir;
  const size_t n = layout_skip_name(r);
  for (; p != NULL; p = (p = strchr(p, '\n')) != NULL ? p + 1 : NULL)
    if (strncmp(p, name, n) == 0 && strncmp(p + n, " = type ", 8) == 0)
      break;
  const char *rest = r->at;
  if (p == NULL)
    layout_fail(r);
  else
    r->at = p + n + 8;
  return rest;
}

static struct layout base_type(struct layout_reader *r) {
  if (layout_take(r, "half") || layout_take(r, "bfloat"))
    return scalar(LAYOUT_REAL, 2, 2);
  if (layout_take(r, "float"))
    return scalar(LAYOUT_REAL, 4, 4);
  if (layout_take(r, "double"))
    return scalar(LAYOUT_REAL, 8, 8);
  if (layout_take(r, "void"))
    return scalar(LAYOUT_AGGREGATE, 0, 1);
  if (layout_take(r, "i"))
    return integer(r);
  if (layout_take(r, "["))
    return repeated(r, false);
  if (layout_take(r, "<{"))
    return layout_structure(r, true, UINT64_MAX);
  if (layout_take(r, "<"))
    return repeated(r, true);
  if (layout_take(r, "{"))
    return layout_structure(r, false, UINT64_MAX);
  if (*r->at != '%') {
    layout_fail(r);
    return scalar(LAYOUT_AGGREGATE, 0, 1);
  }
  const char *rest = layout_enter_name(r);
  const struct layout l = layout_read(r);
  r->at = rest;
  return l;
}

/* A type may have " addrspace(4)*", "*", or " (arguments)*" after it. */
static bool take_star(struct layout_reader *r) {
  const char *from = r->at;
  if (*r->at == ' ' && r->at[1] == '(') {
    r->at++;
    skip_parentheses(r);
  }
  if (strncmp(r->at, " addrspace(", 11) == 0) {
    r->at += 10;
    skip_parentheses(r);
  }
  if (layout_take(r, "*"))
    return true;
  r->at = from;
  return false;
}

/* A type that only pointers need may be opaque, or hold pointers to itself. */
static bool is_pointer(struct layout_reader *r) {
  const char *from = r->at;
  layout_skip_name(r);
  const bool star = take_star(r);
  if (!star)
    r->at = from;
  return star;
}

struct layout layout_read(struct layout_reader *r) {
  struct layout l = scalar(LAYOUT_ADDRESS, r->pointer, r->pointer);
  if (++r->depth > LAYOUT_DEEPEST || ++r->steps > STEPS)
    layout_fail(r);
  if (r->wrong == NULL && (*r->at != '%' || !is_pointer(r)))
    l = base_type(r);
  while (r->wrong == NULL && take_star(r))
    l = scalar(LAYOUT_ADDRESS, r->pointer, r->pointer);
  r->depth--;
  return l;
}
