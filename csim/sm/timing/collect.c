/* Issue queues and operand collectors, oldest instruction first. */
#include "csim/sm/timing/collect.h"

#include <string.h>

_Static_assert((int)SM_DELAY_MOST < (int)SM_LAG, "a delayed report is within its ring");
_Static_assert(SM_SLOTS < 64, "slots fit one mask");
_Static_assert(SM_QUEUE_MAX <= SM_QUEUE_RING, "a queue fits its ring");

void sm_collect_reset(struct sm_collect *c, const struct sm_shape *shape,
                      const uint8_t collectors[SM_CLASSES], const uint8_t queue_max[SM_CLASSES],
                      const uint8_t rate[SM_CLASSES], unsigned banks) {
  const unsigned sides = shape->far != SM_FAR_NONE ? SM_SIDES : 1;
  for (unsigned side = 0; side < sides; side++, c++) {
    const unsigned part = side == 1 && shape->far == SM_FAR_HALF ? 2 : 1;
    *c = (struct sm_collect){.free = (UINT64_C(1) << SM_SLOTS) - 1,
                             .bank_mask = banks / part - 1,
                             .sides = (uint8_t)sides,
                             .delay = sides > 1 ? shape->delay : 0};
    for (unsigned cls = 0; cls < SM_CLASSES; cls++) {
      c->collectors[cls] = (uint8_t)(collectors[cls] / part);
      c->queue_max[cls] = (uint8_t)(queue_max[cls] / part);
      c->rate[cls] = rate[cls];
    }
  }
}

static void list_remove(struct sm_list *l, unsigned i) {
  l->n--;
  for (; i < l->n; i++)
    l->at[i] = l->at[i + 1];
}

static void list_insert(const struct sm_collect *c, struct sm_list *l, unsigned slot) {
  unsigned i = l->n;
  l->n = (uint8_t)(i + 1);
  for (; i > 0 && sm_age_before(c->age[slot], c->age[l->at[i - 1]]); i--)
    l->at[i] = l->at[i - 1];
  l->at[i] = (uint8_t)slot;
}

struct sm_op *sm_collect_push(struct sm_collect *sides, unsigned side, unsigned cls) {
  struct sm_collect *c = &sides[side];
  struct sm_queue *q = &c->queue[cls];
  if (q->n >= c->queue_max[cls])
    return NULL;
  unsigned slot = (unsigned)__builtin_ctzll(c->free);
  c->free &= c->free - 1;
  c->age[slot] = sides->seq++;
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

/* The progress of a cycle's reads. */
struct reading {
  uint32_t taken; /* banks */
  unsigned n, conflicts, kept;
};

/* Reads operands of the i-th collecting instruction, and reports it if it is complete and a report
 * port of its class is left.  Else it stays in the list. */
static inline __attribute__((always_inline)) void read_one(struct sm_collect *restrict c,
                                                           unsigned i, uint8_t *restrict reports,
                                                           struct reading *restrict r,
                                                           struct sm_collected *restrict out) {
  struct sm_list *l = &c->collecting;
  unsigned slot = l->at[i];
  struct sm_op *op = &c->op[slot];
  unsigned got = read_planes(c, op, &r->taken), cls = op->cls;
  bool left = op->pending != 0, done = !left && reports[cls] != 0;
  out->kept[r->conflicts] = op->id; /* stays if it is one */
  r->conflicts += left;
  struct sm_grant *g = &out->grant[r->n];
  g->id = op->id;
  g->planes = (uint8_t)got;
  g->cls = (uint8_t)cls;
  g->done = done;
  r->n += got != 0 || done;
  if (done) {
    reports[cls]--;
    if (op->ends)
      leave(c, cls, slot);
    else
      list_insert(c, &c->full[cls], slot);
  } else {
    l->at[r->kept++] = (uint8_t)slot;
  }
}

/* Reads operands, oldest instruction first.  Locals hold the fields, as stores of bytes could alias
 * them. */
static inline __attribute__((always_inline)) void
read_operands(struct sm_collect *restrict c, unsigned sides, uint8_t *const ports[SM_SIDES],
              uint32_t *restrict busy, struct sm_collected *restrict out) {
  struct reading r[SM_SIDES];
  const struct sm_list *list[SM_SIDES];
  unsigned at[SM_SIDES] = {0}, side;
  for (side = 0; side < sides; side++) {
    r[side] = (struct reading){.taken = busy[side]};
    list[side] = &c[side].collecting;
  }
  while ((side = sm_collect_oldest(c, sides, list, at)) < sides)
    read_one(&c[side], at[side]++, ports[side], &r[side], &out[side]);
  for (side = 0; side < sides; side++) {
    c[side].collecting.n = (uint8_t)r[side].kept;
    busy[side] = r[side].taken;
    out[side].n = r[side].n;
    out[side].conflicts = r[side].conflicts;
  }
}

/* Moves instructions from the queue of a class to its free collectors. */
static inline __attribute__((always_inline)) void
fill_collectors(struct sm_collect *restrict c, unsigned cls, struct sm_collected *restrict out) {
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

static inline void clear_events(struct sm_collected *out) {
  out->n = 0;
  out->conflicts = 0;
  memset(out->credit, 0, sizeof out->credit);
  memset(out->short_of, 0, sizeof out->short_of);
}

/* Steps c[sides]; of two sides, which share the report ports, those of this cycle that side 1 has
 * taken before are gone. */
static inline __attribute__((always_inline)) void step_sides(struct sm_collect *c, unsigned sides,
                                                             uint64_t cycle, uint32_t *busy,
                                                             struct sm_collected *out) {
  const unsigned delay = sides > 1 ? c->delay : 0;
  uint8_t left[SM_SIDES][SM_CLASSES];
  uint8_t *const ports[SM_SIDES] = {left[0], delay == 0 ? left[0] : left[1]};
  for (unsigned side = 0; side < sides; side++) {
    clear_events(&out[side]);
    memcpy(left[side], c->rate, sizeof left[side]);
  }
  for (unsigned cls = 0; cls < SM_CLASSES && sides > 1; cls++) {
    left[0][cls] = (uint8_t)(left[0][cls] - c->later[cycle % SM_LAG][cls]);
    c->later[cycle % SM_LAG][cls] = 0;
  }
  if (sides > 1 || c->collecting.n != 0)
    read_operands(c, sides, ports, busy, out);
  for (unsigned cls = 0; cls < SM_CLASSES && sides > 1 && delay != 0; cls++)
    c->later[(cycle + delay) % SM_LAG][cls] = (uint8_t)(c->rate[cls] - left[1][cls]);
  for (unsigned side = 0; side < sides; side++)
    for (unsigned cls = 0; cls < SM_CLASSES; cls++)
      if (c[side].queue[cls].n != 0)
        fill_collectors(&c[side], cls, &out[side]);
}

__attribute__((noinline)) static void collect_both(struct sm_collect *c, uint64_t cycle,
                                                   uint32_t *busy, struct sm_collected *out) {
  step_sides(c, SM_SIDES, cycle, busy, out);
}

void sm_collect_step(struct sm_collect *c, uint64_t cycle, uint32_t *busy,
                     struct sm_collected *out) {
  if (c->sides == 1)
    step_sides(c, 1, cycle, busy, out);
  else
    collect_both(c, cycle, busy, out);
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
