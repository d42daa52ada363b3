/* A memory partition: ROP delay, L2 slice, requests to its DRAM channel. */
#include "csim/mem/l2/l2.h"

#include <stdlib.h>
#include <string.h>

enum { ALL = 15, LINE_SHIFT = 7, NO_L2_LINE = -1 };

bool l2_init(struct l2 *l, const struct mem_config *c) {
  *l = (struct l2){
      .config = c, .found = L2_SEARCH, .dram_clock = {.mhz = c->dram_mhz, .core = c->core_mhz}};
  uint32_t waiters = c->l2_mshrs * c->l2_mshr_merge;
  l->filled_mask = power_above(c->l2_mshrs) - 1;
  l->request_mask = power_above(c->l2_dram_queue) - 1;
  l->mshr = calloc(c->l2_mshrs, sizeof l->mshr[0]);
  l->waiter = calloc(waiters, sizeof l->waiter[0]);
  l->free_mshr = calloc(c->l2_mshrs, sizeof l->free_mshr[0]);
  l->filled = calloc(l->filled_mask + 1, sizeof l->filled[0]);
  l->request = calloc(l->request_mask + 1, sizeof l->request[0]);
  if (!ring_init(&l->in, c->l2_queue, 0) || !ring_init(&l->out, c->xbar_queue, 0) ||
      !tags_init(&l->tags, c->l2_bytes, c->l2_ways, c->line_bytes) || !dram_init(&l->dram, c) ||
      l->mshr == NULL || l->waiter == NULL || l->free_mshr == NULL || l->filled == NULL ||
      l->request == NULL)
    return false;
  for (uint32_t i = 0; i < c->l2_mshrs; i++)
    l->free_mshr[l->free_mshrs++] = (uint16_t)(c->l2_mshrs - 1 - i);
  l->free_waiter = -1;
  for (int i = (int)waiters - 1; i >= 0; i--) {
    l->waiter[i].next = l->free_waiter;
    l->free_waiter = (int16_t)i;
  }
  return true;
}

void l2_free(struct l2 *l) {
  free(l->in.slot);
  free(l->out.slot);
  tags_free(&l->tags);
  dram_free(&l->dram);
  free(l->mshr);
  free(l->waiter);
  free(l->free_mshr);
  free(l->filled);
  free(l->request);
}

bool l2_idle(const struct l2 *l) {
  return ring_empty(&l->in) && ring_empty(&l->out) && l->free_mshrs == l->config->l2_mshrs &&
         l->request_head == l->request_tail && dram_idle(&l->dram);
}

static uint32_t request_room(const struct l2 *l) {
  return l->config->l2_dram_queue - (l->request_tail - l->request_head);
}

static void push_request(struct l2 *l, struct l2_request r) {
  l->request[l->request_tail++ & l->request_mask] = r;
}

/* Returns the bursts that the sectors of a line need. */
static uint8_t bursts_of(const struct l2 *l, unsigned sectors, enum dram_access access) {
  const bool apart = l->config->dram_sector_reads && access == DRAM_LOAD;
  unsigned bytes = l->dram.burst_bytes;
  if (bytes <= 32 || apart)
    return (uint8_t)((unsigned)__builtin_popcount(sectors) * (bytes < 32 ? 32 / bytes : 1));
  if (bytes == 64)
    return (uint8_t)(((sectors & 3) != 0) + ((sectors & 12) != 0));
  return 1;
}

/* Frees a way for the line, writing dirty sectors back, and reserves or fills it.  `needs` requests
 * to DRAM will follow.  Returns the way, or -1 if that is not possible in this cycle. */
static int allocate(struct l2 *l, uint64_t cycle, uint32_t number, enum tag_state state,
                    uint32_t needs) {
  int i = tags_victim(&l->tags, number);
  if (i < 0)
    return -1;
  struct tag_line *old = &l->tags.line[i];
  bool write = old->state == TAG_VALID && old->dirty != 0;
  if (request_room(l) < needs + write)
    return -1;
  if (write)
    push_request(l, (struct l2_request){.ready = cycle + l->config->dram_latency,
                                        .address = l->tags.tag[i] << LINE_SHIFT,
                                        .bursts = bursts_of(l, old->dirty, DRAM_STORE),
                                        .access = DRAM_STORE});
  tags_set(&l->tags, i, number, state);
  return i;
}

static void respond(struct l2 *l, const struct packet *p) {
  struct packet *r = ring_push(&l->out);
  *r = *p;
  r->flits = p->reply;
}

/* Queues the DRAM access of a request whose line the slice does not keep. */
static void pass_on(struct l2 *l, uint64_t cycle, const struct packet *p, enum dram_access access,
                    uint16_t tag) {
  push_request(l, (struct l2_request){.ready = cycle + l->config->dram_latency,
                                      .address = l2_local(p->address, l->config->partitions),
                                      .tag = tag,
                                      .bursts = bursts_of(l, p->sectors, access),
                                      .access = (uint8_t)access});
}

/* Updates a present line for an atomic.  This occupies the slice for as many cycles as lanes share
 * an address: the first call sets busy_until, charges the packet and returns false. */
static bool update(struct l2 *l, int i, struct packet *p, uint64_t cycle) {
  if (p->cost > 1) {
    l->busy_until = cycle + p->cost - 1;
    p->cost = 1;
    return false;
  }
  if (i >= 0)
    l->tags.line[i].dirty |= p->sectors;
  else
    pass_on(l, cycle, p, DRAM_STORE, 0);
  return true;
}

static bool join(struct l2 *l, struct l2_mshr *m, const struct packet *p) {
  if (m->count >= l->config->l2_mshr_merge)
    return false;
  int16_t w = l->free_waiter;
  l->free_waiter = l->waiter[w].next;
  l->waiter[w] = (struct l2_waiter){.packet = *p, .next = -1};
  if (m->count++ == 0)
    m->head = w;
  else
    l->waiter[m->tail].next = w;
  m->tail = w;
  return true;
}

static bool fetch_line(struct l2 *l, uint64_t cycle, uint32_t number, int i,
                       const struct packet *p) {
  if (l->free_mshrs == 0)
    return false;
  if (i < 0) {
    i = allocate(l, cycle, number, TAG_RESERVED, 1);
    if (i < 0)
      return false;
  } else { /* the line is here, but not all of what is wanted */
    if (request_room(l) == 0)
      return false;
    l->tags.line[i].state = TAG_RESERVED;
    tags_touch(&l->tags, i);
  }
  uint16_t id = l->free_mshr[--l->free_mshrs];
  l->mshr[id] = (struct l2_mshr){.line = i, .head = -1, .tail = -1};
  l->tags.line[i].mshr = id;
  push_request(l, (struct l2_request){.ready = cycle + l->config->dram_latency,
                                      .address = number << LINE_SHIFT,
                                      .tag = id,
                                      .bursts = bursts_of(l, ALL, DRAM_LOAD)});
  join(l, &l->mshr[id], p);
  l->stats.l2_misses++;
  return true;
}

static bool access_write(struct l2 *l, uint64_t cycle, uint32_t number, int i,
                         const struct packet *p) {
  if (i < 0) {
    i = allocate(l, cycle, number, TAG_VALID, 0);
    if (i < 0)
      return false;
    l->stats.l2_misses++;
  } else {
    tags_touch(&l->tags, i);
    l->stats.l2_hits++;
  }
  l->tags.line[i].dirty |= p->sectors;
  l->tags.line[i].valid |= p->full;
  return true;
}

static bool write_and_answer(struct l2 *l, uint64_t cycle, uint32_t number, int i,
                             const struct packet *p) {
  if (p->reply != 0 && ring_room(&l->out) == 0)
    return false;
  if (!access_write(l, cycle, number, i, p))
    return false;
  if (p->reply != 0)
    respond(l, p);
  return true;
}

/* Sends a request to DRAM while L2 is off, with a miss register if it is answered. */
static bool bypass(struct l2 *l, uint64_t cycle, const struct packet *p) {
  const bool write = p->kind == PACKET_WRITE, waits = !write || p->reply != 0;
  uint16_t id = 0;
  if (request_room(l) == 0 || (waits && l->free_mshrs == 0))
    return false;
  if (waits) {
    id = l->free_mshr[--l->free_mshrs];
    l->mshr[id] = (struct l2_mshr){.line = NO_L2_LINE, .head = -1, .tail = -1};
    join(l, &l->mshr[id], p);
  }
  pass_on(l, cycle, p, !write ? DRAM_LOAD : waits ? DRAM_STORE_ANSWERED : DRAM_STORE, id);
  return true;
}

/* Looks one request up.  False if it must be tried again in the next cycle. */
static bool lookup(struct l2 *l, uint64_t cycle, struct packet *p) {
  if (!l->config->l2)
    return bypass(l, cycle, p);
  uint32_t number = l2_local(p->address, l->config->partitions) >> LINE_SHIFT;
  if (l->found == L2_SEARCH) /* a request that waits finds the same again */
    l->found = tags_find(&l->tags, number);
  int i = l->found;
  if (p->kind == PACKET_WRITE)
    return write_and_answer(l, cycle, number, i, p);
  if (i >= 0 && l->tags.line[i].state == TAG_RESERVED) {
    if (!join(l, &l->mshr[l->tags.line[i].mshr], p))
      return false;
    l->stats.l2_misses++;
    return true;
  }
  if (i < 0 || (l->tags.line[i].valid & p->sectors) != p->sectors)
    return fetch_line(l, cycle, number, i, p);
  if (p->reply != 0 && ring_room(&l->out) == 0)
    return false;
  if (p->kind == PACKET_ATOMIC && !update(l, i, p, cycle))
    return false;
  tags_touch(&l->tags, i);
  l->stats.l2_hits++;
  if (p->reply != 0)
    respond(l, p);
  return true;
}

/* Answers one waiter of the oldest line that came from DRAM.  False if it has to wait. */
static bool answer_waiter(struct l2 *l, uint64_t cycle) {
  uint16_t id = l->filled[l->filled_head & l->filled_mask];
  struct l2_mshr *m = &l->mshr[id];
  int16_t w = m->head;
  struct packet *p = &l->waiter[w].packet;
  if (p->reply != 0 && ring_room(&l->out) == 0)
    return false;
  if (p->kind == PACKET_ATOMIC && m->line == NO_L2_LINE && request_room(l) == 0)
    return false;
  if (p->kind == PACKET_ATOMIC && !update(l, m->line, p, cycle))
    return false;
  if (p->reply != 0)
    respond(l, p);
  m->head = l->waiter[w].next;
  l->waiter[w].next = l->free_waiter;
  l->free_waiter = w;
  if (--m->count > 0)
    return true;
  if (m->line != NO_L2_LINE) {
    struct tag_line *line = &l->tags.line[m->line];
    line->state = TAG_VALID;
    line->valid = ALL;
  }
  l->free_mshr[l->free_mshrs++] = id;
  l->filled_head++;
  return true;
}

/* Steps DRAM and its queue.  Returns whether anything changed. */
static bool step_dram(struct l2 *l, uint64_t cycle, uint64_t first, uint64_t end) {
  bool changed = false;
  while (l->request_head != l->request_tail && !dram_full(&l->dram)) {
    const struct l2_request *r = &l->request[l->request_head & l->request_mask];
    if (r->ready > cycle)
      break;
    dram_push(&l->dram, r->address, r->bursts, (enum dram_access)r->access, r->tag);
    l->request_head++;
    changed = true;
  }
  if (l->dram.busy != 0)
    for (uint64_t tick = first; tick < end; tick++)
      changed |= dram_tick(&l->dram, tick);
  uint16_t id;
  while (dram_take(&l->dram, end, &id)) {
    l->filled[l->filled_tail++ & l->filled_mask] = id;
    changed = true;
  }
  return changed;
}

/* Answers a waiter and looks a request up.  Returns whether anything changed. */
static bool serve_request(struct l2 *l, uint64_t cycle) {
  const bool answered = l->filled_head != l->filled_tail && answer_waiter(l, cycle);
  if (l->busy_until > cycle)
    return true;
  if (ring_empty(&l->in))
    return answered;
  struct packet *p = ring_head(&l->in);
  if (p->ready > cycle || !lookup(l, cycle, p))
    return answered || l->busy_until > cycle;
  ring_pop(&l->in, cycle);
  l->found = L2_SEARCH;
  return true;
}

/* Returns the first cycle after this one in which something is due. */
static uint64_t next_cycle(const struct l2 *l, uint64_t cycle) {
  uint64_t next = UINT64_MAX;
  if (l->busy_until > cycle)
    next = l->busy_until;
  else if (!ring_empty(&l->in) && ring_head(&l->in)->ready > cycle)
    next = ring_head(&l->in)->ready;
  if (l->request_head != l->request_tail) {
    const uint64_t ready = l->request[l->request_head & l->request_mask].ready;
    next = ready > cycle && ready < next ? ready : next;
  }
  return next;
}

void l2_step(struct l2 *l, uint64_t cycle, uint64_t first, uint64_t end) {
  bool changed = step_dram(l, cycle, first, end);
  if (l->busy_until <= cycle)
    changed |= serve_request(l, cycle);
  l->wake = changed ? 0 : next_cycle(l, cycle);
  l->wake_tick = dram_next(&l->dram);
  l->wake_in = l->in.tail;
  l->wake_out = l->out.head;
}
