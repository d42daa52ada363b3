/* Optimisation of the machine IR: values with one definition, dead code, constants out of loops. */
#include <string.h>

#include "csim/isa/ptx/opt/opt.h"

/* ---- which units are single values ---- */

static void note_defs(struct opt *o) {
  struct ir *ir = o->ir;
  for (size_t n = 0; n < ir->nrpo; n++) {
    int b = ir->rpo[n];
    for (size_t i = ir->blocks[b].first; i < ir->blocks[b].end; i++) {
      const struct ir_inst *in = &ir->insts[i];
      o->block[i] = b;
      if (in->id == IR_DEAD || in->d.v < 0)
        continue;
      bool whole = in->guard.v == IR_PT && !in->guard.neg;
      for (unsigned k = 0; k < in->d.n; k++) {
        struct opt_value *v = &o->values[ir_unit(ir, in->d) + (int)k];
        v->ndefs++;
        v->def = (int)i;
        v->single = v->ndefs == 1 && whole;
      }
    }
  }
}

/* A use that its definition does not dominate disqualifies the unit. */
static void check_use(struct opt *o, struct ir_ref r, int block, size_t at) {
  if (r.v < 0)
    return;
  for (unsigned k = 0; k < r.n; k++) {
    struct opt_value *v = &o->values[ir_unit(o->ir, r) + (int)k];
    if (!v->single)
      continue;
    int home = o->block[v->def];
    v->single = home == block ? (size_t)v->def < at : ir_dominates(o->ir, home, block);
  }
}

static void check_uses(struct opt *o) {
  struct ir *ir = o->ir;
  for (size_t n = 0; n < ir->nrpo; n++) {
    int b = ir->rpo[n];
    const struct ir_block *k = &ir->blocks[b];
    for (size_t i = k->first; i < k->end; i++) {
      const struct ir_inst *in = &ir->insts[i];
      if (in->id == IR_DEAD)
        continue;
      for (unsigned s = 0; s < 3; s++)
        check_use(o, in->s[s], b, i);
      check_use(o, in->guard, b, i);
    }
    if (k->term == IR_T_COND)
      check_use(o, k->cond, b, k->end);
  }
}

static void fold_all(struct opt *o) {
  struct ir *ir = o->ir;
  for (size_t n = 0; n < ir->nrpo; n++) {
    struct ir_block *b = &ir->blocks[ir->rpo[n]];
    for (size_t i = b->first; i < b->end; i++)
      if (ir->insts[i].id != IR_DEAD)
        opt_fold(o, &ir->insts[i]);
    if (b->term != IR_T_COND || b->cond.v < 0)
      continue;
    const struct opt_value *v = opt_value(o, b->cond);
    if (v->single && v->is_copy && v->copy.v >= 0) {
      bool neg = b->cond.neg;
      b->cond = v->copy;
      b->cond.neg ^= neg;
    }
  }
}

/* ---- dead code: what no store, branch, barrier or wait needs, directly or not ---- */

struct sweep {
  struct ir *ir;
  int *head, *next; /* definitions of each unit, as lists of instructions */
  bool *needed;     /* by unit */
  bool *live;       /* by instruction */
  int *work;        /* units to visit */
  size_t nwork;
};

static void need(struct sweep *s, struct ir_ref r) {
  if (r.v < 0)
    return;
  for (unsigned k = 0; k < r.n; k++) {
    int u = ir_unit(s->ir, r) + (int)k;
    if (s->needed[u])
      continue;
    s->needed[u] = true;
    s->work[s->nwork++] = u;
  }
}

/* Returns whether a part of the register is needed. */
static bool needs(const struct sweep *s, struct ir_ref r) {
  bool any = false;
  for (unsigned k = 0; k < r.n; k++)
    any |= s->needed[ir_unit(s->ir, r) + (int)k];
  return any;
}

static void need_inst(struct sweep *s, size_t i) {
  if (s->live[i])
    return;
  s->live[i] = true;
  const struct ir_inst *in = &s->ir->insts[i];
  for (unsigned k = 0; k < 3; k++)
    need(s, in->s[k]);
  need(s, in->guard);
}

static void remove_dead(struct ir *ir) {
  size_t units = (size_t)ir->nunits + 1, defs = 0;
  struct sweep s = {.ir = ir,
                    .head = ptx_alloc(ir->x, units * sizeof(int)),
                    .needed = ptx_alloc(ir->x, units),
                    .live = ptx_alloc(ir->x, ir->ninsts + 1),
                    .work = ptx_alloc(ir->x, units * sizeof(int))};
  for (size_t i = 0; i < ir->ninsts; i++)
    defs += ir->insts[i].id != IR_DEAD && ir->insts[i].d.v >= 0 ? ir->insts[i].d.n : 0;
  s.next = ptx_alloc(ir->x, (defs + 1) * sizeof(int));
  int *inst = ptx_alloc(ir->x, (defs + 1) * sizeof(int)), cell = 1; /* cell 0 ends lists */
  for (size_t n = 0; n < ir->nrpo; n++) {
    const struct ir_block *b = &ir->blocks[ir->rpo[n]];
    for (size_t i = b->first; i < b->end; i++) {
      const struct ir_inst *in = &ir->insts[i];
      if (in->id == IR_DEAD)
        continue;
      for (unsigned k = 0; in->d.v >= 0 && k < in->d.n; k++, cell++) {
        int u = ir_unit(ir, in->d) + (int)k;
        inst[cell] = (int)i;
        s.next[cell] = s.head[u];
        s.head[u] = cell;
      }
      if (!ir_is_pure(in) || in->keep || in->d.v < 0)
        need_inst(&s, i);
    }
    if (b->term == IR_T_COND)
      need(&s, b->cond);
  }
  while (s.nwork)
    for (int c = s.head[s.work[--s.nwork]]; c; c = s.next[c])
      need_inst(&s, (size_t)inst[c]);
  for (size_t i = 0; i < ir->ninsts; i++) {
    struct ir_inst *in = &ir->insts[i];
    if (in->id == IR_DEAD)
      continue;
    if (!s.live[i])
      in->id = IR_DEAD;
    else if (isa_ops[in->id].unit == ISA_U_ATOM && in->d.v >= 0 && !needs(&s, in->d)) {
      in->d = IR_NIL; /* the old value is not used */
      in->mods |= ISA_MOD_NORET;
    }
  }
}

/* ---- constants used in loops are made before them, once ---- */

struct pool_entry {
  struct pool_entry *next;
  unsigned n;
  uint32_t value[2];
  bool reloc[2];
  int v;
};

enum { POOL_BUCKETS = 256 };

struct pool {
  struct opt o;
  struct pool_entry *buckets[POOL_BUCKETS];
  struct pool_entry **list; /* in order of creation */
  size_t n, cap;
};

/* The constants that the register v holds, if that is all it ever holds. */
static bool constants_of(const struct opt *o, int v, struct pool_entry *e) {
  const struct ir_vreg *r = &o->ir->vregs[v];
  if (r->pred || r->width > 2)
    return false;
  e->n = r->width;
  for (unsigned k = 0; k < r->width; k++) {
    const struct opt_value *x = &o->values[r->unit + (int)k];
    if (!x->single || o->ir->insts[x->def].id != ISA_MOVI)
      return false;
    e->value[k] = o->ir->insts[x->def].imm;
    e->reloc[k] = o->ir->insts[x->def].reloc;
  }
  return true;
}

static int pooled(struct pool *p, const struct pool_entry *key) {
  struct pool_entry **slot = &p->buckets[(key->value[0] * 2654435761U ^ key->value[1]) >> 24];
  for (struct pool_entry *e = *slot; e; e = e->next)
    if (e->n == key->n && memcmp(e->value, key->value, sizeof e->value) == 0 &&
        memcmp(e->reloc, key->reloc, sizeof e->reloc) == 0)
      return e->v;
  struct ir *ir = p->o.ir;
  struct pool_entry *e = ptx_alloc(ir->x, sizeof *e);
  *e = *key;
  e->next = *slot;
  *slot = e;
  e->v = ir_new(ir, key->n, false);
  PTX_PUSH(ir->x, p->list, p->n, p->cap) = e;
  return e->v;
}

/* Puts the definitions in front of everything. */
static void insert_pool(struct pool *p) {
  struct ir *ir = p->o.ir;
  size_t count = 0, n = 0;
  for (size_t i = 0; i < p->n; i++)
    count += p->list[i]->n;
  struct ir_inst *all = ptx_alloc(ir->x, (ir->ninsts + count) * sizeof *all);
  for (size_t i = 0; i < p->n; i++)
    for (unsigned k = 0; k < p->list[i]->n; k++)
      all[n++] = (struct ir_inst){.id = ISA_MOVI,
                                  .guard = IR_TRUE,
                                  .d = {.v = p->list[i]->v, .sub = (uint8_t)k, .n = 1},
                                  .s = {IR_NIL, IR_NIL, IR_NIL},
                                  .imm = p->list[i]->value[k],
                                  .reloc = p->list[i]->reloc[k],
                                  .target = -1,
                                  .line = ir->line};
  memcpy(all + n, ir->insts, ir->ninsts * sizeof *all);
  for (size_t b = 0; b < ir->nblocks; b++) {
    ir->blocks[b].first += b == 0 ? 0 : count;
    ir->blocks[b].end += count;
  }
  ir->insts = all;
  ir->ninsts += count;
  ir->cinsts = ir->ninsts;
}

static void pool_constants(struct opt *o) {
  struct ir *ir = o->ir;
  struct pool p = {.o = *o};
  size_t n = ir->nvregs;
  int *to = ptx_alloc(ir->x, (n + 1) * sizeof *to);
  for (size_t v = 0; v < n; v++)
    to[v] = -1;
  for (size_t i = 0; i < ir->nrpo; i++) {
    const struct ir_block *b = &ir->blocks[ir->rpo[i]];
    if (b->depth == 0)
      continue;
    for (size_t k = b->first; k < b->end; k++) {
      const struct ir_inst *in = &ir->insts[k];
      struct pool_entry e = {0};
      if (in->id == ISA_MOVI && to[in->d.v] < 0 && constants_of(o, in->d.v, &e))
        to[in->d.v] = pooled(&p, &e);
    }
  }
  if (p.n == 0)
    return;
  for (size_t i = 0; i < ir->ninsts; i++) {
    struct ir_inst *in = &ir->insts[i];
    if (in->id == IR_DEAD)
      continue;
    for (unsigned k = 0; k < 3; k++)
      if (in->s[k].v >= 0 && to[in->s[k].v] >= 0)
        in->s[k].v = to[in->s[k].v];
    if (in->d.v >= 0 && to[in->d.v] >= 0)
      in->id = IR_DEAD;
  }
  insert_pool(&p);
}

static struct opt analyse(struct ir *ir) {
  struct opt o = {.ir = ir,
                  .values = ptx_alloc(ir->x, ((size_t)ir->nunits + 1) * sizeof(struct opt_value)),
                  .block = ptx_alloc(ir->x, (ir->ninsts + 1) * sizeof(int))};
  for (int u = 0; u < ir->nunits; u++) {
    o.values[u].def = -1;
    o.values[u].zeros = o.values[u].signs = 32;
  }
  note_defs(&o);
  check_uses(&o);
  return o;
}

void ir_optimise(struct ir *ir) {
  struct opt o = analyse(ir);
  fold_all(&o);
  remove_dead(ir);
  o = analyse(ir);
  pool_constants(&o);
}
