/* PTX modules: directives and functions. */
#include "csim/isa/ptx/parse/parse.h"

/* ---- functions ---- */

/* Functions of a module, kernels among them: they are looked for one by one. */
enum { MOST_FUNCTIONS = 2 * ISA_MAX_KERNELS };

static void parse_func(struct ptx_parser *p, bool entry) {
  struct ptx_func *f = ptx_alloc(p->x, sizeof *f);
  p->f = f;
  p->ndecls = 0;
  f->entry = entry;
  f->line = p->tok.line;
  if (!entry)
    f->has_rets = ptx_parse_formals(p, &f->rets, &f->nrets, &f->crets);
  f->name = ptx_expect_id(p, "the name of a function");
  f->has_params = ptx_parse_formals(p, &f->params, &f->nparams, &f->cparams);
  PTX_PUSH(p->x, p->m->items, p->m->nitems, p->m->citems) =
      (struct ptx_item){.kind = PTX_I_FUNC, .func = f};
  ptx_parse_tuning(p);
  struct ptx_func *old = ptx_find_func(p->m, f->name);
  if (ptx_is(p, '{')) {
    if (old && old->body)
      ptx_fail(p->x, f->line, "'%s' is defined twice (first in line %u)", f->name, old->line);
    f->body = true;
    ptx_parse_body(p);
  } else if (entry || (p->tok.kind != PTX_T_DOT && p->tok.kind != PTX_T_END)) {
    ptx_keep_token(p, ';'); /* a prototype of a function may lack it */
  }
  if (p->m->nfuncs == MOST_FUNCTIONS)
    ptx_fail(p->x, f->line, "a module has at most %u functions", (unsigned)MOST_FUNCTIONS);
  PTX_PUSH(p->x, p->m->funcs, p->m->nfuncs, p->m->cfuncs) = f;
  p->f = NULL;
}

/* ---- other names ---- */

static bool same_list(struct ptx_var *const *a, size_t na, struct ptx_var *const *b, size_t nb) {
  bool same = na == nb;
  for (size_t i = 0; i < na && same; i++)
    same = a[i]->size == b[i]->size && (a[i]->reg < 0) == (b[i]->reg < 0);
  return same;
}

/* A name that is declared without a body becomes that of a function that has one. */
static void resolve_alias(struct ptx_parser *p, const struct ptx_alias *a) {
  struct ptx_func *of = ptx_find_func(p->m, a->of), *f = ptx_find_func(p->m, a->name);
  if (!of || !of->body || of->entry)
    ptx_fail(p->x, a->line, "'.alias %s, %s': the function '%s' is defined nowhere", a->name, a->of,
             a->of);
  if (!f || f->body || f->entry)
    ptx_fail(p->x, a->line, "'.alias %s, %s': '%s' must be a function declared without a body",
             a->name, a->of, a->name);
  if (!same_list(f->params, f->nparams, of->params, of->nparams) ||
      !same_list(f->rets, f->nrets, of->rets, of->nrets))
    ptx_fail(p->x, a->line, "'.alias %s, %s': their parameters differ", a->name, a->of);
  f->alias = of;
}

/* ---- the module ---- */

static void parse_linkage(struct ptx_parser *p) {
  bool external = false;
  while (ptx_is_dot(p, "visible") || ptx_is_dot(p, "extern") || ptx_is_dot(p, "weak") ||
         ptx_is_dot(p, "common")) {
    external = external || ptx_is_dot(p, "extern");
    ptx_keep(p);
  }
  bool entry = ptx_is_dot(p, "entry");
  if (entry || ptx_is_dot(p, "func")) {
    ptx_advance(p);
    parse_func(p, entry);
  } else if (ptx_is_dot(p, "tex") || ptx_is_dot(p, "surf") || ptx_is_dot(p, "sampler")) {
    ptx_fail(p->x, p->tok.line,
             "'.%s': textures, samplers and surfaces are not supported; read from global memory "
             "instead",
             p->tok.text);
  } else if (!ptx_parse_decl(p, external)) {
    ptx_fail(p->x, p->tok.line, "syntax error: a declaration expected before '%s'", ptx_shown(p));
  }
}

void ptx_parse(struct ptx *x, const char *text, struct ptx_module *m) {
  struct ptx_parser p = {.x = x, .m = m};
  x->pos = text;
  x->line = 1;
  m->address_bits = 32;
  ptx_advance(&p);
  ptx_advance(&p);
  while (p.tok.kind != PTX_T_END)
    if (!ptx_parse_directive(&p))
      parse_linkage(&p);
  for (size_t i = 0; i < m->naliases; i++)
    resolve_alias(&p, &m->aliases[i]);
}
