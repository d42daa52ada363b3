/* One direction of the crossbar: each input has a ring of packets, each output delivers to a ring.
 *
 * A port moves one flit a crossbar tick, so that a packet of n flits keeps its input and its output
 * busy for n ticks.  In each tick every free output with room takes the first packet of one input
 * that wants it, round robin over the inputs.
 */
#ifndef TANDEM_MEM_NET_H
#define TANDEM_MEM_NET_H

#include "csim/mem/net/clock.h"
#include "csim/mem/net/packet.h"

enum { NET_PORTS = 128, NET_WORDS = NET_PORTS / 64 };

/* A set of ports, port p in bit p mod 64 of word p / 64. */
struct net_set {
  uint64_t word[NET_WORDS];
};
static inline void net_add(struct net_set *s, unsigned port) {
  s->word[port / 64] |= (uint64_t)1 << port % 64;
}
static inline void net_remove(struct net_set *s, unsigned port) {
  s->word[port / 64] &= ~((uint64_t)1 << port % 64);
}
static inline bool net_has(const struct net_set *s, unsigned port) {
  return (s->word[port / 64] >> port % 64 & 1) != 0;
}
static inline bool net_empty(const struct net_set *s) {
  _Static_assert(NET_WORDS == 2, "the words of a set");
  return (s->word[0] | s->word[1]) == 0;
}

struct net {
  struct clock_ratio clock;
  uint32_t latency;               /* ticks from the last flit's entry to its exit */
  uint32_t delay;                 /* core cycles added before the receiver may take it */
  uint64_t cycle;                 /* core cycle of the offers and ticks */
  uint64_t wake;                  /* nothing moves before this tick, unless something is offered */
  struct net_set wanted;          /* outputs that some input wants */
  struct net_set want[NET_PORTS]; /* by output: inputs whose first packet goes there */
  uint64_t in_free[NET_PORTS], out_free[NET_PORTS]; /* tick from which the port is free */
  struct ring *in[NET_PORTS], *out[NET_PORTS];
  uint8_t next[NET_PORTS];   /* by output: input that has priority */
  struct net_set registered; /* inputs whose first packet is in want[] */
  struct net_set prompt;     /* outputs whose receiver takes every packet when it is ready */
  uint8_t inputs;
  bool to_sm;            /* outputs are ports of SMs and clients, else partitions */
  uint64_t flits;        /* flits moved, for the statistics */
  struct net_set filled; /* outputs that got a packet since the caller emptied the set */
};

/* Notes that a packet was pushed to an input's ring in this cycle. */
void net_offer(struct net *n, unsigned input);

/* Runs the ticks [first, end), which belong to the cycle. */
void net_run(struct net *n, uint64_t first, uint64_t end);

#endif
