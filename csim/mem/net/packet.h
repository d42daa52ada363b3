/* Packets of the crossbar and the bounded rings they wait in. */
#ifndef TANDEM_MEM_PACKET_H
#define TANDEM_MEM_PACKET_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct sm_inst;

enum packet_kind {
  PACKET_L1D,
  PACKET_CONST,
  PACKET_CODE,
  PACKET_WRITE,
  PACKET_ATOMIC,
  PACKET_CLIENT /* read of a client; a client's write is a PACKET_WRITE with a response */
};

#define PACKET_STAYS UINT64_MAX

struct packet {
  uint64_t ready;       /* first core cycle in which the receiver may take it; of an SM's request
                         * the cycle in which it was sent */
  uint64_t left;        /* core cycle in which it leaves its ring, PACKET_STAYS: not known */
  struct sm_inst *inst; /* instruction of an ATOMIC that returns a value, else NULL */
  uint32_t address;     /* global address of the line */
  uint16_t tag;         /* L1D, CONST: MSHR; CODE: instruction line; CLIENT: the client's; WRITE and
                         * ATOMIC without value: the client's or MEM_OWN_WRITE's, if answered */
  uint8_t kind;
  uint8_t port;    /* port of the SM or client */
  uint8_t part;    /* partition */
  uint8_t flits;   /* length of this packet */
  uint8_t reply;   /* flits of the response; 0: none */
  uint8_t sectors; /* 32-byte sectors wanted or written, bit 0 the lowest */
  uint8_t full;    /* sectors that are written completely */
  uint8_t cost;    /* ATOMIC: most lanes at one address: cycles at the L2 */
};

/* Returns the lowest power of two that is at least n. */
static inline uint32_t power_above(uint32_t n) {
  uint32_t p = 1;
  while (p < n)
    p *= 2;
  return p;
}

/* A first-in first-out ring.  One side pushes and the other pops, in different parts of a cycle, or
 * one side some cycles ahead of the other (csim/mem/l1/log.h): then the pusher has the room that
 * the ring has in its own cycle. */
struct ring {
  struct packet *slot;
  uint32_t head, tail; /* count freely; slots are taken modulo the mask */
  uint32_t gone;       /* packets before it have left, in the pusher's cycle */
  uint32_t mask, limit;
};

/* more: packets that may leave in cycles in which one side is ahead of the other. */
static inline bool ring_init(struct ring *r, uint32_t limit, uint32_t more) {
  const uint32_t size = power_above(limit + more);
  *r = (struct ring){.slot = calloc(size, sizeof(struct packet)), .mask = size - 1, .limit = limit};
  return r->slot != NULL;
}
static inline uint32_t ring_count(const struct ring *r) { return r->tail - r->head; }
static inline bool ring_empty(const struct ring *r) { return r->tail == r->head; }
static inline uint32_t ring_room(const struct ring *r) { return r->limit - ring_count(r); }
static inline struct packet *ring_head(const struct ring *r) { return &r->slot[r->head & r->mask]; }
static inline void ring_pop(struct ring *r, uint64_t cycle) {
  ring_head(r)->left = cycle;
  r->head++;
}

/* Returns the room in a cycle, for a pusher that is ahead of the other side or behind it. */
static inline uint32_t ring_room_in(struct ring *r, uint64_t cycle) {
  while (r->gone != r->tail && r->slot[r->gone & r->mask].left <= cycle)
    r->gone++;
  return r->limit - (r->tail - r->gone);
}

/* Adds a packet, which the caller fills.  The ring has room. */
static inline struct packet *ring_push(struct ring *r) { return &r->slot[r->tail++ & r->mask]; }

#endif
