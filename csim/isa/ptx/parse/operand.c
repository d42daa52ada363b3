/* PTX operands: registers, names, constants, vectors, addresses. */
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

int ptx_register_of(struct ptx_parser *p, const char *name, unsigned line) {
  struct ptx_operand o = {.reg = -1};
  resolve(p, name, &o);
  if (o.kind != PTX_O_REG)
    ptx_fail(p->x, line, "'%s' is no register; declare it with .reg", name);
  return o.reg;
}

/* ---- operands ---- */

static void parse_constant(struct ptx_parser *p, struct ptx_operand *o) {
  o->expr = ptx_parse_expr(p);
  o->value = (int64_t)o->expr->value;
  const struct ptx_expr *e = o->expr;
  while (e->kind == PTX_E_SIGN || e->kind == PTX_E_GROUP)
    e = e->right;
  const bool number = e->kind == PTX_E_NUMBER;
  o->kind = number && e->token.kind == PTX_T_F32   ? PTX_O_F32
            : number && e->token.kind == PTX_T_F64 ? PTX_O_F64
                                                   : PTX_O_IMM;
}

/* A byte or half of a register, which video instructions name. */
static bool is_part(const char *word) {
  const bool byte = word[0] == 'b' && word[1] >= '0' && word[1] <= '3';
  return (byte || (word[0] == 'h' && (word[1] == '0' || word[1] == '1'))) && word[2] == '\0';
}

/* name, name+4, name.x, p|q */
static void parse_name(struct ptx_parser *p, struct ptx_operand *o) {
  const char *name = p->tok.text;
  ptx_advance(p);
  if (strcmp(name, "_") == 0 && !ptx_is(p, '|')) {
    o->kind = PTX_O_SINK;
    return;
  }
  resolve(p, name, o);
  if (strcmp(name, "_") == 0)
    o->kind = PTX_O_SINK;
  if (p->tok.kind == PTX_T_DOT &&
      (o->kind == PTX_O_NAME || (o->kind == PTX_O_REG && is_part(p->tok.text)))) {
    o->suffix = p->tok.text;
    ptx_advance(p);
  } else if (p->tok.kind == PTX_T_DOT) {
    ptx_fail(p->x, p->tok.line, "vector elements by name ('%s.%s') are not supported", name,
             p->tok.text);
  }
  if (ptx_accept(p, '|')) {
    unsigned line = p->tok.line;
    o->second = ptx_expect_id(p, "a register");
    o->reg2 = strcmp(o->second, "_") == 0 ? -1 : ptx_register_of(p, o->second, line);
  } else if (o->kind != PTX_O_SINK) {
    o->expr = ptx_parse_offset(p);
    o->value = o->expr ? (int64_t)o->expr->value : 0;
  }
}

/* A register, a name or a constant: what brackets, braces and signs stand around. */
static void parse_simple(struct ptx_parser *p, struct ptx_operand *o) {
  if (ptx_is(p, '-') && p->next.kind == PTX_T_ID && strcmp(p->next.text, "WARP_SZ") != 0)
    ptx_fail(p->x, p->tok.line, "'-' before '%s': a negated operand is not supported; use neg",
             p->next.text);
  if (ptx_is_constant(p))
    parse_constant(p, o);
  else if (p->tok.kind == PTX_T_ID)
    parse_name(p, o);
  else
    ptx_fail(p->x, p->tok.line, "syntax error: an operand expected before '%s'", ptx_shown(p));
}

static void parse_vector(struct ptx_parser *p, struct ptx_operand *o) {
  struct ptx_operand list[8];
  o->kind = PTX_O_VEC;
  do {
    if (o->nelems == 8)
      ptx_fail(p->x, p->tok.line, "a vector has at most eight elements");
    list[o->nelems] = (struct ptx_operand){.reg = -1, .reg2 = -1};
    if (ptx_is(p, '{') || ptx_is(p, '['))
      ptx_fail(p->x, p->tok.line, "brackets or braces are nested in a vector");
    parse_simple(p, &list[o->nelems++]);
  } while (ptx_more(p));
  ptx_expect(p, '}');
  o->elems = ptx_alloc(p->x, o->nelems * sizeof *o->elems);
  memcpy(o->elems, list, o->nelems * sizeof *o->elems);
}

struct ptx_operand ptx_parse_operand(struct ptx_parser *p) {
  struct ptx_operand o = {.reg = -1, .reg2 = -1};
  ptx_enter(p);
  if (ptx_accept(p, '[')) {
    o.mem = true;
    if (ptx_is(p, '[') || ptx_is(p, '{'))
      ptx_fail(p->x, p->tok.line, "brackets or braces are nested in an address");
    parse_simple(p, &o);
    if (ptx_is(p, ','))
      ptx_fail(p->x, p->tok.line, "texture coordinates are not supported; use global memory");
    ptx_expect(p, ']');
  } else if (ptx_accept(p, '{')) {
    parse_vector(p, &o);
  } else {
    o.neg = ptx_accept(p, '!');
    parse_simple(p, &o);
  }
  ptx_leave(p);
  return o;
}
