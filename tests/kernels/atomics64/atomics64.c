/* Check of 64-bit atomics: the operations whose order does not matter, exactly; of the others what
 * the kernels judged; tickets, each taken once. */
#include <string.h>

#include "tests/kernels/host.h"

enum { ADD, SUB, INC, DEC, MIN, MAX, AND, OR, XOR, XCHG, CMPXCHG, OPERATIONS };

static uint64_t hash(uint64_t x) {
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

/* All atomics of the operations before XCHG on their words, in any order. */
static void apply(uint64_t w[OPERATIONS], uint64_t v, bool is_signed) {
  const uint64_t flip = is_signed ? UINT64_C(1) << 63 : 0;
  w[ADD] += v;
  w[SUB] -= v;
  w[INC]++;
  w[DEC]--;
  w[MIN] = (v ^ flip) < (w[MIN] ^ flip) ? v : w[MIN];
  w[MAX] = (v ^ flip) > (w[MAX] ^ flip) ? v : w[MAX];
  w[AND] &= v | UINT64_C(0x00ff00ff0000ffff);
  w[OR] |= v & UINT64_C(0x1100220033004400);
  w[XOR] ^= v;
}

static bool equal(const char *name, size_t i, uint64_t got, uint64_t want) {
  return host_equal(name, 2 * i, (uint32_t)got, (uint32_t)want) &&
         host_equal(name, 2 * i + 1, (uint32_t)(got >> 32), (uint32_t)(want >> 32));
}

/* The words of one sign, and the sums of their hashes. */
static bool words_right(const struct host *h, const char *name, bool is_signed, uint64_t *all) {
  size_t n, threads;
  const uint64_t *first = host_before(h, "first", sizeof *first, &n);
  const uint64_t *in = host_before(h, "in", sizeof *in, &threads);
  const uint64_t *got = host_after(h, name, sizeof *got, &n);
  const uint64_t *sums = host_after(h, "sums", sizeof *sums, &n);
  uint64_t want[OPERATIONS];
  bool right = true;
  memcpy(want, first, sizeof want);
  *all = 0;
  for (size_t i = 0; i < threads; i++) {
    apply(want, in[i], is_signed);
    *all += in[i];
  }
  for (unsigned k = 0; k < OPERATIONS; k++) {
    const bool known = k < XCHG; /* the others are judged and cleared */
    right &= equal(name, k, got[k], known ? want[k] : 0);
    right &= equal("sums", is_signed ? k : OPERATIONS + k, sums[is_signed ? k : OPERATIONS + k],
                   known ? hash(want[k]) - hash(first[k]) : 0);
  }
  return right;
}

bool check_atomics64(const struct host *h) {
  enum { BLOCK = 60, EACH = 8 };
  size_t n, tickets, threads;
  const uint64_t *pair = host_after(h, "pair", sizeof *pair, &n);
  const uint32_t *taken = host_after(h, "taken", sizeof *taken, &tickets);
  const uint32_t *wrong = host_after(h, "wrong", sizeof *wrong, &n);
  uint64_t all, bits;
  bool right = words_right(h, "s", true, &all) && words_right(h, "u", false, &all);
  double sum = 0;
  (void)host_before(h, "in", sizeof(uint64_t), &threads);
  for (size_t i = 0; i < threads; i++)
    sum += i % BLOCK % EACH == 0 ? (double)i + 0.25 : 0;
  memcpy(&bits, &sum, sizeof bits);
  right &= equal("pair", 0, pair[0], threads << 32 | threads) && equal("pair", 2, pair[2], all) &&
           equal("pair", 3, pair[3], bits);
  for (size_t i = 0; i < tickets; i++)
    right &= host_equal("taken", i, taken[i], 1);
  return right && host_equal("wrong", 0, wrong[0], 0);
}
