/* Expressions in C: statements that leave each value in a variable of its own. */
#include <string.h>

#include "harness/random_cl/print.h"

static unsigned room(unsigned width) { return width == 3 ? 4 : width; }

static void emit_constant(struct printer *w, const struct expr *e, unsigned t) {
  for (unsigned i = 0; i < e->shape.width; i++) {
    say(w, "t%u[%u] = ", t, i);
    print_number(w, e->shape.base, e->bits[i]);
    say(w, "; ");
  }
}

/* Operands of a lane; a scalar serves all. */
static void emit_operation(struct printer *w, const struct expr *e, unsigned t,
                           const unsigned a[LANES]) {
  const unsigned width = e->shape.width;
  if (e->op->class == ANY_ALL) {
    const bool all = strcmp(e->op->name, "all") == 0;
    say(w, "t%u[0] = %d; L(%u) t%u[0] %s MSB(t%u[i]);", t, all, e->a[0]->shape.width, t,
        all ? "&=" : "|=", a[0]);
    return;
  }
  say(w, "L(%u) t%u[i] = op_%s(%s, %u", width, t, e->op->name, c_names[e->shape.base], width);
  for (unsigned i = 0; i < e->n; i++)
    say(w, e->a[i]->shape.width == 1 ? ", t%u[0]" : ", t%u[i]", a[i]);
  say(w, w->broken != NULL && strcmp(w->broken, e->op->name) == 0 ? ") + 1;" : ");");
}

static void emit_convert(struct printer *w, const struct expr *e, unsigned t, unsigned a) {
  const enum base to = e->shape.base, from = e->a[0]->shape.base;
  const char *how = is_float(to) ? "to_real" : is_float(from) ? "from_real" : "to_int";
  say(w, "L(%u) t%u[i] = %s(%s, %u, %u, t%u[i]);", e->shape.width, t, how, c_names[to], e->lane[0],
      e->lane[1], a);
}

static void emit_bits(struct printer *w, const struct expr *e, unsigned t, unsigned a) {
  const struct shape from = e->a[0]->shape;
  if (is_float(from.base))
    say(w, "L(%u) { uint%u_t b = bits(t%u[i]); memcpy(&t%u[i], &b, sizeof b); } ", from.width,
        8 * size_of(from.base), a, a);
  say(w, "memcpy(t%u, t%u, sizeof t%u);", t, a, t);
}

static void emit_built(struct printer *w, const struct expr *e, unsigned t,
                       const unsigned a[LANES]) {
  for (unsigned i = 0, lane = 0; i < e->n; lane += e->a[i++]->shape.width)
    if (e->n == 1)
      say(w, "L(%u) t%u[i] = t%u[0];", e->shape.width, t, a[0]);
    else
      say(w, "memcpy(t%u + %u, t%u, sizeof t%u); ", t, lane, a[i], a[i]);
}

static void emit_load(struct printer *w, const struct expr *e, unsigned t, unsigned a) {
  const unsigned size = size_of(e->shape.base),
                 bytes = size * (e->lane[0] == LOAD_CAST ? room(e->shape.width) : e->shape.width);
  say(w, "memcpy(t%u, (const char *)in + t%u[0] %% %uu * %u, sizeof t%u);", t, a,
      4 * INPUT_WORDS / bytes, bytes, t);
}

static void emit_call(struct printer *w, const struct expr *e, unsigned t,
                      const unsigned a[LANES]) {
  say(w, "f%u_%i(t%u", e->function->number, t);
  for (unsigned i = 0; i < e->n; i++)
    say(w, ", t%u", a[i]);
  say(w, ");");
}

unsigned compute(struct printer *w, const struct expr *e) {
  unsigned a[LANES] = {0};
  e = shown(w, e);
  for (unsigned i = 0; e->kind != REF && i < e->n; i++)
    a[i] = compute(w, e->a[i]);
  const unsigned t = w->values++, width = e->shape.width;
  say(w, "%s t%u[%u]; ", c_names[e->shape.base], t, width);
  switch (e->kind) {
  case CONST:
    emit_constant(w, e, t);
    break;
  case REF:
    say(w, "memcpy(t%u, %p, sizeof t%u);", t, e, t);
    break;
  case LOAD:
    emit_load(w, e, t, a[0]);
    break;
  case ITEM:
    say(w, e->lane[0] == 6 ? "t%u[0] = %s();" : "t%u[0] = %s(%u);", t, item_functions[e->lane[0]],
        e->lane[1]);
    break;
  case OP:
    emit_operation(w, e, t, a);
    break;
  case SWIZZLE:
    for (unsigned i = 0; i < width; i++)
      say(w, "t%u[%u] = t%u[%u]; ", t, i, a[0], e->lane[i]);
    break;
  case BUILD:
    emit_built(w, e, t, a);
    break;
  case CONVERT:
    emit_convert(w, e, t, a[0]);
    break;
  case AS:
    emit_bits(w, e, t, a[0]);
    break;
  case SHUFFLE: {
    const unsigned n = e->a[0]->shape.width;
    say(w, "L(%u) { unsigned k = t%u[i] & %u; t%u[i] = k < %u ? t%u[k %% %u] : t%u[k %% %u]; }",
        width, a[e->n - 1], (e->n - 1) * n - 1, t, n, a[0], n, a[e->n - 2], n);
    break;
  }
  case CALL:
    emit_call(w, e, t, a);
    break;
  }
  say(w, " ");
  return t;
}
