/* The shadow of the communication buffers: each verdict once, and random traffic through a small
 * model of a pair, right and with faults. */
#include "csim/mem/cb.h"
#include "tests/isa/random.h"
#include "tests/test.h"

enum { LINKS = 3, LINK = 1, WORDS = 256, BOTH = CB_PRODUCER | CB_CONSUMER };

static struct rng rng;

struct test {
  struct cb_shadow *s;
  struct tandem_error err;
  struct cb_user from, to;
};

static void test_open(struct test *t, enum cb_pairing pairing) {
  *t = (struct test){.from = {.unit = "SM 4"}, .to = {.unit = "SM 5"}};
  t->s = cb_shadow_create(LINKS, WORDS, &t->err);
  assert_non_null(t->s);
  cb_shadow_name(t->s, LINK, "H(1, 2)");
  cb_shadow_begin(t->s, pairing);
}

static struct cb_pass one(uint32_t word, bool write, uint32_t data) {
  struct cb_pass p = {.banks = 1U << word % CB_BANKS, .write = write};
  p.row[word % CB_BANKS] = (uint8_t)(word / CB_BANKS);
  p.data[word % CB_BANKS] = data;
  return p;
}

static enum cb_verdict put(struct test *t, uint32_t word, uint32_t data) {
  const struct cb_pass p = one(word, true, data);
  return cb_shadow_write(t->s, LINK, &t->from, &p, &t->err);
}

static enum cb_verdict get(struct test *t, uint32_t word, uint32_t data) {
  const struct cb_pass p = one(word, false, 0);
  uint32_t all[CB_BANKS] = {0};
  const enum cb_verdict v = cb_shadow_read(t->s, LINK, &t->to, &p, &t->err);
  all[word % CB_BANKS] = data;
  return v != CB_GOOD ? v : cb_shadow_data(t->s, LINK, all, &t->err);
}

static enum cb_verdict post(struct test *t, unsigned ends) {
  return cb_shadow_post(t->s, LINK, ends, &t->err);
}
static enum cb_verdict done(struct test *t, unsigned ends) {
  return cb_shadow_done(t->s, LINK, ends, &t->err);
}

static void hand_over(struct test *t) {
  assert_int_equal(post(t, BOTH), CB_GOOD);
  assert_int_equal(done(t, BOTH), CB_GOOD);
}

static void expect_text(const struct test *t, const char *text) {
  if (strstr(t->err.text, text) == NULL)
    fail_msg("'%s' is not in '%s'", text, t->err.text);
}

TEST(tiles_pass_one_after_another) {
  struct test t;
  test_open(&t, CB_RENDEZVOUS);
  for (uint32_t tile = 0; tile < 100; tile++) {
    for (uint32_t w = 0; w < WORDS; w += 37)
      assert_int_equal(put(&t, w, tile * 1000 + w), CB_GOOD);
    for (uint32_t w = 0; tile > 0 && w < WORDS; w += 37)
      assert_int_equal(get(&t, w, (tile - 1) * 1000 + w), CB_GOOD);
    assert_int_equal(cb_shadow_tiles(t.s, LINK), tile);
    hand_over(&t);
  }
  assert_int_equal(cb_shadow_end(t.s, &t.err), CB_GOOD);
  assert_int_equal(cb_shadow_tiles(t.s, 0), 0); /* links are apart */
  cb_shadow_begin(t.s, CB_RENDEZVOUS);
  assert_int_equal(cb_shadow_tiles(t.s, LINK), 0);
  hand_over(&t);
  assert_int_equal(get(&t, 37, 0), CB_STALE); /* of the kernel before */
  expect_text(&t, "which nobody wrote");
  cb_shadow_destroy(t.s);
}

/* A tile is handed over that nobody has written. */
TEST(no_word_is_there_at_first) {
  struct test t;
  test_open(&t, CB_RENDEZVOUS);
  for (unsigned link = 0; link < LINKS; link++) {
    assert_int_equal(cb_shadow_post(t.s, link, BOTH, &t.err), CB_GOOD);
    assert_int_equal(cb_shadow_done(t.s, link, BOTH, &t.err), CB_GOOD);
    for (uint32_t w = 0; w < WORDS; w++) {
      const struct cb_pass p = one(w, false, 0);
      assert_int_equal(cb_shadow_read(t.s, link, &t.to, &p, &t.err), CB_STALE);
      expect_text(&t, "which nobody wrote");
      (void)cb_shadow_data(t.s, link, p.data, &t.err);
    }
  }
  cb_shadow_destroy(t.s);
}

TEST(a_word_of_another_tile_is_stale) {
  struct test t;
  test_open(&t, CB_RENDEZVOUS);
  assert_int_equal(get(&t, 5, 0), CB_STALE);
  expect_text(&t, "before it has a tile");
  assert_int_equal(put(&t, 70, 1), CB_GOOD);
  for (unsigned tile = 0; tile < 3; tile++)
    hand_over(&t);
  assert_int_equal(get(&t, 70, 1), CB_STALE);
  expect_text(&t, "link H(1, 2): SM 5 reads word 70 of tile 2 in pass 0, finds tile 0 of pass 0");
  cb_shadow_destroy(t.s);
  test_open(&t, CB_RENDEZVOUS); /* the tile is right, its pass is not */
  assert_int_equal(put(&t, 70, 1), CB_GOOD);
  hand_over(&t);
  t.to.pass = 1;
  assert_int_equal(get(&t, 70, 1), CB_STALE);
  expect_text(&t, "tile 0 in pass 1, finds tile 0 of pass 0");
  cb_shadow_destroy(t.s);
}

/* Data that the buffers return, against what was written. */
TEST(data_are_compared) {
  struct test t;
  test_open(&t, CB_RENDEZVOUS);
  assert_int_equal(put(&t, 9, 100), CB_GOOD);
  hand_over(&t);
  assert_int_equal(put(&t, 9, 200), CB_GOOD);
  assert_int_equal(get(&t, 9, 101), CB_VALUE);
  expect_text(&t, "SM 5 reads word 9 of tile 0 in pass 0, finds 0x00000065, not 0x00000064");
  assert_int_equal(get(&t, 9, 200), CB_STALE);
  expect_text(&t, "0x000000c8 of the other buffer");
  assert_int_equal(get(&t, 9, 100), CB_GOOD);
  /* Data belong to the oldest read, and to the tile at its time. */
  const struct cb_pass p = one(9, false, 0);
  uint32_t all[CB_BANKS] = {[9] = 100};
  assert_int_equal(cb_shadow_read(t.s, LINK, &t.to, &p, &t.err), CB_GOOD);
  hand_over(&t);
  assert_int_equal(cb_shadow_read(t.s, LINK, &t.to, &p, &t.err), CB_GOOD);
  assert_int_equal(cb_shadow_data(t.s, LINK, all, &t.err), CB_GOOD);
  all[9] = 200;
  assert_int_equal(cb_shadow_data(t.s, LINK, all, &t.err), CB_GOOD);
  assert_int_equal(cb_shadow_data(t.s, LINK, all, &t.err), CB_ORDER);
  expect_text(&t, "nobody asked for");
  cb_shadow_destroy(t.s);
}

TEST(a_tile_that_the_reader_has_is_not_written) {
  struct test t;
  test_open(&t, CB_DECOUPLED);
  assert_int_equal(put(&t, 3, 1), CB_GOOD); /* tile 0 */
  assert_int_equal(post(&t, BOTH), CB_GOOD);
  assert_int_equal(done(&t, BOTH), CB_GOOD);
  assert_int_equal(put(&t, 3, 2), CB_GOOD); /* tile 1, beside the reader's */
  assert_int_equal(post(&t, CB_PRODUCER), CB_GOOD);
  assert_int_equal(done(&t, CB_PRODUCER), CB_GOOD); /* too early */
  assert_int_equal(put(&t, 3, 3), CB_OVERWRITTEN);
  expect_text(&t, "SM 4 writes word 3 of tile 2 in pass 0 over tile 0, which its reader still has");
  assert_int_equal(post(&t, CB_CONSUMER), CB_GOOD); /* gives it back */
  assert_int_equal(put(&t, 3, 3), CB_GOOD);
  assert_int_equal(done(&t, CB_CONSUMER), CB_GOOD);
  assert_int_equal(get(&t, 3, 2), CB_GOOD);
  assert_int_equal(cb_shadow_end(t.s, &t.err), CB_GOOD);
  cb_shadow_destroy(t.s);
}

TEST(lost_tiles_are_named) {
  struct test t;
  test_open(&t, CB_DECOUPLED);
  for (unsigned tile = 0; tile < 2; tile++) {
    assert_int_equal(put(&t, 8, tile), CB_GOOD);
    assert_int_equal(post(&t, CB_PRODUCER), CB_GOOD);
    assert_int_equal(done(&t, CB_PRODUCER), CB_GOOD);
  }
  assert_int_equal(put(&t, 8, 2), CB_LOST);
  expect_text(&t, "word 8 of tile 2 in pass 0 over tile 0, which its reader never got");
  assert_int_equal(cb_shadow_end(t.s, &t.err), CB_LOST);
  expect_text(&t, "link H(1, 2): tile 0 was posted and its reader never got it");
  cb_shadow_destroy(t.s);
}

TEST(events_have_an_order) {
  struct test t;
  test_open(&t, CB_RENDEZVOUS);
  assert_int_equal(done(&t, CB_PRODUCER), CB_ORDER);
  expect_text(&t, "the producer is answered after 0 tiles and has not posted");
  assert_int_equal(post(&t, CB_PRODUCER), CB_GOOD);
  assert_int_equal(post(&t, CB_PRODUCER), CB_ORDER);
  expect_text(&t, "the producer posts tile 1 while its post of tile 0 is open");
  assert_int_equal(put(&t, 0, 0), CB_ORDER);
  expect_text(&t, "SM 4 accesses tile 0 in pass 0 while its post is open");
  assert_int_equal(post(&t, CB_CONSUMER), CB_GOOD);
  assert_int_equal(get(&t, 0, 0), CB_ORDER);
  assert_int_equal(done(&t, CB_CONSUMER), CB_ORDER);
  expect_text(&t, "the consumer alone is answered for tile 0");
  assert_int_equal(put(&t, WORDS, 0), CB_ORDER);
  cb_shadow_begin(t.s, CB_RENDEZVOUS);
  assert_int_equal(put(&t, WORDS, 0), CB_ORDER);
  expect_text(&t, "word 256 of 256");
  cb_shadow_begin(t.s, CB_DECOUPLED);
  assert_int_equal(post(&t, CB_CONSUMER), CB_GOOD);
  assert_int_equal(done(&t, CB_CONSUMER), CB_ORDER);
  expect_text(&t, "the consumer gets tile 0, which the producer has not posted");
  cb_shadow_begin(t.s, CB_GLOBAL);
  assert_int_equal(post(&t, CB_CONSUMER), CB_ORDER);
  const struct cb_pass none = {.banks = 0};
  for (unsigned i = 0; i < 4; i++)
    assert_int_equal(cb_shadow_read(t.s, LINK, &t.to, &none, &t.err), CB_GOOD);
  assert_int_equal(cb_shadow_read(t.s, LINK, &t.to, &none, &t.err), CB_ORDER);
  expect_text(&t, "data of 4 passes have not come");
  cb_shadow_destroy(t.s);
}

TEST(global_mode_counts_swaps) {
  struct test t;
  test_open(&t, CB_GLOBAL);
  assert_int_equal(put(&t, 1, 10), CB_GOOD);
  cb_shadow_swap(t.s);
  assert_int_equal(get(&t, 1, 10), CB_GOOD);
  cb_shadow_swap(t.s);
  cb_shadow_swap(t.s); /* the block has written nothing in two steps */
  assert_int_equal(cb_shadow_tiles(t.s, LINK), 3);
  assert_int_equal(get(&t, 1, 10), CB_STALE);
  expect_text(&t, "tile 2 in pass 0, finds tile 0 of pass 0");
  t.to.exempt = true;                                       /* a spill of what is there */
  cb_shadow_data(t.s, LINK, (uint32_t[CB_BANKS]){0}, NULL); /* of the read that failed */
  assert_int_equal(get(&t, 1, 10), CB_GOOD);
  assert_int_equal(get(&t, 1, 11), CB_VALUE);
  assert_int_equal(get(&t, 2, 12345), CB_GOOD); /* never written: anything */
  cb_shadow_destroy(t.s);
}

/* A pair of buffers after the specification, and what may be wrong with it. */
enum fault { RIGHT, NO_SWAP, BANK_31, ROW, EARLY, ONE_SIDED, FAULTS };

struct pair {
  uint32_t word[2][WORDS];
  unsigned w, r; /* buffer that each end has */
  bool full[2], hold, open[2];
  uint32_t tiles;
};

static uint32_t pair_word(const struct pair *p, enum fault fault, uint32_t word) {
  if (fault == BANK_31 && word % 32 == 31)
    return 0;
  return p->word[p->r][fault == ROW && p->tiles > 3 ? (word + 32) % WORDS : word];
}

/* Whose posts are answered, and the exchange. */
static unsigned pair_step(struct pair *p, enum cb_pairing pairing, enum fault fault) {
  unsigned ends = 0;
  if (pairing == CB_RENDEZVOUS) {
    if (!p->open[0] || (!p->open[1] && fault != EARLY))
      return 0;
    ends = fault == ONE_SIDED && p->tiles == 5 ? CB_PRODUCER : BOTH;
    if (fault == EARLY && !p->open[1])
      ends = CB_PRODUCER;
    p->tiles++;
    if (fault != NO_SWAP || p->tiles % 8 != 0) {
      p->r = p->w;
      p->w ^= 1;
    }
  } else {
    if (p->open[0] && (!p->full[p->w ^ 1] || fault == EARLY)) {
      p->w ^= 1;
      ends |= CB_PRODUCER;
    }
    if (p->open[1] && p->full[p->r]) {
      p->hold = true;
      p->tiles++;
      ends |= CB_CONSUMER;
    }
  }
  for (unsigned e = 0; e < 2; e++)
    p->open[e] &= (ends >> e & 1) == 0;
  return ends;
}

static void pair_post(struct pair *p, enum cb_pairing pairing, unsigned ends) {
  p->open[0] |= (ends & CB_PRODUCER) != 0;
  p->open[1] |= (ends & CB_CONSUMER) != 0;
  if (pairing != CB_DECOUPLED)
    return;
  if ((ends & CB_PRODUCER) != 0)
    p->full[p->w] = true;
  if ((ends & CB_CONSUMER) != 0 && p->hold) {
    p->full[p->r] = false;
    p->r ^= 1;
    p->hold = false;
  }
}

/* Random passes and posts; the first verdict that is not good, and how many words were read. */
static enum cb_verdict traffic(enum cb_pairing pairing, enum fault fault, unsigned *reads) {
  struct test t;
  struct pair p = {.w = 0, .r = pairing == CB_RENDEZVOUS};
  bool wrote[2][WORDS] = {{false}}; /* by tile mod 2 */
  uint32_t at[2] = {0, UINT32_MAX}; /* tile of each end */
  enum cb_verdict v = CB_GOOD;
  test_open(&t, pairing);
  *reads = 0;
  for (unsigned n = 0; n < 20000 && v == CB_GOOD; n++) {
    const uint32_t word = rng_below(&rng, WORDS), data = (uint32_t)rng_next(&rng);
    if (!p.open[0] && rng_below(&rng, 8) != 0) {
      v = put(&t, word, data);
      p.word[p.w][word] = data;
      wrote[at[0] & 1][word] = true;
    }
    const uint32_t wanted = rng_below(&rng, WORDS);
    if (v == CB_GOOD && !p.open[1] && at[1] != UINT32_MAX && wrote[at[1] & 1][wanted]) {
      v = get(&t, wanted, pair_word(&p, fault, wanted));
      ++*reads;
    }
    unsigned ends = 0;
    for (unsigned e = 0; e < 2; e++)
      ends |= (unsigned)(!p.open[e] && rng_below(&rng, 60) == 0) << e;
    if (v == CB_GOOD)
      v = post(&t, ends);
    pair_post(&p, pairing, ends);
    const unsigned answered = pair_step(&p, pairing, fault);
    if (v == CB_GOOD)
      v = done(&t, answered);
    at[0] += (answered & CB_PRODUCER) != 0;
    at[1] += (answered & CB_CONSUMER) != 0;
    if ((answered & CB_PRODUCER) != 0)
      memset(wrote[at[0] & 1], 0, sizeof wrote[0]);
  }
  if (v != CB_GOOD)
    print_message("fault %u, pairing %u: %s\n", fault, pairing, t.err.text);
  cb_shadow_destroy(t.s);
  return v;
}

TEST(random_traffic_is_right_or_noticed) {
  unsigned reads;
  for (unsigned pairing = CB_RENDEZVOUS; pairing <= CB_DECOUPLED; pairing++) {
    assert_int_equal(traffic((enum cb_pairing)pairing, RIGHT, &reads), CB_GOOD);
    assert_true(reads > 500);
  }
  for (unsigned fault = RIGHT + 1; fault < FAULTS; fault++)
    assert_true(traffic(CB_RENDEZVOUS, (enum fault)fault, &reads) != CB_GOOD);
  const enum cb_verdict v = traffic(CB_DECOUPLED, EARLY, &reads);
  assert_true(v == CB_OVERWRITTEN || v == CB_LOST);
}

int main(int argc, char **argv) {
  rng = rng_from_arguments(argc, argv);
  return test_run(NULL, NULL);
}
