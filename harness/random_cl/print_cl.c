/* Expressions in OpenCL C. */
#include <string.h>

#include "harness/random_cl/print.h"

/* Operands after an opening text, with commas between them. */
static void print_operands(struct printer *w, const struct expr *e, const char *open) {
  for (unsigned i = 0; i < e->n; i++)
    say(w, "%s%e", i == 0 ? open : ", ", e->a[i]);
  say(w, ")");
}

static void print_constant(struct printer *w, const struct expr *e) {
  say(w, "((%t", e->shape);
  for (unsigned i = 0; i < e->shape.width; i++) {
    say(w, i == 0 ? ")(" : ", ");
    if (e->shape.width > 1 && !is_float(e->shape.base))
      say(w, "(%s)", base_names[e->shape.base]);
    print_number(w, e->shape.base, e->bits[i]);
  }
  say(w, "))");
}

/* A type's name in the place of $A's: unsigned, and as wide as arithmetic is. */
static struct shape as_unsigned(struct shape s) {
  const unsigned size = size_of(s.base);
  return (struct shape){integer(s.width == 1 && size < 4 ? 4 : size, true), s.width};
}

/* `(T)(` or `as_T(`. */
static void open_cast(struct printer *w, struct shape s) {
  say(w, s.width > 1 ? "as_%t(" : "(%t)(", s);
}

static void splat(struct printer *w, struct shape s, uint64_t number) {
  say(w, "(%t)(", s);
  print_number(w, s.base, number);
  say(w, ")");
}

static void print_template(struct printer *w, const struct expr *e) {
  const unsigned bits = 8 * size_of(e->shape.base);
  const bool again = *e->op->text == '=' || (*e->op->text == '#' && e->shape.width == 1);
  const char *c = e->op->text + (*e->op->text == '=' || *e->op->text == '#');
  say(w, "(");
  if (again)
    open_cast(w, e->shape);
  for (; *c != '\0'; c++) {
    if (*c != '$') {
      fputc(*c, w->out);
      continue;
    }
    c++;
    if (strchr("abc", *c) != NULL) {
      print_cl(w, e->a[*c - 'a']);
    } else if (strchr("AB", *c) != NULL) {
      open_cast(w, as_unsigned(e->a[*c - 'A']->shape));
      say(w, "%e)", e->a[*c - 'A']);
    } else if (*c == 't') {
      say(w, "%t", e->shape);
    } else if (*c == 'm') {
      splat(w, as_unsigned(e->shape), bits - 1);
    } else {
      splat(w, e->shape, *c == 'n' ? bits - 1 : UINT64_MAX >> (65 - bits));
    }
  }
  say(w, again ? "))" : ")");
}

static void print_convert(struct printer *w, const struct expr *e) {
  static const char *const modes[] = {"", "_rte", "_rtz", "_rtp", "_rtn"};
  if (e->lane[2] != 0)
    open_cast(w, e->shape);
  else
    say(w, "convert_%t%s%s(", e->shape, e->lane[1] != 0 ? "_sat" : "", modes[e->lane[0]]);
  say(w, "%e)", e->a[0]);
}

static void print_load(struct printer *w, const struct expr *e) {
  const unsigned width = e->lane[0] == LOAD_CAST && e->shape.width == 3 ? 4 : e->shape.width,
                 n = 4 * INPUT_WORDS / (size_of(e->shape.base) * width);
  if (e->lane[0] == LOAD_VLOAD)
    say(w, "vload%u(%e %% %uu, (__global const %s *)in)", width, e->a[0], n,
        base_names[e->shape.base]);
  else
    say(w, "((__global const %t *)in)[%e %% %uu]", e->shape, e->a[0], n);
}

void print_lanes(struct printer *w, const struct expr *e) {
  say(w, ".s");
  for (unsigned i = 0; i < e->shape.width; i++)
    say(w, "%x", e->lane[i]);
}

void print_cl(struct printer *w, const struct expr *e) {
  e = shown(w, e);
  const bool real = e->n != 0 && e->a[0] != NULL && is_float(e->a[0]->shape.base);
  switch (e->kind) {
  case CONST:
    print_constant(w, e);
    break;
  case REF:
    say(w, "%p", e);
    break;
  case LOAD:
    print_load(w, e);
    break;
  case ITEM:
    say(w, e->lane[0] == 6 ? "(uint)%s()" : "(uint)%s(%u)", item_functions[e->lane[0]], e->lane[1]);
    break;
  case OP:
    say(w, "%s", e->op->text == NULL ? e->op->name : "");
    if (e->op->text != NULL)
      print_template(w, e);
    else
      print_operands(w, e, "(");
    break;
  case SWIZZLE:
    print_cl(w, e->a[0]);
    print_lanes(w, e);
    break;
  case BUILD:
    say(w, "((%t)", e->shape);
    print_operands(w, e, "(");
    say(w, ")");
    break;
  case CONVERT:
    print_convert(w, e);
    break;
  case AS:
    say(w, real ? "as_%t(canon(%e))" : "as_%t(%e)", e->shape, e->a[0]);
    break;
  case SHUFFLE:
    print_operands(w, e, e->n == 2 ? "shuffle(" : "shuffle2(");
    break;
  case CALL:
    say(w, "f%u_%i(in", e->function->number);
    print_operands(w, e, ", ");
    break;
  }
}
