/* The parser: tokens, the parser's state, and the functions that its files share. */
#ifndef TANDEM_PTX_PARSE_H
#define TANDEM_PTX_PARSE_H

#include "csim/isa/ptx/base/base.h"

void ptx_parse(struct ptx *x, const char *text, struct ptx_module *m);

/* ---- tokens ---- */

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

void ptx_keep(struct ptx_parser *p); /* takes the current token as it is into the tree */
void ptx_keep_token(struct ptx_parser *p, char c); /* expects it, and takes it */
/* Takes a comma between parts of a list: false at the end of the list. */
bool ptx_more(struct ptx_parser *p);

/* ---- expr.c ---- */

/* A constant expression at the current token. */
const struct ptx_expr *ptx_parse_expr(struct ptx_parser *p);
/* "+ constant" or "- constant" behind a name, NULL if there is none. */
const struct ptx_expr *ptx_parse_offset(struct ptx_parser *p);
bool ptx_is_constant(const struct ptx_parser *p); /* the current token begins one */

/* ---- operand.c ---- */

struct ptx_operand ptx_parse_operand(struct ptx_parser *p);
int ptx_register_of(struct ptx_parser *p, const char *name, unsigned line);

/* ---- directive.c ---- */

/* A directive without effect on the code, in a function or outside; false if it is none. */
bool ptx_parse_directive(struct ptx_parser *p);
/* The directives between the header of a function and its body. */
void ptx_parse_tuning(struct ptx_parser *p);

/* ---- decl.c ---- */

/* .reg .shared ... at the current token: declares in the current block, or at module scope. */
bool ptx_parse_decl(struct ptx_parser *p, bool external);
/* (.param .u32 a, .reg .f32 b, ...): declares them and appends them to a list; false without one.
 */
bool ptx_parse_formals(struct ptx_parser *p, struct ptx_var ***list, size_t *n, size_t *cap);

/* ---- body.c ---- */

/* { statements } of a function body */
void ptx_parse_body(struct ptx_parser *p);

#endif
