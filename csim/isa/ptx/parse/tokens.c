/* The parser's view of the tokens: the current one and the next. */
#include <string.h>

#include "csim/isa/ptx/parse/parse.h"

void ptx_advance(struct ptx_parser *p) {
  p->tok = p->next;
  p->next = ptx_lex(p->x);
}

bool ptx_is(const struct ptx_parser *p, char c) {
  return p->tok.kind == PTX_T_PUNCT && p->tok.value == (unsigned char)c;
}

bool ptx_is_dot(const struct ptx_parser *p, const char *word) {
  return p->tok.kind == PTX_T_DOT && strcmp(p->tok.text, word) == 0;
}

bool ptx_accept(struct ptx_parser *p, char c) {
  bool yes = ptx_is(p, c);
  if (yes)
    ptx_advance(p);
  return yes;
}

const char *ptx_shown(const struct ptx_parser *p) {
  return p->tok.kind == PTX_T_END ? "the end of the file" : *p->tok.text ? p->tok.text : "a number";
}

void ptx_expect(struct ptx_parser *p, char c) {
  if (!ptx_accept(p, c))
    ptx_fail(p->x, p->tok.line, "syntax error: '%c' expected before '%s'", c, ptx_shown(p));
}

const char *ptx_expect_id(struct ptx_parser *p, const char *what) {
  if (p->tok.kind != PTX_T_ID)
    ptx_fail(p->x, p->tok.line, "syntax error: %s expected before '%s'", what, ptx_shown(p));
  const char *text = p->tok.text;
  ptx_advance(p);
  return text;
}

uint64_t ptx_expect_int(struct ptx_parser *p) {
  bool neg = ptx_accept(p, '-');
  if (p->tok.kind != PTX_T_INT)
    ptx_fail(p->x, p->tok.line, "syntax error: an integer expected before '%s'", ptx_shown(p));
  uint64_t v = p->tok.value;
  ptx_advance(p);
  return neg ? 0 - v : v;
}

void ptx_enter(struct ptx_parser *p) {
  enum { DEEPEST = 100 };
  if (++p->depth > DEEPEST)
    ptx_fail(p->x, p->tok.line, "brackets or braces are nested more than %d deep", DEEPEST);
}

void ptx_keep(struct ptx_parser *p) {
  PTX_PUSH(p->x, p->m->items, p->m->nitems, p->m->citems) =
      (struct ptx_item){.kind = PTX_I_TOKEN, .token = p->tok};
  ptx_advance(p);
}

void ptx_keep_token(struct ptx_parser *p, char c) {
  if (ptx_is(p, c))
    ptx_keep(p);
  else
    ptx_expect(p, c);
}

bool ptx_more(struct ptx_parser *p) { return ptx_accept(p, ','); }
