/* Check of the cipher: AES-128 of FIPS 197, byte by byte, from the key. */
#include <string.h>

#include "tests/kernels/host.h"

enum { ROUNDS = 10 };
static const uint8_t key[16] = {0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
                                0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c};

/* Product in the field of 256 elements (FIPS 197, 4.2). */
static uint8_t times(uint8_t a, uint8_t b) {
  unsigned product = 0;
  for (unsigned i = 0, x = a; i < 8; i++, x = x << 1 ^ (x & 0x80 ? 0x11b : 0))
    if (b >> i & 1)
      product ^= x;
  return (uint8_t)product;
}

/* SubBytes (5.1.1): the inverse, then an affine map. */
static void substitutions(uint8_t table[256]) {
  for (unsigned a = 0; a < 256; a++) {
    unsigned inverse = 0, s = 0x63;
    for (unsigned b = 1; b < 256; b++)
      if (times((uint8_t)a, (uint8_t)b) == 1)
        inverse = b;
    for (unsigned turn = 0; turn < 5; turn++)
      s ^= (inverse << turn | inverse >> (8 - turn)) & 0xff;
    table[a] = (uint8_t)s;
  }
}

static void expand(uint8_t keys[16 * (ROUNDS + 1)], const uint8_t table[256]) {
  uint8_t constant = 1;
  memcpy(keys, key, sizeof key);
  for (size_t at = 16; at < (size_t)16 * (ROUNDS + 1); at += 4) {
    uint8_t word[4];
    memcpy(word, keys + at - 4, 4);
    if (at % 16 == 0) {
      const uint8_t turned[4] = {word[1], word[2], word[3], word[0]};
      for (size_t i = 0; i < 4; i++)
        word[i] = table[turned[i]];
      word[0] ^= constant;
      constant = times(constant, 2);
    }
    for (size_t i = 0; i < 4; i++)
      keys[at + i] = keys[at + i - 16] ^ word[i];
  }
}

/* state[4 c + r]: row r of column c. */
static void encrypt(uint8_t state[16], const uint8_t *keys, const uint8_t table[256]) {
  static const uint8_t mix[4] = {2, 3, 1, 1};
  for (size_t i = 0; i < 16; i++)
    state[i] ^= keys[i];
  for (size_t round = 1; round <= ROUNDS; round++) {
    uint8_t shifted[16];
    for (size_t i = 0; i < 16; i++)
      shifted[i] = table[state[(i + 4 * (i % 4)) % 16]];
    for (size_t i = 0; i < 16; i++) {
      uint8_t mixed = 0;
      for (size_t r = 0; r < 4; r++)
        mixed ^= times(shifted[i / 4 * 4 + r], mix[(r + 4 - i % 4) % 4]);
      state[i] = (round < ROUNDS ? mixed : shifted[i]) ^ keys[16 * round + i];
    }
  }
}

bool check_aes(const struct host *h) {
  size_t n;
  const uint8_t *in = host_before(h, "in", 16, &n);
  const uint8_t *out = host_after(h, "out", 16, &n);
  uint8_t table[256], keys[16 * (ROUNDS + 1)];
  substitutions(table);
  expand(keys, table);
  for (size_t i = 0; i < n; i++) {
    uint8_t state[16];
    memcpy(state, in + 16 * i, 16);
    encrypt(state, keys, table);
    for (size_t b = 0; b < 16; b++)
      if (!host_equal("byte of out", 16 * i + b, out[16 * i + b], state[b]))
        return false;
  }
  return true;
}
