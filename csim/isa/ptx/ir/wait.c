/* Loops that wait, and where their lanes meet.
 *
 * A loop waits if it changes no memory by itself and its exit depends on nothing but values that it
 * reads from memory: `while (atomic_cmpxchg(lock, 0, 1) != 0);`.  On a reconvergence stack the lane
 * that leaves such a loop would wait at the immediate post-dominator of its branch for the lanes
 * that stay, which wait for what it does next.  So the branch of the exit
 *   - goes out of the loop, and the loop is what falls through: lanes that leave run first;
 *   - has its reconvergence point behind the release, an access of the same address or, if there
 *     is none, the last store behind an atomic.
 * Any post-dominator of a branch is a right reconvergence point, as long as it is not behind that
 * of another branch around it, nor behind an instruction that needs all lanes (a barrier, a vote).
 */
#include <string.h>

#include "csim/isa/ptx/ir/ir.h"

enum value { VARIES, CONSTANT, WATCHED }; /* of a register within a loop */

struct waits {
  struct ir *ir;
  int **preds;
  unsigned *npreds;
  bool *in;         /* blocks of the loop */
  uint8_t *value;   /* by register */
  bool *defined;    /* registers that the loop writes */
  bool *exits;      /* blocks whose branch leaves a loop that waits */
  bool *seen;       /* by block, of a walk */
  unsigned outside; /* depth around the loop */
  int *stack;
};

/* ---- the loop ---- */

/* The natural loop of the head; false if the block is the head of none. */
static bool find_loop(struct waits *w, int head) {
  size_t top = 0;
  bool loop = false;
  memset(w->in, 0, w->ir->nblocks);
  w->in[head] = true;
  w->outside = w->ir->blocks[head].depth - 1;
  for (unsigned k = 0; k < w->npreds[head]; k++) {
    const int p = w->preds[head][k];
    if (!ir_dominates(w->ir, head, p))
      continue;
    loop = true;
    if (!w->in[p])
      w->stack[top++] = p;
    w->in[p] = true;
  }
  while (top > 0) {
    const int b = w->stack[--top];
    for (unsigned k = 0; k < w->npreds[b]; k++)
      if (!w->in[w->preds[b][k]]) {
        w->in[w->preds[b][k]] = true;
        w->stack[top++] = w->preds[b][k];
      }
  }
  return loop;
}

typedef bool visit(struct waits *w, const struct ir_inst *i);

/* Calls fn for the loop's instructions until it returns false. */
static bool each(struct waits *w, visit *fn) {
  for (size_t n = 0; n < w->ir->nrpo; n++) {
    const struct ir_block *b = &w->ir->blocks[w->ir->rpo[n]];
    for (size_t i = b->first; w->in[w->ir->rpo[n]] && i < b->end; i++)
      if (w->ir->insts[i].id != IR_DEAD && !fn(w, &w->ir->insts[i]))
        return false;
  }
  return true;
}

static enum value value_of(const struct waits *w, struct ir_ref r) {
  return r.v < 0 ? CONSTANT : w->value[r.v];
}

/* Returns whether lanes see each other in the instruction. */
static bool needs_all_lanes(const struct ir_inst *i) {
  return i->id == ISA_BAR || i->id == ISA_BSYNC || i->id == ISA_VOTE || i->id == ISA_BALLOT ||
         (i->id == ISA_PRMT && (i->mods & ISA_PRMT_MODE) >= ISA_PRMT_UP);
}

static bool is_store(const struct ir_inst *i) {
  return i->id == ISA_STG || i->id == ISA_STS || i->id == ISA_STGEN || i->id == ISA_STL;
}

static bool is_atomic(const struct ir_inst *i) { return isa_ops[i->id].unit == ISA_U_ATOM; }

/* Returns whether the atomic, done again, changes nothing more. */
static bool is_idempotent(const struct ir_inst *i) {
  return i->id == ISA_ACAS || i->id == ISA_AEXCH || i->id == ISA_AAND || i->id == ISA_AOR ||
         i->id == ISA_AMIN || i->id == ISA_AMAX;
}

/* Returns whether the loop may contain the instruction and still only wait. */
static bool is_harmless(struct waits *w, const struct ir_inst *i) {
  if (i->d.v >= 0)
    w->defined[i->d.v] = true;
  return !needs_all_lanes(i) && !is_store(i) && (!is_atomic(i) || is_idempotent(i));
}

/* The value that an instruction gives its register. */
static enum value given(const struct waits *w, const struct ir_inst *i) {
  enum value most = value_of(w, i->guard), least = most;
  for (unsigned k = 0; k < 3; k++) {
    const enum value v = value_of(w, i->s[k]);
    most = v > most ? v : most;
    least = v < least ? v : least;
  }
  if (least == VARIES || (i->id == ISA_MOVS && !ir_repeats(i)))
    return VARIES;
  if (is_atomic(i))
    return most == CONSTANT ? WATCHED : VARIES;
  if (!ir_is_pure(i))
    return VARIES;
  return i->id == ISA_LDG || i->id == ISA_LDS || i->id == ISA_LDGEN ? WATCHED : most;
}

/* Lowers the value of a register to what an instruction gives it; w->seen[0]: something changed. */
static bool lower(struct waits *w, const struct ir_inst *i) {
  if (i->d.v < 0)
    return true;
  const enum value v = given(w, i);
  uint8_t *old = &w->value[i->d.v];
  /* A register with several definitions is no better than the worst of them. */
  if (*old == VARIES && v != VARIES && w->defined[i->d.v]) {
    *old = (uint8_t)v;
    w->seen[0] = true;
  } else if (*old == CONSTANT && v == WATCHED) {
    *old = WATCHED;
    w->seen[0] = true;
  }
  return true;
}

/* Registers all of whose definitions in the loop give a known value. */
static bool check(struct waits *w, const struct ir_inst *i) {
  if (i->d.v >= 0 && given(w, i) == VARIES && w->value[i->d.v] != VARIES) {
    w->value[i->d.v] = VARIES;
    w->defined[i->d.v] = false; /* stays so */
    w->seen[0] = true;
  }
  return true;
}

/* Finds the values of all registers within the loop.  A register that depends on itself, as a
 * counter does, varies.  False if the loop does more than to wait. */
static bool find_values(struct waits *w) {
  memset(w->defined, 0, w->ir->nvregs);
  if (!each(w, is_harmless))
    return false;
  for (size_t v = 0; v < w->ir->nvregs; v++)
    w->value[v] = w->defined[v] ? VARIES : CONSTANT;
  do {
    w->seen[0] = false;
    (void)each(w, lower);
  } while (w->seen[0]);
  do {
    w->seen[0] = false;
    (void)each(w, check);
  } while (w->seen[0]);
  return true;
}

/* ---- the meeting point ---- */

/* Returns whether the accesses are of the same address, as far as their operands tell. */
static bool same_address(const struct ir_inst *a, const struct ir_inst *b) {
  return a->s[0].v == b->s[0].v && a->s[0].sub == b->s[0].sub &&
         (uint16_t)a->imm == (uint16_t)b->imm;
}

/* Returns whether the loop watches the address of an access. */
static bool is_watched(const struct waits *w, const struct ir_inst *access, bool *atomic) {
  bool found = false;
  for (size_t n = 0; n < w->ir->nrpo; n++) {
    const struct ir_block *b = &w->ir->blocks[w->ir->rpo[n]];
    for (size_t i = b->first; w->in[w->ir->rpo[n]] && i < b->end; i++) {
      const struct ir_inst *in = &w->ir->insts[i];
      if (in->id == IR_DEAD || !ir_is_mem(in))
        continue;
      *atomic = *atomic || is_atomic(in);
      found = found || (access != NULL && same_address(in, access));
    }
  }
  return found;
}

enum found { NOTHING, STORES, RELEASES, STOPS };

/* Finds what the block does before an instruction that needs all lanes, *stop if there is one; *at
 * is the instruction behind which lanes may meet. */
static enum found search(struct waits *w, int block, struct ir_inst **at, bool *stop) {
  const struct ir_block *b = &w->ir->blocks[block];
  enum found found = NOTHING;
  for (size_t i = b->first; i < b->end; i++) {
    struct ir_inst *in = &w->ir->insts[i];
    bool atomic = false;
    if (in->id == IR_DEAD)
      continue;
    *stop = needs_all_lanes(in);
    if (*stop)
      break;
    if (!is_store(in) && !is_atomic(in))
      continue;
    *at = in;
    found = STORES;
    if (is_watched(w, in, &atomic))
      return RELEASES;
  }
  return found;
}

/* Returns whether `to` is reached from the successors of `from` without passing `end`, and what the
 * blocks on the way do goes to *found, if it is not NULL. */
static bool reaches(struct waits *w, int from, int end, int to, enum found *found) {
  size_t top = 0;
  bool reached = false;
  memset(w->seen, 0, w->ir->nblocks);
  w->stack[top++] = from;
  while (top > 0) {
    const int b = w->stack[--top];
    const struct ir_block *k = &w->ir->blocks[b];
    const int next[2] = {k->term != IR_T_EXIT ? k->t : -1, k->term == IR_T_COND ? k->f : -1};
    for (unsigned i = 0; i < 2; i++) {
      if (next[i] < 0 || next[i] == end || w->seen[next[i]])
        continue;
      struct ir_inst *at;
      bool stop = false;
      const enum found here = found != NULL ? search(w, next[i], &at, &stop) : NOTHING;
      if (found != NULL && (stop || here > *found))
        *found = stop ? STOPS : here;
      w->seen[next[i]] = true;
      reached = reached || next[i] == to;
      w->stack[top++] = next[i];
    }
  }
  return reached;
}

/* Returns whether the block is where the lanes of another branch around `branch` meet. */
static bool meets_others(struct waits *w, int block, int branch) {
  for (size_t n = 0; n < w->ir->nrpo; n++) {
    const int d = w->ir->rpo[n];
    const struct ir_block *k = &w->ir->blocks[d];
    if (d != branch && k->term == IR_T_COND && k->ipdom == block && !(w->in[d] && w->exits[d]) &&
        reaches(w, d, block, branch, NULL))
      return true;
  }
  return false;
}

/* A walk down the post-dominators of a loop's exit. */
struct meeting {
  struct ir_inst *behind; /* lanes meet behind this instruction, or at this block */
  int at;
  bool released;      /* that is behind the release */
  bool waits;         /* another loop that waits was passed: nothing but the release counts now */
  enum found pending; /* in blocks that were passed, of branches and loops */
};

static void take(struct meeting *m, enum found found, struct ir_inst *behind, int at) {
  if (found < STORES || (m->waits && found != RELEASES))
    return;
  m->behind = behind;
  m->at = behind != NULL ? -1 : at;
  m->released = found == RELEASES;
}

/* Passes a block and what is between it and the next one.  False: no further. */
static bool pass(struct waits *w, struct meeting *m, int block, int next) {
  struct ir_inst *inst = NULL;
  const bool apart = w->ir->blocks[block].depth > w->outside;
  if (!apart) {
    take(m, m->pending, NULL, block);
    m->pending = NOTHING;
  }
  if (m->released)
    return false;
  bool stop = false;
  const enum found found = search(w, block, &inst, &stop);
  if (!apart)
    take(m, found, inst, -1);
  else if (found > m->pending)
    m->pending = found;
  m->waits = m->waits || w->exits[block];
  if (next >= 0 && !m->released)
    (void)reaches(w, block, next, -1, &m->pending);
  return next >= 0 && !m->released && !stop && m->pending != STOPS;
}

/* Sets where the lanes of an exit meet: behind an instruction, at a block, or nowhere if no block
 * post-dominates it.  Leaves it if nothing is found. */
static void set_meeting(struct waits *w, int branch, int out) {
  struct ir *ir = w->ir;
  struct ir_block *b = &ir->blocks[branch];
  struct meeting m = {.at = -1};
  bool atomic = false;
  (void)is_watched(w, NULL, &atomic);
  for (int k = b->ipdom; k >= 0 && !w->in[k] && !meets_others(w, k, branch);
       k = ir->blocks[k].ipdom)
    if (!pass(w, &m, k, ir->blocks[k].ipdom))
      break;
  if ((m.behind == NULL && m.at < 0 && b->ipdom >= 0) || (!m.released && !atomic))
    return;
  if (m.behind != NULL && m.behind->meet == 0)
    m.behind->meet = ++ir->nmeets;
  b->meet = m.behind != NULL ? m.behind->meet : 0;
  b->meet_at = m.at;
  b->leave = out;
}

/* ---- all loops ---- */

/* The successor by which the block's branch leaves the loop as soon as memory allows; -1: none. */
static int way_out(const struct waits *w, int block) {
  const struct ir_block *b = &w->ir->blocks[block];
  if (!w->in[block] || b->term != IR_T_COND || w->in[b->t] == w->in[b->f] ||
      value_of(w, b->cond) != WATCHED)
    return -1;
  return w->in[b->t] ? b->f : b->t;
}

static void look_at_loop(struct waits *w, bool set) {
  for (size_t n = 0; n < w->ir->nrpo; n++) {
    const int b = w->ir->rpo[n], out = way_out(w, b);
    if (out < 0)
      continue;
    if (set && w->ir->blocks[b].leave < 0)
      set_meeting(w, b, out);
    else
      w->exits[b] = true;
  }
}

void ir_find_waits(struct ir *ir) {
  bool loops = false;
  for (size_t n = 0; n < ir->nrpo; n++)
    loops = loops || ir->blocks[ir->rpo[n]].depth > 0;
  if (!loops)
    return;
  struct waits w = {.ir = ir, .preds = ir->preds, .npreds = ir->npreds};
  w.in = ptx_alloc(ir->x, ir->nblocks);
  w.exits = ptx_alloc(ir->x, ir->nblocks);
  w.seen = ptx_alloc(ir->x, ir->nblocks + 1);
  w.stack = ptx_alloc(ir->x, (ir->nblocks + 1) * sizeof *w.stack);
  w.value = ptx_alloc(ir->x, ir->nvregs + 1);
  w.defined = ptx_alloc(ir->x, ir->nvregs + 1);
  for (unsigned set = 0; set < 2; set++)
    for (size_t h = 0; h < ir->nrpo; h++)
      if (find_loop(&w, ir->rpo[h]) && find_values(&w))
        look_at_loop(&w, set != 0);
}
