/* PTX declarations: registers, variables with their initial values, formal parameters. */
#include <string.h>

#include "csim/isa/ptx/parse/parse.h"

static bool space_word(const char *word, enum isa_space *space) {
  static const struct {
    const char *word;
    enum isa_space space;
  } words[] = {{"global", ISA_SPACE_GLOBAL},
               {"shared", ISA_SPACE_SHARED},
               {"local", ISA_SPACE_LOCAL},
               {"const", ISA_SPACE_CONST},
               {"param", ISA_SPACE_PARAM}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(word, words[i].word) == 0) {
      *space = words[i].space;
      return true;
    }
  return false;
}

static uint32_t parse_align(struct ptx_parser *p) {
  if (p->next.kind != PTX_T_INT || p->next.value == 0 || p->next.value > 4096 ||
      (p->next.value & (p->next.value - 1)) != 0)
    ptx_fail(p->x, p->tok.line, ".align needs a power of two");
  ptx_advance(p);
  return (uint32_t)p->tok.value;
}

_Noreturn static void fail_type(struct ptx_parser *p) {
  static const char *const opaque[] = {"texref", "samplerref", "surfref", "tex", "surf", "sampler"};
  for (size_t i = 0; i < sizeof opaque / sizeof *opaque; i++)
    if (ptx_is_dot(p, opaque[i]))
      ptx_fail(p->x, p->tok.line,
               "'.%s': textures, samplers and surfaces are not supported; read from global memory "
               "instead",
               p->tok.text);
  ptx_fail(p->x, p->tok.line, "'.%s' is no type of a variable that is supported", p->tok.text);
}

/* A word that is given once. */
static void once(struct ptx_parser *p, bool given) {
  if (given)
    ptx_fail(p->x, p->tok.line, "syntax error: '.%s' is one word too many", p->tok.text);
}

static struct ptx_shape parse_shape(struct ptx_parser *p) {
  struct ptx_shape s = {.vector = 1};
  for (; p->tok.kind == PTX_T_DOT; ptx_advance(p)) {
    const char *w = p->tok.text;
    enum ptx_type t = ptx_type_of(w);
    if (t != PTX_NONE) {
      once(p, s.type != PTX_NONE);
      s.type = t;
    } else if (strcmp(w, "align") == 0) {
      once(p, (s.ptr ? s.ptr_align : s.align) != 0);
      *(s.ptr ? &s.ptr_align : &s.align) = parse_align(p);
    } else if (strcmp(w, "v2") == 0 || strcmp(w, "v4") == 0) {
      once(p, s.vector != 1);
      s.vector = w[1] == '2' ? 2 : 4;
    } else if (strcmp(w, "ptr") == 0) {
      once(p, s.ptr);
      s.ptr = true;
    } else if (s.ptr && !s.in_space && space_word(w, &s.space)) {
      s.in_space = true;
    } else {
      fail_type(p);
    }
  }
  if (s.type == PTX_NONE)
    ptx_fail(p->x, p->tok.line, "syntax error: a type expected before '%s'", ptx_shown(p));
  return s;
}

/* ---- initial values ---- */

/* Where the list of initial values ends. */
static struct ptx_init *new_init(struct ptx_parser *p, struct ptx_init ***end) {
  struct ptx_init *i = ptx_alloc(p->x, sizeof *i);
  i->line = p->tok.line;
  **end = i;
  *end = &i->next;
  return i;
}

static void add_brace(struct ptx_parser *p, struct ptx_init ***end, char c) {
  const bool open = c == '{';
  ptx_expect(p, c);
  new_init(p, end)->kind = open ? PTX_INIT_OPEN : PTX_INIT_CLOSE;
}

/* The value of an element of that many bytes: a float with decimals where 4 are wanted is a float.
 */
static uint64_t element_value(const struct ptx_expr *e, unsigned bytes) {
  const struct ptx_expr *leaf = e;
  while (leaf->kind == PTX_E_SIGN || leaf->kind == PTX_E_GROUP)
    leaf = leaf->right;
  if (leaf->kind != PTX_E_NUMBER || leaf->token.kind != PTX_T_F64 || bytes != 4)
    return e->value;
  double d;
  memcpy(&d, &e->value, sizeof d);
  float f = (float)d;
  uint32_t u;
  memcpy(&u, &f, sizeof u);
  return u;
}

/* An initial value at *at, which moves past it; limit is where the array or row ends. */
static void add_init(struct ptx_parser *p, struct ptx_var *v, struct ptx_init ***end, uint64_t *at,
                     unsigned bytes, uint64_t limit) {
  struct ptx_init *i = new_init(p, end);
  i->at = *at;
  i->bytes = bytes;
  if (p->tok.kind == PTX_T_ID && strcmp(p->tok.text, "generic") == 0) {
    i->generic = true;
    ptx_advance(p);
    ptx_expect(p, '(');
  }
  if (!ptx_is_constant(p)) {
    i->symbol = ptx_expect_id(p, "a constant or a name");
    if (i->generic)
      ptx_expect(p, ')');
    i->expr = ptx_parse_offset(p);
    i->value = i->expr ? i->expr->value : 0;
  } else {
    i->expr = ptx_parse_expr(p);
    i->value = element_value(i->expr, bytes);
    if (i->generic)
      ptx_expect(p, ')');
  }
  *at += bytes;
  if (*at > limit)
    ptx_fail(p->x, i->line, "'%s' has more initial values than elements", v->name);
}

/* Nested braces fill their own sub-array; dims[0] elements of `bytes` each at this level, up to the
 * limit.  Returns where the values end. */
static uint64_t parse_init(struct ptx_parser *p, struct ptx_var *v, struct ptx_init ***end,
                           uint64_t at, unsigned bytes, const uint64_t *dims, unsigned ndims,
                           uint64_t limit) {
  if (!ptx_is(p, '{')) {
    add_init(p, v, end, &at, bytes, limit);
    return at;
  }
  ptx_enter(p);
  add_brace(p, end, '{');
  uint64_t stride = bytes;
  for (unsigned i = 1; i < ndims; i++)
    stride *= dims[i];
  if (!ptx_is(p, '}'))
    do {
      if (ptx_is(p, '{')) {
        const uint64_t row = at + stride < limit ? at + stride : limit;
        (void)parse_init(p, v, end, at, bytes, dims + (ndims > 0), ndims > 0 ? ndims - 1 : 0, row);
        at += stride;
      } else {
        add_init(p, v, end, &at, bytes, limit);
      }
    } while (ptx_more(p));
  add_brace(p, end, '}');
  ptx_leave(p);
  return at;
}

/* ---- variables ---- */

/* The dimensions after a name, that of its vectors last, and the number of elements: 0 if the
 * first dimension is left out. */
static uint64_t parse_dims(struct ptx_parser *p, struct ptx_var *v, uint64_t *dims,
                           unsigned *ndims) {
  enum { MOST = 8 };
  uint64_t count = v->shape.vector;
  bool open = false;
  v->dims = ptx_alloc(p->x, MOST * sizeof *v->dims);
  for (; ptx_accept(p, '['); ptx_expect(p, ']')) {
    const struct ptx_expr *e = ptx_is(p, ']') ? NULL : ptx_parse_expr(p);
    const uint64_t n = e ? e->value : 1;
    open = open || !e;
    if (!e && v->ndims > 0)
      ptx_fail(p->x, v->line, "'%s': only the first dimension of an array may be left out",
               v->name);
    if (*ndims == MOST || n > UINT32_MAX || (n > 0 && count > UINT32_MAX / n))
      ptx_fail(p->x, v->line, "the array '%s' is too large", v->name);
    v->dims[v->ndims++] = e;
    dims[(*ndims)++] = n;
    count *= n;
  }
  if (v->shape.vector > 1)
    dims[(*ndims)++] = v->shape.vector;
  return open ? 0 : count;
}

/* = value, = {values}: an array without its first dimension gets the size that they need. */
static void parse_initial(struct ptx_parser *p, struct ptx_var *v, unsigned bytes,
                          const uint64_t *dims, unsigned ndims) {
  const bool open = v->ndims > 0 && !v->dims[0];
  struct ptx_init **end = &v->init;
  uint64_t row = bytes;
  for (unsigned i = 1; i < ndims; i++)
    row *= dims[i];
  if (open && row == 0)
    ptx_fail(p->x, v->line, "'%s' has initial values and a dimension of 0", v->name);
  const uint64_t used = parse_init(p, v, &end, 0, bytes, dims, ndims, open ? UINT32_MAX : v->size);
  if (open)
    v->size = (used + row - 1) / row * row;
}

static struct ptx_var *parse_var(struct ptx_parser *p, enum isa_space space, struct ptx_shape s,
                                 bool external) {
  struct ptx_var *v = ptx_alloc(p->x, sizeof *v);
  v->line = p->tok.line;
  v->name = ptx_expect_id(p, "a name");
  v->space = space;
  v->type = s.type;
  v->shape = s;
  v->external = external;
  v->reg = -1;
  unsigned bytes = s.type == PTX_PRED ? 1 : ptx_bits(s.type) / 8;
  uint64_t dims[9];
  unsigned ndims = 0;
  v->size = parse_dims(p, v, dims, &ndims) * bytes;
  v->align = s.align ? s.align : bytes * s.vector;
  const bool initial = ptx_accept(p, '=');
  if (initial && ((space != ISA_SPACE_GLOBAL && space != ISA_SPACE_CONST) || external))
    ptx_fail(p->x, v->line, "'%s' has initial values: only .global and .const variables have",
             v->name);
  if (initial)
    parse_initial(p, v, bytes, dims, ndims);
  return v;
}

static void declare(struct ptx_parser *p, struct ptx_decl d) {
  PTX_PUSH(p->x, p->decls, p->ndecls, p->cdecls) = d;
}

static void declare_var(struct ptx_parser *p, struct ptx_var *v) {
  if (!p->f) {
    PTX_PUSH(p->x, p->m->vars, p->m->nvars, p->m->cvars) = v;
    return;
  }
  v->slot = (int)p->f->nvars;
  PTX_PUSH(p->x, p->f->vars, p->f->nvars, p->f->cvars) = v;
  declare(p, (struct ptx_decl){.name = v->name, .first = -1, .var = v});
}

/* ---- declarations ---- */

static struct ptx_declaration *new_declaration(struct ptx_parser *p, bool regs) {
  struct ptx_declaration *d = ptx_alloc(p->x, sizeof *d);
  d->regs = regs;
  PTX_PUSH(p->x, p->m->items, p->m->nitems, p->m->citems) =
      (struct ptx_item){.kind = PTX_I_DECL, .decl = d};
  return d;
}

/* n registers of a name's range, or one of the name itself: n is 0. */
static int declare_regs(struct ptx_parser *p, const char *name, enum ptx_type type, uint64_t n) {
  struct ptx_decl d = {
      .name = name, .prefix = strlen(name), .first = (int)p->f->nregs, .count = (int)n};
  for (uint64_t i = 0; i < (n ? n : 1); i++)
    PTX_PUSH(p->x, p->f->regs, p->f->nregs, p->f->cregs) = (struct ptx_reg){name, type};
  declare(p, d);
  return d.first;
}

static struct ptx_shape parse_register_shape(struct ptx_parser *p) {
  struct ptx_shape s = parse_shape(p);
  if (!p->f)
    ptx_fail(p->x, p->tok.line, "a register must be declared inside a function");
  if (s.vector > 1)
    ptx_fail(p->x, p->tok.line, "vector registers are not supported; use one register an element");
  if (s.ptr || s.align)
    ptx_fail(p->x, p->tok.line, "syntax error: a register has a type and a name");
  return s;
}

static void parse_regs(struct ptx_parser *p) {
  struct ptx_declaration *d = new_declaration(p, true);
  d->shape = parse_register_shape(p);
  do {
    const char *name = ptx_expect_id(p, "the name of a register");
    struct ptx_token *count = NULL;
    uint64_t n = 0;
    if (ptx_accept(p, '<')) {
      count = ptx_alloc(p->x, sizeof *count);
      *count = p->tok;
      if (p->tok.kind != PTX_T_INT)
        ptx_fail(p->x, p->tok.line, "syntax error: an integer expected before '%s'", ptx_shown(p));
      n = p->tok.value;
      ptx_advance(p);
      ptx_expect(p, '>');
      if (n > 1000000)
        ptx_fail(p->x, p->tok.line, "too many registers in one declaration");
    }
    if (!count || n > 0)
      declare_regs(p, name, d->shape.type, n);
    size_t i = d->n;
    PTX_PUSH(p->x, d->list, d->n, d->cap).name = name;
    d->list[i].count = count;
  } while (ptx_more(p));
  ptx_expect(p, ';');
}

bool ptx_parse_decl(struct ptx_parser *p, bool external) {
  enum isa_space space;
  if (ptx_is_dot(p, "reg")) {
    ptx_advance(p);
    parse_regs(p);
    return true;
  }
  if (p->tok.kind != PTX_T_DOT || !space_word(p->tok.text, &space))
    return false;
  struct ptx_declaration *d = new_declaration(p, false);
  d->space = space;
  ptx_advance(p);
  d->shape = parse_shape(p);
  do {
    struct ptx_var *v = parse_var(p, space, d->shape, external);
    declare_var(p, v);
    PTX_PUSH(p->x, d->list, d->n, d->cap).var = v;
  } while (ptx_more(p));
  ptx_expect(p, ';');
  return true;
}

/* .reg .u32 x as a parameter of a function. */
static struct ptx_var *parse_register_formal(struct ptx_parser *p) {
  const unsigned line = p->tok.line;
  if (p->f->entry)
    ptx_fail(p->x, line, "the parameters of a kernel are .param variables");
  const struct ptx_shape s = parse_register_shape(p);
  struct ptx_var *v = ptx_alloc(p->x, sizeof *v);
  *v = (struct ptx_var){.name = ptx_expect_id(p, "the name of a register"),
                        .line = line,
                        .space = ISA_SPACE_PARAM,
                        .type = s.type,
                        .shape = s,
                        .size = (ptx_bits(s.type) + 7) / 8,
                        .align = (ptx_bits(s.type) + 7) / 8,
                        .slot = (int)p->f->nvars};
  v->reg = declare_regs(p, v->name, s.type, 0);
  PTX_PUSH(p->x, p->f->vars, p->f->nvars, p->f->cvars) = v;
  return v;
}

bool ptx_parse_formals(struct ptx_parser *p, struct ptx_var ***list, size_t *n, size_t *cap) {
  if (!ptx_accept(p, '('))
    return false;
  if (!ptx_is(p, ')'))
    do {
      const bool reg = ptx_is_dot(p, "reg");
      if (!reg && !ptx_is_dot(p, "param"))
        ptx_fail(p->x, p->tok.line, "a parameter is declared with .param or .reg, not '%s'",
                 ptx_shown(p));
      ptx_advance(p);
      struct ptx_var *v =
          reg ? parse_register_formal(p) : parse_var(p, ISA_SPACE_PARAM, parse_shape(p), false);
      if (!reg)
        declare_var(p, v);
      PTX_PUSH(p->x, *list, *n, *cap) = v;
    } while (ptx_more(p));
  ptx_expect(p, ')');
  return true;
}
