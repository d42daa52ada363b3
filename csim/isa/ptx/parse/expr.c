/* PTX constant expressions: 64-bit integers, and single float constants with a sign. */
#include <string.h>

#include "csim/isa/ptx/parse/parse.h"

static struct ptx_expr *new_expr(struct ptx_parser *p) {
  return ptx_alloc(p->x, sizeof(struct ptx_expr));
}

static bool is_float(const struct ptx_expr *e) {
  while (e->kind == PTX_E_SIGN || e->kind == PTX_E_GROUP)
    e = e->right;
  return e->kind == PTX_E_NUMBER && e->token.kind != PTX_T_INT;
}

bool ptx_is_constant(const struct ptx_parser *p) {
  return (p->tok.kind >= PTX_T_INT && p->tok.kind <= PTX_T_F64) ||
         (p->tok.kind == PTX_T_ID && strcmp(p->tok.text, "WARP_SZ") == 0) || ptx_is(p, '(') ||
         ptx_is(p, '-') || ptx_is(p, '+') || ptx_is(p, '~');
}

/* The value of a signed constant; a float's sign is its top bit. */
static uint64_t signed_value(struct ptx_parser *p, char op, const struct ptx_expr *e) {
  if (!is_float(e))
    return op == '-' ? 0 - e->value : op == '~' ? ~e->value : e->value;
  if (op == '~')
    ptx_fail(p->x, p->tok.line, "'~' of a float constant");
  while (e->kind != PTX_E_NUMBER)
    e = e->right;
  return op == '-' ? UINT64_C(1) << (e->token.kind == PTX_T_F32 ? 31 : 63) : 0;
}

static const struct ptx_expr *parse_binary(struct ptx_parser *p, unsigned level);

static const struct ptx_expr *parse_unary(struct ptx_parser *p) {
  struct ptx_expr *e = new_expr(p);
  ptx_enter(p);
  e->token = p->tok;
  if (ptx_is(p, '-') || ptx_is(p, '+') || ptx_is(p, '~')) {
    e->kind = PTX_E_SIGN;
    e->op = (char)p->tok.value;
    ptx_advance(p);
    e->right = parse_unary(p);
    e->is_unsigned = e->right->is_unsigned;
    e->value = signed_value(p, e->op, e->right);
    if (is_float(e->right))
      e->value ^= e->right->value;
  } else if (ptx_accept(p, '(')) {
    e->kind = PTX_E_GROUP;
    e->right = parse_binary(p, 0);
    e->is_unsigned = e->right->is_unsigned;
    e->value = e->right->value;
    ptx_expect(p, ')');
  } else if (p->tok.kind == PTX_T_ID && strcmp(p->tok.text, "WARP_SZ") == 0) {
    e->kind = PTX_E_NAME;
    e->value = ISA_WARP_SIZE;
    ptx_advance(p);
  } else if (p->tok.kind >= PTX_T_INT && p->tok.kind <= PTX_T_F64) {
    e->kind = PTX_E_NUMBER;
    e->value = p->tok.value;
    e->is_unsigned = p->tok.kind == PTX_T_INT && e->value > INT64_MAX;
    ptx_advance(p);
  } else {
    ptx_fail(p->x, p->tok.line, "syntax error: a constant expected before '%s'", ptx_shown(p));
  }
  ptx_leave(p);
  return e;
}

/* How tight each operator binds. */
enum { OR, XOR, AND, SHIFT, SUM, PRODUCT, LEVELS };

/* The operator of this level at the current token, 0 if there is none. */
static char operator_of(const struct ptx_parser *p, unsigned level) {
  static const char *const ops[LEVELS] = {"|", "^", "&", "<>", "+-", "*/%"};
  if (p->tok.kind != PTX_T_PUNCT || !strchr(ops[level], (int)p->tok.value))
    return 0;
  const bool twice = p->next.kind == PTX_T_PUNCT && p->next.value == p->tok.value;
  if (level == SHIFT && !twice)
    return 0;
  return *p->tok.text;
}

static uint64_t divide(struct ptx_parser *p, char op, uint64_t a, uint64_t b, bool is_unsigned) {
  if (b == 0)
    ptx_fail(p->x, p->tok.line, "a division by 0 in a constant");
  if (is_unsigned)
    return op == '/' ? a / b : a % b;
  if (b == UINT64_MAX)
    return op == '/' ? 0 - a : 0;
  return (uint64_t)(op == '/' ? (int64_t)a / (int64_t)b : (int64_t)a % (int64_t)b);
}

static uint64_t combine(struct ptx_parser *p, char op, uint64_t a, uint64_t b, bool is_unsigned) {
  switch (op) {
  case '+':
    return a + b;
  case '-':
    return a - b;
  case '*':
    return a * b;
  case '&':
    return a & b;
  case '|':
    return a | b;
  case '^':
    return a ^ b;
  case '<':
    return b > 63 ? 0 : a << b;
  case '>':
    if (!is_unsigned && a > INT64_MAX)
      return b > 63 ? UINT64_MAX : ~(~a >> b);
    return b > 63 ? 0 : a >> b;
  default:
    return divide(p, op, a, b, is_unsigned);
  }
}

/* left op right op right ..., of one level; left may be NULL: nothing, counted as 0. */
static const struct ptx_expr *parse_chain(struct ptx_parser *p, const struct ptx_expr *left,
                                          unsigned level) {
  enum { MOST = 100 };
  unsigned terms = 0;
  for (char op; (op = operator_of(p, level)) != 0;) {
    if (++terms > MOST)
      ptx_fail(p->x, p->tok.line, "a constant of more than %d terms", MOST);
    struct ptx_expr *e = new_expr(p);
    *e = (struct ptx_expr){.kind = PTX_E_PAIR, .op = op, .left = left, .token = p->tok};
    ptx_advance(p);
    if (level == SHIFT)
      ptx_advance(p);
    e->right = parse_binary(p, level + 1);
    if ((left && is_float(left)) || is_float(e->right))
      ptx_fail(p->x, p->tok.line, "arithmetic on float constants is not supported");
    e->is_unsigned = (left && left->is_unsigned) || e->right->is_unsigned;
    e->value = combine(p, op, left ? left->value : 0, e->right->value, e->is_unsigned);
    left = e;
  }
  return left;
}

static const struct ptx_expr *parse_binary(struct ptx_parser *p, unsigned level) {
  if (level == LEVELS)
    return parse_unary(p);
  return parse_chain(p, parse_binary(p, level + 1), level);
}

const struct ptx_expr *ptx_parse_expr(struct ptx_parser *p) { return parse_binary(p, 0); }

const struct ptx_expr *ptx_parse_offset(struct ptx_parser *p) { return parse_chain(p, NULL, SUM); }
