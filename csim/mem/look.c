/* The state of memory for observers. */
#include "csim/mem/look.h"

#include "csim/mem/l1/sm_mem.h"

unsigned sm_mem_misses(const struct sm_mem *s) { return s->l1d.mshrs - s->l1d.frees; }

unsigned gpu_mem_misses(const struct gpu_mem *m) {
  unsigned n = 0;
  for (unsigned p = 0; p < m->config.partitions; p++)
    n += m->config.l2_mshrs - m->part[p].free_mshrs;
  return n;
}

/* ---- the load-store unit ---- */

/* Returns why a load finds no room: as l1_access refuses it. */
static enum mem_block block_of(const struct l1 *l, uint32_t line, bool off) {
  const int i = off ? -1 : tags_find(&l->tags, line);
  if (i >= 0 && l->tags.line[i].state == TAG_RESERVED)
    return l->mshr[l->tags.line[i].mshr].count >= l->merge ? MEM_NO_MERGE : MEM_FREE;
  if (l->frees == 0)
    return MEM_NO_REGISTER;
  if (!off && tags_victim(&l->tags, line) < 0)
    return MEM_NO_WAY;
  return MEM_NO_PORT;
}

struct mem_head sm_mem_head(const struct sm_mem *s) {
  struct mem_head h = {.inst = s->head};
  if (s->head == NULL)
    return h;
  h.transactions = s->count - s->next;
  h.passes = s->passes;
  if (!s->stalled || s->passes > 0 || s->next >= s->count)
    return h;
  const struct transaction *t = &s->list[s->next];
  h.address = t->segment;
  if (t->kind == TR_CONST)
    h.block = block_of(&s->constant, t->segment / s->config->const_line, false);
  else if (t->kind == TR_STORE || t->kind == TR_ATOMIC)
    h.block = MEM_NO_PORT;
  else
    h.block = block_of(&s->l1d, t->segment >> MEM_SEGMENT_SHIFT, !s->config->l1d);
  return h;
}

/* ---- requests ---- */

struct visit {
  const struct gpu_mem *m;
  const struct sm_mem *s;
  uint64_t now;
  void (*look)(void *user, const struct mem_look *request);
  void *user;
};

/* Reports a request, unless nobody waits for its answer. */
static void report(const struct visit *v, const struct packet *p, struct mem_look *r) {
  const struct l1 *l = p->kind == PACKET_CONST ? &v->s->constant : &v->s->l1d;
  r->address = p->address;
  r->tag = p->tag;
  r->partition = p->part;
  switch ((enum packet_kind)p->kind) {
  case PACKET_L1D:
  case PACKET_CONST:
    r->kind = p->kind == PACKET_CONST ? MEM_OF_CONSTANT : MEM_OF_DATA;
    r->waiter = l->waiter + (size_t)p->tag * l->merge;
    r->waiters = l->mshr[p->tag].count;
    break;
  case PACKET_CODE:
    r->kind = MEM_OF_CODE;
    break;
  case PACKET_ATOMIC:
    r->kind = MEM_OF_ATOMIC;
    r->waiter = &p->inst;
    r->waiters = p->inst != NULL;
    break;
  case PACKET_WRITE:
  case PACKET_CLIENT:
    return;
  }
  v->look(v->user, r);
}

/* Visits the packets of a ring: `way` if they are still on their way to it. */
static void visit_ring(const struct visit *v, const struct ring *ring, enum mem_stage way,
                       enum mem_stage there) {
  for (uint32_t i = ring->head; i != ring->tail; i++) {
    const struct packet *p = &ring->slot[i & ring->mask];
    if (p->port != v->s->index)
      continue;
    struct mem_look r = {.stage = p->ready > v->now ? way : there};
    report(v, p, &r);
  }
}

/* Returns what the bank had open when it began to serve the request, soon after that.  A row
 * command for it or its first burst may have been given: behind an activation the column has to
 * wait. */
static enum mem_row row_before(const struct dram_bank *b, const struct dram_request *q,
                               uint64_t tick) {
  if (b->row == DRAM_NO_ROW)
    return q->prepared ? MEM_ROW_OTHER : MEM_ROW_CLOSED;
  if (b->row != q->row)
    return MEM_ROW_OTHER;
  return q->prepared && b->column_at > tick ? MEM_ROW_CLOSED : MEM_ROW_OPEN;
}

/* Finds the request of a miss register in the queue of its bank. */
static bool in_queue(const struct dram *d, unsigned bank, uint16_t tag, uint64_t tick,
                     struct mem_look *r) {
  const struct dram_bank *b = &d->bank[bank];
  r->older = 0;
  for (int16_t i = b->head; i >= 0; i = d->request[i].next, r->older++) {
    const struct dram_request *q = &d->request[i];
    if (q->tag != tag || !q->answered || q->write)
      continue;
    r->stage = MEM_IN_DRAM;
    r->bank = (uint8_t)bank;
    r->row = q->row;
    r->open = row_before(b, q, tick);
    return true;
  }
  return false;
}

/* Finds what the read of a miss register of L2 is doing. */
static struct mem_look place_of(const struct l2 *l, uint16_t id, uint64_t tick) {
  struct mem_look r = {.stage = MEM_ON_BUS};
  for (uint32_t i = l->request_head; i != l->request_tail; i++) {
    const struct l2_request *q = &l->request[i & l->request_mask];
    if (q->tag == id && q->access == DRAM_LOAD)
      return (struct mem_look){.stage = MEM_TO_DRAM};
  }
  for (uint32_t i = l->filled_head; i != l->filled_tail; i++)
    if (l->filled[i & l->filled_mask] == id)
      return (struct mem_look){.stage = MEM_FILLED};
  for (unsigned b = 0; b < DRAM_BANKS; b++)
    if (in_queue(&l->dram, b, id, tick, &r))
      return r;
  return r;
}

static void visit_misses(const struct visit *v, const struct l2 *l) {
  for (uint16_t id = 0; id < l->config->l2_mshrs; id++) {
    const struct l2_mshr *m = &l->mshr[id];
    int w = m->head;
    for (unsigned n = 0; n < m->count; n++, w = l->waiter[w].next) {
      const struct packet *p = &l->waiter[w].packet;
      if (p->port != v->s->index)
        continue;
      struct mem_look r = place_of(l, id, clock_first(&l->dram_clock, v->now));
      report(v, p, &r);
    }
  }
}

void gpu_mem_each(const struct gpu_mem *m, unsigned sm,
                  void (*look)(void *user, const struct mem_look *request), void *user) {
  const struct visit v = {m, m->sm[sm], m->step_cycle, look, user};
  visit_ring(&v, &v.s->out, MEM_AT_PORT, MEM_AT_PORT);
  visit_ring(&v, &v.s->in, MEM_FROM_L2, MEM_FROM_L2);
  for (unsigned p = 0; p < m->config.partitions; p++) {
    const struct l2 *l = &m->part[p];
    visit_ring(&v, &l->in, MEM_TO_L2, MEM_IN_L2);
    visit_misses(&v, l);
    visit_ring(&v, &l->out, MEM_ANSWERED, MEM_ANSWERED);
  }
}
