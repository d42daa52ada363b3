/* Blocks of the machine IR: building, orders, dominators, post-dominators, loops. */
#include <string.h>

#include "csim/isa/ptx/ir/ir.h"

/* ---- building ---- */

static bool ends_block(const struct ir_inst *i) {
  return i->id == ISA_BRA || (i->id == ISA_EXIT && i->guard.v == IR_PT && !i->guard.neg);
}

/* The terminator told by the instruction that ends the block; t and f are labels or block numbers.
 */
static void set_term(struct ir *ir, struct ir_block *b, struct ir_inst *i, const int *label_block,
                     int next) {
  b->line = i->line;
  if (i->id == ISA_EXIT) {
    b->term = IR_T_EXIT;
  } else {
    bool always = i->guard.v == IR_PT;
    b->t = always && i->guard.neg ? next : label_block[i->target];
    b->f = next;
    b->cond = i->guard;
    b->term = always || b->t == next ? IR_T_JUMP : IR_T_COND;
    if (b->t < 0 || (b->term == IR_T_COND && b->f < 0))
      ptx_fail(ir->x, i->line, "this branch leads nowhere");
  }
  i->id = IR_DEAD;
}

static size_t count_blocks(const struct ir *ir) {
  size_t n = 2;
  for (size_t i = 0; i < ir->ninsts; i++)
    n += ir->insts[i].id == IR_LABEL || ends_block(&ir->insts[i]);
  return n;
}

static void open_block(struct ir *ir, size_t first) {
  ir->blocks[ir->nblocks++] = (struct ir_block){.first = first,
                                                .end = first,
                                                .t = -1,
                                                .f = -1,
                                                .idom = -1,
                                                .ipdom = -1,
                                                .meet_at = -1,
                                                .leave = -1,
                                                .order = -1,
                                                .cond = IR_TRUE,
                                                .line = ir->line};
}

/* Block 0 holds no label, so that nothing branches to it. */
static void split(struct ir *ir, int *label_block) {
  open_block(ir, 0);
  for (size_t i = 0; i < ir->ninsts; i++) {
    struct ir_inst *in = &ir->insts[i];
    struct ir_block *b = &ir->blocks[ir->nblocks - 1];
    if (in->id == IR_LABEL) {
      if (b->first < i || ir->nblocks == 1) {
        b->end = i;
        open_block(ir, i);
      }
      label_block[in->target] = (int)ir->nblocks - 1;
    } else if (ends_block(in) && i + 1 < ir->ninsts) {
      b->end = i + 1;
      open_block(ir, i + 1);
    }
  }
  ir->blocks[ir->nblocks - 1].end = ir->ninsts;
}

/* Empty blocks that only jump are passed over. */
static int thread(const struct ir *ir, int b) {
  for (size_t hops = 0; hops < ir->nblocks; hops++) {
    const struct ir_block *k = &ir->blocks[b];
    if (k->term != IR_T_JUMP)
      return b;
    for (size_t i = k->first; i < k->end; i++)
      if (ir->insts[i].id != IR_DEAD)
        return b;
    b = k->t;
  }
  return b;
}

void ir_build_cfg(struct ir *ir) {
  int *label_block = ptx_alloc(ir->x, ((size_t)ir->nlabels + 1) * sizeof *label_block);
  for (int i = 0; i < ir->nlabels; i++)
    label_block[i] = -1;
  ir->blocks = ptx_alloc(ir->x, count_blocks(ir) * sizeof *ir->blocks);
  ir->nblocks = 0;
  split(ir, label_block);
  for (size_t k = 0; k < ir->nblocks; k++) {
    struct ir_block *b = &ir->blocks[k];
    int next = k + 1 < ir->nblocks ? (int)k + 1 : -1;
    b->term = IR_T_JUMP;
    b->t = next;
    if (b->end > b->first && ends_block(&ir->insts[b->end - 1]))
      set_term(ir, b, &ir->insts[b->end - 1], label_block, next);
    for (size_t i = b->first; i < b->end; i++)
      if (ir->insts[i].id == IR_LABEL)
        ir->insts[i].id = IR_DEAD;
  }
  for (size_t k = 0; k < ir->nblocks; k++) {
    struct ir_block *b = &ir->blocks[k];
    if (b->term == IR_T_EXIT)
      continue;
    b->t = thread(ir, b->t);
    if (b->term == IR_T_COND)
      b->f = thread(ir, b->f);
    if (b->term == IR_T_COND && b->t == b->f)
      b->term = IR_T_JUMP;
  }
}

/* ---- orders ---- */

static unsigned successors(const struct ir_block *b, int out[2]) {
  switch (b->term) {
  case IR_T_COND:
    out[0] = b->t;
    out[1] = b->f;
    return 2;
  case IR_T_JUMP:
    out[0] = b->t;
    return 1;
  default:
    return 0;
  }
}

/* Postorder by an explicit stack; edges from next(). */
static size_t postorder(const struct ir *ir, int root, int *out) {
  bool *seen = ptx_alloc(ir->x, ir->nblocks);
  struct frame {
    int b;
    unsigned k;
  } *stack = ptx_alloc(ir->x, (ir->nblocks + 1) * sizeof *stack);
  size_t n = 0, top = 0;
  stack[top++] = (struct frame){root, 0};
  seen[root] = true;
  while (top) {
    struct frame *fr = &stack[top - 1];
    int succ[2];
    if (fr->k < successors(&ir->blocks[fr->b], succ)) {
      /* Last edge first, so that fall-through comes early in the reverse. */
      int to = succ[fr->k++];
      if (!seen[to]) {
        seen[to] = true;
        stack[top++] = (struct frame){to, 0};
      }
    } else {
      out[n++] = fr->b;
      top--;
    }
  }
  return n;
}

/* ---- dominators, the same walk for both directions over an explicit graph ---- */

struct graph {
  size_t n;
  int *order;  /* nodes in reverse postorder; the root first */
  int *number; /* by node: place in the order, -1: not reached */
  int **preds;
  unsigned *npreds;
};

static int meet(const struct graph *g, const int *idom, int a, int b) {
  while (a != b) {
    while (g->number[a] > g->number[b])
      a = idom[a];
    while (g->number[b] > g->number[a])
      b = idom[b];
  }
  return a;
}

static void dominators(const struct graph *g, int *idom) {
  idom[g->order[0]] = g->order[0];
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 1; i < g->n; i++) {
      int b = g->order[i], best = -1;
      for (unsigned k = 0; k < g->npreds[b]; k++) {
        int p = g->preds[b][k];
        if (g->number[p] >= 0 && idom[p] >= 0)
          best = best < 0 ? p : meet(g, idom, p, best);
      }
      changed = changed || best != idom[b];
      idom[b] = best;
    }
  }
  idom[g->order[0]] = -1;
}

/* Predecessor lists of the reachable blocks. */
static void predecessors(const struct ir *ir, int **preds, unsigned *npreds) {
  for (size_t pass = 0; pass < 2; pass++)
    for (size_t i = 0; i < ir->nrpo; i++) {
      int b = ir->rpo[i], succ[2] = {0};
      unsigned n = successors(&ir->blocks[b], succ);
      for (unsigned k = 0; k < n; k++) {
        if (pass == 1) {
          if (!preds[succ[k]])
            preds[succ[k]] = ptx_alloc(ir->x, npreds[succ[k]] * sizeof(int)), npreds[succ[k]] = 0;
          preds[succ[k]][npreds[succ[k]]] = b;
        }
        npreds[succ[k]]++;
      }
    }
}

static void forward(struct ir *ir, int **preds, unsigned *npreds) {
  struct graph g = {.n = ir->nrpo, .order = ir->rpo, .preds = preds, .npreds = npreds};
  g.number = ptx_alloc(ir->x, ir->nblocks * sizeof *g.number);
  int *idom = ptx_alloc(ir->x, ir->nblocks * sizeof *idom);
  for (size_t b = 0; b < ir->nblocks; b++) {
    idom[b] = -1;
    g.number[b] = ir->blocks[b].order;
  }
  dominators(&g, idom);
  for (size_t b = 0; b < ir->nblocks; b++)
    ir->blocks[b].idom = idom[b];
}

/* The reverse graph: a node of its own behind all exits, number nblocks. */
static void backward(struct ir *ir, int **preds, const unsigned *npreds) {
  size_t n = ir->nblocks + 1, count = 0, top = 0;
  int root = (int)ir->nblocks, *post = ptx_alloc(ir->x, n * sizeof *post);
  struct graph g = {.order = ptx_alloc(ir->x, n * sizeof(int)),
                    .number = ptx_alloc(ir->x, n * sizeof(int)),
                    .preds = ptx_alloc(ir->x, n * sizeof(int *)),
                    .npreds = ptx_alloc(ir->x, n * sizeof(unsigned))};
  int *exits = ptx_alloc(ir->x, n * sizeof *exits), *idom = ptx_alloc(ir->x, n * sizeof *idom);
  unsigned nexits = 0;
  for (size_t i = 0; i < ir->nrpo; i++) {
    int b = ir->rpo[i], succ[2] = {0};
    g.preds[b] = ptx_alloc(ir->x, 2 * sizeof(int));
    g.npreds[b] = successors(&ir->blocks[b], succ);
    for (unsigned k = 0; k < g.npreds[b]; k++)
      g.preds[b][k] = succ[k];
    if (ir->blocks[b].term == IR_T_EXIT) {
      g.preds[b][g.npreds[b]++] = root;
      exits[nexits++] = b;
    }
  }
  bool *seen = ptx_alloc(ir->x, n);
  struct frame {
    int b;
    unsigned k;
  } *stack = ptx_alloc(ir->x, (n + 1) * sizeof *stack);
  stack[top++] = (struct frame){root, 0};
  seen[root] = true;
  while (top) {
    struct frame *fr = &stack[top - 1];
    bool at_root = fr->b == root;
    if (fr->k < (at_root ? nexits : npreds[fr->b])) {
      int to = at_root ? exits[fr->k] : preds[fr->b][fr->k];
      fr->k++;
      if (!seen[to]) {
        seen[to] = true;
        stack[top++] = (struct frame){to, 0};
      }
    } else {
      post[count++] = fr->b;
      top--;
    }
  }
  for (size_t b = 0; b < n; b++)
    g.number[b] = idom[b] = -1;
  for (size_t i = 0; i < count; i++) {
    g.order[i] = post[count - 1 - i];
    g.number[g.order[i]] = (int)i;
  }
  g.n = count;
  dominators(&g, idom);
  for (size_t b = 0; b < ir->nblocks; b++)
    ir->blocks[b].ipdom = idom[b] == root ? -1 : idom[b];
}

/* ---- loops: every natural loop adds one to the depth of its blocks ---- */

static void loop_depths(struct ir *ir, int **preds, const unsigned *npreds) {
  int *stack = ptx_alloc(ir->x, (ir->nblocks + 1) * sizeof *stack);
  size_t *mark = ptx_alloc(ir->x, ir->nblocks * sizeof *mark);
  for (size_t h = 0; h < ir->nrpo; h++) {
    int head = ir->rpo[h];
    size_t top = 0;
    bool loop = false;
    mark[head] = h + 1;
    for (unsigned k = 0; k < npreds[head]; k++) {
      int p = preds[head][k];
      if (!ir_dominates(ir, head, p))
        continue;
      loop = true;
      if (mark[p] != h + 1) {
        mark[p] = h + 1;
        stack[top++] = p;
      }
    }
    if (!loop)
      continue;
    ir->blocks[head].depth++;
    while (top) {
      int b = stack[--top];
      ir->blocks[b].depth++;
      for (unsigned k = 0; k < npreds[b]; k++)
        if (mark[preds[b][k]] != h + 1) {
          mark[preds[b][k]] = h + 1;
          stack[top++] = preds[b][k];
        }
    }
  }
}

/* The way up to the entry is as long as the program; each block leaps over a part of it, so that a
 * climb takes a number of steps that grows with the logarithm (Myers, Information Processing
 * Letters 17, 1983). */
static void leaps(struct ir *ir) {
  struct ir_block *blocks = ir->blocks;
  for (size_t i = 0; i < ir->nrpo; i++) {
    const int b = ir->rpo[i], up = blocks[b].idom;
    blocks[b].leap = b;
    if (up < 0)
      continue;
    const int over = blocks[up].leap, top = blocks[over].leap;
    const bool even =
        blocks[up].level - blocks[over].level == blocks[over].level - blocks[top].level;
    blocks[b].level = blocks[up].level + 1;
    blocks[b].leap = even ? top : up;
  }
}

bool ir_dominates(const struct ir *ir, int a, int b) {
  const struct ir_block *blocks = ir->blocks;
  while (blocks[b].level > blocks[a].level)
    b = blocks[blocks[b].leap].level >= blocks[a].level ? blocks[b].leap : blocks[b].idom;
  return a == b;
}

void ir_analyse_cfg(struct ir *ir) {
  int *post = ptx_alloc(ir->x, ir->nblocks * sizeof *post);
  ir->nrpo = postorder(ir, 0, post);
  ir->rpo = ptx_alloc(ir->x, ir->nblocks * sizeof *ir->rpo);
  for (size_t i = 0; i < ir->nrpo; i++) {
    ir->rpo[i] = post[ir->nrpo - 1 - i];
    ir->blocks[ir->rpo[i]].order = (int)i;
  }
  ir->preds = ptx_alloc(ir->x, ir->nblocks * sizeof *ir->preds);
  ir->npreds = ptx_alloc(ir->x, ir->nblocks * sizeof *ir->npreds);
  predecessors(ir, ir->preds, ir->npreds);
  forward(ir, ir->preds, ir->npreds);
  backward(ir, ir->preds, ir->npreds);
  leaps(ir);
  loop_depths(ir, ir->preds, ir->npreds);
}
