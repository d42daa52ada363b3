/* Register allocation: by priority, with eviction, over the live segments of every unit.
 *
 * Each machine register keeps a bit for every position where it is taken.  Registers are placed
 * widest first, then by weight (how often a spill would cost, by its length); who finds no room may
 * evict lighter ones, and who cannot even do that is spilled.  After a round with spills, liveness
 * is computed anew.
 * At the end values move apart (spread.c).
 */
#include <stdlib.h>
#include <string.h>

#include "csim/isa/ptx/alloc/assign.h"

enum {
  MAX_ROUNDS = 40,
  KEEP_SPILLED = 8, /* instructions */
  /* Values that can be made again at each use stay out of the upper registers: 20 registers a
   * thread are what fills an SM of 32,768 registers with its 1,536 threads. */
  REMAT_REGS = 21
};

/* ---- the queue: a heap, widest and heaviest first; ties by number, for the same result always
 * ---- */

static bool before(const struct alloc *a, int u, int v) {
  const struct ir_vreg *x = &a->ir->vregs[u], *y = &a->ir->vregs[v];
  if (x->width != y->width)
    return x->width > y->width;
  if (a->weight[u] != a->weight[v])
    return a->weight[u] > a->weight[v];
  return u < v;
}

static void push(struct alloc *a, int v) {
  size_t i = a->nqueue++;
  for (; i > 0 && before(a, v, a->queue[(i - 1) / 2]); i = (i - 1) / 2)
    a->queue[i] = a->queue[(i - 1) / 2];
  a->queue[i] = v;
}

static int pop(struct alloc *a) {
  int top = a->queue[0], v = a->queue[--a->nqueue];
  size_t i = 0;
  for (size_t c; (c = 2 * i + 1) < a->nqueue; i = c) {
    if (c + 1 < a->nqueue && before(a, a->queue[c + 1], a->queue[c]))
      c++;
    if (!before(a, a->queue[c], v))
      break;
    a->queue[i] = a->queue[c];
  }
  if (a->nqueue)
    a->queue[i] = v;
  return top;
}

/* ---- weights and copies ---- */

static double block_cost(const struct ir_block *b) {
  double c = 1;
  for (unsigned d = 0; d < b->depth && d < 6; d++)
    c *= 10;
  return c;
}

static void add_cost(struct alloc *a, struct ir_ref r, double cost) {
  if (r.v >= 0)
    a->weight[r.v] += cost;
}

static void add_copy(struct alloc *a, int v, int other, int delta) {
  struct copy *c = ptx_alloc(a->ir->x, sizeof *c);
  *c = (struct copy){.other = other, .delta = delta, .next = a->copies[v]};
  a->copies[v] = c;
}

static void weigh(struct alloc *a) {
  struct ir *ir = a->ir;
  for (size_t n = 0; n < ir->nrpo; n++) {
    const struct ir_block *b = &ir->blocks[ir->rpo[n]];
    double cost = block_cost(b);
    for (size_t i = b->first; i < b->end; i++) {
      const struct ir_inst *in = &ir->insts[i];
      if (in->id == IR_DEAD)
        continue;
      add_cost(a, in->d, cost);
      add_cost(a, in->guard, cost);
      for (unsigned k = 0; k < 3; k++)
        add_cost(a, in->s[k], cost);
      bool plop = in->id == ISA_PLOP && (in->mods & 3) == 3;
      struct ir_ref from = plop ? in->s[1] : in->s[0];
      if ((in->id == ISA_MOV || plop) && from.v >= 0 && !from.neg) {
        add_copy(a, in->d.v, from.v, (int)in->d.sub - (int)from.sub);
        add_copy(a, from.v, in->d.v, (int)from.sub - (int)in->d.sub);
      }
    }
    if (b->term == IR_T_COND)
      add_cost(a, b->cond, cost);
  }
  for (size_t v = 0; v < ir->nvregs; v++) {
    const struct ir_vreg *r = &ir->vregs[v];
    uint32_t length = 1;
    for (unsigned k = 0; k < r->width; k++)
      for (uint32_t i = 0; i < a->live.nsegs[r->unit + (int)k]; i++) {
        struct ir_seg s = a->live.segs[r->unit + (int)k][i];
        length += s.to - s.from;
      }
    a->weight[v] = r->nospill ? 1e30 : a->weight[v] / (double)length * (a->remat[v] ? 0.1 : 1);
  }
}

/* ---- placing ---- */

static unsigned limit(const struct alloc *a, int v) {
  if (a->ir->vregs[v].pred)
    return ISA_PREDS;
  return a->remat[v] && a->regs > REMAT_REGS && !a->ir->vregs[v].nospill ? REMAT_REGS : a->regs;
}

static bool place(struct alloc *a, int v) {
  unsigned width = a->ir->vregs[v].width, most = limit(a, v);
  for (const struct copy *c = a->copies[v]; c; c = c->next) {
    int base = a->ir->vregs[c->other].reg;
    if (base < 0)
      continue;
    /* d.reg + d.sub == s.reg + s.sub */
    int want = base - c->delta;
    if (want >= 0 && (unsigned)want % width == 0 && (unsigned)want + width <= most &&
        alloc_fits(a, v, (unsigned)want)) {
      alloc_assign(a, v, (unsigned)want);
      return true;
    }
  }
  for (unsigned r = 0; r + width <= most; r += width)
    if (alloc_fits(a, v, r)) {
      alloc_assign(a, v, r);
      return true;
    }
  return false;
}

/* The lightest set of neighbours, all lighter than v, whose going makes room; they go. */
static bool evict(struct alloc *a, int v) {
  const struct ir_vreg *r = &a->ir->vregs[v];
  unsigned width = r->width, most = limit(a, v), best = ISA_REGS;
  double best_cost = 0;
  for (unsigned base = 0; base + width <= most; base += width) {
    double cost = 0;
    bool possible = true;
    for (unsigned k = 0; k < width && possible; k++) {
      const struct assigned *h = &a->held[r->pred][base + k];
      for (size_t i = 0; i < h->n && possible; i++) {
        int o = h->list[i];
        const struct ir_vreg *w = &a->ir->vregs[o];
        if (!alloc_units_meet(a, r->unit + (int)k, w->unit + (int)(base + k) - w->reg))
          continue;
        possible = a->weight[o] < a->weight[v];
        cost += a->weight[o];
      }
    }
    if (possible && (best == ISA_REGS || cost < best_cost)) {
      best = base;
      best_cost = cost;
    }
  }
  if (best == ISA_REGS)
    return false;
  for (unsigned k = 0; k < width; k++) {
    struct assigned *h = &a->held[r->pred][best + k];
    for (size_t i = 0; i < h->n;) {
      int o = h->list[i];
      const struct ir_vreg *w = &a->ir->vregs[o];
      if (alloc_units_meet(a, r->unit + (int)k, w->unit + (int)(best + k) - w->reg)) {
        alloc_unassign(a, o);
        push(a, o);
      } else {
        i++;
      }
    }
  }
  alloc_assign(a, v, best);
  return true;
}

static bool is_live(const struct alloc *a, int v) {
  const struct ir_vreg *r = &a->ir->vregs[v];
  for (unsigned k = 0; k < r->width; k++)
    if (a->live.nsegs[r->unit + (int)k])
      return true;
  return false;
}

enum outcome { FITS, SPILLS, STUCK };

/* One round; *stuck is the register of a spill that finds no room. */
static enum outcome run_round(struct alloc *a, int *stuck) {
  struct ir *ir = a->ir;
  size_t words = a->live.positions / 64 + 2;
  for (unsigned c = 0; c < 2; c++)
    for (unsigned r = 0; r < ISA_REGS; r++)
      a->taken[c][r] = ptx_alloc(ir->x, words * sizeof(uint64_t));
  for (size_t v = 0; v < ir->nvregs; v++) {
    ir->vregs[v].reg = -1;
    if (is_live(a, (int)v))
      push(a, (int)v);
  }
  enum outcome outcome = FITS;
  while (a->nqueue) {
    int v = pop(a);
    if (place(a, v) || evict(a, v))
      continue;
    *stuck = v;
    if (ir->vregs[v].nospill)
      return STUCK;
    a->spilled[v] = true;
    outcome = SPILLS;
  }
  return outcome;
}

/* Returns the line of an instruction that names v, that of the kernel if none does. */
static uint32_t line_of(const struct ir *ir, int v) {
  for (size_t i = 0; i < ir->ninsts; i++) {
    const struct ir_inst *in = &ir->insts[i];
    if (in->d.v == v || in->guard.v == v || in->s[0].v == v || in->s[1].v == v || in->s[2].v == v)
      return in->line;
  }
  return ir->line;
}

/* Returns whether all have a register; *line is that of an instruction whose values have none, 0 if
 * the rounds did not end. */
static bool try_allocate(struct ir *ir, unsigned max_regs, const uint8_t *spread, unsigned window,
                         uint32_t *line) {
  *line = 0;
  for (unsigned round = 0; round < MAX_ROUNDS; round++) {
    size_t n = ir->nvregs;
    struct alloc a = {.ir = ir, .regs = max_regs};
    a.weight = ptx_alloc(ir->x, (n + 1) * sizeof *a.weight);
    a.remat = ptx_alloc(ir->x, n + 1);
    a.spilled = ptx_alloc(ir->x, n + 1);
    a.copies = ptx_alloc(ir->x, (n + 1) * sizeof(struct copy *));
    a.queue = ptx_alloc(ir->x, (n + 1) * sizeof *a.queue);
    struct ir_remat m = ir_find_remat(ir);
    for (size_t v = 0; v < n; v++)
      a.remat[v] = ir_can_remat(ir, &m, (int)v);
    ir_liveness(ir, &a.live);
    weigh(&a);
    int stuck;
    enum outcome outcome = run_round(&a, &stuck);
    if (outcome == FITS && spread)
      alloc_spread(&a, spread);
    if (outcome == STUCK)
      *line = line_of(ir, stuck);
    if (outcome != SPILLS)
      return outcome == FITS;
    ir_spill(ir, a.spilled, window);
  }
  return false;
}

void ir_allocate(struct ir *ir, unsigned max_regs, const uint8_t *spread) {
  /* Keeping spilled values for a while saves loads, but what is kept cannot be spilled again: with
   * few registers that may fail, and then nothing is kept. */
  struct ir before = *ir;
  struct ir_block *blocks = ptx_alloc(ir->x, ir->nblocks * sizeof *blocks);
  memcpy(blocks, ir->blocks, ir->nblocks * sizeof *blocks);
  for (unsigned window = max_regs >= 16 ? KEEP_SPILLED : 0;; window = 0) {
    uint32_t line;
    if (try_allocate(ir, max_regs, spread, window, &line))
      return;
    if (window == 0)
      ptx_fail(ir->x, line != 0 ? line : ir->line, "the kernel '%s' does not fit %u registers: %s",
               ir->name, max_regs,
               line != 0 ? "this instruction needs more for its values" : "spilling does not end");
    *ir = before;
    memcpy(ir->blocks, blocks, ir->nblocks * sizeof *blocks);
  }
}
