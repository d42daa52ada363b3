/* Random programs: types, variables, functions, statements.
 *
 * Work-items share memory only where that has one outcome: an array in local memory is written by
 * its owner, or by an asynchronous copy, and is read between barriers that all items reach; of an
 * atomic operation the result is not used, and a counter has only operations that commute. */
#include <stdlib.h>
#include <string.h>

#include "harness/random_cl/make.h"
#include "harness/random_cl/random_cl.h"

enum { ROOM = 16 << 20, SHARED_MOST = 16384, DEPTH = 3 };

/* Where statements stand. */
struct place {
  unsigned depth;
  bool loop, uniform; /* break is possible; all items come here */
  const struct variable *tally;
};

/* ---- room and numbers ---- */

void *maker_take(struct maker *m, size_t bytes) {
  struct program *p = m->p;
  bytes = (bytes + 15) / 16 * 16;
  if (p->used + bytes > ROOM)
    abort(); /* maker_full leaves three quarters of the room for what is short */
  p->used += bytes;
  return p->room + p->used - bytes;
}

bool maker_full(const struct maker *m) { return m->p->used > ROOM / 4; }

/* SplitMix64. */
uint64_t any_bits(struct maker *m) {
  uint64_t z = m->state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

unsigned pick(struct maker *m, unsigned n) { return (unsigned)((any_bits(m) >> 32) * n >> 32); }

bool chance(struct maker *m, unsigned percent) { return pick(m, 100) < percent; }

/* ---- types and variables ---- */

static struct type *new_type(struct maker *m, int kind, unsigned n) {
  struct type *t = maker_take(m, sizeof *t);
  t->kind = kind;
  t->n = n;
  t->part = m->p->nparts++;
  t->number = m->numbers++;
  return t;
}

static const struct type *plain(struct maker *m, struct shape shape) {
  struct type *t = maker_take(m, sizeof *t);
  t->shape = shape;
  return t;
}

static const struct type *array(struct maker *m, const struct type *of, unsigned n) {
  struct type *t = new_type(m, ARRAY, n);
  t->of[0] = of;
  return t;
}

/* A shape of the same size, for a member of a union. */
static struct shape overlay(struct maker *m, struct shape shape) {
  const unsigned bytes = size_of(shape.base) * shape.width;
  for (;;) {
    const enum base base = (enum base)pick(m, BASES);
    if (size_of(base) == size_of(shape.base))
      return (struct shape){base, shape.width};
    if (shape.width != 3 && bytes % size_of(base) == 0 && bytes / size_of(base) <= LANES)
      return (struct shape){base, bytes / size_of(base)};
  }
}

static const struct type *any_type(struct maker *m, unsigned depth) {
  const unsigned kind = depth == 0 ? 0 : pick(m, 100);
  const struct shape shape = any_shape(m);
  if (kind < 40 || m->p->ntypes > TYPES / 2)
    return plain(m, shape);
  if (kind < 70) {
    const unsigned n = 2 + pick(m, 4);
    return array(m, any_type(m, depth - 1), n);
  }
  struct type *t = new_type(m, kind < 88 ? STRUCT : UNION, 2 + pick(m, MEMBERS - 1));
  for (unsigned i = 0; i < t->n; i++)
    t->of[i] =
        t->kind == STRUCT ? any_type(m, depth - 1) : plain(m, i == 0 ? shape : overlay(m, shape));
  m->p->types[m->p->ntypes++] = t;
  return t;
}

/* An initialiser, of constants or of what the scope has. */
static const struct init *init_of(struct maker *m, const struct type *t, bool constants) {
  struct init *i = maker_take(m, sizeof *i);
  if (t->kind == PLAIN) {
    i->value = constants ? constant(m, t->shape) : expression(m, t->shape, 2);
    return i;
  }
  i->n = t->kind == UNION ? 1 : chance(m, 60) ? t->n : 1 + pick(m, t->n);
  for (unsigned k = 0; k < i->n; k++)
    i->of[k] =
        init_of(m, t->of[t->kind == ARRAY ? 0 : k], constants || t->kind == UNION || chance(m, 60));
  return i;
}

static struct variable *variable(struct maker *m, int space, const struct type *type) {
  struct variable *v = maker_take(m, sizeof *v);
  v->space = space;
  v->type = type;
  v->part = m->p->nparts++;
  v->number = m->numbers++;
  return v;
}

static void push(struct maker *m, const struct variable *v) {
  if (m->nscope < SCOPE)
    m->scope[m->nscope++] = v;
}

static void append(struct variable **list, struct variable *v) {
  while (*list != NULL)
    list = &(*list)->next;
  *list = v;
}

/* Variables with initialisers, which the later ones may use. */
static void variables(struct maker *m, int space, struct variable **list, unsigned n,
                      unsigned depth) {
  for (unsigned i = 0; i < n; i++) {
    struct variable *v = variable(m, space, any_type(m, depth));
    v->init = init_of(m, v->type, space == CONSTANT);
    append(list, v);
    push(m, v);
  }
}

/* ---- statements ---- */

static struct statement *block(struct maker *m, unsigned n, struct place at);

static struct place inner(struct place at) {
  at.depth--;
  at.uniform = false;
  return at;
}

/* One of the variables that may be written; NULL: there is none. */
static const struct variable *target(struct maker *m) {
  const struct variable *v = NULL;
  unsigned n = 0;
  for (size_t i = 0; i < m->nscope; i++)
    if (m->scope[i]->space == PRIVATE && pick(m, ++n) == 0)
      v = m->scope[i];
  return v;
}

static void assign(struct maker *m, struct statement *s, const struct variable *from) {
  const struct variable *v = target(m);
  const struct expr *to = reference(m, v);
  const bool punned = is_punned(to) && is_float(to->shape.base);
  if (to->shape.width > 1 && chance(m, 30)) {
    const unsigned first = pick(m, to->shape.width), all = to->shape.width;
    const unsigned n = all < 4 ? 1 : all == 4 ? 2 + pick(m, 2) : 4;
    struct expr *lanes = node(m, SWIZZLE, (struct shape){to->shape.base, n}, 1);
    for (unsigned i = 0; i < n; i++) /* an odd step meets each lane once; of three, there is one */
      lanes->lane[i] = (uint8_t)((first + i * 3) % all);
    lanes->a[0] = to;
    to = lanes;
  }
  s->kind = ASSIGN;
  s->to = to;
  s->value =
      from != NULL ? adapt(m, reference(m, from), to->shape) : expression(m, to->shape, DEPTH);
  if (punned) { /* no bits of any NaN may be read through another member */
    const struct shape bits = {integer(size_of(to->shape.base), true), to->shape.width};
    s->value = bits_of(m, bits_of(m, s->value, bits), to->shape);
  }
}

static void loop(struct maker *m, struct statement *s, struct place at) {
  const bool uniform = at.uniform && chance(m, 50);
  const size_t scope = m->nscope;
  const struct shape index = {UINT, 1};
  struct place in = inner(at);
  in.uniform = uniform;
  s->kind = LOOP;
  s->form = (int)pick(m, 4);
  m->p->nparts++; /* the loop around its body */
  s->limit = 2 + pick(m, 5);
  s->value = uniform ? constant_of(m, index, pick(m, 7)) : expression(m, index, 1);
  s->var = variable(m, COUNT, plain(m, index));
  in.loop = !uniform && s->form != GOTO;
  push(m, s->var);
  s->body = block(m, 1 + pick(m, 3), in);
  m->nscope = scope;
}

static void choice(struct maker *m, struct statement *s, struct place at) {
  struct place in = inner(at);
  in.loop = false;
  s->kind = SWITCH;
  s->value = expression(m, (struct shape){UINT, 1}, 2);
  s->limit = 2 + pick(m, 4);
  for (unsigned i = 0; i < s->limit; i++) {
    s->flow[i] = (uint8_t)((i * 3 % 8) | (chance(m, 30) ? FOLLOWS : 0));
    s->cases[i] = block(m, 1 + pick(m, 2), in);
  }
  if (chance(m, 60))
    s->flow[pick(m, s->limit)] = DEFAULT;
}

static struct variable *shared(struct maker *m, struct shape shape, unsigned n) {
  const unsigned bytes = size_of(shape.base) * (shape.width == 3 ? 4 : shape.width) * n;
  if (m->p->shared + bytes > SHARED_MOST)
    return NULL;
  struct variable *v = variable(m, LOCAL, array(m, plain(m, shape), n));
  m->p->shared += bytes;
  append(&m->p->locals, v);
  return v;
}

/* Statements that read v, which is sure to be read. */
static struct statement *reading(struct maker *m, const struct variable *v, struct place at) {
  const size_t scope = m->nscope;
  struct statement *s = maker_take(m, sizeof *s);
  s->part = m->p->nparts++;
  push(m, v);
  assign(m, s, v);
  s->next = block(m, 1 + pick(m, 3), inner(at));
  m->nscope = scope;
  return s;
}

static bool share(struct maker *m, struct statement *s, struct place at) {
  const struct shape shape = any_shape(m);
  const struct variable *v = shared(m, shape, m->p->items);
  if (v == NULL)
    return false;
  s->kind = SHARE;
  s->value = expression(m, shape, 2);
  s->var = v;
  s->body = reading(m, v, at);
  return true;
}

static bool copy(struct maker *m, struct statement *s, struct place at) {
  const struct shape shape = any_shape(m);
  const unsigned n = chance(m, 40) ? 1 : 2 + pick(m, m->p->items),
                 bytes = size_of(shape.base) * (shape.width == 3 ? 4 : shape.width);
  s->kind = COPY;
  s->stride = chance(m, 30) ? 2 : 1;
  if (n * s->stride * bytes > 4 * INPUT_WORDS)
    return false;
  s->limit = pick(m, 4 * INPUT_WORDS / bytes - n * s->stride + 1);
  s->var = shared(m, shape, n);
  if (s->var == NULL)
    return false;
  s->body = reading(m, s->var, at);
  return true;
}

static bool tally(struct maker *m, struct statement *s, struct place at) {
  const struct variable *v = shared(m, (struct shape){UINT, 1}, COUNTERS);
  struct place in = inner(at);
  if (v == NULL)
    return false;
  in.tally = v;
  s->kind = TALLY;
  s->var = v;
  s->limit = (unsigned)any_bits(m);
  s->body = block(m, 2 + pick(m, 3), in);
  s->other = reading(m, v, at);
  return true;
}

static void atomic(struct maker *m, struct statement *s, struct place at) {
  s->kind = ATOMIC;
  s->var = chance(m, 70) ? at.tally : NULL;
  do
    s->number = pick(m, (unsigned)atomics_count);
  while (s->var != NULL && atomics[s->number].wide);
  s->value = expression(m, (struct shape){atomics[s->number].base, 1}, 2);
}

/* A statement with a condition. */
static void branch(struct maker *m, struct statement *s, int kind, struct place at) {
  s->kind = kind;
  s->value = expression(m, (struct shape){INT, 1}, 2);
  s->limit = pick(m, 2);
  if (s->kind == RETURN)
    s->to = expression(m, m->function->result, 1);
  if (s->kind == IF || s->kind == SKIP) {
    m->p->nparts++; /* the condition around its body */
    s->body = block(m, 1 + pick(m, 3), inner(at));
  }
  if (s->kind == IF && chance(m, 40))
    s->other = block(m, 1 + pick(m, 2), inner(at));
}

/* Makes one statement; false: none could be made here. */
static bool fill(struct maker *m, struct statement *s, struct place at) {
  const bool kernel = m->function->number == 0;
  const unsigned kind = at.tally != NULL && chance(m, 50) ? 60 : pick(m, at.depth == 0 ? 72 : 120);
  if (kind < 52 || (kind < 60 && !at.loop))
    assign(m, s, NULL);
  else if (kind >= 60 && kind < 72 && kernel)
    atomic(m, s, at);
  else if (kind >= 86 && kind < 100)
    loop(m, s, at);
  else if (kind >= 100 && kind < 108)
    choice(m, s, at);
  else if (kind >= 108 && at.uniform && kernel)
    return kind < 113 ? share(m, s, at) : kind < 118 ? copy(m, s, at) : tally(m, s, at);
  else
    branch(m, s, kind < 60 ? LEAVE : kind < 72 ? RETURN : kind < 77 ? SKIP : IF, at);
  return true;
}

static struct statement *block(struct maker *m, unsigned n, struct place at) {
  struct statement *first = NULL, **end = &first;
  for (unsigned i = 0; i < n && !maker_full(m); i++) {
    struct statement *s = maker_take(m, sizeof *s);
    s->part = m->p->nparts++;
    s->number = m->numbers++;
    if (fill(m, s, at)) {
      *end = s;
      end = &s->next;
    }
  }
  return first;
}

/* ---- functions ---- */

static struct function *begin(struct maker *m, size_t scope) {
  struct function *f = maker_take(m, sizeof *f);
  f->part = m->p->nparts++;
  m->nscope = scope;
  m->function = f;
  m->size = 0;
  m->calls = 2;
  return f;
}

static void end(struct maker *m, struct function *f) {
  f->size = m->size;
  struct function **last = &m->p->functions;
  while (*last != NULL)
    last = &(*last)->next;
  *last = f;
}

static void function(struct maker *m, size_t scope) {
  struct function *f = begin(m, scope);
  f->number = m->numbers++;
  f->noinline_ = chance(m, 50);
  f->result = any_shape(m);
  f->nparameters = 1 + pick(m, PARAMETERS - 1);
  for (unsigned i = 0; i < f->nparameters; i++) {
    f->parameters[i] = variable(m, PARAMETER, plain(m, any_shape(m)));
    push(m, f->parameters[i]);
  }
  variables(m, PRIVATE, &f->vars, 1 + pick(m, 2), 1);
  f->body = block(m, 2 + pick(m, 3), (struct place){.depth = 1});
  f->value = expression(m, f->result, DEPTH);
  end(m, f);
}

static void kernel(struct maker *m, size_t scope, unsigned size) {
  struct function *f = begin(m, scope);
  m->calls = 8;
  variables(m, PRIVATE, &f->vars, 4 + pick(m, 4), 2);
  f->body = block(m, size, (struct place){.depth = 2, .uniform = true});
  struct statement **last = &f->body;
  while (*last != NULL)
    last = &(*last)->next;
  for (const struct variable *v = f->vars; v != NULL; v = v->next, last = &(*last)->next) {
    *last = maker_take(m, sizeof **last);
    **last = (struct statement){
        .kind = SUM, .part = m->p->nparts++, .number = m->p->results++, .var = v};
  }
  end(m, f);
}

/* The launch: up to three dimensions, up to 64 items of a group, up to four groups. */
static void size(struct maker *m) {
  static const uint8_t blocks[][3] = {{64, 1, 1}, {32, 1, 1}, {40, 1, 1}, {7, 1, 1},
                                      {8, 4, 1},  {16, 3, 1}, {4, 4, 3},  {1, 1, 1}};
  struct program *p = m->p;
  const uint8_t *block = blocks[pick(m, sizeof blocks / sizeof *blocks)];
  p->dims = block[2] > 1 ? 3 : block[1] > 1 ? 2 + pick(m, 2) : 1 + pick(m, 3);
  p->items = 1;
  for (unsigned d = 0; d < 3; d++) {
    p->block[d] = block[d];
    p->items *= block[d];
    p->grid[d] = d == 0 ? 1 + pick(m, 2) : d < p->dims ? 1 + pick(m, 2) : 1;
  }
}

struct program *random_cl_make(uint64_t seed, uint64_t index, unsigned count) {
  static const unsigned widths[] = {1, 2, 3, 4, 8, 16};
  struct program *p = calloc(1, sizeof *p);
  if (p == NULL || (p->room = calloc(1, ROOM)) == NULL) {
    free(p);
    return NULL;
  }
  struct maker m = {.p = p, .state = seed};
  m.state = any_bits(&m) ^ index * 0xd1342543de82ef95;
  p->seed = seed;
  p->index = index;
  p->nparts = 1; /* part 0 is always there */
  m.numbers = 1; /* number 0 is the kernel's */
  for (unsigned b = 0; b < BASES; b++)
    for (unsigned i = 0; i < sizeof widths / sizeof *widths; i++) {
      struct expr *e = maker_take(&m, sizeof *e);
      p->ones[b][widths[i]] = e;
      *e = *constant_of(&m, (struct shape){(enum base)b, widths[i]}, 1);
      e->part = 0;
    }
  size(&m);
  variables(&m, CONSTANT, &p->constants, 1 + pick(&m, 3), 2);
  const size_t constants = m.nscope;
  for (unsigned n = pick(&m, 3); n != 0; n--)
    function(&m, constants);
  kernel(&m, constants, count);
  return p;
}

void random_cl_free(struct program *p) {
  if (p != NULL)
    free(p->room);
  free(p);
}

bool random_cl_has(const char *operation) {
  size_t i = 0;
  while (i < ops_count && strcmp(ops[i].name, operation) != 0)
    i++;
  return i < ops_count;
}

size_t random_cl_parts(const struct program *p) { return p->nparts; }
