/* Issue queues and operand collectors, oldest instruction first. */
#include "csim/sm/timing/collect.h"

#include <string.h>

_Static_assert(SM_SLOTS < 64, "slots fit one mask");
_Static_assert(SM_QUEUE_MAX <= SM_QUEUE_RING, "a queue fits its ring");

void sm_collect_reset(struct sm_collect *c, const uint8_t collectors[SM_CLASSES],
                      const uint8_t queue_max[SM_CLASSES], const uint8_t rate[SM_CLASSES],
                      unsigned banks) {
  *c = (struct sm_collect){.free = (UINT64_C(1) << SM_SLOTS) - 1, .bank_mask = banks - 1};
  memcpy(c->collectors, collectors, sizeof c->collectors);
  memcpy(c->queue_max, queue_max, sizeof c->queue_max);
  memcpy(c->rate, rate, sizeof c->rate);
}

static void list_remove(struct sm_list *l, unsigned i) {
  l->n--;
  for (; i < l->n; i++)
    l->at[i] = l->at[i + 1];
}

static void list_insert(const struct sm_collect *c, struct sm_list *l, unsigned slot) {
  unsigned i = l->n;
  l->n = (uint8_t)(i + 1);
  for (; i > 0 && sm_collect_older(c, slot, l->at[i - 1]); i--)
    l->at[i] = l->at[i - 1];
  l->at[i] = (uint8_t)slot;
}

struct sm_op *sm_collect_push(struct sm_collect *c, unsigned cls) {
  struct sm_queue *q = &c->queue[cls];
  if (q->n >= c->queue_max[cls])
    return NULL;
  unsigned slot = (unsigned)__builtin_ctzll(c->free);
  c->free &= c->free - 1;
  c->age[slot] = c->seq++;
  c->op[slot].cls = (uint8_t)cls;
  q->slot[(q->at + q->n++) % SM_QUEUE_RING] = (uint8_t)slot;
  return &c->op[slot];
}

/* Frees a slot and its collector. */
static void leave(struct sm_collect *c, unsigned cls, unsigned slot) {
  c->used[cls]--;
  c->free |= UINT64_C(1) << slot;
}

struct sm_op *sm_collect_take(struct sm_collect *c, unsigned cls, unsigned i) {
  unsigned slot = c->full[cls].at[i];
  list_remove(&c->full[cls], i);
  leave(c, cls, slot);
  return &c->op[slot];
}

/* Returns the planes of one collector that free banks serve, and adds these banks to *busy. */
static inline unsigned read_planes(const struct sm_collect *c, struct sm_op *op, uint32_t *busy) {
  uint32_t taken = *busy;
  unsigned pending = op->pending, got = 0;
  if (op->apart && (op->need & taken) == 0) { /* all of them */
    *busy = taken | op->need;
    op->need = 0;
    op->pending = 0;
    return pending;
  }
  uint32_t mask = c->bank_mask, warp = op->warp;
  for (unsigned left = pending; left != 0; left &= left - 1) {
    unsigned plane = (unsigned)__builtin_ctz(left);
    uint32_t bank = UINT32_C(1) << ((op->reg[plane] + warp) & mask);
    if ((taken & bank) == 0) {
      taken |= bank;
      got |= 1U << plane;
    }
  }
  op->need &= *busy | ~taken; /* the rest, where planes are apart */
  *busy = taken;
  op->pending = (uint8_t)(pending & ~got);
  return got;
}

/* Reads operands, oldest instruction first.  Locals hold the fields, as stores of bytes could alias
 * them. */
static void read_operands(struct sm_collect *restrict c, uint32_t *restrict busy,
                          struct sm_collected *restrict out) {
  struct sm_list *l = &c->collecting;
  uint32_t taken = *busy;
  uint8_t reports[SM_CLASSES];
  memcpy(reports, c->rate, sizeof reports);
  unsigned kept = 0, n = 0, conflicts = 0;
  for (unsigned i = 0, end = l->n; i < end; i++) {
    unsigned slot = l->at[i];
    struct sm_op *op = &c->op[slot];
    unsigned got = read_planes(c, op, &taken), cls = op->cls;
    bool left = op->pending != 0, done = !left && reports[cls] != 0;
    conflicts += left;
    struct sm_grant *g = &out->grant[n];
    g->id = op->id;
    g->planes = (uint8_t)got;
    g->cls = (uint8_t)cls;
    g->done = done;
    n += got != 0 || done;
    if (done) {
      reports[cls]--;
      if (op->ends)
        leave(c, cls, slot);
      else
        list_insert(c, &c->full[cls], slot);
    } else {
      l->at[kept++] = (uint8_t)slot;
    }
  }
  l->n = (uint8_t)kept;
  *busy = taken;
  out->n = n;
  out->conflicts = conflicts;
}

/* Moves instructions from the queue of a class to its free collectors. */
static void fill_collectors(struct sm_collect *restrict c, unsigned cls,
                            struct sm_collected *restrict out) {
  struct sm_queue *q = &c->queue[cls];
  unsigned n = q->n, room = (unsigned)(c->collectors[cls] - c->used[cls]);
  if (n > c->rate[cls])
    n = c->rate[cls];
  if (n > room) {
    n = room;
    out->short_of[cls] = 1;
  }
  for (unsigned i = 0; i < n; i++)
    list_insert(c, &c->collecting, q->slot[(q->at + i) % SM_QUEUE_RING]);
  q->at = (uint8_t)((q->at + n) % SM_QUEUE_RING);
  q->n = (uint8_t)(q->n - n);
  c->used[cls] = (uint8_t)(c->used[cls] + n);
  out->credit[cls] = (uint8_t)n;
}

void sm_collect_step(struct sm_collect *c, uint32_t *busy, struct sm_collected *out) {
  out->n = 0;
  out->conflicts = 0;
  memset(out->credit, 0, sizeof out->credit);
  memset(out->short_of, 0, sizeof out->short_of);
  if (c->collecting.n != 0)
    read_operands(c, busy, out);
  for (unsigned cls = 0; cls < SM_CLASSES; cls++)
    if (c->queue[cls].n != 0)
      fill_collectors(c, cls, out);
}

bool sm_collect_same(const struct sm_collected *a, const struct sm_collected *b) {
  if (a->n != b->n)
    return false;
  for (unsigned i = 0; i < a->n; i++) {
    const struct sm_grant *x = &a->grant[i], *y = &b->grant[i];
    if (x->id != y->id || x->planes != y->planes || x->done != y->done)
      return false;
  }
  return true;
}
