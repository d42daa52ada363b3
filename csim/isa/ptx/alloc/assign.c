/* Live segments, and the registers that they take. */
#include "csim/isa/ptx/alloc/assign.h"

bool alloc_range_free(const uint64_t *bits, uint32_t from, uint32_t to) {
  uint32_t a = from / 64, b = (to - 1) / 64;
  uint64_t head = UINT64_MAX << (from % 64), tail = UINT64_MAX >> (63 - (to - 1) % 64);
  if (a == b)
    return (bits[a] & head & tail) == 0;
  if ((bits[a] & head) || (bits[b] & tail))
    return false;
  for (uint32_t i = a + 1; i < b; i++)
    if (bits[i])
      return false;
  return true;
}

static void mark_range(uint64_t *bits, uint32_t from, uint32_t to, bool on) {
  for (uint32_t p = from; p < to;) {
    uint32_t n = 64 - p % 64 < to - p ? 64 - p % 64 : to - p;
    uint64_t mask = (n == 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1) << (p % 64);
    bits[p / 64] = on ? bits[p / 64] | mask : bits[p / 64] & ~mask;
    p += n;
  }
}

static bool unit_fits(const struct alloc *a, int unit, const uint64_t *bits) {
  for (uint32_t i = 0; i < a->live.nsegs[unit]; i++)
    if (!alloc_range_free(bits, a->live.segs[unit][i].from, a->live.segs[unit][i].to))
      return false;
  return true;
}

bool alloc_units_meet(const struct alloc *a, int u, int v) {
  const struct ir_seg *x = a->live.segs[u], *y = a->live.segs[v];
  uint32_t i = 0, j = 0;
  while (i < a->live.nsegs[u] && j < a->live.nsegs[v]) {
    if (x[i].to <= y[j].from)
      i++;
    else if (y[j].to <= x[i].from)
      j++;
    else
      return true;
  }
  return false;
}

bool alloc_fits(const struct alloc *a, int v, unsigned reg) {
  const struct ir_vreg *r = &a->ir->vregs[v];
  for (unsigned k = 0; k < r->width; k++)
    if (!unit_fits(a, r->unit + (int)k, a->taken[r->pred][reg + k]))
      return false;
  return true;
}

void alloc_assign(struct alloc *a, int v, unsigned reg) {
  struct ir_vreg *r = &a->ir->vregs[v];
  r->reg = (int)reg;
  for (unsigned k = 0; k < r->width; k++) {
    int u = r->unit + (int)k;
    for (uint32_t i = 0; i < a->live.nsegs[u]; i++)
      mark_range(a->taken[r->pred][reg + k], a->live.segs[u][i].from, a->live.segs[u][i].to, true);
    struct assigned *h = &a->held[r->pred][reg + k];
    PTX_PUSH(a->ir->x, h->list, h->n, h->cap) = v;
  }
}

void alloc_unassign(struct alloc *a, int v) {
  struct ir_vreg *r = &a->ir->vregs[v];
  for (unsigned k = 0; k < r->width; k++) {
    int u = r->unit + (int)k;
    unsigned reg = (unsigned)r->reg + k;
    for (uint32_t i = 0; i < a->live.nsegs[u]; i++)
      mark_range(a->taken[r->pred][reg], a->live.segs[u][i].from, a->live.segs[u][i].to, false);
    struct assigned *h = &a->held[r->pred][reg];
    for (size_t i = 0; i < h->n; i++)
      if (h->list[i] == v) {
        h->list[i] = h->list[--h->n];
        break;
      }
  }
  r->reg = -1;
}
