/* Liveness of units, as segments of positions. */
#include <string.h>

#include "csim/isa/ptx/alloc/alloc.h"

/* Return the first position of block b, and that of its terminator. */
static uint32_t ir_block_pos(const struct ir *ir, int b) {
  return 2 * (uint32_t)(ir->blocks[b].first + (size_t)b);
}
static uint32_t ir_term_pos(const struct ir *ir, int b) {
  return 2 * (uint32_t)(ir->blocks[b].end + (size_t)b);
}

typedef uint64_t word;

struct sets {
  size_t words; /* words of one set */
  word *in, *out, *use, *def;
};

static bool has(const word *set, int u) { return set[u / 64] >> (u % 64) & 1; }
static void put(word *set, int u) { set[u / 64] |= UINT64_C(1) << (u % 64); }
static void drop(word *set, int u) { set[u / 64] &= ~(UINT64_C(1) << (u % 64)); }

typedef void visitor(void *ctx, int unit);

static void each_unit(const struct ir *ir, struct ir_ref r, visitor *fn, void *ctx) {
  if (r.v >= 0)
    for (unsigned k = 0; k < r.n; k++)
      fn(ctx, ir_unit(ir, r) + (int)k);
}

static void each_use(const struct ir *ir, const struct ir_inst *i, visitor *fn, void *ctx) {
  for (unsigned k = 0; k < 3; k++)
    each_unit(ir, i->s[k], fn, ctx);
  each_unit(ir, i->guard, fn, ctx);
}

/* ---- sets of a block ---- */

struct local {
  word *use, *def;
};

static void local_use(void *ctx, int u) {
  struct local *l = ctx;
  if (!has(l->def, u))
    put(l->use, u);
}

static void local_def(void *ctx, int u) { put(((struct local *)ctx)->def, u); }

static void block_sets(const struct ir *ir, int b, struct local *l) {
  const struct ir_block *k = &ir->blocks[b];
  for (size_t i = k->first; i < k->end; i++) {
    const struct ir_inst *in = &ir->insts[i];
    if (in->id == IR_DEAD)
      continue;
    each_use(ir, in, local_use, l);
    each_unit(ir, in->d, ir_partial(in) ? local_use : local_def, l);
  }
  if (k->term == IR_T_COND)
    each_unit(ir, k->cond, local_use, l);
}

static void solve(const struct ir *ir, struct sets *s) {
  size_t w = s->words;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = ir->nrpo; i-- > 0;) {
      size_t b = (size_t)ir->rpo[i];
      const struct ir_block *k = &ir->blocks[b];
      for (size_t j = 0; j < w; j++) {
        word out = 0;
        if (k->term != IR_T_EXIT)
          out |= s->in[(size_t)k->t * w + j];
        if (k->term == IR_T_COND)
          out |= s->in[(size_t)k->f * w + j];
        s->out[b * w + j] = out;
        word in = s->use[b * w + j] | (out & ~s->def[b * w + j]);
        changed = changed || in != s->in[b * w + j];
        s->in[b * w + j] = in;
      }
    }
  }
}

/* ---- segments, walking backward ---- */

struct walk {
  struct ptx *x;
  struct ir_live *live;
  uint32_t *cap;
  uint32_t *open; /* end of the segment that is open, by unit */
  word *now;      /* units that are live */
  uint32_t pos;
};

static void close_segment(struct walk *w, int u, uint32_t from) {
  struct ir_live *l = w->live;
  uint32_t to = w->open[u], n = l->nsegs[u];
  if (n && l->segs[u][n - 1].from == to) {
    l->segs[u][n - 1].from = from;
    return;
  }
  if (n == w->cap[u]) {
    uint32_t cap = n ? 2 * n : 2;
    struct ir_seg *more = ptx_alloc(w->x, cap * sizeof *more);
    if (n)
      memcpy(more, l->segs[u], n * sizeof *more);
    l->segs[u] = more;
    w->cap[u] = cap;
  }
  l->segs[u][l->nsegs[u]++] = (struct ir_seg){from, to};
}

static void walk_def(void *ctx, int u) {
  struct walk *w = ctx;
  if (!has(w->now, u))
    w->open[u] = w->pos + 2; /* nobody reads it; it is written all the same */
  close_segment(w, u, w->pos + 1);
  drop(w->now, u);
}

static void walk_partial(void *ctx, int u) {
  struct walk *w = ctx;
  if (has(w->now, u))
    return;
  w->open[u] = w->pos + 2;
  put(w->now, u);
}

static void walk_use(void *ctx, int u) {
  struct walk *w = ctx;
  if (has(w->now, u))
    return;
  w->open[u] = w->pos + 1;
  put(w->now, u);
}

static void walk_block(const struct ir *ir, int b, const struct sets *s, struct walk *w) {
  const struct ir_block *k = &ir->blocks[b];
  uint32_t end = ir_term_pos(ir, b) + 2;
  memcpy(w->now, s->out + (size_t)b * s->words, s->words * sizeof(word));
  for (size_t j = 0; j < s->words; j++)
    for (word bits = w->now[j]; bits; bits &= bits - 1)
      w->open[j * 64 + (size_t)__builtin_ctzll(bits)] = end;
  w->pos = ir_term_pos(ir, b);
  if (k->term == IR_T_COND)
    each_unit(ir, k->cond, walk_use, w);
  for (size_t i = k->end; i-- > k->first;) {
    const struct ir_inst *in = &ir->insts[i];
    w->pos -= 2;
    if (in->id == IR_DEAD)
      continue;
    each_unit(ir, in->d, ir_partial(in) ? walk_partial : walk_def, w);
    each_use(ir, in, walk_use, w);
  }
  for (size_t j = 0; j < s->words; j++)
    for (word bits = w->now[j]; bits; bits &= bits - 1)
      close_segment(w, (int)(j * 64 + (size_t)__builtin_ctzll(bits)), ir_block_pos(ir, b));
}

void ir_liveness(struct ir *ir, struct ir_live *live) {
  size_t units = (size_t)ir->nunits, words = units / 64 + 1, all = ir->nblocks * words;
  struct sets s = {.words = words,
                   .in = ptx_alloc(ir->x, all * sizeof(word)),
                   .out = ptx_alloc(ir->x, all * sizeof(word)),
                   .use = ptx_alloc(ir->x, all * sizeof(word)),
                   .def = ptx_alloc(ir->x, all * sizeof(word))};
  for (size_t i = 0; i < ir->nrpo; i++) {
    size_t b = (size_t)ir->rpo[i];
    struct local l = {s.use + b * words, s.def + b * words};
    block_sets(ir, (int)b, &l);
  }
  solve(ir, &s);
  live->segs = ptx_alloc(ir->x, (units + 1) * sizeof *live->segs);
  live->nsegs = ptx_alloc(ir->x, (units + 1) * sizeof *live->nsegs);
  live->positions = 2 * (uint32_t)(ir->ninsts + ir->nblocks) + 2;
  struct walk w = {.x = ir->x,
                   .live = live,
                   .cap = ptx_alloc(ir->x, (units + 1) * sizeof(uint32_t)),
                   .open = ptx_alloc(ir->x, (words * 64) * sizeof(uint32_t)),
                   .now = ptx_alloc(ir->x, words * sizeof(word))};
  for (size_t b = ir->nblocks; b-- > 0;)
    if (ir->blocks[b].order >= 0)
      walk_block(ir, (int)b, &s, &w);
  for (size_t u = 0; u < units; u++)
    for (uint32_t i = 0, j = live->nsegs[u]; i + 1 < j--; i++) {
      struct ir_seg t = live->segs[u][i];
      live->segs[u][i] = live->segs[u][j];
      live->segs[u][j] = t;
    }
}
