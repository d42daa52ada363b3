#include "csim/sm/collect.h"

#include <string.h>

_Static_assert(SM_SLOTS < 64, "slots fit one mask");

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

static void list_insert(struct sm_collect *c, struct sm_list *l, unsigned slot) {
  unsigned i = l->n++;
  for (; i > 0 && c->op[l->at[i - 1]].seq > c->op[slot].seq; i--)
    l->at[i] = l->at[i - 1];
  l->at[i] = (uint8_t)slot;
}

struct sm_op *sm_collect_push(struct sm_collect *c, unsigned cls) {
  struct sm_queue *q = &c->queue[cls];
  if (q->n >= c->queue_max[cls])
    return NULL;
  unsigned slot = (unsigned)__builtin_ctzll(c->free);
  c->free &= c->free - 1;
  c->op[slot].seq = c->seq++;
  c->op[slot].cls = (uint8_t)cls;
  q->slots |= (uint64_t)slot << 8 * q->n++;
  return &c->op[slot];
}

struct sm_op *sm_collect_take(struct sm_collect *c, unsigned cls, unsigned i) {
  unsigned slot = c->full[cls].at[i];
  list_remove(&c->full[cls], i);
  c->used[cls]--;
  c->free |= UINT64_C(1) << slot;
  return &c->op[slot];
}

/* Planes of one collector that the free banks serve. */
static inline unsigned read_planes(const struct sm_collect *c, struct sm_op *op, uint32_t *busy) {
  unsigned got = 0;
  if (op->apart && (op->need & *busy) == 0) { /* all of them */
    got = op->pending;
    *busy |= op->need;
    op->need = 0;
    op->pending = 0;
    return got;
  }
  for (unsigned left = op->pending; left != 0; left &= left - 1) {
    unsigned plane = (unsigned)__builtin_ctz(left);
    uint32_t bank = UINT32_C(1) << ((op->reg[plane] + op->warp) & c->bank_mask);
    if ((*busy & bank) == 0) {
      *busy |= bank;
      got |= 1U << plane;
      op->need &= ~bank; /* what is left, where planes are apart */
    }
  }
  op->pending = (uint8_t)(op->pending & ~got);
  return got;
}

static void read_operands(struct sm_collect *c, uint32_t *busy, struct sm_collected *out) {
  struct sm_list *l = &c->collecting;
  uint8_t reports[SM_CLASSES];
  memcpy(reports, c->rate, sizeof reports);
  unsigned kept = 0;
  for (unsigned i = 0; i < l->n; i++) {
    unsigned slot = l->at[i];
    struct sm_op *op = &c->op[slot];
    unsigned got = read_planes(c, op, busy);
    bool done = op->pending == 0 && reports[op->cls] != 0;
    out->conflicts += op->pending != 0;
    if (got != 0 || done)
      out->grant[out->n++] = (struct sm_grant){op->id, (uint8_t)got, op->cls, done};
    if (done) {
      reports[op->cls]--;
      list_insert(c, &c->full[op->cls], slot);
    } else {
      l->at[kept++] = (uint8_t)slot;
    }
  }
  l->n = (uint8_t)kept;
}

/* From the queue of a class to its free collectors. */
static void fill_collectors(struct sm_collect *c, unsigned cls, struct sm_collected *out) {
  struct sm_queue *q = &c->queue[cls];
  while (q->n != 0 && out->credit[cls] < c->rate[cls]) {
    if (c->used[cls] == c->collectors[cls]) {
      out->short_of[cls] = 1;
      return;
    }
    unsigned slot = q->slots & 0xff;
    q->slots >>= 8;
    q->n--;
    list_insert(c, &c->collecting, slot);
    c->used[cls]++;
    out->credit[cls]++;
  }
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
