/* One direction of the crossbar: arbitration of each output, transfer of packets. */
#include "csim/mem/net/net.h"

static unsigned destination(const struct net *n, const struct packet *p) {
  return n->to_sm ? p->port : p->part;
}

void net_offer(struct net *n, unsigned input) {
  if (net_has(&n->registered, input) || ring_empty(n->in[input]) ||
      ring_head(n->in[input])->ready > n->cycle)
    return;
  unsigned out = destination(n, ring_head(n->in[input]));
  net_add(&n->registered, input);
  net_add(&n->want[out], input);
  net_add(&n->wanted, out);
  n->wake = 0;
}

static uint64_t sooner(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* Returns the first of these inputs with a free port, or -1; `base` is the number of bit 0.  *wake
 * becomes at most the tick in which the next port is free. */
static inline int first_free(const struct net *n, uint64_t inputs, unsigned base, uint64_t tick,
                             uint64_t *wake) {
  for (; inputs != 0; inputs &= inputs - 1) {
    const unsigned in = base + (unsigned)__builtin_ctzll(inputs);
    if (n->in_free[in] <= tick)
      return (int)in;
    *wake = sooner(*wake, n->in_free[in]);
  }
  return -1;
}

/* Returns the input to serve: the first one at or after next[] with a free port, or -1; *wake as in
 * first_free.  The words go round: the upper part of that of next[] comes first, its lower part
 * last. */
static int arbitrate(const struct net *n, unsigned out, uint64_t tick, uint64_t *wake) {
  const unsigned first = n->next[out] / 64;
  const uint64_t word = n->want[out].word[first];
  const uint64_t low = word & (((uint64_t)1 << n->next[out] % 64) - 1);
  int in = first_free(n, word ^ low, 64 * first, tick, wake);
  for (unsigned k = 1; in < 0 && k < NET_WORDS; k++) {
    const unsigned at = (first + k) % NET_WORDS;
    in = first_free(n, n->want[out].word[at], 64 * at, tick, wake);
  }
  return in >= 0 ? in : first_free(n, low, 64 * first, tick, wake);
}

static void move(struct net *n, unsigned in, unsigned out, uint64_t tick) {
  struct packet *to = ring_push(n->out[out]);
  *to = *ring_head(n->in[in]);
  ring_pop(n->in[in], n->cycle);
  to->ready = clock_cycle(&n->clock, tick + to->flits - 1 + n->latency) + 1 + n->delay;
  to->left = net_has(&n->prompt, out) ? to->ready : PACKET_STAYS;
  n->in_free[in] = n->out_free[out] = tick + to->flits;
  n->next[out] = (uint8_t)(in + 1 == n->inputs ? 0 : in + 1);
  n->flits += to->flits;
  net_add(&n->filled, out);
  net_remove(&n->registered, in);
  net_remove(&n->want[out], in);
  if (net_empty(&n->want[out]))
    net_remove(&n->wanted, out);
  net_offer(n, in);
}

/* Serves a wanted output.  Returns the first tick in which it may be served again. */
static uint64_t serve(struct net *n, unsigned out, uint64_t tick) {
  uint64_t wake = UINT64_MAX;
  if (n->out_free[out] > tick)
    return n->out_free[out];
  if (ring_room_in(n->out[out], n->cycle) == 0)
    return tick + 1;
  const int in = arbitrate(n, out, tick, &wake);
  if (in < 0)
    return wake;
  move(n, (unsigned)in, out, tick);
  return tick + 1;
}

/* Serves all wanted outputs.  Returns the first tick in which one may be served, unless a packet is
 * offered before. */
static uint64_t run_tick(struct net *n, uint64_t tick) {
  uint64_t wake = UINT64_MAX;
  for (unsigned k = 0; k < NET_WORDS; k++)
    for (uint64_t todo = n->wanted.word[k]; todo != 0; todo &= todo - 1)
      wake = sooner(wake, serve(n, 64 * k + (unsigned)__builtin_ctzll(todo), tick));
  return wake;
}

void net_run(struct net *n, uint64_t first, uint64_t end) {
  for (uint64_t tick = first; tick < end; tick++)
    if (tick >= n->wake)
      n->wake = run_tick(n, tick);
}
