/* Producer and consumer of a comm_pair, which keep its contract (docs/hardware/spu_units.md) in all
 * modes, and check that a tile that is read is the tile that was written. */
#ifndef TANDEM_TEST_PAIR_ENVIRONMENT_H
#define TANDEM_TEST_PAIR_ENVIRONMENT_H

#include "csim/ref/spu/comm_pair.h"
#include "tests/unit/testing.h"

enum { BANKS = COMM_PAIR_BANKS };

static inline void put_row(uint64_t rows[4], unsigned bank, unsigned row) {
  rows[bank / 8] |= (uint64_t)row << bank % 8 * 8;
}
static inline void put_word(uint64_t words[16], unsigned bank, uint32_t word) {
  words[bank / 2] |= (uint64_t)word << bank % 2 * 32;
}
static inline uint32_t get_word(const uint64_t words[16], unsigned bank) {
  return (uint32_t)(words[bank / 2] >> bank % 2 * 32);
}

static inline unsigned row_of(const uint64_t rows[4], unsigned bank) {
  return (unsigned)(rows[bank / 8] >> bank % 8 * 8) & 0xff;
}

/* The words that a tile is to have; those that nobody wrote are not known. */
struct pair_image {
  uint32_t word[COMM_PAIR_WORDS_MOST];
  bool known[COMM_PAIR_WORDS_MOST];
};

/* Both sides, and the tiles that are between them. */
struct pair_environment {
  unsigned rows; /* of a buffer, a word of each bank */
  unsigned mode;
  struct pair_image image[4]; /* of tile t: t mod 4 */
  unsigned written, read;     /* tiles: that of the producer, that of the consumer */
  bool some;                  /* the consumer has one */
  bool p_waits, c_waits;
  unsigned write, post, look, take, swap; /* of a hundred */
  struct {
    bool valid;
    struct pair_image *from;
    uint64_t banks, row[4];
  } asked[2];        /* reads of the last two cycles */
  unsigned compared; /* words, for coverage */
};

/* A new kernel, of a random mode: adds kernel_start to the inputs of a cycle. */
void pair_environment_start(struct pair_environment *s, struct rng *r, struct comm_pair_in *in);
/* Other rates of accesses and posts. */
void pair_environment_rates(struct pair_environment *s, struct rng *r);
/* Takes the outputs of a cycle and gives its inputs.  old: kernel_start has yet to act, so that
 * dones are those of the kernel before. */
struct comm_pair_in pair_environment_step(struct pair_environment *s, struct rng *r,
                                          const struct comm_pair_out *now, bool old);

#endif
