/* PTX declarations: registers, variables with their initial values, formal parameters. */
#include <string.h>

#include "csim/isa/ptx/parse/parse.h"

/* The words between .global and the name. */
struct shape {
  enum ptx_type type;
  unsigned vector; /* elements of .v2, .v4; 1 */
  uint32_t align;
  bool ptr;
  enum isa_space ptr_space;
};

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

static struct shape parse_shape(struct ptx_parser *p) {
  struct shape s = {.vector = 1};
  for (; p->tok.kind == PTX_T_DOT; ptx_advance(p)) {
    const char *w = p->tok.text;
    enum ptx_type t = ptx_type_of(w);
    if (t != PTX_NONE) {
      s.type = t;
    } else if (strcmp(w, "align") == 0) {
      if (p->next.kind != PTX_T_INT || p->next.value == 0 || p->next.value > 4096 ||
          (p->next.value & (p->next.value - 1)) != 0)
        ptx_fail(p->x, p->tok.line, ".align needs a power of two");
      s.align = (uint32_t)p->next.value;
      ptx_advance(p);
    } else if (strcmp(w, "v2") == 0 || strcmp(w, "v4") == 0) {
      s.vector = w[1] == '2' ? 2 : 4;
    } else if (strcmp(w, "ptr") == 0) {
      s.ptr = true;
    } else if (s.ptr && space_word(w, &s.ptr_space)) {
      if (p->next.kind != PTX_T_DOT || strcmp(p->next.text, "align") != 0)
        continue;
      ptx_advance(p); /* the alignment of what is pointed to, not of the parameter */
      if (p->next.kind == PTX_T_INT)
        ptx_advance(p);
    } else {
      ptx_fail(p->x, p->tok.line,
               "'.%s' is no type of a variable this machine has; textures, samplers and surfaces "
               "are not supported: read from global memory instead",
               w);
    }
  }
  if (s.type == PTX_NONE)
    ptx_fail(p->x, p->tok.line, "syntax error: a type expected before '%s'", ptx_shown(p));
  return s;
}

static void add_init(struct ptx_parser *p, struct ptx_var *v, uint64_t *at, unsigned bytes) {
  struct ptx_init *i = ptx_alloc(p->x, sizeof *i);
  *i = (struct ptx_init){.next = v->init, .at = *at, .bytes = bytes, .line = p->tok.line};
  bool generic = p->tok.kind == PTX_T_ID && strcmp(p->tok.text, "generic") == 0;
  if (generic) {
    ptx_advance(p);
    ptx_expect(p, '(');
  }
  if (p->tok.kind == PTX_T_ID) {
    i->symbol = p->tok.text;
    ptx_advance(p);
  } else if (p->tok.kind == PTX_T_F32 || p->tok.kind == PTX_T_F64) {
    i->value = p->tok.value;
    if (p->tok.kind == PTX_T_F64 && bytes == 4) {
      double d;
      memcpy(&d, &p->tok.value, sizeof d);
      float f = (float)d;
      uint32_t u;
      memcpy(&u, &f, sizeof u);
      i->value = u;
    }
    ptx_advance(p);
  } else {
    i->value = ptx_expect_int(p);
  }
  if (generic)
    ptx_expect(p, ')');
  if (ptx_is(p, '+') || ptx_is(p, '-')) {
    ptx_accept(p, '+');
    i->value += ptx_expect_int(p);
  }
  v->init = i;
  *at += bytes;
  if (i->at > v->size || v->size - i->at < bytes)
    ptx_fail(p->x, i->line, "'%s' has more initial values than elements", v->name);
}

/* Nested braces fill their own sub-array; dims[0] elements of `bytes` each at this level. */
static void parse_init(struct ptx_parser *p, struct ptx_var *v, uint64_t at, unsigned bytes,
                       const uint64_t *dims, unsigned ndims) {
  if (!ptx_accept(p, '{')) {
    add_init(p, v, &at, bytes);
    return;
  }
  ptx_enter(p);
  uint64_t stride = bytes;
  for (unsigned i = 1; i < ndims; i++)
    stride *= dims[i];
  while (!ptx_is(p, '}')) {
    if (ptx_is(p, '{')) {
      parse_init(p, v, at, bytes, dims + (ndims > 0), ndims > 0 ? ndims - 1 : 0);
      at += stride;
    } else {
      add_init(p, v, &at, bytes);
    }
    if (!ptx_accept(p, ','))
      break;
  }
  ptx_expect(p, '}');
  ptx_leave(p);
}

static struct ptx_var *parse_var(struct ptx_parser *p, enum isa_space space, struct shape s,
                                 bool external) {
  struct ptx_var *v = ptx_alloc(p->x, sizeof *v);
  v->line = p->tok.line;
  v->name = ptx_expect_id(p, "a name");
  v->space = space;
  v->type = s.type;
  v->external = external;
  v->ptr = s.ptr;
  v->ptr_space = s.ptr_space;
  unsigned bytes = s.type == PTX_PRED ? 1 : ptx_bits(s.type) / 8;
  uint64_t dims[8] = {s.vector}, count = s.vector;
  unsigned ndims = s.vector > 1;
  for (; ptx_accept(p, '['); ptx_expect(p, ']')) {
    uint64_t n = ptx_is(p, ']') ? 0 : ptx_expect_int(p);
    if (ndims == 8 || n > UINT32_MAX || (n > 0 && count > UINT32_MAX / n))
      ptx_fail(p->x, v->line, "the array '%s' is too large", v->name);
    dims[ndims++] = n;
    count *= n;
  }
  v->size = count * bytes;
  v->align = s.align ? s.align : bytes * s.vector;
  if (ptx_accept(p, '='))
    parse_init(p, v, 0, bytes, dims, ndims);
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

static void parse_regs(struct ptx_parser *p) {
  struct shape s = parse_shape(p);
  if (!p->f)
    ptx_fail(p->x, p->tok.line, "a register must be declared inside a function");
  if (s.vector > 1)
    ptx_fail(p->x, p->tok.line, "vector registers are not supported; use one register an element");
  do {
    const char *name = ptx_expect_id(p, "the name of a register");
    struct ptx_decl d = {.name = name, .prefix = strlen(name), .first = (int)p->f->nregs};
    if (ptx_accept(p, '<')) {
      uint64_t n = ptx_expect_int(p);
      ptx_expect(p, '>');
      if (n > 1000000)
        ptx_fail(p->x, p->tok.line, "too many registers in one declaration");
      d.count = (int)n;
      for (uint64_t i = 0; i < n; i++)
        PTX_PUSH(p->x, p->f->regs, p->f->nregs, p->f->cregs) = (struct ptx_reg){name, s.type};
      if (n == 0)
        continue;
    } else {
      PTX_PUSH(p->x, p->f->regs, p->f->nregs, p->f->cregs) = (struct ptx_reg){name, s.type};
    }
    declare(p, d);
  } while (ptx_accept(p, ','));
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
  ptx_advance(p);
  struct shape s = parse_shape(p);
  do
    declare_var(p, parse_var(p, space, s, external));
  while (ptx_accept(p, ','));
  ptx_expect(p, ';');
  return true;
}

void ptx_parse_formals(struct ptx_parser *p, struct ptx_var ***list, size_t *n, size_t *cap) {
  if (!ptx_accept(p, '('))
    return;
  while (!ptx_is(p, ')')) {
    if (!ptx_is_dot(p, "param"))
      ptx_fail(p->x, p->tok.line, "only .param parameters are supported here");
    ptx_advance(p);
    struct ptx_var *v = parse_var(p, ISA_SPACE_PARAM, parse_shape(p), false);
    declare_var(p, v);
    PTX_PUSH(p->x, *list, *n, *cap) = v;
    if (!ptx_accept(p, ','))
      break;
  }
  ptx_expect(p, ')');
}
