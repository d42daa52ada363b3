/* The parser's own state, shared by its two files: declarations and statements. */
#ifndef TANDEM_PTX_PARSE_H
#define TANDEM_PTX_PARSE_H

#include "csim/isa/ptx/ptx.h"

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
  unsigned depth; /* of what is being parsed: brackets, braces, signs */
};

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
/* .reg .shared ... at the current token: declares in the current block, or at module scope. */
bool ptx_parse_decl(struct ptx_parser *p);
/* { statements } of a function body */
void ptx_parse_body(struct ptx_parser *p);

#endif
