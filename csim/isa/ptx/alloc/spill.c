/* Spilling: registers into local memory, predicates into registers, constants made again. */
#include <string.h>

#include "csim/isa/ptx/alloc/alloc.h"

/* ---- what can be made again ---- */

struct ir_remat ir_find_remat(struct ir *ir) {
  struct ir_remat m = {.def = ptx_alloc(ir->x, ((size_t)ir->nunits + 1) * sizeof(int)),
                       .ok = ptx_alloc(ir->x, (size_t)ir->nunits + 1)};
  for (int u = 0; u < ir->nunits; u++)
    m.def[u] = -1;
  for (size_t n = 0; n < ir->nrpo; n++) {
    const struct ir_block *b = &ir->blocks[ir->rpo[n]];
    for (size_t i = b->first; i < b->end; i++) {
      const struct ir_inst *in = &ir->insts[i];
      if (in->id == IR_DEAD || in->d.v < 0)
        continue;
      bool again = ir_repeats(in);
      for (unsigned k = 0; k < in->d.n; k++) {
        int u = ir_unit(ir, in->d) + (int)k;
        m.ok[u] = m.def[u] < 0 && again && in->guard.v == IR_PT && !in->guard.neg;
        m.def[u] = (int)i;
      }
    }
  }
  return m;
}

bool ir_can_remat(const struct ir *ir, const struct ir_remat *m, int v) {
  for (unsigned k = 0; k < ir->vregs[v].width; k++) {
    int u = ir->vregs[v].unit + (int)k;
    if (m->def[u] >= 0 && !m->ok[u])
      return false;
  }
  return !ir->vregs[v].pred && !ir->vregs[v].nospill;
}

/* ---- rewriting ---- */

enum { HOW_KEEP, HOW_REMAT, HOW_SLOT, HOW_WORD, RECENT = 8 };

struct rewrite {
  struct ir *ir;
  struct ir_remat m;
  const struct ir_inst *old;
  uint8_t *how;   /* by virtual register */
  uint32_t *slot; /* HOW_SLOT: offset in local memory; HOW_WORD: the register that holds it */
  struct ir_inst *out;
  size_t n, cap;
  /* Values loaded or stored lately in this block that are still in a register. */
  struct recent {
    struct ir_ref from, to;
    size_t at; /* instruction */
  } recent[RECENT];
  unsigned nrecent, window; /* instructions for which a value is kept */
  size_t now;
};

static struct ir_inst *put(struct rewrite *w, unsigned id, uint32_t line) {
  struct ir_inst *i = &PTX_PUSH(w->ir->x, w->out, w->n, w->cap);
  *i = (struct ir_inst){.id = (uint16_t)id,
                        .guard = IR_TRUE,
                        .d = IR_NIL,
                        .s = {IR_NIL, IR_NIL, IR_NIL},
                        .target = -1,
                        .line = line};
  return i;
}

static struct ir_ref fresh(struct rewrite *w, unsigned n, bool pred) {
  int v = ir_new(w->ir, n, pred);
  w->ir->vregs[v].nospill = true;
  w->ir->vregs[v].temp = true;
  return ir_whole(w->ir, v);
}

/* An access to the words of a slot, one, two or four; an offset that the instruction cannot hold
 * is put into a register first. */
static struct ir_inst *to_slot(struct rewrite *w, unsigned id, struct ir_ref slot, uint32_t line) {
  const uint32_t at = w->slot[slot.v] + 4U * slot.sub;
  const unsigned words = slot.n == 4 ? 2 : slot.n == 2 ? 1 : 0;
  struct ir_ref base = IR_NIL;
  if (at > 0xffff) {
    struct ir_inst *m = put(w, ISA_MOVI, line);
    m->imm = at;
    m->d = base = fresh(w, 1, false);
  }
  struct ir_inst *i = put(w, id, line);
  i->mods = (uint8_t)(2U | words << 3 | (base.v < 0 ? ISA_MOD_ABS : 0U));
  i->imm = base.v < 0 ? at : 0;
  i->s[0] = base;
  return i;
}

static void remember(struct rewrite *w, struct ir_ref from, struct ir_ref to) {
  unsigned k = w->nrecent;
  if (k == RECENT) { /* the oldest makes room */
    k = 0;
    for (unsigned i = 1; i < RECENT; i++)
      if (w->recent[i].at < w->recent[k].at)
        k = i;
  } else {
    w->nrecent++;
  }
  w->recent[k] = (struct recent){.from = from, .to = to, .at = w->now};
}

static void forget(struct rewrite *w, int v) {
  for (unsigned i = 0; i < w->nrecent;)
    if (w->recent[i].from.v == v)
      w->recent[i] = w->recent[--w->nrecent];
    else
      i++;
}

/* A register that holds what r names, loaded before the current instruction if need be. */
static struct ir_ref load(struct rewrite *w, struct ir_ref r, uint32_t line) {
  for (unsigned k = 0; k < w->nrecent; k++) {
    const struct recent *e = &w->recent[k];
    if (e->from.v == r.v && e->from.sub == r.sub && e->from.n == r.n &&
        w->now - e->at <= w->window) {
      struct ir_ref t = e->to;
      t.neg = r.neg;
      return t;
    }
  }
  bool pred = w->ir->vregs[r.v].pred;
  struct ir_ref t = fresh(w, r.n, pred);
  if (w->how[r.v] == HOW_REMAT) {
    for (unsigned k = 0; k < r.n; k++) {
      int def = w->m.def[ir_unit(w->ir, r) + (int)k];
      struct ir_inst *i = put(w, def < 0 ? ISA_MOVI : w->old[def].id, line);
      if (def >= 0) { /* else never written: any value will do, but one from here on */
        i->imm = w->old[def].imm;
        i->reloc = w->old[def].reloc;
      }
      i->d = (struct ir_ref){.v = t.v, .sub = (uint8_t)k, .n = 1};
    }
  } else if (w->how[r.v] == HOW_SLOT) {
    to_slot(w, ISA_LDL, r, line)->d = t;
  } else {
    struct ir_inst *i = put(w, ISA_ISETP, line);
    i->mods = 1 | ISA_MOD_IMM; /* ne 0 */
    i->d = t;
    i->s[0] = ir_whole(w->ir, (int)w->slot[r.v]);
  }
  remember(w, r, t);
  t.neg = r.neg;
  return t;
}

static struct ir_ref use(struct rewrite *w, struct ir_ref r, uint32_t line) {
  return r.v < 0 || w->how[r.v] == HOW_KEEP ? r : load(w, r, line);
}

static void store(struct rewrite *w, struct ir_ref to, struct ir_ref from, struct ir_ref guard,
                  uint32_t line) {
  if (w->how[to.v] == HOW_SLOT) {
    struct ir_inst *i = to_slot(w, ISA_STL, to, line);
    i->s[1] = from;
    i->guard = guard;
    return;
  }
  struct ir_ref one = fresh(w, 1, false);
  struct ir_inst *m = put(w, ISA_MOVI, line);
  m->imm = 1;
  m->d = one;
  struct ir_inst *i = put(w, ISA_SELP, line);
  i->mods = ISA_MOD_IMM; /* p ? 1 : 0 */
  i->d = ir_whole(w->ir, (int)w->slot[to.v]);
  i->s[0] = one;
  i->s[2] = from;
  i->guard = guard;
}

static void rewrite_inst(struct rewrite *w, const struct ir_inst *old) {
  struct ir_inst in = *old;
  w->now++;
  uint8_t dhow = in.d.v >= 0 ? w->how[in.d.v] : HOW_KEEP;
  if (dhow == HOW_REMAT)
    return;
  if (in.id == ISA_MOV && in.s[0].v >= 0 && w->how[in.s[0].v] == HOW_SLOT && dhow == HOW_KEEP) {
    in.guard = use(w, in.guard, in.line);
    struct ir_inst *i = to_slot(w, ISA_LDL, in.s[0], in.line); /* the copy becomes the load */
    i->d = in.d;
    i->guard = in.guard;
    i->kill = in.kill;
    return;
  }
  for (unsigned k = 0; k < 3; k++)
    in.s[k] = use(w, in.s[k], in.line);
  in.guard = use(w, in.guard, in.line);
  if (dhow == HOW_KEEP) {
    PTX_PUSH(w->ir->x, w->out, w->n, w->cap) = in;
    return;
  }
  struct ir_ref to = in.d;
  bool whole = !ir_partial(&in);
  forget(w, to.v);
  if (in.id == ISA_MOV && dhow == HOW_SLOT) {
    store(w, to, in.s[0], in.guard, in.line);
    return;
  }
  in.d = fresh(w, to.n, w->ir->vregs[to.v].pred);
  in.kill = true; /* the store has the same guard */
  PTX_PUSH(w->ir->x, w->out, w->n, w->cap) = in;
  store(w, to, in.d, in.guard, in.line);
  if (whole)
    remember(w, to, in.d);
}

static void choose(struct rewrite *w, const bool *marked, size_t n) {
  struct ir *ir = w->ir;
  for (size_t v = 0; v < n; v++) {
    if (!marked[v])
      continue;
    if (ir_can_remat(ir, &w->m, (int)v)) {
      w->how[v] = HOW_REMAT;
    } else if (ir->vregs[v].pred) {
      w->how[v] = HOW_WORD;
      w->slot[v] = (uint32_t)ir_new(ir, 1, false);
    } else {
      uint32_t bytes = 4U * ir->vregs[v].width;
      w->how[v] = HOW_SLOT;
      w->slot[v] = (ir->local_bytes + bytes - 1) & ~(bytes - 1);
      ir->local_bytes = w->slot[v] + bytes;
    }
  }
}

void ir_spill(struct ir *ir, const bool *marked, unsigned window) {
  size_t n = ir->nvregs, all = n + 1;
  struct rewrite w = {.ir = ir, .m = ir_find_remat(ir), .old = ir->insts, .window = window};
  w.how = ptx_alloc(ir->x, all);
  w.slot = ptx_alloc(ir->x, all * sizeof *w.slot);
  choose(&w, marked, n);
  /* Registers made on the way are never spilled in this pass: extend the table by KEEP. */
  size_t spare = n + 16 * ir->ninsts + ir->nblocks + n + 16;
  uint8_t *how = ptx_alloc(ir->x, spare);
  memcpy(how, w.how, n);
  w.how = how;
  for (size_t b = 0; b < ir->nblocks; b++) {
    struct ir_block *k = &ir->blocks[b];
    size_t first = w.n;
    w.nrecent = 0;
    if (k->order >= 0) {
      for (size_t i = k->first; i < k->end; i++)
        if (w.old[i].id != IR_DEAD)
          rewrite_inst(&w, &w.old[i]);
      w.now++;
      if (k->term == IR_T_COND)
        k->cond = use(&w, k->cond, k->line);
    }
    k->first = first;
    k->end = w.n;
  }
  ir->insts = w.out;
  ir->ninsts = w.n;
  ir->cinsts = w.cap;
}
