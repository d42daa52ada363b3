/* The C models of shared memory and L1D put things where flex_map says, and an L1D of the C model
 * hits and misses as the tags in flex_tags do: own ones and those of a lender, with which the other
 * borrower works in the same cycles. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "csim/mem/l1/sm_mem.h"
#include "csim/ref/flex/flex_context.h"
#include "csim/ref/flex/flex_control.h"
#include "harness/shim/models/models.h"
#include "tests/unit/device.h"
#include "tests/unit/testing.h"

enum { OWN = 16384, BANKS = 16, WAYS = 4, SETS = 32, LINE = 128, ACCESSES = 20000 };

static struct rtl_model *map;

/* An active SM: its side of the C model, and the tags of its own ways. */
struct borrower {
  enum flex_mode mode;
  bool upper;
  enum flex_owner requester; /* at its lender */
  struct mem_config config;
  struct sm_mem sm;
  struct rtl_model *own[WAYS];
};

static void open_tags(struct rtl_model *tags[WAYS]) {
  for (unsigned way = 0; way < WAYS; way++) {
    char parameters[16];
    struct tandem_error err = {{0}};
    struct rtl_spec spec = device.spec;
    (void)snprintf(parameters, sizeof parameters, "Way=2'd%u", way);
    spec.unit = "flex_tags";
    spec.parameters = parameters;
    const struct rtl_type *type = models_get(&spec, &err);
    if (type == NULL)
      fail_msg("%s", err.text);
    tags[way] = rtl_create(type, device.seed + way);
  }
}

static void close_tags(struct rtl_model *tags[WAYS]) {
  for (unsigned way = 0; way < WAYS; way++)
    rtl_destroy(tags[way]);
}

static void open_borrower(struct borrower *b, enum flex_mode mode, bool upper,
                          enum flex_owner requester) {
  const unsigned part = mode == FLEX_BASE ? 0 : mode == FLEX_BAL ? 2 : 1;
  memset(b, 0, sizeof *b);
  b->mode = mode;
  b->upper = upper;
  b->requester = requester;
  b->config.l1d_ways = WAYS;
  b->config.shared_banks = BANKS;
  b->sm.config = &b->config;
  b->sm.shape.shared_own = OWN;
  b->sm.shape.shared_bytes = OWN;
  if (part != 0) {
    b->sm.shape.shared_bytes = OWN + OWN / part;
    b->sm.shape.shared_far_banks = BANKS / part;
    b->sm.shape.l1d_far_ways = (uint8_t)(WAYS / part);
  }
  const uint32_t ways = WAYS + b->sm.shape.l1d_far_ways;
  assert_true(tags_init(&b->sm.l1d.tags, SETS * ways * LINE, ways, LINE));
}

static struct flex_map_out place(const struct borrower *b, uint32_t address, uint32_t set,
                                 uint32_t way) {
  const struct flex_map_in in = {
      .mode = b->mode, .upper = b->upper, .shared = address, .set = set, .way = way};
  struct flex_map_out out;
  rtl_eval(map, &in, &out);
  return out;
}

/* The banks of side 1 that an SM has, in Bal the upper or lower ones. */
static unsigned first_bank(const struct borrower *b, uint64_t side) {
  return side == 1 && b->mode == FLEX_BAL && b->upper ? BANKS / 2 : 0;
}

static void check_places(struct borrower *b) {
  for (uint32_t word = 0; word < b->sm.shape.shared_bytes / 4; word++) {
    const struct shared_place c = shape_word(&b->sm, word);
    const struct flex_map_out m = place(b, 4 * word, 0, 0);
    assert_int_equal(m.sh_side, c.side);
    assert_int_equal(m.sh_bank, c.bank + first_bank(b, c.side));
  }
  const uint32_t ways = b->sm.l1d.tags.ways;
  for (uint32_t i = 0; i < SETS * ways; i++) {
    const struct l1d_place c = shape_line(&b->sm, (int)i);
    const struct flex_map_out m = place(b, 0, i / ways, i % ways);
    const bool half = c.side == 1 && b->mode == FLEX_BAL;
    assert_int_equal(m.l1_side, c.side);
    assert_int_equal(m.l1_way, c.way);
    assert_int_equal(m.l1_row + (half ? 0 : SETS / 2 * m.l1_bank), c.set);
    assert_true(!half || m.l1_bank == b->upper);
  }
}

static void all_places(void **state) {
  (void)state;
  for (unsigned mode = 0; mode < FLEX_MODES; mode++)
    for (unsigned upper = 0; upper < 2; upper++) {
      struct borrower b;
      open_borrower(&b, (enum flex_mode)mode, upper != 0, FLEX_LEFT);
      check_places(&b);
      tags_free(&b.sm.l1d.tags);
    }
}

/* The ports of a requester at the tags of a way. */
struct access {
  uint64_t *valid, *set, *tag, *wr, *keep, *wr_set, *wr_tag;
};
#define ACCESS(x)                                                                                  \
  {                                                                                                \
    &in->x##_valid, &in->x##_set, &in->x##_tag, &in->x##_wr, &in->x##_wr_keep, &in->x##_wr_set,    \
        &in->x##_wr_tag                                                                            \
  }
static struct access access_of(struct flex_tags_in *in, enum flex_owner x) {
  const struct access of[FLEX_OWNERS] = {ACCESS(own), ACCESS(left), ACCESS(right)};
  return of[x];
}
static bool hit_of(const struct flex_tags_out *out, enum flex_owner x) {
  return x == FLEX_OWN ? out->own_hit : x == FLEX_LEFT ? out->left_hit : out->right_hit;
}

/* A cycle of one SM's tags. */
struct ways {
  struct flex_tags_in in[WAYS];
  struct flex_tags_out out[WAYS];
};

static void look_up(struct ways *w, enum flex_owner x, uint32_t number) {
  for (unsigned way = 0; way < WAYS; way++) {
    const struct access a = access_of(&w->in[way], x);
    *a.valid = 1;
    *a.set = number % SETS;
    *a.tag = number / SETS;
  }
}

static void eval(struct rtl_model *tags[WAYS], struct ways *w) {
  for (unsigned way = 0; way < WAYS; way++)
    rtl_eval(tags[way], &w->in[way], &w->out[way]);
}

static void step(struct rtl_model *tags[WAYS], struct ways *w) {
  for (unsigned way = 0; way < WAYS; way++) {
    const char *first = NULL;
    rtl_step(tags[way], &w->in[way]);
    if (rtl_assertions(tags[way], &first) != 0)
      fail_msg("%s", first);
  }
}

static unsigned hits_in(const struct ways *w, enum flex_owner x) {
  unsigned n = 0;
  for (unsigned way = 0; way < WAYS; way++)
    n += hit_of(&w->out[way], x);
  return n;
}

/* Compares the hit of a borrower, if there is one, with the C model's. */
static void check_hit(const struct borrower *b, uint32_t number, int index, const struct ways *own,
                      const struct ways *lent) {
  const bool borrows = b->mode != FLEX_BASE;
  const unsigned hits = hits_in(own, FLEX_OWN) + (borrows ? hits_in(lent, b->requester) : 0);
  assert_int_equal(hits, index >= 0);
  if (index < 0)
    return;
  const struct flex_map_out m = place(b, 0, number % SETS, (uint32_t)index % b->sm.l1d.tags.ways);
  assert_true(m.l1_side ? hit_of(&lent->out[m.l1_way], b->requester)
                        : hit_of(&own->out[m.l1_way], FLEX_OWN));
}

static void write_tag(const struct borrower *b, uint32_t number, int index, bool keep,
                      struct ways *own, struct ways *lent) {
  const struct flex_map_out m = place(b, 0, number % SETS, (uint32_t)index % b->sm.l1d.tags.ways);
  const struct access a = m.l1_side ? access_of(&lent->in[m.l1_way], b->requester)
                                    : access_of(&own->in[m.l1_way], FLEX_OWN);
  *a.wr = 1;
  *a.keep = keep;
  *a.wr_set = number % SETS;
  *a.wr_tag = number / SETS;
}

/* The C model's part of an access: a hit, of which some are dropped, or a miss that is filled. */
static void go_on(struct borrower *b, struct rng *r, uint32_t number, int index, struct ways *own,
                  struct ways *lent) {
  struct tags *t = &b->sm.l1d.tags;
  if (index < 0) {
    const int victim = tags_victim(t, number);
    tags_set(t, victim, number, TAG_VALID);
    write_tag(b, number, victim, true, own, lent);
  } else if (rng_chance(r, 5)) {
    tags_drop(t, index);
    write_tag(b, number, index, false, own, lent);
  } else {
    tags_touch(t, index);
  }
}

/* Random accesses of one or two borrowers of a lender whose banks have these owners. */
static void replay(struct borrower *b, unsigned n, unsigned owner) {
  struct rng r = {device.seed};
  struct rtl_model *lender[WAYS];
  unsigned hits = 0, misses = 0, far = 0;
  open_tags(lender);
  for (unsigned i = 0; i < n; i++)
    open_tags(b[i].own);
  for (unsigned c = 0; c < ACCESSES; c++) {
    struct ways own[2] = {0}, lent = {0};
    uint32_t number[2];
    int index[2];
    for (unsigned way = 0; way < WAYS; way++)
      lent.in[way].owner = owner;
    for (unsigned i = 0; i < n; i++) {
      number[i] = rng_below(&r, 9) * SETS + rng_below(&r, SETS) + 0xabc00;
      index[i] = tags_find(&b[i].sm.l1d.tags, number[i]);
      look_up(&own[i], FLEX_OWN, number[i]);
      if (b[i].mode != FLEX_BASE)
        look_up(&lent, b[i].requester, number[i]);
      eval(b[i].own, &own[i]);
    }
    eval(lender, &lent);
    for (unsigned i = 0; i < n; i++) {
      check_hit(&b[i], number[i], index[i], &own[i], &lent);
      hits += index[i] >= 0;
      misses += index[i] < 0;
      far += index[i] >= 0 && shape_line(&b[i].sm, index[i]).side == 1;
      go_on(&b[i], &r, number[i], index[i], &own[i], &lent);
      step(b[i].own, &own[i]);
    }
    step(lender, &lent);
  }
  print_message("%u hits, %u of them in lent tags, %u misses\n", hits, far, misses);
  assert_true(hits > ACCESSES / 10 && misses > ACCESSES / 50);
  assert_true(b[0].mode == FLEX_BASE ? far == 0 : far > ACCESSES / 50);
  close_tags(lender);
  for (unsigned i = 0; i < n; i++) {
    close_tags(b[i].own);
    tags_free(&b[i].sm.l1d.tags);
  }
}

static void alone(void **state) {
  struct borrower b;
  (void)state;
  open_borrower(&b, FLEX_BASE, false, FLEX_LEFT);
  replay(&b, 1, FLEX_OWN | FLEX_OWN << 2);
}

static void pairs(void **state) {
  (void)state;
  for (unsigned x = FLEX_LEFT; x <= FLEX_RIGHT; x++) {
    struct borrower b;
    open_borrower(&b, FLEX_OCC, false, (enum flex_owner)x);
    replay(&b, 1, x | x << 2);
  }
}

static void trio(void **state) {
  struct borrower b[2];
  (void)state;
  open_borrower(&b[0], FLEX_BAL, false, FLEX_LEFT);
  open_borrower(&b[1], FLEX_BAL, true, FLEX_RIGHT);
  replay(b, 2, FLEX_LEFT | FLEX_RIGHT << 2);
}

int main(int argc, char **argv) {
  const int status = device_choose("flex_map", NULL, argc, argv);
  if (status != 0)
    return status;
  map = device_create(device.seed);
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_places), cmocka_unit_test(alone),
                                     cmocka_unit_test(pairs), cmocka_unit_test(trio)};
  const int failed = cmocka_run_group_tests_name("flex_places", tests, NULL, NULL);
  rtl_destroy(map);
  return failed;
}
