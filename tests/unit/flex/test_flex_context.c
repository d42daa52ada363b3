/* flex_context: words and stack entries of two banks, each with one owner. */
#include "csim/ref/flex/flex_context.h"

#define UNIT flex_context
#define UNIT_LENGTH 2
#define DEPTH_REASON "a push has at most 15 entries below it"
#define UNIT_UNREACHED(F)                                                                          \
  F(own_push_depth, 16, DEPTH_REASON)                                                              \
  F(left_push_depth, 16, DEPTH_REASON)                                                             \
  F(right_push_depth, 16, DEPTH_REASON)                                                            \
  F(own_rd0_row, 1, "even rows")                                                                   \
  F(own_rd1_row, 1, "odd rows")                                                                    \
  F(left_rd0_row, 1, "even rows")                                                                  \
  F(left_rd1_row, 1, "odd rows")                                                                   \
  F(right_rd0_row, 1, "even rows")                                                                 \
  F(right_rd1_row, 1, "odd rows")
#include "tests/unit/lockstep.h"

#include "tests/unit/illegal.h"

#define COVERAGE(F)                                                                                \
  F(two_borrowers_write_same_row)                                                                  \
  F(two_borrowers_read)                                                                            \
  F(two_borrowers_push_and_pop)                                                                    \
  F(right_has_bank_1)                                                                              \
  F(right_has_both)                                                                                \
  F(left_has_both)                                                                                 \
  F(own_beside_right)                                                                              \
  F(own_beside_left)                                                                               \
  F(second_words)                                                                                  \
  F(read_of_row_being_written)                                                                     \
  F(pop_of_entry_being_pushed)                                                                     \
  F(write_one)                                                                                     \
  F(push_to_the_top)                                                                               \
  F(pop_of_the_top)                                                                                \
  F(new_owner_reads)
COVER_DEFINE(COVERAGE)

#define OWNERS(bank0, bank1) (FLEX_##bank0 | FLEX_##bank1 << 2)

/* The ports of a requester. */
struct ports_of {
  uint64_t *wr_valid, *wr_row, *wr_two, *wr_inst0, *wr_dec0, *wr_inst1, *wr_dec1;
  uint64_t *rd_valid[2], *rd_row[2], *rd_b[2];
  uint64_t *push, *push_row, *push_depth, *push0_mask, *push0_pcs, *push1_mask, *push1_pcs;
  uint64_t *pop_valid, *pop_row, *pop_at;
};
#define PORTS_OF(x)                                                                                \
  {                                                                                                \
    &in->x##_wr_valid, &in->x##_wr_row, &in->x##_wr_two, &in->x##_wr_inst0, &in->x##_wr_dec0,      \
        &in->x##_wr_inst1, &in->x##_wr_dec1, {&in->x##_rd0_valid, &in->x##_rd1_valid},             \
        {&in->x##_rd0_row, &in->x##_rd1_row}, {&in->x##_rd0_b, &in->x##_rd1_b}, &in->x##_push,     \
        &in->x##_push_row, &in->x##_push_depth, &in->x##_push0_mask, &in->x##_push0_pcs,           \
        &in->x##_push1_mask, &in->x##_push1_pcs, &in->x##_pop_valid, &in->x##_pop_row,             \
        &in->x##_pop_at                                                                            \
  }
static struct ports_of ports_of(unit_in *in, unsigned requester) {
  const struct ports_of of[FLEX_OWNERS] = {PORTS_OF(own), PORTS_OF(left), PORTS_OF(right)};
  return of[requester];
}

/* The SM by itself: both banks, rows at their ends. */
static void own_rows(struct lockstep *l) {
  static const unsigned rows[] = {0, 11, 12, 23};
  for (unsigned i = 0; i < 4; i++)
    TICK(.own_wr_valid = 1, .own_wr_row = rows[i], .own_wr_two = 1, .own_wr_inst0 = 0x100 + i,
         .own_wr_dec0 = i, .own_wr_inst1 = 0x200 + i, .own_wr_dec1 = 0x7000 + i);
  TICK(.own_rd0_valid = 1, .own_rd0_row = 0, .own_rd1_valid = 1, .own_rd1_row = 23, .own_rd1_b = 1);
  EXPECT(own_rd0_inst, 0x100);
  EXPECT(own_rd0_dec, 0);
  EXPECT(own_rd1_inst, 0x203);
  EXPECT(own_rd1_dec, 0x7003);
  TICK(.own_rd0_valid = 1, .own_rd0_row = 12, .own_rd0_b = 1, .own_rd1_valid = 1,
       .own_rd1_row = 11);
  EXPECT(own_rd0_inst, 0x202);
  EXPECT(own_rd1_inst, 0x101);
  EXPECT(left_rd0_inst, 0);
  /* One word replaces the first alone, and is read from the next cycle on. */
  TICK(.own_wr_valid = 1, .own_wr_row = 12, .own_wr_inst0 = 7, .own_wr_dec0 = 8, .own_wr_inst1 = 9,
       .own_rd0_valid = 1, .own_rd0_row = 12);
  EXPECT(own_rd0_inst, 0x102);
  TICK(.own_rd0_valid = 1, .own_rd0_row = 12);
  EXPECT(own_rd0_inst, 7);
  EXPECT(own_rd0_dec, 8);
  TICK(.own_rd0_valid = 1, .own_rd0_row = 12, .own_rd0_b = 1);
  EXPECT(own_rd0_inst, 0x202);
  TICK(0);
  EXPECT(own_rd0_inst, 0);
  EXPECT(own_rd1_dec, 0);
  EXPECT(own_pop_mask, 0);
}

/* Two borrowers, the same rows, other code. */
static void both_sides(struct lockstep *l) {
  TICK(.owner = OWNERS(LEFT, RIGHT), .left_wr_valid = 1, .left_wr_row = 3, .left_wr_inst0 = 0x11,
       .left_wr_dec0 = 1, .right_wr_valid = 1, .right_wr_row = 3, .right_wr_inst0 = 0x22,
       .right_wr_dec0 = 2, .left_push = 3, .left_push_row = 5, .left_push_depth = 0,
       .left_push0_mask = 0xa, .left_push0_pcs = 0x10002, .left_push1_mask = 0xb,
       .left_push1_pcs = 0x30004, .right_push = 1, .right_push_row = 5, .right_push_depth = 0,
       .right_push0_mask = 0xc, .right_push0_pcs = 0x50006);
  TICK(.owner = OWNERS(LEFT, RIGHT), .left_rd1_valid = 1, .left_rd1_row = 3, .right_rd1_valid = 1,
       .right_rd1_row = 3, .left_pop_valid = 1, .left_pop_row = 5, .left_pop_at = 2,
       .right_pop_valid = 1, .right_pop_row = 5, .right_pop_at = 1);
  EXPECT(left_rd1_inst, 0x11);
  EXPECT(right_rd1_inst, 0x22);
  EXPECT(left_rd1_dec, 1);
  EXPECT(right_rd1_dec, 2);
  EXPECT(left_pop_mask, 0xb);
  EXPECT(left_pop_pcs, 0x30004);
  EXPECT(right_pop_mask, 0xc);
  EXPECT(right_pop_pcs, 0x50006);
  TICK(.owner = OWNERS(LEFT, RIGHT), .left_pop_valid = 1, .left_pop_row = 5, .left_pop_at = 1);
  EXPECT(left_pop_mask, 0xa);
  EXPECT(right_pop_mask, 0);
  /* Row 3 of the right one is row 15 of the SM, which sees it when both banks are its own, as a
   * right neighbour does that has both. */
  TICK(.own_rd1_valid = 1, .own_rd1_row = 15);
  EXPECT(own_rd1_inst, 0x22);
  TICK(.own_rd1_valid = 1, .own_rd1_row = 3);
  EXPECT(own_rd1_inst, 0x11);
  TICK(.owner = OWNERS(RIGHT, RIGHT), .right_rd1_valid = 1, .right_rd1_row = 15,
       .right_pop_valid = 1, .right_pop_row = 17, .right_pop_at = 1);
  EXPECT(right_rd1_inst, 0x22);
  EXPECT(right_pop_mask, 0xc);
  TICK(.owner = OWNERS(RIGHT, RIGHT), .right_rd1_valid = 1, .right_rd1_row = 3);
  EXPECT(right_rd1_inst, 0x11);
}

/* A stack up to its depth, and down again; a pop sees what was there before the push. */
static void whole_stack(struct lockstep *l) {
  for (unsigned d = 0; d < 16; d += 2)
    TICK(.own_push = 3, .own_push_row = 23, .own_push_depth = d, .own_push0_mask = 0x100 + d,
         .own_push0_pcs = d, .own_push1_mask = UINT64_C(1) << 63 | d,
         .own_push1_pcs = 0xffff0000 | d);
  for (unsigned d = 16; d >= 1; d--) {
    TICK(.own_pop_valid = 1, .own_pop_row = 23, .own_pop_at = d);
    EXPECT(own_pop_mask, d % 2 == 0 ? UINT64_C(1) << 63 | (d - 2) : 0x100 + d - 1);
    EXPECT(own_pop_pcs, d % 2 == 0 ? 0xffff0000 | (d - 2) : d - 1);
  }
  TICK(.own_push = 1, .own_push_row = 23, .own_push_depth = 4, .own_push0_mask = 1,
       .own_pop_valid = 1, .own_pop_row = 23, .own_pop_at = 5);
  EXPECT(own_pop_mask, 0x104);
  TICK(.own_pop_valid = 1, .own_pop_row = 23, .own_pop_at = 5);
  EXPECT(own_pop_mask, 1);
}

static void illegal_inputs(struct lockstep *l) {
  const uint64_t trio = OWNERS(LEFT, RIGHT), pair = OWNERS(LEFT, LEFT);
  LEGAL(.owner = trio, .left_wr_valid = 1, .left_wr_row = 11, .right_wr_valid = 1,
        .right_wr_row = 11);
  ILLEGAL(.owner = trio, .own_wr_valid = 1, .own_wr_row = 3);
  ILLEGAL(.owner = trio, .own_wr_valid = 1, .own_wr_row = 13);
  ILLEGAL(.owner = trio, .left_wr_valid = 1, .left_wr_row = 12);
  ILLEGAL(.owner = trio, .right_wr_valid = 1, .right_wr_row = 12);
  ILLEGAL(.owner = trio, .right_rd0_valid = 1, .right_rd0_row = 12);
  ILLEGAL(.owner = trio, .right_rd1_valid = 1, .right_rd1_row = 13);
  ILLEGAL(.owner = trio, .right_push = 1, .right_push_row = 23);
  ILLEGAL(.owner = trio, .right_pop_valid = 1, .right_pop_row = 12, .right_pop_at = 1);
  ILLEGAL(.owner = pair, .right_rd0_valid = 1);
  ILLEGAL(.owner = pair, .own_rd1_valid = 1, .own_rd1_row = 1);
  ILLEGAL(.owner = pair, .own_push = 1);
  ILLEGAL(.owner = pair, .right_pop_valid = 1, .right_pop_at = 1);
  LEGAL(.owner = pair, .left_rd0_valid = 1, .left_rd0_row = 22, .left_rd1_valid = 1,
        .left_rd1_row = 23);
  ILLEGAL(.owner = pair, .left_rd0_valid = 1, .left_rd0_row = 1);
  ILLEGAL(.owner = pair, .left_rd1_valid = 1, .left_rd1_row = 2);
  ILLEGAL(.own_rd0_valid = 1, .own_rd0_row = 1);
  ILLEGAL(.own_rd1_valid = 1, .own_rd1_row = 2);
  ILLEGAL(.owner = OWNERS(RIGHT, RIGHT), .right_rd0_valid = 1, .right_rd0_row = 1);
  ILLEGAL(.owner = OWNERS(RIGHT, RIGHT), .right_rd1_valid = 1, .right_rd1_row = 2);
  ILLEGAL(.own_push = 2);
}

/* Rows of the SM: the words that were ever written, as a set, and the entries; only these are
 * read. */
struct written {
  unsigned words[FLEX_ROWS], entries[FLEX_ROWS], owner[FLEX_ROWS];
};

/* Rows, as numbered by a requester, of banks that it owns. */
static uint64_t rows_of(unsigned owner, unsigned requester) {
  const uint64_t bank = (1U << FLEX_BANK_ROWS) - 1;
  const bool first = (owner & 3) == requester, second = owner >> 2 == requester;
  if (requester == FLEX_RIGHT && second && !first)
    return bank;
  return (first ? bank : 0) | (second ? bank << FLEX_BANK_ROWS : 0);
}

static unsigned random_row(struct rng *r, uint64_t rows, unsigned few) {
  /* Often the same rows, so that accesses meet. */
  const uint64_t some = rows & (rng_chance(r, 50) ? UINT64_C(7) << few : ~UINT64_C(0));
  return rng_member(r, some != 0 ? some : rows);
}

static void drive_words(unit_in *in, unsigned x, uint64_t rows, unsigned few, struct rng *r,
                        struct written *w) {
  const struct ports_of p = ports_of(in, x);
  const unsigned owner0 = in->owner & 3;
  for (unsigned port = 0; port < 2; port++) {
    const unsigned row = random_row(r, rows, few) & ~1U;
    const unsigned at = flex_context_row(owner0, x, row | port);
    *p.rd_row[port] = row | port;
    *p.rd_b[port] = rng_chance(r, 50);
    *p.rd_valid[port] = (w->words[at] >> *p.rd_b[port] & 1) != 0 && rng_chance(r, 80);
    cover(COVER_new_owner_reads, *p.rd_valid[port] && w->owner[at] != x);
  }
  *p.wr_valid = rng_chance(r, 60);
  if (!*p.wr_valid)
    return;
  *p.wr_row = random_row(r, rows, few);
  *p.wr_two = rng_chance(r, 60);
  *p.wr_inst0 = rng_next(r);
  *p.wr_dec0 = rng_next(r) & 0x7fff;
  *p.wr_inst1 = rng_next(r);
  *p.wr_dec1 = rng_next(r) & 0x7fff;
  const unsigned at = flex_context_row(owner0, x, (unsigned)*p.wr_row);
  w->words[at] |= *p.wr_two ? 3 : 1;
  w->owner[at] = x;
}

/* Pushes onto a stack that is as deep as `entries`, or not so deep. */
static void drive_entries(unit_in *in, unsigned x, uint64_t rows, unsigned few, struct rng *r,
                          struct written *w) {
  const struct ports_of p = ports_of(in, x);
  const unsigned owner0 = in->owner & 3;
  *p.pop_row = random_row(r, rows, few);
  const unsigned entries = w->entries[flex_context_row(owner0, x, (unsigned)*p.pop_row)];
  *p.pop_valid = entries > 0 && rng_chance(r, 80);
  *p.pop_at = *p.pop_valid ? 1 + rng_below(r, entries) : 0;
  *p.push_row = rng_chance(r, 30) ? *p.pop_row : random_row(r, rows, few);
  unsigned *top = &w->entries[flex_context_row(owner0, x, (unsigned)*p.push_row)];
  unsigned depth = rng_chance(r, 70) ? *top : rng_below(r, *top + 1);
  const unsigned n = rng_below(r, 3);
  if (depth + n > FLEX_DEPTH)
    depth = FLEX_DEPTH - n;
  if (n == 0)
    return;
  *p.push = n == 2 ? 3 : 1;
  *p.push_depth = depth;
  *p.push0_mask = rng_next(r);
  *p.push0_pcs = rng_next(r) & 0xffffffff;
  *p.push1_mask = rng_next(r);
  *p.push1_pcs = rng_next(r) & 0xffffffff;
  *top = *top < depth + n ? depth + n : *top;
}

static void cover_requester(unit_in *in, unsigned x) {
  const struct ports_of p = ports_of(in, x);
  const bool both = *p.rd_valid[0] && *p.rd_valid[1];
  cover(COVER_second_words, both && *p.rd_b[0] && *p.rd_b[1]);
  for (unsigned port = 0; port < 2; port++)
    cover(COVER_read_of_row_being_written,
          *p.rd_valid[port] && *p.wr_valid && *p.wr_row == *p.rd_row[port] && !*p.rd_b[port]);
  const uint64_t above = *p.push_depth + (*p.push == 3 ? 2 : 1);
  cover(COVER_pop_of_entry_being_pushed, *p.pop_valid && *p.push && *p.push_row == *p.pop_row &&
                                             *p.pop_at > *p.push_depth && *p.pop_at <= above);
  cover(COVER_write_one, *p.wr_valid && !*p.wr_two);
  cover(COVER_push_to_the_top, *p.push && above == FLEX_DEPTH);
  cover(COVER_pop_of_the_top, *p.pop_valid && *p.pop_at == FLEX_DEPTH);
}

static void cover_owners(unit_in *in) {
  const bool trio = in->owner == OWNERS(LEFT, RIGHT);
  cover(COVER_two_borrowers_write_same_row,
        trio && in->left_wr_valid && in->right_wr_valid && in->left_wr_row == in->right_wr_row);
  cover(COVER_two_borrowers_read, trio && in->left_rd0_valid && in->right_rd0_valid &&
                                      in->left_rd1_valid && in->right_rd1_valid);
  cover(COVER_two_borrowers_push_and_pop, trio && in->left_push == 3 && in->right_push == 3 &&
                                              in->left_pop_valid && in->right_pop_valid);
  cover(COVER_right_has_bank_1, trio && in->right_rd0_valid);
  cover(COVER_right_has_both, in->owner == OWNERS(RIGHT, RIGHT) && in->right_rd0_valid &&
                                  in->right_rd0_row >= FLEX_BANK_ROWS);
  cover(COVER_left_has_both, in->owner == OWNERS(LEFT, LEFT) && in->left_rd0_valid &&
                                 in->left_rd0_row >= FLEX_BANK_ROWS);
  cover(COVER_own_beside_right,
        in->owner == OWNERS(OWN, RIGHT) && in->own_rd0_valid && in->right_rd0_valid);
  cover(COVER_own_beside_left,
        in->owner == OWNERS(LEFT, OWN) && in->own_rd0_valid && in->left_rd0_valid);
  for (unsigned x = 0; x < FLEX_OWNERS; x++)
    cover_requester(in, x);
}

static void random_context(struct lockstep *l, struct rng *r, uint64_t cycles) {
  static const unsigned owners[] = {OWNERS(OWN, OWN),     OWNERS(LEFT, LEFT), OWNERS(LEFT, RIGHT),
                                    OWNERS(RIGHT, RIGHT), OWNERS(OWN, RIGHT), OWNERS(LEFT, OWN)};
  struct written w = {0};
  unsigned owner = 0, few = 0;
  for (uint64_t c = 0; c < cycles; c++) {
    if (rng_below(r, 300) == 0)
      owner = owners[rng_below(r, 6)];
    if (rng_below(r, 50) == 0)
      few = rng_below(r, FLEX_ROWS - 2);
    unit_in in = {.owner = owner};
    for (unsigned x = 0; x < FLEX_OWNERS; x++) {
      const uint64_t rows = rows_of(owner, x);
      if (rows != 0) {
        drive_words(&in, x, rows, few, r, &w);
        drive_entries(&in, x, rows, few, r, &w);
      }
    }
    cover_owners(&in);
    lockstep_tick(l, in);
  }
}

UNIT_MAIN(DIRECTED(own_rows), DIRECTED(both_sides), DIRECTED(whole_stack), DIRECTED(illegal_inputs),
          RANDOM(random_context))
