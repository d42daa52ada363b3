/* Variables of a module: the data segment, and shared memory by kernel. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "csim/isa/ptx/emit/emit.h"

static uint64_t round_up(uint64_t n, uint32_t align) {
  return (n + align - 1) & ~(uint64_t)(align - 1);
}

static void fill_element(struct ptx *x, struct ptx_module *m, struct isa_program *p,
                         const struct ptx_var *v, const struct ptx_init *i) {
  uint64_t value = i->value, at = v->offset + i->at;
  if (i->symbol) {
    const struct ptx_var *to = ptx_find_var(m, i->symbol);
    if (!to && ptx_find_func(m, i->symbol))
      ptx_fail(x, i->line,
               "'%s' holds the address of the function '%s'; indirect calls are not supported",
               v->name, i->symbol);
    if (!to || !to->placed)
      ptx_fail(x, i->line, "'%s' in the initial value of '%s' is no variable of the data segment",
               i->symbol, v->name);
    if (i->bytes < 4 || at % 4 != 0)
      ptx_fail(x, i->line, "an address needs an aligned element of 32 or 64 bits");
    value += to->offset;
    struct isa_reloc *r = realloc(p->relocs, (p->nrelocs + 1) * sizeof *r);
    if (!r)
      ptx_fail_code(x, -ENOMEM, "out of memory");
    p->relocs = r;
    p->relocs[p->nrelocs++] = (struct isa_reloc){.pc = (uint32_t)at, .in_data = 1};
  }
  for (unsigned k = 0; k < i->bytes; k++)
    p->data[at + k] = (uint8_t)(value >> 8 * k);
}

void ptx_place_data(struct ptx *x, struct ptx_module *m, struct isa_program *p) {
  uint64_t at = 0;
  for (size_t i = 0; i < m->nvars; i++) {
    struct ptx_var *v = m->vars[i];
    if (v->external || (v->space != ISA_SPACE_GLOBAL && v->space != ISA_SPACE_CONST))
      continue;
    at = round_up(at, ptx_alignment(v));
    v->offset = (uint32_t)at;
    v->placed = true;
    at += v->size;
    if (at > 1U << 30)
      ptx_fail(x, v->line, "the variables of the module pass 1 GB with '%s'", v->name);
  }
  p->data_bytes = (size_t)round_up(at, 4);
  p->data = calloc(p->data_bytes + 1, 1);
  if (!p->data)
    ptx_fail_code(x, -ENOMEM, "out of memory");
  for (size_t i = 0; i < m->nvars; i++)
    if (m->vars[i]->placed)
      for (const struct ptx_init *e = m->vars[i]->init; e; e = e->next)
        if (e->kind == PTX_INIT_VALUE)
          fill_element(x, m, p, m->vars[i], e);
}

/* ---- shared and local memory of a kernel ---- */

struct layout {
  struct ptx *x;
  struct ptx_module *m;
  const struct isa_kernel *kernel;
  uint64_t shared, local; /* bytes */
  uint32_t align;         /* alignment of the dynamic part of shared memory */
  const struct ptx_func **seen;
  size_t nseen, cseen;
  struct ptx_var **dynamic;
  size_t ndynamic, cdynamic;
};

static void place_local(struct layout *s, struct ptx_var *v) {
  const uint32_t align = ptx_alignment(v);
  s->local = round_up(s->local, align < 4 ? 4 : align);
  v->offset = (uint32_t)s->local;
  s->local = round_up(s->local + v->size, 4);
  if (s->local > PTX_MOST_LOCAL)
    ptx_fail(s->x, v->line, "local memory of a thread would pass 16 MB with '%s'", v->name);
}

static void place_shared(struct layout *s, struct ptx_var *v) {
  if (v->external || v->size == 0) {
    if (ptx_alignment(v) > s->align)
      s->align = ptx_alignment(v);
    PTX_PUSH(s->x, s->dynamic, s->ndynamic, s->cdynamic) = v;
    return;
  }
  s->shared = round_up(s->shared, ptx_alignment(v));
  v->offset = (uint32_t)s->shared;
  s->shared += v->size;
  if (s->shared > 1U << 20)
    ptx_fail(s->x, v->line, "shared memory passes 1 MB with '%s'", v->name);
}

static void place(struct layout *s, struct ptx_var *v, bool of_module) {
  const bool local = v->space == ISA_SPACE_LOCAL && of_module && !v->external;
  if (v->placed || !(local || v->space == ISA_SPACE_SHARED))
    return;
  v->placed = true;
  if (local)
    place_local(s, v);
  else
    place_shared(s, v);
}

static void visit_operand(struct layout *s, const struct ptx_operand *o) {
  for (unsigned k = 0; k < o->nelems; k++)
    visit_operand(s, &o->elems[k]);
  if (o->kind == PTX_O_VAR)
    place(s, o->var, false);
  struct ptx_var *v = o->kind == PTX_O_NAME ? ptx_find_var(s->m, o->name) : NULL;
  if (v)
    place(s, v, true);
}

/* A variable that no text declares. */
static struct ptx_var *place_hidden(struct layout *s, const struct ptx_stmt *st,
                                    enum isa_space space, uint64_t size, const char *name) {
  struct ptx_var *v = ptx_alloc(s->x, sizeof *v);
  *v = (struct ptx_var){.name = name, .line = st->line, .space = space, .size = size};
  place(s, v, true);
  return v;
}

/* Places the memory that an instruction needs besides its operands. */
static void visit_inst(struct layout *s, const struct ptx_stmt *st) {
  const bool barrier = strcmp(st->op, "bar") == 0 || strcmp(st->op, "barrier") == 0;
  for (unsigned i = 0; i < st->nmods; i++) {
    if (barrier && !s->m->counted && strcmp(st->mods[i], "red") == 0)
      s->m->counted = place_hidden(s, st, ISA_SPACE_SHARED, 4, "the count of bar.red");
    if (!s->m->copied && strcmp(st->op, "cvta") == 0 && strncmp(st->mods[i], "param", 5) == 0)
      s->m->copied = place_hidden(s, st, ISA_SPACE_LOCAL, s->kernel->param_bytes, "parameters");
  }
}

static void visit(struct layout *s, struct ptx_func *f) {
  for (size_t i = 0; i < s->nseen; i++)
    if (s->seen[i] == f)
      return;
  PTX_PUSH(s->x, s->seen, s->nseen, s->cseen) = f;
  for (size_t i = 0; i < f->nstmts; i++) {
    const struct ptx_stmt *st = &f->stmts[i];
    for (unsigned k = 0; k < st->nops; k++)
      visit_operand(s, &st->ops[k]);
    for (unsigned k = 0; k < st->nargs; k++)
      visit_operand(s, &st->args[k]);
    if (st->kind == PTX_S_INST)
      visit_inst(s, st);
    if (st->kind == PTX_S_CALL && st->callee.kind == PTX_O_NAME) {
      struct ptx_func *g = ptx_find_func(s->m, st->callee.name);
      if (g)
        visit(s, g);
    }
  }
}

void ptx_place_memory(struct ptx *x, struct ptx_module *m, struct ptx_func *f,
                      struct isa_kernel *k) {
  for (size_t i = 0; i < m->nvars; i++)
    if (m->vars[i]->space == ISA_SPACE_SHARED || m->vars[i]->space == ISA_SPACE_LOCAL)
      m->vars[i]->placed = false;
  for (size_t i = 0; i < m->nfuncs; i++)
    for (size_t v = 0; v < m->funcs[i]->nvars; v++)
      m->funcs[i]->vars[v]->placed = false;
  m->counted = m->copied = NULL;
  struct layout s = {.x = x, .m = m, .kernel = k, .align = 4};
  visit(&s, f);
  s.shared = round_up(s.shared, s.align);
  for (size_t i = 0; i < s.ndynamic; i++)
    s.dynamic[i]->offset = (uint32_t)s.shared;
  k->shared_bytes = (uint32_t)round_up(s.shared, 4);
  k->local_bytes = (uint32_t)s.local;
}
