/* The DRAM channel: timing of banks, and scheduling of requests. */
#include "csim/mem/l2/dram.h"

#include <stdlib.h>

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }
static uint64_t earlier(uint64_t a, uint64_t b) { return a < b ? a : b; }
static void at_least(uint64_t *time, uint64_t value) { *time = later(*time, value); }

static uint32_t log2_of(uint32_t power) { return (uint32_t)__builtin_ctz(power); }

bool dram_init(struct dram *d, const struct mem_config *config) {
  *d = (struct dram){.config = config};
  /* GDDR5 moves four words a pin and command clock. */
  d->burst_ticks = config->dram_burst < 4 ? 1 : config->dram_burst / 4;
  d->burst_bytes = config->dram_chips * config->dram_bus_bytes * config->dram_burst;
  d->column_gap = config->t_ccd > d->burst_ticks ? config->t_ccd : d->burst_ticks;
  /* Data of a write may follow those of a read after two idle ticks of bus turnaround. */
  d->read_to_write = config->t_cl + d->burst_ticks + 2 > config->t_wl
                         ? config->t_cl + d->burst_ticks + 2 - config->t_wl
                         : 1;
  if (d->read_to_write < d->column_gap)
    d->read_to_write = d->column_gap;
  d->group_bits = log2_of(config->dram_groups);
  d->bank_bits = log2_of(config->dram_banks);
  d->column_bits = log2_of(config->dram_row_bytes / 256);
  d->request = calloc(config->dram_queue, sizeof d->request[0]);
  uint32_t size = 1; /* answers on the way: bounded by latency over gap */
  const uint32_t latency = config->t_cl > config->t_wl ? config->t_cl : config->t_wl;
  while (size < latency + d->burst_ticks + 2)
    size *= 2;
  d->done = calloc(size, sizeof d->done[0]);
  d->done_mask = size - 1;
  if (d->request == NULL || d->done == NULL)
    return false;
  d->free = -1;
  for (int i = (int)config->dram_queue - 1; i >= 0; i--) {
    d->request[i].next = d->free;
    d->free = (int16_t)i;
  }
  for (unsigned b = 0; b < DRAM_BANKS; b++)
    d->bank[b] = (struct dram_bank){.row = DRAM_NO_ROW, .head = -1, .tail = -1, .current = -1};
  return true;
}

void dram_free(struct dram *d) {
  free(d->request);
  free(d->done);
  *d = (struct dram){0};
}

/* Address bits from the lowest: 8 within a chunk, bank group, column, bank within the group, row.
 * The bank is mixed with low bits of the row so that strides of a power of two use all banks. */
void dram_map(const struct dram *d, uint32_t address, unsigned *bank, int32_t *row) {
  uint32_t chunk = address >> 8;
  uint32_t group = chunk & ((1U << d->group_bits) - 1);
  uint32_t above = chunk >> (d->group_bits + d->column_bits);
  uint32_t member = above & ((1U << (d->bank_bits - d->group_bits)) - 1);
  uint32_t r = above >> (d->bank_bits - d->group_bits);
  *row = (int32_t)r;
  *bank = ((member << d->group_bits | group) ^ r) & ((1U << d->bank_bits) - 1);
}

/* Returns the request that a bank serves next: the oldest row hit, unless the oldest request was
 * passed by too many hits; else the oldest. */
static int16_t choose(const struct dram *d, const struct dram_bank *b) {
  bool patient = d->config->dram_hit_limit == 0 || b->passed < d->config->dram_hit_limit;
  if (b->row != DRAM_NO_ROW && patient)
    for (int16_t i = b->head; i >= 0; i = d->request[i].next)
      if (d->request[i].row == b->row)
        return i;
  return b->head;
}

/* Returns the first tick in which the bank allows the command that it needs. */
static uint64_t due_of(const struct dram *d, unsigned bank, enum dram_need need) {
  const struct dram_bank *b = &d->bank[bank];
  if (need <= DRAM_NEED_WRITE)
    return later(b->column_at, d->group_at[bank & ((1U << d->group_bits) - 1)]);
  return need == DRAM_NEED_PRECHARGE ? b->precharge_at : b->activate_at;
}

static enum dram_need need_of(const struct dram_bank *b, const struct dram_request *r) {
  if (b->row == DRAM_NO_ROW)
    return DRAM_NEED_ACTIVATE;
  if (b->row != r->row)
    return DRAM_NEED_PRECHARGE;
  return r->write ? DRAM_NEED_WRITE : DRAM_NEED_READ;
}

/* Sorts the bank by the command that it needs next. */
static void refresh(struct dram *d, unsigned bank) {
  struct dram_bank *b = &d->bank[bank];
  uint32_t bit = 1U << bank;
  for (unsigned i = 0; i < DRAM_NEEDS; i++)
    d->need[i] &= ~bit;
  if (b->current < 0)
    return;
  const struct dram_request *r = &d->request[b->current];
  const enum dram_need need = need_of(b, r);
  const uint64_t due = due_of(d, bank, need);
  b->order = r->order;
  d->due[need] = d->need[need] == 0 ? due : earlier(d->due[need], due);
  d->need[need] |= bit;
}

/* Returns a lower bound, without a search, of the first tick in which a command is possible. */
static uint64_t first_chance(const struct dram *d) {
  uint64_t tick = UINT64_MAX;
  for (unsigned i = 0; i < DRAM_NEEDS; i++)
    if (d->need[i] != 0)
      tick = earlier(tick, later(d->at[i], d->due[i]));
  return tick;
}

void dram_push(struct dram *d, uint32_t address, unsigned bursts, enum dram_access access,
               uint16_t tag) {
  int16_t i = d->free;
  struct dram_request *r = &d->request[i];
  d->free = r->next;
  unsigned bank;
  *r = (struct dram_request){.order = d->order++,
                             .next = -1,
                             .tag = tag,
                             .bursts = (uint8_t)bursts,
                             .write = access != DRAM_LOAD,
                             .answered = access != DRAM_STORE};
  dram_map(d, address, &bank, &r->row);
  r->bank = (uint8_t)bank;
  struct dram_bank *b = &d->bank[bank];
  if (b->tail >= 0)
    d->request[b->tail].next = i;
  else
    b->head = i;
  b->tail = i;
  d->busy |= 1U << bank;
  d->count++;
  /* A hit passes a miss for which the row was not closed yet. */
  if (b->current < 0 || d->request[b->current].row != b->row)
    b->current = choose(d, b);
  refresh(d, bank);
  d->wake = first_chance(d);
}

static void remove_current(struct dram *d, struct dram_bank *b) {
  int16_t i = b->current;
  if (b->head == i) {
    b->head = d->request[i].next;
    b->passed = 0;
  } else {
    int16_t before = b->head;
    while (d->request[before].next != i)
      before = d->request[before].next;
    d->request[before].next = d->request[i].next;
    if (b->tail == i)
      b->tail = before;
    b->passed++;
  }
  if (b->head < 0) {
    b->tail = -1;
    d->busy &= ~(1U << (b - d->bank));
  }
  d->request[i].next = d->free;
  d->free = i;
  d->count--;
  b->current = choose(d, b);
}

static void column(struct dram *d, struct dram_bank *b, uint64_t tick) {
  const struct mem_config *c = d->config;
  struct dram_request *r = &d->request[b->current];
  uint64_t *group = &d->group_at[(uint32_t)(b - d->bank) & ((1U << d->group_bits) - 1)];
  at_least(group, tick + c->t_ccdl);
  at_least(&d->at[DRAM_NEED_READ], tick + d->column_gap);
  at_least(&d->at[DRAM_NEED_WRITE], tick + d->column_gap);
  if (r->write) {
    at_least(&d->at[DRAM_NEED_READ], tick + c->t_wl + d->burst_ticks + c->t_cdlr);
    at_least(&b->precharge_at, tick + c->t_wl + d->burst_ticks + c->t_wr);
  } else {
    at_least(&d->at[DRAM_NEED_WRITE], tick + d->read_to_write);
    at_least(&b->precharge_at, tick + c->t_rtpl);
  }
  d->busy_ticks += d->burst_ticks;
  if (!r->prepared) {
    r->prepared = true; /* the first burst alone counts */
    d->row_hits++;
  }
  if (--r->bursts > 0)
    return;
  *(r->write ? &d->writes : &d->reads) += 1;
  if (r->answered)
    d->done[d->done_tail++ & d->done_mask] = (struct dram_done){
        .tick = tick + (r->write ? c->t_wl : c->t_cl) + d->burst_ticks, .tag = r->tag};
  remove_current(d, b);
}

static enum dram_command give(struct dram *d, struct dram_bank *b, uint64_t tick) {
  const struct mem_config *c = d->config;
  struct dram_request *r = &d->request[b->current];
  if (b->row == r->row) {
    enum dram_command command = r->write ? DRAM_WRITE : DRAM_READ;
    column(d, b, tick);
    return command;
  }
  r->prepared = true;
  if (b->row != DRAM_NO_ROW) {
    b->row = DRAM_NO_ROW;
    at_least(&b->activate_at, tick + c->t_rp);
    return DRAM_PRECHARGE;
  }
  b->row = r->row;
  at_least(&b->column_at, tick + c->t_rcd);
  at_least(&b->precharge_at, tick + c->t_ras);
  at_least(&b->activate_at, tick + c->t_rc);
  at_least(&d->at[DRAM_NEED_ACTIVATE], tick + c->t_rrd);
  return DRAM_ACTIVATE;
}

/* Returns the bank of the oldest request that needs this command and may have it, or -1. */
static int oldest(struct dram *d, enum dram_need need, uint64_t tick) {
  uint64_t best = UINT64_MAX, next = UINT64_MAX;
  int bank = -1;
  if (d->need[need] == 0 || later(d->at[need], d->due[need]) > tick)
    return -1;
  for (uint32_t todo = d->need[need]; todo != 0; todo &= todo - 1) {
    unsigned i = (unsigned)__builtin_ctz(todo);
    uint64_t at = due_of(d, i, need);
    next = earlier(next, at);
    if (at <= tick && d->bank[i].order < best) {
      best = d->bank[i].order;
      bank = (int)i;
    }
  }
  d->due[need] = next;
  return bank;
}

static int older(const struct dram *d, int a, int b) {
  if (a < 0 || b < 0)
    return a < 0 ? b : a;
  return d->bank[a].order < d->bank[b].order ? a : b;
}

bool dram_tick(struct dram *d, uint64_t tick) {
  if (tick < d->wake || d->busy == 0)
    return false;
  int bank = older(d, oldest(d, DRAM_NEED_READ, tick), oldest(d, DRAM_NEED_WRITE, tick));
  if (bank < 0)
    bank = older(d, oldest(d, DRAM_NEED_PRECHARGE, tick), oldest(d, DRAM_NEED_ACTIVATE, tick));
  if (bank < 0) {
    d->wake = first_chance(d);
    return false;
  }
  struct dram_bank *b = &d->bank[bank];
  struct dram_request request = d->request[b->current];
  enum dram_command command = give(d, b, tick);
  refresh(d, (unsigned)bank);
  d->wake = later(first_chance(d), tick + 1);
  if (d->watch != NULL)
    d->watch(d->watch_context, tick, command, (unsigned)bank, request.row, request.tag);
  return true;
}

bool dram_take(struct dram *d, uint64_t end, uint16_t *tag) {
  if (d->done_head == d->done_tail || d->done[d->done_head & d->done_mask].tick >= end)
    return false;
  *tag = d->done[d->done_head++ & d->done_mask].tag;
  return true;
}
