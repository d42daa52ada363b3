/* Random expressions.  Each has a value whatever its operands are: what C or OpenCL C leave open
 * does not occur (tree.h and ops.def: masked shifts, odd divisors, saturated conversions). */
#include <string.h>

#include "harness/random_cl/make.h"

#define SCALAR(base) ((struct shape){base, 1})

static const unsigned widths[] = {1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 8, 16};
static const unsigned powers[] = {2, 4, 8, 16};

struct shape any_shape(struct maker *m) {
  const enum base base = (enum base)pick(m, BASES);
  return (struct shape){base, widths[pick(m, sizeof widths / sizeof *widths)]};
}

struct expr *node(struct maker *m, int kind, struct shape shape, unsigned n) {
  struct expr *e = maker_take(m, sizeof *e);
  e->kind = kind;
  e->shape = shape;
  e->n = n;
  e->part = m->p->nparts++;
  m->size += shape.width;
  return e;
}

/* ---- constants ---- */

static uint64_t float_bits(enum base base, double value) {
  const float f = (float)value;
  uint32_t narrow;
  uint64_t bits;
  memcpy(&narrow, &f, sizeof narrow);
  memcpy(&bits, &value, sizeof bits);
  return base == FLOAT ? narrow : bits;
}

const struct expr *constant_of(struct maker *m, struct shape shape, int64_t value) {
  struct expr *e = node(m, CONST, shape, 0);
  for (unsigned i = 0; i < shape.width; i++)
    e->bits[i] = is_float(shape.base) ? float_bits(shape.base, (double)value) : (uint64_t)value;
  return e;
}

/* A number as its type holds it, with its sign in all 64 bits. */
static uint64_t in_type(enum base base, uint64_t n) {
  const unsigned unused = 64 - 8 * size_of(base);
  return is_signed(base) ? (uint64_t)((int64_t)(n << unused) >> unused) : n << unused >> unused;
}

/* Small numbers, powers of two and their neighbours, and any. */
static uint64_t number(struct maker *m, enum base base) {
  static const double reals[] = {0,    0.5,   1,      1.5,      2.5,          -1,           -0.75,
                                 1e10, 255.5, -128.5, 0x1p-130, 0x1.000002p0, 2147483648.0, 3e38};
  if (is_float(base))
    return float_bits(base, chance(m, 70) ? reals[pick(m, sizeof reals / sizeof *reals)]
                                          : (double)(int64_t)any_bits(m) * 0x1p-40);
  const uint64_t power = (uint64_t)1 << pick(m, 8 * size_of(base));
  const uint64_t n = chance(m, 40)   ? pick(m, 100)
                     : chance(m, 50) ? power + pick(m, 3) - 1
                                     : any_bits(m);
  return in_type(base, chance(m, 20) ? -n : n);
}

const struct expr *constant(struct maker *m, struct shape shape) {
  struct expr *e = node(m, CONST, shape, 0);
  for (unsigned i = 0; i < shape.width; i++)
    e->bits[i] = number(m, shape.base);
  return e;
}

/* ---- shapes ---- */

static const struct expr *convert(struct maker *m, const struct expr *from, enum base base) {
  struct expr *e = node(m, CONVERT, (struct shape){base, from->shape.width}, 1);
  const bool real = is_float(from->shape.base);
  e->a[0] = from;
  e->lane[0] = (uint8_t)(chance(m, 50) ? TO_PLAIN : pick(m, TO_RTN + 1));
  e->lane[1] = !is_float(base) && (real || chance(m, 30));
  e->lane[2] = from->shape.width == 1 && e->lane[0] == TO_PLAIN && !e->lane[1] && chance(m, 50);
  return e;
}

/* A plain conversion of integers, as a cast. */
static const struct expr *cast(struct maker *m, const struct expr *from, enum base base) {
  struct expr *e = node(m, CONVERT, (struct shape){base, from->shape.width}, 1);
  e->a[0] = from;
  e->lane[2] = from->shape.width == 1;
  return e;
}

/* A real that a small integer type holds, converted without saturation. */
static const struct expr *convert_in_range(struct maker *m, struct shape shape, unsigned depth) {
  const enum base from = integer(size_of(shape.base) < 2 ? 1 : 2, !is_signed(shape.base));
  const enum base real = chance(m, 50) ? FLOAT : DOUBLE;
  const struct expr *x = cast(m, expression(m, (struct shape){from, shape.width}, depth), real);
  struct expr *e = node(m, CONVERT, shape, 1);
  e->a[0] = x;
  e->lane[0] = (uint8_t)pick(m, TO_RTN + 1);
  return e;
}

const struct expr *bits_of(struct maker *m, const struct expr *from, struct shape shape) {
  struct expr *e = node(m, AS, shape, 1);
  e->a[0] = from;
  return e;
}

static const struct expr *swizzle(struct maker *m, const struct expr *from, unsigned width) {
  struct expr *e = node(m, SWIZZLE, (struct shape){from->shape.base, width}, 1);
  e->a[0] = from;
  for (unsigned i = 0; i < width; i++)
    e->lane[i] = (uint8_t)pick(m, from->shape.width);
  return e;
}

const struct expr *adapt(struct maker *m, const struct expr *e, struct shape shape) {
  if (e->shape.width != shape.width && e->shape.width > 1) {
    e = swizzle(m, e, shape.width);
  } else if (e->shape.width != shape.width) {
    struct expr *all = node(m, BUILD, (struct shape){e->shape.base, shape.width}, 1);
    all->a[0] = e;
    e = all;
  }
  if (e->shape.base == shape.base)
    return e;
  return size_of(e->shape.base) == size_of(shape.base) && chance(m, 40) ? bits_of(m, e, shape)
                                                                        : convert(m, e, shape.base);
}

/* ---- leaves ---- */

struct expr *reference(struct maker *m, const struct variable *v) {
  struct expr *e = node(m, REF, (struct shape){INT, 1}, 0);
  const struct type *t = v->type;
  e->var = v;
  for (; t->kind != PLAIN && e->n < STEPS; e->n++) {
    if (t->kind == ARRAY && m->indices < 3) {
      m->indices++;
      e->a[e->n] = expression(m, SCALAR(UINT), chance(m, 20) ? 1 : 0);
      m->indices--;
    } else if (t->kind == ARRAY) {
      e->a[e->n] = constant(m, SCALAR(UINT));
    } else {
      e->lane[e->n] = (uint8_t)pick(m, t->n);
    }
    t = type_at(e, e->n + 1);
  }
  e->shape = t->shape;
  return e;
}

bool is_punned(const struct expr *ref) {
  for (unsigned k = 0; k < ref->n; k++)
    if (type_at(ref, k)->kind == UNION)
      return true;
  return false;
}

static const struct expr *item(struct maker *m) {
  struct expr *e = node(m, ITEM, SCALAR(UINT), 0);
  e->lane[0] = (uint8_t)(chance(m, 60) ? 7 + pick(m, 2) : pick(m, ITEM_FUNCTIONS));
  e->lane[1] = (uint8_t)pick(m, 3);
  return e;
}

static const struct expr *leaf(struct maker *m, struct shape shape) {
  const unsigned kind = pick(m, 100);
  if (kind < 20)
    return constant(m, shape);
  if (kind < 28)
    return adapt(m, item(m), shape);
  if (kind < 75 && m->nscope != 0) {
    /* Rather one of the same shape. */
    const struct variable *v = m->scope[pick(m, (unsigned)m->nscope)];
    for (unsigned i = 0; i < 4 && !(v->type->kind == PLAIN && same(v->type->shape, shape)); i++)
      v = m->scope[pick(m, (unsigned)m->nscope)];
    return adapt(m, reference(m, v), shape);
  }
  struct expr *e = node(m, LOAD, shape, 1);
  e->a[0] = chance(m, 50) ? item(m) : constant_of(m, SCALAR(UINT), pick(m, 200));
  e->lane[0] = (uint8_t)(shape.width > 1 && chance(m, 40) ? LOAD_VLOAD : LOAD_CAST);
  return e;
}

/* ---- operations ---- */

/* Returns true if an operation can have a result of this shape. */
static bool gives(const struct op *op, struct shape shape) {
  const bool vector = shape.width > 1, whole = !is_float(shape.base);
  switch (op->class) {
  case INTS:
    return whole;
  case UNSIGNED:
    return whole && !is_signed(shape.base);
  case FLOATS:
    return !whole;
  case TRUTH:
    return vector ? is_signed(shape.base) && (op->operands[0] != 'y' || size_of(shape.base) >= 4)
                  : shape.base == INT;
  case SHORTER:
    return whole && size_of(shape.base) > 1;
  case ANY_ALL:
    return !vector && shape.base == INT;
  default:
    return true;
  }
}

/* A random base of operands whose truth is tested: in vectors as wide as the result. */
static enum base tested(struct maker *m, char code, struct shape shape) {
  const bool vector = shape.width > 1;
  const unsigned size = vector ? size_of(shape.base) : 1U << pick(m, 4);
  const bool real = code == 'y' || (code == 'z' && size >= 4 && chance(m, 30));
  if (real)
    return vector ? (size == 4 ? FLOAT : DOUBLE) : (chance(m, 50) ? FLOAT : DOUBLE);
  return integer(size, chance(m, 50));
}

static struct shape operand_shape(struct maker *m, char code, struct shape s, enum base test) {
  const unsigned size = size_of(s.base);
  switch (code) {
  case 'u':
  case 's':
  case 'i':
    return (struct shape){integer(size, code == 'u' || (code == 'i' && chance(m, 50))), s.width};
  case 'l':
  case 'h':
    return (struct shape){integer(size / 2, code == 'l' || !is_signed(s.base)), s.width};
  case '1':
    return SCALAR(s.base);
  case 'k':
    return SCALAR(INT);
  case 'v':
    s = any_shape(m);
    return (struct shape){integer(size_of(s.base), false), s.width};
  case 'x':
  case 'y':
  case 'z':
    return (struct shape){test, s.width};
  default:
    return s;
  }
}

static const struct expr *operation(struct maker *m, const struct op *op, struct shape shape,
                                    unsigned depth) {
  struct expr *e = node(m, OP, shape, (unsigned)strlen(op->operands));
  const enum base test = tested(m, op->operands[0], shape);
  e->op = op;
  for (unsigned i = 0; i < e->n; i++)
    e->a[i] = op->operands[i] == 'q'
                  ? leaf(m, shape)
                  : expression(m, operand_shape(m, op->operands[i], shape, test), depth - 1);
  return e;
}

static const struct op *named(const char *name) {
  const struct op *op = ops;
  while (strcmp(op->name, name) != 0)
    op++;
  return op;
}

static const struct expr *apply(struct maker *m, const char *name, struct shape shape,
                                const struct expr *a, const struct expr *b) {
  struct expr *e = node(m, OP, shape, b != NULL ? 2 : 1);
  e->op = named(name);
  e->a[0] = a;
  e->a[1] = b;
  return e;
}

/* Forms that compilers rewrite: fields of wide integers, minus a truth value, products by powers.
 */
static const struct expr *idiom(struct maker *m, struct shape shape, unsigned depth) {
  const struct shape wide = {LONG, shape.width}, narrow = {INT, shape.width};
  const bool often = chance(m, 70), half = chance(m, 50);
  const struct expr *e;
  switch (pick(m, 4)) {
  case 0: /* (x >> n) & mask */
    e = expression(m, wide, depth - 1);
    e = apply(m, "shr", wide, e, constant_of(m, wide, 32 + pick(m, 31)));
    e = apply(m, "and", wide, e, constant_of(m, wide, ((int64_t)256 << pick(m, 40)) - 1));
    break;
  case 1: /* (ushort)(x >> n) */
    e = expression(m, wide, depth - 1);
    e = apply(m, "shr", wide, e, constant_of(m, wide, 20 + pick(m, 43)));
    e = cast(m, e, integer(1U << pick(m, 3), often));
    break;
  case 2: { /* (float)-(p & q) */
    static const char *const both[] = {"and", "or", "xor"};
    const struct expr *p = operation(m, named("lt"), narrow, depth),
                      *q = operation(m, named(half ? "eq" : "gt"), narrow, depth);
    e = apply(m, both[pick(m, 3)], narrow, p, q);
    e = often ? apply(m, "neg", narrow, e, NULL) : e;
    e = cast(m, e, chance(m, 50) ? FLOAT : DOUBLE);
    break;
  }
  default: /* (long)x << 31 */
    e = expression(m, half ? narrow : (struct shape){SHORT, shape.width}, depth - 1);
    e = cast(m, half ? e : cast(m, e, INT), LONG);
    e = apply(m, "shl", wide, e, constant_of(m, wide, often ? 31 : 15));
  }
  return same(e->shape, shape)     ? e
         : is_float(e->shape.base) ? convert(m, e, shape.base)
                                   : cast(m, e, shape.base);
}

static const struct expr *of_bits(struct maker *m, struct shape shape, unsigned depth) {
  const unsigned bytes = size_of(shape.base) * shape.width;
  struct shape from = {(enum base)pick(m, BASES), shape.width};
  while (
      size_of(from.base) != size_of(shape.base) &&
      (shape.width == 3 || bytes % size_of(from.base) != 0 || bytes / size_of(from.base) > LANES))
    from.base = (enum base)pick(m, BASES);
  from.width = bytes / size_of(from.base);
  return bits_of(m, expression(m, from, depth), shape);
}

static const struct expr *built(struct maker *m, struct shape shape, unsigned depth) {
  struct expr *e = node(m, BUILD, shape, 0);
  for (unsigned left = shape.width; left != 0; e->n++) {
    unsigned width = widths[pick(m, sizeof widths / sizeof *widths)];
    width = width < shape.width && width <= left ? width : 1;
    e->a[e->n] = expression(m, (struct shape){shape.base, width}, shape.width > 4 ? 0 : depth);
    left -= width;
  }
  return e;
}

static const struct expr *shuffled(struct maker *m, struct shape shape, unsigned depth) {
  const struct shape from = {shape.base, powers[pick(m, 4)]};
  struct expr *e = node(m, SHUFFLE, shape, 2 + pick(m, 2));
  m->size += (e->n - 1) * from.width * shape.width; /* lanes are compared with each other */
  for (unsigned i = 0; i < e->n; i++)
    e->a[i] = expression(
        m, i + 1 < e->n ? from : (struct shape){integer(size_of(shape.base), true), shape.width},
        i == 0 ? depth : 0);
  return e;
}

/* Kernels of about 21,000 such operations have as many instructions as a program may. */
enum { SIZE_MOST = 12000 };

/* Functions that a call would make too long are not called. */
static const struct expr *called(struct maker *m, struct shape shape, unsigned depth) {
  unsigned n = 0;
  const struct function *f = m->p->functions;
  for (; f != NULL; f = f->next)
    n++;
  if (n == 0 || m->calls == 0)
    return expression(m, shape, depth);
  n = pick(m, n);
  for (f = m->p->functions; n != 0; n--)
    f = f->next;
  if (m->size + f->size > SIZE_MOST)
    return expression(m, shape, depth);
  m->calls--;
  m->size += f->size;
  struct expr *e = node(m, CALL, f->result, f->nparameters);
  e->function = f;
  for (unsigned i = 0; i < e->n; i++)
    e->a[i] = expression(m, f->parameters[i]->type->shape, depth);
  return adapt(m, e, shape);
}

const struct expr *expression(struct maker *m, struct shape shape, unsigned depth) {
  if (depth == 0 || maker_full(m) || chance(m, 10))
    return leaf(m, shape);
  const unsigned kind = pick(m, 100), less = depth - 1;
  if (kind < 11)
    return idiom(m, shape, depth);
  if (kind < 18)
    return is_float(shape.base) || chance(m, 70)
               ? convert(
                     m, expression(m, (struct shape){(enum base)pick(m, BASES), shape.width}, less),
                     shape.base)
               : convert_in_range(m, shape, less);
  if (kind < 24)
    return of_bits(m, shape, less);
  if (kind < 30)
    return swizzle(
        m, expression(m, (struct shape){shape.base, chance(m, 30) ? 3 : powers[pick(m, 4)]}, less),
        shape.width);
  if (kind < 36 && shape.width > 1)
    return built(m, shape, less);
  if (kind < 40 && shape.width > 1 && shape.width != 3)
    return shuffled(m, shape, less);
  if (kind < 46)
    return called(m, shape, less);
  const struct op *op = &ops[pick(m, (unsigned)ops_count)];
  while (!gives(op, shape))
    op = &ops[pick(m, (unsigned)ops_count)];
  return operation(m, op, shape, depth);
}
