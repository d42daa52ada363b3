/* The DRAM channel of a partition: GDDR5 banks with one open row each, scheduled first-ready,
 * first-come first-served.  Time is in ticks of the command clock. */
#ifndef TANDEM_MEM_DRAM_H
#define TANDEM_MEM_DRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "csim/mem/mem_config.h"

enum { DRAM_BANKS = 32, DRAM_NO_ROW = -1 };

struct dram_request {
  uint64_t order; /* arrival number */
  int32_t row;
  int16_t next; /* in its bank's list, or the free list; -1: none */
  uint16_t tag; /* the requester's, if the request is answered */
  uint8_t bank, bursts;
  bool write;
  bool answered;
  bool prepared; /* a row command was given for it: the request is no row hit */
};

struct dram_bank {
  int64_t row;                                   /* open, or DRAM_NO_ROW */
  uint64_t column_at, precharge_at, activate_at; /* first tick that allows the command */
  int16_t head, tail;                            /* requests by age, -1: none */
  int16_t current;                               /* request that the bank serves */
  uint64_t order;                                /* age of the current request */
  uint32_t passed;                               /* hits served past an older request */
};

enum dram_command { DRAM_ACTIVATE, DRAM_PRECHARGE, DRAM_READ, DRAM_WRITE };

/* The next need of a bank with requests. */
enum dram_need {
  DRAM_NEED_READ,
  DRAM_NEED_WRITE,
  DRAM_NEED_PRECHARGE,
  DRAM_NEED_ACTIVATE,
  DRAM_NEEDS
};

struct dram_done {
  uint64_t tick; /* the tick after the last data */
  uint16_t tag;
};

struct dram {
  const struct mem_config *config;
  uint32_t burst_ticks, burst_bytes, read_to_write, column_gap;
  uint32_t bank_bits, group_bits, column_bits;
  struct dram_request *request;
  int16_t free;
  uint32_t count; /* requests queued */
  uint64_t order;
  uint64_t wake;             /* no command can be given before this tick unless a request arrives */
  uint32_t busy;             /* banks with requests */
  uint32_t need[DRAM_NEEDS]; /* busy banks by the command that they need */
  uint64_t at[DRAM_NEEDS];   /* first tick of such a command to any bank */
  uint64_t due[DRAM_NEEDS];  /* first tick that any of these banks allows it */
  struct dram_bank bank[DRAM_BANKS];
  uint64_t group_at[DRAM_BANKS]; /* first column command of the bank group */
  struct dram_done *done;        /* ring of answers in the order of their data on the bus */
  uint32_t done_head, done_tail, done_mask;
  uint64_t reads, writes, row_hits, busy_ticks; /* statistics */
  /* Called for each command, for tests; NULL: not called. */
  void (*watch)(void *context, uint64_t tick, enum dram_command command, unsigned bank, int64_t row,
                uint16_t tag);
  void *watch_context;
};

bool dram_init(struct dram *d, const struct mem_config *config);
void dram_free(struct dram *d);

static inline bool dram_full(const struct dram *d) { return d->free < 0; }
static inline bool dram_idle(const struct dram *d) {
  return d->count == 0 && d->done_head == d->done_tail;
}

/* Returns bank and row of an address within the channel. */
void dram_map(const struct dram *d, uint32_t address, unsigned *bank, int32_t *row);

enum dram_access { DRAM_LOAD, DRAM_STORE, DRAM_STORE_ANSWERED };

/* Queues an access of one or more bursts of one row.  The queue is not full.  A load is always
 * answered. */
void dram_push(struct dram *d, uint32_t address, unsigned bursts, enum dram_access access,
               uint16_t tag);

/* Steps one tick.  Returns whether a command was given. */
bool dram_tick(struct dram *d, uint64_t tick);

/* Returns the first tick in which something may happen without a new request. */
static inline uint64_t dram_next(const struct dram *d) {
  const uint64_t command = d->busy != 0 ? d->wake : UINT64_MAX;
  if (d->done_head == d->done_tail)
    return command;
  const uint64_t data = d->done[d->done_head & d->done_mask].tick;
  return data < command ? data : command;
}

/* Takes an answered access whose data are complete before tick `end`.  False if there is none. */
bool dram_take(struct dram *d, uint64_t end, uint16_t *tag);

#endif
