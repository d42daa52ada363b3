/* PTX function bodies: statements. */
#include <string.h>

#include "csim/isa/ptx/parse/parse.h"

/* (a, b, c): a list in the arena. */
static struct ptx_operand *parse_list(struct ptx_parser *p, unsigned *n) {
  struct ptx_operand *list = NULL;
  size_t count = 0, cap = 0;
  ptx_expect(p, '(');
  if (!ptx_is(p, ')'))
    do
      PTX_PUSH(p->x, list, count, cap) = ptx_parse_operand(p);
    while (ptx_more(p));
  ptx_expect(p, ')');
  *n = (unsigned)count;
  return list;
}

/* ---- statements ---- */

static void push_stmt(struct ptx_parser *p, const struct ptx_stmt *s) {
  PTX_PUSH(p->x, p->m->items, p->m->nitems, p->m->citems) =
      (struct ptx_item){.kind = PTX_I_STMT, .func = p->f, .index = p->f->nstmts};
  PTX_PUSH(p->x, p->f->stmts, p->f->nstmts, p->f->cstmts) = *s;
}

/* call (ret), callee, (args), prototype; */
static void parse_call(struct ptx_parser *p, struct ptx_stmt *s) {
  s->kind = PTX_S_CALL;
  if (ptx_is(p, '(')) {
    s->has_rets = true;
    s->rets = parse_list(p, &s->nrets);
    ptx_expect(p, ',');
  }
  s->callee = ptx_parse_operand(p);
  bool more = ptx_more(p);
  if (more && ptx_is(p, '(')) {
    s->has_args = true;
    s->args = parse_list(p, &s->nargs);
    more = ptx_more(p);
  }
  if (more) {
    s->has_prototype = true;
    s->prototype = ptx_parse_operand(p);
  }
}

static void parse_inst(struct ptx_parser *p) {
  struct ptx_stmt s = {.kind = PTX_S_INST, .line = p->tok.line, .guard = -1};
  if (ptx_accept(p, '@')) {
    s.guard_neg = ptx_accept(p, '!');
    unsigned line = p->tok.line;
    s.guard_name = ptx_expect_id(p, "a predicate");
    s.guard = ptx_register_of(p, s.guard_name, line);
    if (p->f->regs[s.guard].type != PTX_PRED)
      ptx_fail(p->x, line, "the guard '%s' is no predicate", p->f->regs[s.guard].name);
  }
  s.line = p->tok.line;
  s.op = ptx_expect_id(p, "an instruction");
  for (; p->tok.kind == PTX_T_DOT; ptx_advance(p)) {
    if (s.nmods == PTX_MAX_MODS)
      ptx_fail(p->x, s.line, "too many modifiers");
    s.mods[s.nmods++] = p->tok.text;
  }
  if (strcmp(s.op, "call") == 0) {
    parse_call(p, &s);
  } else {
    if (!ptx_is(p, ';'))
      do {
        if (s.nops == PTX_MAX_OPS)
          ptx_fail(p->x, s.line, "too many operands");
        s.ops[s.nops++] = ptx_parse_operand(p);
      } while (ptx_more(p));
  }
  ptx_expect(p, ';');
  push_stmt(p, &s);
}

/* label: .callprototype ... ; is for indirect calls, which are an error where they stand. */
static void keep_prototype(struct ptx_parser *p) {
  const unsigned line = p->tok.line;
  while (!ptx_is(p, ';')) {
    if (p->tok.kind == PTX_T_END || ptx_is(p, '{') || ptx_is(p, '}'))
      ptx_fail(p->x, line, "this directive has no end; close it with ;");
    ptx_keep(p);
  }
  ptx_keep(p);
}

/* label: or the list of targets of an indirect branch behind it */
static void parse_label(struct ptx_parser *p) {
  struct ptx_stmt s = {.kind = PTX_S_LABEL, .line = p->tok.line, .guard = -1, .op = p->tok.text};
  const struct ptx_token name = p->tok;
  ptx_advance(p);
  if (p->next.kind == PTX_T_DOT &&
      (strcmp(p->next.text, "callprototype") == 0 || strcmp(p->next.text, "calltargets") == 0)) {
    PTX_PUSH(p->x, p->m->items, p->m->nitems, p->m->citems) =
        (struct ptx_item){.kind = PTX_I_TOKEN, .token = name};
    keep_prototype(p);
    return;
  }
  ptx_advance(p);
  if (ptx_is_dot(p, "branchtargets")) {
    ptx_advance(p);
    s.kind = PTX_S_TARGETS;
    struct ptx_operand *list = NULL;
    size_t n = 0, cap = 0;
    do
      PTX_PUSH(p->x, list, n, cap) = ptx_parse_operand(p);
    while (ptx_more(p));
    s.args = list;
    s.nargs = (unsigned)n;
    ptx_expect(p, ';');
  }
  push_stmt(p, &s);
}

void ptx_parse_body(struct ptx_parser *p) {
  size_t visible = p->ndecls;
  unsigned line = p->tok.line;
  ptx_enter(p);
  ptx_keep_token(p, '{');
  while (!ptx_is(p, '}')) {
    if (p->tok.kind == PTX_T_END)
      ptx_fail(p->x, line, "this block has no end; close it with }");
    if (ptx_is(p, '{'))
      ptx_parse_body(p);
    else if (p->tok.kind == PTX_T_ID && p->next.kind == PTX_T_PUNCT && p->next.value == ':')
      parse_label(p);
    else if (ptx_parse_decl(p, false) || ptx_parse_directive(p))
      continue;
    else if (p->tok.kind == PTX_T_DOT)
      ptx_fail(p->x, p->tok.line, "the directive '.%s' is not known here", p->tok.text);
    else
      parse_inst(p);
  }
  ptx_keep(p);
  ptx_leave(p);
  p->ndecls = visible;
}
