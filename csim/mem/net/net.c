/* One direction of the crossbar: arbitration of each output, transfer of packets. */
#include "csim/mem/net/net.h"

static unsigned destination(const struct net *n, const struct packet *p) {
  return n->to_sm ? p->sm : p->part;
}

void net_offer(struct net *n, unsigned input) {
  uint64_t bit = (uint64_t)1 << input;
  if ((n->registered & bit) != 0 || ring_empty(n->in[input]))
    return;
  unsigned out = destination(n, ring_head(n->in[input]));
  n->registered |= bit;
  n->want[out] |= bit;
  n->wanted |= (uint64_t)1 << out;
  n->wake = 0;
}

static uint64_t earlier(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* The input to be served: the first at or after next[] whose port is free, or -1; then *wake is at
 * most the tick in which the first port will be. */
static int arbitrate(const struct net *n, unsigned out, uint64_t tick, uint64_t *wake) {
  uint64_t low = n->want[out] & (((uint64_t)1 << n->next[out]) - 1);
  uint64_t high = n->want[out] ^ low;
  for (; high != 0; high &= high - 1)
    if (n->in_free[__builtin_ctzll(high)] <= tick)
      return __builtin_ctzll(high);
    else
      *wake = earlier(*wake, n->in_free[__builtin_ctzll(high)]);
  for (; low != 0; low &= low - 1)
    if (n->in_free[__builtin_ctzll(low)] <= tick)
      return __builtin_ctzll(low);
    else
      *wake = earlier(*wake, n->in_free[__builtin_ctzll(low)]);
  return -1;
}

static void move(struct net *n, unsigned in, unsigned out, uint64_t tick) {
  struct packet *to = ring_push(n->out[out]);
  *to = *ring_head(n->in[in]);
  ring_pop(n->in[in]);
  to->ready = clock_cycle(&n->clock, tick + to->flits - 1 + n->latency) + 1 + n->delay;
  n->in_free[in] = n->out_free[out] = tick + to->flits;
  n->next[out] = (uint8_t)(in + 1 == n->inputs ? 0 : in + 1);
  n->flits += to->flits;
  n->filled |= (uint64_t)1 << out;
  n->registered &= ~((uint64_t)1 << in);
  n->want[out] &= ~((uint64_t)1 << in);
  if (n->want[out] == 0)
    n->wanted &= ~((uint64_t)1 << out);
  net_offer(n, in);
}

/* Returns the first tick that may be another one's turn, if nothing is offered before. */
static uint64_t run_tick(struct net *n, uint64_t tick) {
  uint64_t wake = UINT64_MAX;
  for (uint64_t todo = n->wanted; todo != 0; todo &= todo - 1) {
    unsigned out = (unsigned)__builtin_ctzll(todo);
    if (n->out_free[out] > tick) {
      wake = earlier(wake, n->out_free[out]);
    } else if (ring_room(n->out[out]) == 0) {
      wake = tick + 1;
    } else {
      int in = arbitrate(n, out, tick, &wake);
      if (in < 0)
        continue;
      move(n, (unsigned)in, out, tick);
      wake = tick + 1;
    }
  }
  return wake;
}

void net_run(struct net *n, uint64_t first, uint64_t end) {
  for (uint64_t tick = first; tick < end; tick++)
    if (tick >= n->wake)
      n->wake = run_tick(n, tick);
}
