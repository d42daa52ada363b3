/* PTX modules: directives and functions. */
#include <string.h>

#include "csim/isa/ptx/parse/parse.h"

/* ---- functions ---- */

/* .maxntid, .reqntid and the like between header and body; only .reqntid binds. */
static void parse_tuning(struct ptx_parser *p) {
  while (p->tok.kind == PTX_T_DOT) {
    bool req = ptx_is_dot(p, "reqntid");
    ptx_advance(p);
    for (unsigned i = 0; p->tok.kind == PTX_T_INT || p->tok.kind == PTX_T_STR; i++) {
      if (req && i < 3)
        p->f->reqntid[i] = (uint32_t)p->tok.value;
      ptx_advance(p);
      if (!ptx_accept(p, ','))
        break;
    }
    if (req)
      for (unsigned i = 0; i < 3; i++)
        p->f->reqntid[i] += p->f->reqntid[i] == 0;
    ptx_accept(p, ';');
  }
}

/* Functions of a module, kernels among them: they are looked for one by one. */
enum { MOST_FUNCTIONS = 2 * ISA_MAX_KERNELS };

static void parse_func(struct ptx_parser *p, bool entry) {
  struct ptx_func *f = ptx_alloc(p->x, sizeof *f);
  p->f = f;
  p->ndecls = 0;
  f->entry = entry;
  f->line = p->tok.line;
  if (!entry)
    ptx_parse_formals(p, &f->rets, &f->nrets, &f->crets);
  f->name = ptx_expect_id(p, "the name of a function");
  ptx_parse_formals(p, &f->params, &f->nparams, &f->cparams);
  parse_tuning(p);
  struct ptx_func *old = ptx_find_func(p->m, f->name);
  if (ptx_is(p, '{')) {
    if (old && old->body)
      ptx_fail(p->x, f->line, "'%s' is defined twice (first in line %u)", f->name, old->line);
    f->body = true;
    ptx_parse_body(p);
  } else {
    ptx_expect(p, ';');
  }
  if (p->m->nfuncs == MOST_FUNCTIONS)
    ptx_fail(p->x, f->line, "a module has at most %u functions", (unsigned)MOST_FUNCTIONS);
  PTX_PUSH(p->x, p->m->funcs, p->m->nfuncs, p->m->cfuncs) = f;
  p->f = NULL;
}

/* ---- the module ---- */

static void skip_section(struct ptx_parser *p) {
  while (!ptx_is(p, '{') && p->tok.kind != PTX_T_END)
    ptx_advance(p);
  ptx_expect(p, '{');
  while (!ptx_is(p, '}') && p->tok.kind != PTX_T_END)
    ptx_advance(p);
  ptx_expect(p, '}');
}

/* Directives of one line that say nothing about the code. */
static void skip_line(struct ptx_parser *p) {
  for (unsigned line = p->tok.line; p->tok.line == line && p->tok.kind != PTX_T_END;)
    ptx_advance(p);
}

static void parse_linkage(struct ptx_parser *p) {
  bool external = false;
  while (ptx_is_dot(p, "visible") || ptx_is_dot(p, "extern") || ptx_is_dot(p, "weak") ||
         ptx_is_dot(p, "common")) {
    external = external || ptx_is_dot(p, "extern");
    ptx_advance(p);
  }
  bool entry = ptx_is_dot(p, "entry");
  if (entry || ptx_is_dot(p, "func")) {
    ptx_advance(p);
    parse_func(p, entry);
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
  while (p.tok.kind != PTX_T_END) {
    if (ptx_is_dot(&p, "address_size")) {
      ptx_advance(&p);
      uint64_t bits = ptx_expect_int(&p);
      if (bits != 32 && bits != 64)
        ptx_fail(x, p.tok.line, ".address_size must be 32 or 64");
      m->address_bits = (unsigned)bits;
    } else if (ptx_is_dot(&p, "version") || ptx_is_dot(&p, "target") || ptx_is_dot(&p, "file") ||
               ptx_is_dot(&p, "loc")) {
      skip_line(&p);
    } else if (ptx_is_dot(&p, "section")) {
      skip_section(&p);
    } else if (ptx_is_dot(&p, "pragma")) {
      while (!ptx_is(&p, ';') && p.tok.kind != PTX_T_END)
        ptx_advance(&p);
      ptx_expect(&p, ';');
    } else if (!ptx_accept(&p, ';')) {
      parse_linkage(&p);
    }
  }
}
