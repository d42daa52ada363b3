/* The parser: tokens, the parser's state, and the functions that its files share. */
#ifndef TANDEM_PTX_PARSE_H
#define TANDEM_PTX_PARSE_H

#include "csim/isa/ptx/base/base.h"

void ptx_parse(struct ptx *x, const char *text, struct ptx_module *m);

/* ---- tokens ---- */

enum ptx_tok {
  PTX_T_END,
  PTX_T_ID,  /* identifier, % and $ included */
  PTX_T_DOT, /* .word: text without the dot */
  PTX_T_INT,
  PTX_T_F32, /* 0f...: bits in value */
  PTX_T_F64, /* 0d... and decimal fractions */
  PTX_T_STR,
  PTX_T_PUNCT /* one character in value */
};

struct ptx_token {
  enum ptx_tok kind;
  unsigned line;
  const char *text; /* interned */
  uint64_t value;
};

struct ptx_token ptx_lex(struct ptx *x);

/* ---- state ---- */

/* A name visible in a block: a register, a range of registers (%r<12>) or a variable. */
struct ptx_decl {
  const char *name;
  size_t prefix; /* characters of name, for ranges */
  int first;     /* first register, -1 for a variable */
  int count;     /* registers of a range, 0: a single register */
  struct ptx_var *var;
};

struct ptx_parser {
  struct ptx *x;
  struct ptx_module *m;
  struct ptx_func *f; /* NULL at module scope */
  struct ptx_token tok, next;
  struct ptx_decl *decls; /* innermost last */
  size_t ndecls, cdecls;
  unsigned depth; /* open brackets, braces and signs */
};

/* ---- tokens.c ---- */

/* Around whatever parses parts like itself, so that no text can exhaust the stack. */
void ptx_enter(struct ptx_parser *p);
static inline void ptx_leave(struct ptx_parser *p) { p->depth--; }

void ptx_advance(struct ptx_parser *p);
bool ptx_is(const struct ptx_parser *p, char c);
bool ptx_is_dot(const struct ptx_parser *p, const char *word);
bool ptx_accept(struct ptx_parser *p, char c);
void ptx_expect(struct ptx_parser *p, char c);
const char *ptx_expect_id(struct ptx_parser *p, const char *what);
uint64_t ptx_expect_int(struct ptx_parser *p);
const char *ptx_shown(const struct ptx_parser *p); /* the current token, for messages */

/* ---- decl.c ---- */

/* .reg .shared ... at the current token: declares in the current block, or at module scope. */
bool ptx_parse_decl(struct ptx_parser *p, bool external);
/* (.param .u32 a, .param .f32 b, ...): declares them and appends them to a list. */
void ptx_parse_formals(struct ptx_parser *p, struct ptx_var ***list, size_t *n, size_t *cap);

/* ---- body.c ---- */

/* { statements } of a function body */
void ptx_parse_body(struct ptx_parser *p);

#endif
