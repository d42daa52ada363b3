/* L1D and constant cache of an SM, its instruction line requests, and its port to the crossbar. */
#include <stdlib.h>
#include <string.h>

#include "csim/mem/l1/sm_mem.h"

enum { NO_LINE = -1 }; /* the line of a miss register while L1D is off */

bool l1_init(struct l1 *l, uint32_t bytes, uint32_t ways, uint32_t line, uint32_t mshrs,
             uint32_t merge) {
  *l = (struct l1){.mshrs = mshrs, .merge = merge};
  l->mshr = calloc(mshrs, sizeof l->mshr[0]);
  l->waiter = calloc((size_t)mshrs * merge, sizeof l->waiter[0]);
  l->free = calloc(mshrs, sizeof l->free[0]);
  if (!tags_init(&l->tags, bytes, ways, line) || l->mshr == NULL || l->waiter == NULL ||
      l->free == NULL)
    return false;
  for (uint32_t i = 0; i < mshrs; i++)
    l->free[l->frees++] = (uint16_t)(mshrs - 1 - i);
  return true;
}

void l1_free(struct l1 *l) {
  tags_free(&l->tags);
  free(l->mshr);
  free(l->waiter);
  free(l->free);
}

static uint8_t flits(const struct sm_mem *s, uint32_t bytes) {
  uint32_t flit = s->config->xbar_flit_bytes;
  return (uint8_t)((bytes + flit - 1) / flit);
}

/* Adds a packet to the SM's port: a request of one flit without response. */
static struct packet *send(struct sm_mem *s, enum packet_kind kind, uint32_t address) {
  struct packet *p = ring_push(&s->out);
  *p = (struct packet){.ready = s->now,
                       .address = address,
                       .kind = (uint8_t)kind,
                       .port = s->index,
                       .part = (uint8_t)l2_partition(address, s->config->partitions),
                       .flits = 1};
  log_event(s);
  return p;
}

static void send_read(struct sm_mem *s, enum packet_kind kind, uint32_t address, uint32_t bytes,
                      uint16_t tag) {
  struct packet *p = send(s, kind, address);
  p->tag = tag;
  p->sectors = (uint8_t)(((1U << ((bytes + 31) / 32)) - 1) << (address >> 5 & 3));
  p->reply = flits(s, bytes);
  s->outstanding++;
}

/* Returns the sectors that a mask of bytes touches, and those that it covers. */
static void sectors_of(const uint64_t bytes[2], uint8_t *touched, uint8_t *full) {
  for (unsigned i = 0; i < 4; i++) {
    uint32_t b = (uint32_t)(bytes[i / 2] >> (i % 2 * 32));
    *touched = (uint8_t)(*touched | (b != 0) << i);
    *full = (uint8_t)(*full | (b == UINT32_MAX) << i);
  }
}

/* Sends a write: a header and the 32-byte sectors that it touches. */
static struct packet *send_write(struct sm_mem *s, uint32_t address, uint8_t touched,
                                 uint8_t full) {
  struct packet *p = send(s, PACKET_WRITE, address);
  p->sectors = touched;
  p->full = full;
  p->flits = (uint8_t)(1 + flits(s, 32U * (unsigned)__builtin_popcount(touched)));
  return p;
}

/* Lets memory acknowledge a write, with one flit. */
static void expect(struct sm_mem *s, struct packet *p, unsigned warp) {
  p->tag = (uint16_t)(MEM_OWN_WRITE | warp);
  p->reply = 1;
  s->outstanding++;
  s->writes++;
}

/* Sends a store, or an atomic without result, of a warp. */
static void expect_store(struct sm_mem *s, struct packet *p, const struct sm_inst *inst) {
  if (!s->acknowledged && !s->config->store_acks)
    return;
  expect(s, p, inst->warp);
  s->stores[inst->warp]++;
}

/* Writes a whole line of L1D back. */
static void write_back_line(struct sm_mem *s, const struct l1 *l, int index) {
  struct packet *p = send_write(s, l->tags.tag[index] << MEM_SEGMENT_SHIFT, 15, 15);
  shape_count(s, index);
  if (s->acknowledged)
    expect(s, p, MEM_NO_WARP);
}

static void acknowledged(struct sm_mem *s, uint16_t tag) {
  const unsigned warp = tag & MEM_NO_WARP;
  s->writes--;
  if (warp == MEM_NO_WARP)
    return;
  s->stores[warp]--;
  s->stats.store_acks++;
}

/* Adds a waiter to the MSHR of a line under way.  False if the MSHR is full. */
static bool merge(struct l1 *l, uint16_t id, struct sm_inst *inst) {
  struct l1_mshr *m = &l->mshr[id];
  if (m->count >= l->merge)
    return false;
  l->waiter[id * l->merge + m->count++] = inst;
  if (inst != NULL)
    inst->mem.waiting++;
  return true;
}

/* Requests a line with a new miss register for the tag with this index.  There is room. */
static void request_line(struct sm_mem *s, struct l1 *l, enum packet_kind kind, uint32_t address,
                         uint32_t bytes, int32_t index, struct sm_inst *inst) {
  uint16_t id = l->free[--l->frees];
  if (index != NO_LINE)
    l->tags.line[index].mshr = id;
  l->mshr[id] = (struct l1_mshr){.line = index};
  merge(l, id, inst);
  send_read(s, kind, address, bytes, id);
}

/* Reserves a line and requests it, after a dirty victim is written back.  Returns its index, or -1
 * if there is no room. */
static int fetch(struct sm_mem *s, struct l1 *l, enum packet_kind kind, uint32_t address,
                 uint32_t bytes, struct sm_inst *inst) {
  if (l->frees == 0 || ring_room(&s->out) == 0)
    return -1;
  uint32_t number = address / bytes;
  int i = tags_victim(&l->tags, number);
  if (i < 0)
    return -1;
  bool dirty = l->tags.line[i].dirty != 0;
  if (ring_room(&s->out) < 1U + dirty)
    return -1;
  if (dirty)
    write_back_line(s, l, i);
  tags_set(&l->tags, i, number, TAG_RESERVED);
  request_line(s, l, kind, address, bytes, i, inst);
  return i;
}

/* Reads while L1D is off: a read only needs a miss register. */
static bool read_past(struct sm_mem *s, struct sm_inst *inst, const struct transaction *t) {
  struct l1 *l = &s->l1d;
  if (l->frees == 0 || ring_room(&s->out) == 0)
    return false;
  request_line(s, l, PACKET_L1D, t->segment, s->config->line_bytes, NO_LINE, inst);
  return true;
}

/* Loads a line through a cache. */
static bool cached(struct sm_mem *s, struct l1 *l, struct sm_inst *inst, enum packet_kind kind,
                   uint32_t address, uint32_t line, uint32_t latency, uint64_t *hits,
                   uint64_t *misses) {
  int i = tags_find(&l->tags, address / line);
  if (i >= 0 && l->tags.line[i].state == TAG_VALID) {
    tags_touch(&l->tags, i);
    if (l == &s->l1d)
      shape_count(s, i);
    ++*hits;
    uint64_t ready = s->now + latency - 1;
    inst->mem.ready = inst->mem.ready > ready ? inst->mem.ready : ready;
    return true;
  }
  if (i >= 0 ? !merge(l, l->tags.line[i].mshr, inst) : fetch(s, l, kind, address, line, inst) < 0)
    return false;
  ++*misses;
  return true;
}

static bool access_load(struct sm_mem *s, struct sm_inst *inst, const struct transaction *t) {
  return s->config->l1d ? cached(s, &s->l1d, inst, PACKET_L1D, t->segment, s->config->line_bytes,
                                 s->l1d_latency, &s->stats.l1d_hits, &s->stats.l1d_misses)
                        : read_past(s, inst, t);
}

/* Sends a store with write-evict and without allocation.  A line under way stays, as tags hold no
 * data.  NULL if there is no room. */
static struct packet *send_store(struct sm_mem *s, const struct transaction *t) {
  if (ring_room(&s->out) == 0)
    return NULL;
  int i = s->config->l1d ? tags_find(&s->l1d.tags, t->segment >> MEM_SEGMENT_SHIFT) : NO_LINE;
  if (i >= 0 && s->l1d.tags.line[i].state == TAG_VALID)
    tags_drop(&s->l1d.tags, i);
  uint8_t touched = 0;
  uint8_t full = 0;
  sectors_of(t->bytes, &touched, &full);
  return send_write(s, t->segment, touched, full);
}

static bool access_store(struct sm_mem *s, const struct sm_inst *inst,
                         const struct transaction *t) {
  struct packet *p = send_store(s, t);
  if (p != NULL)
    expect_store(s, p, inst);
  return p != NULL;
}

static bool access_atomic(struct sm_mem *s, struct sm_inst *inst, const struct transaction *t) {
  struct packet *p = send_store(s, t);
  if (p == NULL)
    return false;
  p->kind = PACKET_ATOMIC;
  p->full = 0;
  p->cost = t->cost;
  if ((inst->uop->f.mods & ISA_MOD_NORET) != 0) {
    expect_store(s, p, inst);
    return true;
  }
  p->inst = inst;
  p->reply = flits(s, (uint32_t)inst->uop->mem_size * t->lanes);
  inst->mem.waiting++;
  s->outstanding++;
  return true;
}

/* Stores to local memory with write-back and write-allocate; a whole line is not fetched. */
static bool access_local_store(struct sm_mem *s, const struct transaction *t) {
  struct l1 *l = &s->l1d;
  uint32_t number = t->segment >> MEM_SEGMENT_SHIFT;
  int i = tags_find(&l->tags, number);
  if (i >= 0) {
    tags_touch(&l->tags, i);
    shape_count(s, i);
    l->tags.line[i].dirty = 1;
    s->stats.l1d_hits++;
    return true;
  }
  if ((t->bytes[0] & t->bytes[1]) != UINT64_MAX) {
    i = fetch(s, l, PACKET_L1D, t->segment, s->config->line_bytes, NULL);
    if (i < 0)
      return false;
  } else {
    i = tags_victim(&l->tags, number);
    if (i < 0 || (l->tags.line[i].dirty != 0 && ring_room(&s->out) == 0))
      return false;
    if (l->tags.line[i].dirty != 0)
      write_back_line(s, l, i);
    tags_set(&l->tags, i, number, TAG_VALID);
    shape_count(s, i);
  }
  l->tags.line[i].dirty = 1;
  s->stats.l1d_misses++;
  return true;
}

static bool access_const(struct sm_mem *s, struct sm_inst *inst, const struct transaction *t) {
  return cached(s, &s->constant, inst, PACKET_CONST, t->segment, s->config->const_line,
                s->config->const_latency, &s->stats.const_hits, &s->stats.const_misses);
}

bool l1_access(struct sm_mem *s, struct sm_inst *inst, const struct transaction *t) {
  switch ((enum transaction_kind)t->kind) {
  case TR_LOAD:
  case TR_LOCAL_LOAD:
    return access_load(s, inst, t);
  case TR_STORE:
    return access_store(s, inst, t);
  case TR_ATOMIC:
    return access_atomic(s, inst, t);
  case TR_LOCAL_STORE:
    return s->config->l1d ? access_local_store(s, t) : access_store(s, inst, t);
  case TR_CONST:
    return access_const(s, inst, t);
  }
  return true;
}

static void arrived(struct sm_mem *s, struct sm_inst *inst, uint32_t latency) {
  uint64_t ready = s->now + latency - 1;
  inst->mem.ready = inst->mem.ready > ready ? inst->mem.ready : ready;
  inst->mem.waiting--;
  completions_settle(s, inst);
}

static void filled(struct sm_mem *s, struct l1 *l, uint16_t id, uint32_t latency) {
  struct l1_mshr *m = &l->mshr[id];
  if (m->line != NO_LINE) {
    l->tags.line[m->line].state = TAG_VALID;
    if (l == &s->l1d)
      shape_count(s, m->line);
  }
  for (uint32_t i = 0; i < m->count; i++) {
    struct sm_inst *inst = l->waiter[id * l->merge + i];
    if (inst != NULL)
      arrived(s, inst, latency);
  }
  l->free[l->frees++] = id;
}

void l1_responses(struct sm_mem *s) {
  while (!ring_empty(&s->in) && ring_head(&s->in)->ready <= s->now) {
    const struct packet *p = ring_head(&s->in);
    s->stalled = false;
    s->outstanding--;
    switch ((enum packet_kind)p->kind) {
    case PACKET_L1D:
      filled(s, &s->l1d, p->tag, s->l1d_latency);
      break;
    case PACKET_CONST:
      filled(s, &s->constant, p->tag, s->config->const_latency);
      break;
    case PACKET_CODE:
      s->fill[s->fill_tail++ % MEM_CODE_LINES] = p->tag;
      break;
    case PACKET_ATOMIC:
      if (p->inst != NULL)
        arrived(s, p->inst, 1); /* its value does not pass through L1D */
      else
        acknowledged(s, p->tag);
      break;
    case PACKET_WRITE:
      if (p->tag >= MEM_OWN_WRITE) {
        acknowledged(s, p->tag);
        break;
      }
      /* fallthrough */
    case PACKET_CLIENT:
      *ring_push(&s->client[p->tag / MEM_CLIENT_TAGS]->in) = *p;
      break;
    }
    ring_pop(&s->in, s->now);
  }
}

void l1_ask_code(struct sm_mem *s) {
  if (ring_room(&s->out) == 0)
    return;
  uint16_t line = s->ask[s->ask_head++ % MEM_CODE_LINES];
  send_read(s, PACKET_CODE, s->grid->code_address + line * 128U, 128, line);
}

void sm_mem_ifetch(struct sm_mem *s, uint16_t line) {
  s->ask[s->ask_tail++ % MEM_CODE_LINES] = line;
}

bool sm_mem_fill(struct sm_mem *s, struct mem_fill *fill) {
  if (s->fill_head == s->fill_tail)
    return false;
  uint16_t line = s->fill[s->fill_head % MEM_CODE_LINES];
  fill->line = line;
  fill->beat = s->beat;
  for (unsigned i = 0; i < 2; i++) {
    fill->data[i] = grid_word(s->grid, line * 16U + s->beat * 2U + i);
  }
  if (++s->beat == 8) {
    s->beat = 0;
    s->fill_head++;
    s->stats.icache_fills++;
  }
  return true;
}
