/* flex_tags: one way of L1D, in two banks with one owner each. */
#include "csim/ref/flex/flex_tags.h"

#include "csim/ref/flex/flex_context.h"

static unsigned way;
#define UNIT flex_tags
#define UNIT_REF_RESET(ref) flex_tags_ref_reset(ref, way)
#include "tests/unit/lockstep.h"

#include "tests/unit/illegal.h"

#define COVERAGE(F)                                                                                \
  F(hit_left)                                                                                      \
  F(hit_right)                                                                                     \
  F(same_row_other_tags)                                                                           \
  F(miss_of_empty_row)                                                                             \
  F(miss_of_tag)                                                                                   \
  F(set_in_another_way)                                                                            \
  F(hit_of_the_other_half)                                                                         \
  F(lookup_while_written)                                                                          \
  F(dropped)                                                                                       \
  F(start_drops)                                                                                   \
  F(all_rows)
COVER_DEFINE(COVERAGE)

#define OWNERS(bank0, bank1) (FLEX_##bank0 | FLEX_##bank1 << 2)

static void parameters(void) { way = device_parameter("Way", 0); }

/* A set that is in this way for a requester of a single bank, and one that is not. */
static unsigned here(unsigned row) { return 16 * (way / 2) + row; }
static unsigned elsewhere(unsigned row) { return 16 * (1 - way / 2) + row; }

static void own_sets(struct lockstep *l) {
  TICK(.own_wr = 1, .own_wr_keep = 1, .own_wr_set = 3, .own_wr_tag = 0x12345, .own_valid = 1,
       .own_set = 3, .own_tag = 0x12345);
  EXPECT(own_hit, 0);
  TICK(.own_wr = 1, .own_wr_keep = 1, .own_wr_set = 19, .own_wr_tag = 0x54321, .own_valid = 1,
       .own_set = 3, .own_tag = 0x12345);
  EXPECT(own_hit, 1);
  EXPECT(left_hit, 0);
  TICK(.own_valid = 1, .own_set = 19, .own_tag = 0x12345);
  EXPECT(own_hit, 0);
  TICK(.own_valid = 1, .own_set = 19, .own_tag = 0x54321);
  EXPECT(own_hit, 1);
  TICK(.own_wr = 1, .own_wr_set = 19, .own_valid = 1, .own_set = 19, .own_tag = 0x54321);
  EXPECT(own_hit, 1);
  TICK(.own_valid = 1, .own_set = 19, .own_tag = 0x54321);
  EXPECT(own_hit, 0);
  EXPECT_STATE(valid0, 0, 8);
  EXPECT_STATE(valid1, 0, 0);
  TICK(.own_set = 3, .own_tag = 0x12345);
  EXPECT(own_hit, 0);
}

/* Both borrowers of a trio have the same set, with tags of their own. */
static void halves(struct lockstep *l) {
  const uint64_t trio = OWNERS(LEFT, RIGHT);
  TICK(.owner = trio, .left_wr = 1, .left_wr_keep = 1, .left_wr_set = here(5), .left_wr_tag = 1,
       .right_wr = 1, .right_wr_keep = 1, .right_wr_set = here(5), .right_wr_tag = 2);
  for (unsigned tag = 1; tag < 4; tag++) {
    TICK(.owner = trio, .left_valid = 1, .left_set = here(5), .left_tag = tag, .right_valid = 1,
         .right_set = here(5), .right_tag = tag);
    EXPECT(left_hit, tag == 1);
    EXPECT(right_hit, tag == 2);
  }
  /* The other sets with this row are in other ways. */
  TICK(.owner = trio, .left_valid = 1, .left_set = elsewhere(5), .left_tag = 1, .right_valid = 1,
       .right_set = elsewhere(5), .right_tag = 2);
  EXPECT(left_hit, 0);
  EXPECT(right_hit, 0);
  EXPECT_STATE(valid0, 0, 32);
  EXPECT_STATE(valid1, 0, 32);
  TICK(.owner = trio, .kernel_start = 1);
  TICK(.owner = trio, .left_valid = 1, .left_set = here(5), .left_tag = 1);
  EXPECT(left_hit, 0);
}

static void illegal_inputs(struct lockstep *l) {
  const uint64_t trio = OWNERS(LEFT, RIGHT), pair = OWNERS(RIGHT, RIGHT);
  LEGAL(.owner = trio, .left_valid = 1, .left_set = elsewhere(1));
  ILLEGAL(.owner = trio, .left_wr = 1, .left_wr_set = elsewhere(1));
  ILLEGAL(.owner = trio, .right_wr = 1, .right_wr_set = elsewhere(1));
  ILLEGAL(.owner = trio, .own_valid = 1);
  ILLEGAL(.owner = pair, .left_valid = 1);
  ILLEGAL(.owner = pair, .own_wr = 1);
  LEGAL(.owner = pair, .right_wr = 1, .right_wr_set = elsewhere(1), .right_valid = 1);
  ILLEGAL(.right_valid = 1);
  LEGAL(.kernel_start = 1, .right_valid = 1, .left_wr = 1);
}

/* The ports of a requester, and its hit. */
struct ports_of {
  uint64_t *valid, *set, *tag, *wr, *keep, *wr_set, *wr_tag;
};
#define PORTS_OF(x)                                                                                \
  {                                                                                                \
    &in->x##_valid, &in->x##_set, &in->x##_tag, &in->x##_wr, &in->x##_wr_keep, &in->x##_wr_set,    \
        &in->x##_wr_tag                                                                            \
  }
static struct ports_of ports_of(unit_in *in, unsigned requester) {
  const struct ports_of of[FLEX_OWNERS] = {PORTS_OF(own), PORTS_OF(left), PORTS_OF(right)};
  return of[requester];
}

/* Few tags and mostly few rows, so that some hit. */
static unsigned some_set(struct rng *r) {
  return rng_below(r, 2) * 16 + (rng_chance(r, 70) ? rng_below(r, 3) : rng_below(r, 16));
}
static uint64_t some_tag(struct rng *r) {
  return rng_chance(r, 80) ? 0xa5a50 + rng_below(r, 3) : rng_next(r) & 0xfffff;
}

/* A tag that is there, or one that differs in a bit. */
static uint64_t near_tag(const struct lockstep *l, const unit_in *in, unsigned x, uint64_t set,
                         struct rng *r) {
  const int bank = flex_tags_bank(way, (unsigned)in->owner, x, (unsigned)set);
  if (bank < 0 || rng_chance(r, 60))
    return some_tag(r);
  const uint64_t tag = l->ref.bank[bank][set % FLEX_TAG_ROWS].tag;
  return rng_chance(r, 50) ? tag : tag ^ UINT64_C(1) << rng_below(r, 20);
}

static void drive(const struct lockstep *l, unit_in *in, unsigned x, struct rng *r, unsigned keep) {
  const struct ports_of p = ports_of(in, x);
  const unsigned owner = (unsigned)in->owner;
  if ((owner & 3) != x && owner >> 2 != x)
    return;
  *p.valid = rng_chance(r, 80);
  *p.set = some_set(r);
  *p.tag = near_tag(l, in, x, *p.set, r);
  *p.wr_set = rng_chance(r, 30) ? *p.set : some_set(r);
  *p.wr_tag = rng_chance(r, 30) ? *p.tag : some_tag(r);
  *p.keep = rng_chance(r, keep);
  *p.wr = rng_chance(r, 30) && flex_tags_bank(way, owner, x, (unsigned)*p.wr_set) >= 0;
}

static void cover_lookup(const struct lockstep *l, unit_in *in, unsigned x, bool hit) {
  const struct ports_of p = ports_of(in, x);
  const unsigned owner = (unsigned)in->owner, row = *p.set % FLEX_TAG_ROWS;
  const int bank = *p.valid ? flex_tags_bank(way, owner, x, (unsigned)*p.set) : 0;
  const bool written = *p.wr && *p.wr_set == *p.set;
  cover(COVER_set_in_another_way, *p.valid && bank < 0 && l->ref.bank[owner >> 2 == x][row].valid &&
                                      l->ref.bank[owner >> 2 == x][row].tag == *p.tag);
  if (!*p.valid || bank < 0)
    return;
  cover(COVER_miss_of_empty_row,
        !l->ref.bank[bank][row].valid && l->ref.bank[bank][row].tag == *p.tag);
  cover(COVER_miss_of_tag, l->ref.bank[bank][row].valid && !hit);
  cover(COVER_hit_of_the_other_half, hit && *p.set / 16 != way / 2);
  cover(COVER_lookup_while_written, written && !hit && *p.keep && *p.wr_tag == *p.tag);
  cover(COVER_dropped, written && hit && !*p.keep);
}

static void cover_cycle(const struct lockstep *l, unit_in *in) {
  const unit_out out = lockstep_peek(l, in);
  const bool trio = in->owner == OWNERS(LEFT, RIGHT);
  cover(COVER_hit_left, out.left_hit && trio);
  cover(COVER_hit_right, out.right_hit && trio);
  cover(COVER_same_row_other_tags, trio && out.left_hit && out.right_hit &&
                                       in->left_set == in->right_set &&
                                       in->left_tag != in->right_tag);
  cover(COVER_start_drops,
        in->kernel_start && (l->ref_view.valid0[0] | l->ref_view.valid1[0]) != 0);
  cover(COVER_all_rows, l->ref_view.valid0[0] == 0xffff && l->ref_view.valid1[0] == 0xffff);
  cover_lookup(l, in, FLEX_OWN, out.own_hit);
  cover_lookup(l, in, FLEX_LEFT, out.left_hit);
  cover_lookup(l, in, FLEX_RIGHT, out.right_hit);
}

static void random_tags(struct lockstep *l, struct rng *r, uint64_t cycles) {
  static const unsigned owners[] = {OWNERS(OWN, OWN),    OWNERS(LEFT, LEFT),  OWNERS(RIGHT, RIGHT),
                                    OWNERS(LEFT, RIGHT), OWNERS(RIGHT, LEFT), OWNERS(OWN, RIGHT),
                                    OWNERS(RIGHT, OWN),  OWNERS(LEFT, OWN),   OWNERS(OWN, LEFT)};
  enum { OWNERS_OF_BANKS = sizeof owners / sizeof *owners };
  unsigned owner = 0, keep = 70;
  for (uint64_t c = 0; c < cycles; c++) {
    unit_in in = {.owner = owner};
    if (rng_below(r, 500) == 0) {
      in = lockstep_start(l);
      owner = owners[rng_below(r, OWNERS_OF_BANKS)];
      keep = rng_chance(r, 20) ? 100 : rng_below(r, 101);
    } else {
      if (rng_below(r, 500) == 0)
        owner = owners[rng_below(r, OWNERS_OF_BANKS)];
      in.owner = owner;
      for (unsigned x = 0; x < FLEX_OWNERS; x++)
        drive(l, &in, x, r, keep);
      cover_cycle(l, &in);
    }
    if (in.kernel_start)
      cover(COVER_start_drops, (l->ref_view.valid0[0] | l->ref_view.valid1[0]) != 0);
    lockstep_tick(l, in);
  }
}

UNIT_MAIN_WITH(parameters, DIRECTED(own_sets), DIRECTED(halves), DIRECTED(illegal_inputs),
               RANDOM(random_tags))
