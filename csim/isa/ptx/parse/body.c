/* PTX function bodies: statements and operands. */
#include <stdlib.h>
#include <string.h>

#include "csim/isa/ptx/parse/parse.h"

/* ---- names ---- */

static int range_member(const struct ptx_decl *d, const char *name) {
  if (d->count == 0)
    return d->name == name ? d->first : -1;
  if (strncmp(name, d->name, d->prefix) != 0)
    return -1;
  const char *digits = name + d->prefix;
  if (*digits < '0' || *digits > '9' || (digits[0] == '0' && digits[1]))
    return -1;
  char *end;
  unsigned long n = strtoul(digits, &end, 10);
  return *end == '\0' && n < (unsigned long)d->count ? d->first + (int)n : -1;
}

/* Fills o with what the name means here; names that are declared nowhere stay names. */
static void resolve(struct ptx_parser *p, const char *name, struct ptx_operand *o) {
  o->kind = PTX_O_NAME;
  o->name = name;
  for (size_t i = p->ndecls; i-- > 0;) {
    const struct ptx_decl *d = &p->decls[i];
    if (d->first < 0) {
      if (d->name != name)
        continue;
      o->kind = PTX_O_VAR;
      o->var = d->var;
      return;
    }
    int r = range_member(d, name);
    if (r >= 0) {
      o->kind = PTX_O_REG;
      o->reg = r;
      return;
    }
  }
}

static int register_of(struct ptx_parser *p, const char *name, unsigned line) {
  struct ptx_operand o = {.reg = -1};
  resolve(p, name, &o);
  if (o.kind != PTX_O_REG)
    ptx_fail(p->x, line, "'%s' is no register; declare it with .reg", name);
  return o.reg;
}

/* ---- operands ---- */

static void parse_number(struct ptx_parser *p, struct ptx_operand *o) {
  bool neg = ptx_accept(p, '-');
  if (p->tok.kind == PTX_T_F32 || p->tok.kind == PTX_T_F64) {
    o->kind = p->tok.kind == PTX_T_F32 ? PTX_O_F32 : PTX_O_F64;
    uint64_t sign = neg ? UINT64_C(1) << (o->kind == PTX_O_F32 ? 31 : 63) : 0;
    o->value = (int64_t)(p->tok.value ^ sign);
    ptx_advance(p);
    return;
  }
  o->kind = PTX_O_IMM;
  bool invert = !neg && ptx_accept(p, '~');
  uint64_t v = ptx_expect_int(p);
  o->value = (int64_t)(neg ? 0 - v : invert ? ~v : v);
}

/* name, name+4, name.x, p|q */
static void parse_name(struct ptx_parser *p, struct ptx_operand *o) {
  const char *name = p->tok.text;
  ptx_advance(p);
  if (strcmp(name, "_") == 0) {
    o->kind = PTX_O_SINK;
    return;
  }
  resolve(p, name, o);
  if (p->tok.kind == PTX_T_DOT && o->kind == PTX_O_NAME) {
    o->suffix = p->tok.text;
    ptx_advance(p);
  } else if (p->tok.kind == PTX_T_DOT) {
    ptx_fail(p->x, p->tok.line, "vector elements by name ('%s.%s') are not supported", name,
             p->tok.text);
  }
  if (ptx_accept(p, '|')) {
    unsigned line = p->tok.line;
    const char *second = ptx_expect_id(p, "a register");
    o->reg2 = strcmp(second, "_") == 0 ? -1 : register_of(p, second, line);
  }
  if (ptx_is(p, '+') || ptx_is(p, '-')) {
    ptx_accept(p, '+');
    o->value = (int64_t)ptx_expect_int(p);
  }
}

static struct ptx_operand parse_operand(struct ptx_parser *p) {
  struct ptx_operand o = {.reg = -1, .reg2 = -1};
  ptx_enter(p);
  if (ptx_accept(p, '[')) {
    o = parse_operand(p);
    o.mem = true;
    if (ptx_is(p, ','))
      ptx_fail(p->x, p->tok.line, "texture coordinates are not supported; use global memory");
    ptx_expect(p, ']');
  } else if (ptx_accept(p, '{')) {
    o.kind = PTX_O_VEC;
    struct ptx_operand list[8];
    do {
      if (o.nelems == 8)
        ptx_fail(p->x, p->tok.line, "a vector has at most eight elements");
      list[o.nelems++] = parse_operand(p);
    } while (ptx_accept(p, ','));
    ptx_expect(p, '}');
    o.elems = ptx_alloc(p->x, o.nelems * sizeof *o.elems);
    memcpy(o.elems, list, o.nelems * sizeof *o.elems);
  } else if (ptx_accept(p, '!')) {
    o = parse_operand(p);
    o.neg = !o.neg;
  } else if (p->tok.kind == PTX_T_ID) {
    parse_name(p, &o);
  } else {
    if (ptx_is(p, '-') && p->next.kind == PTX_T_ID) {
      ptx_advance(p);
      o = parse_operand(p);
      o.neg = true;
    } else {
      parse_number(p, &o);
    }
  }
  ptx_leave(p);
  return o;
}

/* (a, b, c): a list in the arena. */
static struct ptx_operand *parse_list(struct ptx_parser *p, unsigned *n) {
  struct ptx_operand *list = NULL;
  size_t count = 0, cap = 0;
  ptx_expect(p, '(');
  while (!ptx_is(p, ')')) {
    PTX_PUSH(p->x, list, count, cap) = parse_operand(p);
    if (!ptx_accept(p, ','))
      break;
  }
  ptx_expect(p, ')');
  *n = (unsigned)count;
  return list;
}

/* ---- statements ---- */

static void push_stmt(struct ptx_parser *p, const struct ptx_stmt *s) {
  PTX_PUSH(p->x, p->f->stmts, p->f->nstmts, p->f->cstmts) = *s;
}

/* call (ret), callee, (args), prototype; */
static void parse_call(struct ptx_parser *p, struct ptx_stmt *s) {
  s->kind = PTX_S_CALL;
  if (ptx_is(p, '(')) {
    s->rets = parse_list(p, &s->nrets);
    ptx_expect(p, ',');
  }
  s->callee = parse_operand(p);
  if (ptx_accept(p, ',')) {
    if (ptx_is(p, '('))
      s->args = parse_list(p, &s->nargs);
    else
      parse_operand(p);
    if (ptx_accept(p, ','))
      parse_operand(p); /* the prototype of an indirect call */
  }
}

static void parse_inst(struct ptx_parser *p) {
  struct ptx_stmt s = {.kind = PTX_S_INST, .line = p->tok.line, .guard = -1};
  if (ptx_accept(p, '@')) {
    s.guard_neg = ptx_accept(p, '!');
    unsigned line = p->tok.line;
    s.guard = register_of(p, ptx_expect_id(p, "a predicate"), line);
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
    while (!ptx_is(p, ';')) {
      if (s.nops == PTX_MAX_OPS)
        ptx_fail(p->x, s.line, "too many operands");
      s.ops[s.nops++] = parse_operand(p);
      if (!ptx_accept(p, ','))
        break;
    }
  }
  ptx_expect(p, ';');
  push_stmt(p, &s);
}

/* label: or the list of targets of an indirect branch behind it */
static void parse_label(struct ptx_parser *p) {
  struct ptx_stmt s = {.kind = PTX_S_LABEL, .line = p->tok.line, .guard = -1, .op = p->tok.text};
  ptx_advance(p);
  ptx_advance(p);
  if (ptx_is_dot(p, "branchtargets")) {
    ptx_advance(p);
    s.kind = PTX_S_TARGETS;
    struct ptx_operand *list = NULL;
    size_t n = 0, cap = 0;
    do
      PTX_PUSH(p->x, list, n, cap) = parse_operand(p);
    while (ptx_accept(p, ','));
    s.args = list;
    s.nargs = (unsigned)n;
    ptx_expect(p, ';');
  } else if (ptx_is_dot(p, "callprototype") || ptx_is_dot(p, "calltargets")) {
    while (!ptx_is(p, ';') && p->tok.kind != PTX_T_END)
      ptx_advance(p);
    ptx_expect(p, ';');
    return;
  }
  push_stmt(p, &s);
}

/* .loc 1 2 3 [, function_name ...]: ends where its line ends; .pragma "..." ; */
static void skip_directive(struct ptx_parser *p) {
  if (ptx_is_dot(p, "loc") || ptx_is_dot(p, "file")) {
    unsigned line = p->tok.line;
    while (p->tok.line == line && p->tok.kind != PTX_T_END)
      ptx_advance(p);
  } else if (ptx_is_dot(p, "pragma") || ptx_is_dot(p, "alias")) {
    while (!ptx_is(p, ';') && p->tok.kind != PTX_T_END)
      ptx_advance(p);
    ptx_expect(p, ';');
  } else {
    ptx_fail(p->x, p->tok.line, "the directive '.%s' is not known here", p->tok.text);
  }
}

void ptx_parse_body(struct ptx_parser *p) {
  size_t visible = p->ndecls;
  unsigned line = p->tok.line;
  ptx_enter(p);
  ptx_expect(p, '{');
  while (!ptx_is(p, '}')) {
    if (p->tok.kind == PTX_T_END)
      ptx_fail(p->x, line, "this block has no end; close it with }");
    if (ptx_is(p, '{'))
      ptx_parse_body(p);
    else if (p->tok.kind == PTX_T_DOT) {
      if (!ptx_parse_decl(p, false))
        skip_directive(p);
    } else if (p->tok.kind == PTX_T_ID && p->next.kind == PTX_T_PUNCT && p->next.value == ':')
      parse_label(p);
    else if (!ptx_accept(p, ';'))
      parse_inst(p);
  }
  ptx_expect(p, '}');
  ptx_leave(p);
  p->ndecls = visible;
}
