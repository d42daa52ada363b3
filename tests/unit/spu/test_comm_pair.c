/* comm_pair: accesses to the two buffers, and who has which. */
#include "csim/ref/spu/comm_pair.h"

#include "tests/unit/spu/pair_environment.h"

static unsigned rows; /* of a buffer, a word of each bank */
#define UNIT comm_pair
#define UNIT_REF_RESET(ref) comm_pair_ref_reset(ref, rows *BANKS)
#define EACH_ROW UINT64_C(0x0101010101010101)
/* Bits that no legal input changes. */
#define UNIT_UNREACHED(F)                                                                          \
  F(p_row, EACH_ROW *(0xffU & ~(rows - 1U)), "rows that there are")                                \
  F(c_row, EACH_ROW *(0xffU & ~(rows - 1U)), "rows that there are")
#include "tests/unit/lockstep.h"

/* Inputs are looked at in the cycle after. */
#define UNIT_AFTER(in)                                                                             \
  { .mode = (in).mode }
#include "tests/unit/illegal.h"

#define UNIT_EVENT(l, in)                                                                          \
  ((void)(l),                                                                                      \
   (in).kernel_start || (in).p_valid || (in).p_post || (in).c_valid || (in).c_post || (in).swap)
#include "tests/unit/spu/quiet.h"

#define COVERAGE(F)                                                                                \
  F(producer_ahead_by_two)                                                                         \
  F(release_beside_post)                                                                           \
  F(both_go_on_together)                                                                           \
  F(write_beside_post)                                                                             \
  F(read_beside_post)                                                                              \
  F(read_beside_swap)                                                                              \
  F(swap_after_swap)                                                                               \
  F(write_and_read_again)                                                                          \
  F(rows_differ)                                                                                   \
  F(one_bank)                                                                                      \
  F(last_row)                                                                                      \
  F(words_compared)                                                                                \
  F(tiles_over_256)                                                                                \
  F(access_after_kernel_start)
COVER_DEFINE(COVERAGE)

static void parameters(void) { rows = device_parameter("Words", 1024) / BANKS; }

/* ---- directed ---- */

/* The value of a word of a tile is its place. */
static uint32_t word_of_tile(unsigned tile, unsigned word) { return tile << 16 | word; }

static unit_in write_row(unsigned mode, unsigned tile, unsigned row) {
  unit_in in = {.mode = mode, .p_valid = 1, .p_bank = 0xffffffff};
  for (unsigned b = 0; b < BANKS; b++) {
    put_row(in.p_row, b, row);
    put_word(in.p_data, b, word_of_tile(tile, row * BANKS + b));
  }
  return in;
}

static unit_in read_row(unsigned mode, unsigned row) {
  unit_in in = {.mode = mode, .c_valid = 1, .c_bank = 0xffffffff};
  for (unsigned b = 0; b < BANKS; b++)
    put_row(in.c_row, b, row);
  return in;
}

/* The words of a row that was asked for two cycles before, of the banks given. */
static void expect_row(const struct lockstep *l, unsigned tile, unsigned row, uint64_t banks) {
  EXPECT(c_rsp, 1);
  for (unsigned b = 0; b < BANKS; b++) {
    const uint32_t word = banks >> b & 1 ? word_of_tile(tile, row * BANKS + b) : 0;
    assert_int_equal(get_word(l->ref_out.c_data, b), word);
    assert_int_equal(get_word(l->dut_out.c_data, b), word);
  }
}

static void every_interleaving(struct lockstep *l) {
  for (unsigned mode = 0; mode < 2; mode++)
    for (unsigned p = 0; p < 5; p++)
      for (unsigned c = 0; c < 5; c++) {
        const unsigned both = p > c ? p : c, p_goes = (mode == 0 ? both : p) + 2;
        TICK(.kernel_start = 1, .mode = mode);
        for (unsigned t = 0; t < 8; t++) {
          TICK(.mode = mode, .p_post = t == p, .c_post = t == c);
          EXPECT(p_done, t == p_goes);
          EXPECT(c_done, t == both + 2);
        }
        EXPECT(quiet, 1);
        EXPECT_STATE(tiles, 0, 1);
        EXPECT_STATE(some, 0, 1);
        EXPECT_STATE(w, 0, 1);
        EXPECT_STATE(r, 0, 0);
        /* The second tile: the decoupled producer waits for a buffer that is free. */
        const unsigned p_again = mode == 0 ? both + 2 : c + 2;
        for (unsigned t = 0; t < 8; t++) {
          TICK(.mode = mode, .p_post = t == p, .c_post = t == c);
          EXPECT(p_done, t == (p_again > p + 2 ? p_again : p + 2));
          EXPECT(c_done, t == both + 2);
        }
        EXPECT_STATE(tiles, 0, 2);
        EXPECT_STATE(r, 0, 1);
        EXPECT_STATE(w, 0, 0);
      }
}

static void swaps_change_sides(struct lockstep *l) {
  TICK(.kernel_start = 1, .mode = 2);
  lockstep_tick(l, write_row(2, 1, 5));
  /* A write beside the swap goes to the buffer of tile 1, one behind it to that of tile 2. */
  unit_in in = write_row(2, 1, 6);
  in.swap = 1;
  lockstep_tick(l, in);
  lockstep_tick(l, write_row(2, 2, 5));
  lockstep_tick(l, read_row(2, 5));
  EXPECT_STATE(some, 0, 1);
  in = read_row(2, 6);
  in.swap = 1;
  lockstep_tick(l, in);
  lockstep_tick(l, read_row(2, 5));
  expect_row(l, 1, 5, 0xffffffff);
  TICK(.mode = 2);
  expect_row(l, 1, 6, 0xffffffff);
  TICK(.mode = 2);
  expect_row(l, 2, 5, 0xffffffff);
  EXPECT(p_done, 0);
  EXPECT(c_done, 0);
  EXPECT_STATE(tiles, 0, 2);
  TICK(.mode = 2);
  EXPECT(c_rsp, 0);
  EXPECT(quiet, 1);
}

static void write_tile(struct lockstep *l, unsigned tile) {
  for (unsigned row = 0; row < 8; row++)
    lockstep_tick(l, write_row(0, tile, row));
}

/* Reads word b * stride of 32 threads in as many passes as the fullest bank has words. */
static void read_stride(struct lockstep *l, unsigned tile, unsigned stride, unsigned passes) {
  uint64_t left = 0xffffffff;
  unsigned done = 0;
  for (; left != 0; done++) {
    unit_in in = {.c_valid = 1};
    uint32_t expected[BANKS] = {0};
    for (unsigned t = 0; t < BANKS; t++) {
      const unsigned word = t * stride % 256, bank = word % BANKS;
      if ((left >> t & 1) == 0 || (in.c_bank >> bank & 1) != 0)
        continue;
      left &= ~(UINT64_C(1) << t);
      in.c_bank |= UINT64_C(1) << bank;
      put_row(in.c_row, bank, word / BANKS);
      expected[bank] = word_of_tile(tile, word);
    }
    lockstep_tick(l, in);
    TICK(0);
    TICK(0);
    EXPECT(c_rsp, 1);
    for (unsigned b = 0; b < BANKS; b++)
      assert_int_equal(get_word(l->dut_out.c_data, b), expected[b]);
  }
  assert_int_equal(done, passes);
}

static void bank_conflicts(struct lockstep *l) {
  TICK(.kernel_start = 1);
  write_tile(l, 3);
  TICK(.p_post = 1, .c_post = 1);
  TICK(0);
  TICK(0);
  EXPECT(c_done, 1);
  read_stride(l, 3, 1, 1);
  read_stride(l, 3, 2, 2);
  read_stride(l, 3, 7, 1); /* rows that differ by bank */
  read_stride(l, 3, 33, 1);
  read_stride(l, 3, 32, 32);
}

static void accesses_beside_posts(struct lockstep *l) {
  TICK(.kernel_start = 1);
  /* The last row is written beside the post. */
  lockstep_tick(l, write_row(0, 1, 0));
  unit_in in = write_row(0, 1, 1);
  in.p_post = in.c_post = 1;
  lockstep_tick(l, in);
  TICK(0);
  TICK(0);
  EXPECT(p_done, 1);
  lockstep_tick(l, write_row(0, 2, 1));
  /* The last row is read beside the consumer's post, while the other side has come. */
  TICK(.p_post = 1);
  in = read_row(0, 1);
  in.c_post = 1;
  lockstep_tick(l, in);
  TICK(0);
  TICK(0);
  EXPECT(c_done, 1);
  expect_row(l, 1, 1, 0xffffffff);
  /* One bank of the next tile. */
  in = read_row(0, 1);
  in.c_bank = UINT64_C(1) << 31;
  lockstep_tick(l, in);
  TICK(0);
  EXPECT(c_rsp, 0);
  TICK(0);
  expect_row(l, 2, 1, UINT64_C(1) << 31);
}

static void kernel_start_keeps_words(struct lockstep *l) {
  lockstep_tick(l, write_row(0, 1, 2));
  TICK(.p_post = 1);
  /* Nothing of its own cycle counts, all of the next one does. */
  unit_in in = write_row(0, 9, 2);
  in.kernel_start = in.p_post = in.c_post = 1;
  lockstep_tick(l, in);
  EXPECT(quiet, 0);
  TICK(.p_post = 1, .c_post = 1);
  EXPECT(quiet, 0);
  TICK(0);
  EXPECT_STATE(tiles, 0, 1);
  lockstep_tick(l, read_row(0, 2));
  EXPECT(p_done, 1);
  EXPECT(c_done, 1);
  TICK(0);
  TICK(0);
  expect_row(l, 1, 2, 0xffffffff);
}

static void tiles_wrap(struct lockstep *l) {
  TICK(.kernel_start = 1, .mode = 2);
  for (unsigned t = 0; t < 65537; t++)
    TICK(.mode = 2, .swap = 1);
  TICK(.mode = 2);
  EXPECT_STATE(tiles, 0, 1);
  EXPECT_STATE(w, 0, 1);
}

static void illegal(struct lockstep *l) {
  TICK(.kernel_start = 1);
  TICK(0);
  ILLEGAL(.swap = 1);
  ILLEGAL(.c_valid = 1);
  LEGAL(.p_valid = 1);
  TICK(.p_post = 1);
  TICK(0);
  ILLEGAL(.p_valid = 1);
  ILLEGAL(.p_post = 1);
  LEGAL(.c_post = 1);
  TICK(.c_post = 1);
  TICK(.c_post = 1);
  ILLEGAL(.c_valid = 1);
  ILLEGAL(.c_post = 1);
  TICK(.kernel_start = 1, .mode = 2);
  ILLEGAL(.mode = 2, .p_post = 1);
  ILLEGAL(.mode = 2, .c_post = 1);
}

/* ---- random ---- */

static void cover_access(const unit_in *in) {
  const uint64_t low = UINT64_C(0x0101010101010101) * (in->c_row[0] & 0xff);
  cover(COVER_write_beside_post, in->p_valid && in->p_post);
  cover(COVER_read_beside_post, in->c_valid && in->c_post);
  cover(COVER_read_beside_swap, in->c_valid && in->swap);
  cover(COVER_rows_differ, in->c_valid && in->c_row[0] != low);
  cover(COVER_one_bank, in->c_valid && __builtin_popcountll(in->c_bank) == 1);
  cover(COVER_last_row, in->c_valid && (in->c_bank >> 31 & 1) && row_of(in->c_row, 31) == rows - 1);
}

static void cover_cycle(const struct comm_pair_ref *c, const unit_in *in, const unit_out *now) {
  static bool swapped, started;
  const bool decoupled = c->in.mode == COMM_PAIR_DECOUPLED, p = c->in.p_post, q = c->in.c_post;
  cover_access(in);
  cover(COVER_producer_ahead_by_two, decoupled && c->p_wait && c->full[0] && c->full[1]);
  cover(COVER_release_beside_post, decoupled && p && q && c->hold);
  cover(COVER_both_go_on_together, decoupled && now->p_done && now->c_done);
  cover(COVER_swap_after_swap, swapped && in->swap);
  cover(COVER_write_and_read_again, c->tiles > 2 && in->c_valid && c->in.p_valid);
  cover(COVER_tiles_over_256, c->tiles > 256);
  cover(COVER_access_after_kernel_start, started && in->p_valid);
  swapped = in->swap != 0;
  started = in->kernel_start != 0;
}

/* A netlist's memories start with anything: all words are written once. */
static void fill(struct lockstep *l) {
  TICK(.kernel_start = 1, .mode = 2);
  for (unsigned buffer = 0; buffer < 2; buffer++)
    for (unsigned row = 0; row < rows; row++) {
      unit_in in = write_row(2, buffer, row);
      in.swap = row + 1 == rows;
      lockstep_tick(l, in);
    }
}

static void random_comm_pair(struct lockstep *l, struct rng *r, uint64_t cycles) {
  static struct pair_environment s;
  s = (struct pair_environment){.rows = rows, .mode = COMM_PAIR_RENDEZVOUS};
  pair_environment_rates(&s, r);
  if (device.spec.kind == RTL_NETLIST) {
    fill(l);
    TICK(.kernel_start = 1, .mode = COMM_PAIR_RENDEZVOUS);
  }
  for (uint64_t c = 0; c < cycles; c++) {
    const unit_out now = lockstep_peek(l, &(unit_in){.mode = s.mode});
    unit_in in = pair_environment_step(&s, r, &now, l->ref.in.kernel_start != 0);
    if (rng_below(r, 100) == 0)
      pair_environment_rates(&s, r);
    if (rng_below(r, 3000) == 0)
      pair_environment_start(&s, r, &in);
    cover_cycle(&l->ref, &in, &now);
    quiet_tick(l, in);
  }
  cover(COVER_words_compared, s.compared != 0);
}

UNIT_MAIN_WITH(parameters, RANDOM(random_comm_pair), DIRECTED(every_interleaving),
               DIRECTED(swaps_change_sides), DIRECTED(bank_conflicts),
               DIRECTED(accesses_beside_posts), DIRECTED(kernel_start_keeps_words),
               DIRECTED(tiles_wrap), DIRECTED(illegal))
