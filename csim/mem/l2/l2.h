/* A memory partition: ROP delay, L2 slice, and its DRAM channel.
 *
 * The slice is write-back and write-allocate with valid and dirty bits per 32-byte sector: a store
 * allocates without reading memory; reading a line that lacks sectors fetches it and keeps the
 * dirty ones.
 */
#ifndef TANDEM_MEM_L2_H
#define TANDEM_MEM_L2_H

#include "csim/mem/base/tags.h"
#include "csim/mem/l2/dram.h"
#include "csim/mem/mem.h"
#include "csim/mem/net/clock.h"
#include "csim/mem/net/packet.h"

struct l2_waiter {
  struct packet packet;
  int16_t next; /* -1: none */
};

struct l2_mshr {
  int32_t line; /* index of the reserved tag; -1: L2 is off */
  int16_t head, tail;
  uint16_t count;
};

enum { L2_SEARCH = -2 };

/* A request on its way from L2 to the DRAM controller. */
struct l2_request {
  uint64_t ready;
  uint32_t address; /* within the channel */
  uint16_t tag;
  uint8_t bursts;
  uint8_t access; /* enum dram_access */
};

struct l2 {
  _Alignas(64) const struct mem_config *config;
  struct ring in;  /* from the crossbar; packets are ready after the ROP delay */
  struct ring out; /* responses for the crossbar */
  struct tags tags;
  struct l2_mshr *mshr;
  struct l2_waiter *waiter; /* pool */
  uint16_t *free_mshr;      /* stack */
  uint32_t free_mshrs;
  int16_t free_waiter;
  int32_t found;       /* tag of the first request of `in`; -1: none; L2_SEARCH: not looked up */
  uint64_t busy_until; /* atomics at one address occupy the slice */

  /* After a step that changed nothing, a step can change something only from cycle `wake` or tick
   * `wake_tick` on, or after the crossbar moved a packet (in's tail, out's head). */
  uint64_t wake, wake_tick;
  uint32_t wake_in, wake_out;

  uint16_t *filled; /* ring of MSHRs whose data are here and whose waiters are not all answered */
  uint32_t filled_head, filled_tail, filled_mask;
  struct l2_request *request; /* ring */
  uint32_t request_head, request_tail, request_mask;
  struct dram dram;
  struct clock_ratio dram_clock;
  struct mem_stats stats;
};

bool l2_init(struct l2 *l, const struct mem_config *config);
void l2_free(struct l2 *l);
bool l2_idle(const struct l2 *l);

/* Returns whether l2_step would change nothing and can be skipped. */
static inline bool l2_rests(const struct l2 *l, uint64_t cycle, uint64_t end) {
  return cycle < l->wake && end <= l->wake_tick && l->in.tail == l->wake_in &&
         l->out.head == l->wake_out;
}

/* Steps one core cycle, which has the ticks [first, end) of the command clock. */
void l2_step(struct l2 *l, uint64_t cycle, uint64_t first, uint64_t end);

/* Returns the partition of a global address: chunks of 256 bytes go round the partitions. */
static inline uint32_t l2_partition(uint32_t address, uint32_t partitions) {
  return (address >> 8) % partitions;
}

/* Returns the address within the partition's channel. */
static inline uint32_t l2_local(uint32_t address, uint32_t partitions) {
  return (address >> 8) / partitions << 8 | (address & 255);
}

#endif
