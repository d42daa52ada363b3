/* Producer and consumer of a comm_pair. */
#include "tests/unit/spu/pair_environment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void random_rows(const struct pair_environment *s, struct rng *r, uint64_t rows[4]) {
  const unsigned same = rng_below(r, s->rows);
  const bool differ = rng_chance(r, 50);
  for (unsigned b = 0; b < BANKS; b++)
    put_row(rows, b, differ ? rng_below(r, s->rows) : same);
}

static uint64_t random_banks(struct rng *r) {
  const uint64_t banks = rng_subset(r, 0xffffffff, 1 + rng_below(r, 4));
  return rng_chance(r, 10) ? UINT64_C(1) << rng_below(r, BANKS) : banks;
}

static void write_some(struct pair_environment *s, struct rng *r, struct comm_pair_in *in) {
  struct pair_image *to = &s->image[s->written % 4];
  in->p_valid = 1;
  in->p_bank = random_banks(r);
  random_rows(s, r, in->p_row);
  for (unsigned b = 0; b < BANKS; b++) {
    const uint32_t word = (uint32_t)rng_next(r);
    put_word(in->p_data, b, word);
    if ((in->p_bank >> b & 1) == 0)
      continue;
    const unsigned at = row_of(in->p_row, b) * BANKS + b;
    to->word[at] = word;
    to->known[at] = true;
  }
}

static void look_at_some(struct pair_environment *s, struct rng *r, struct comm_pair_in *in) {
  in->c_valid = 1;
  in->c_bank = random_banks(r);
  random_rows(s, r, in->c_row);
  s->asked[0].valid = true;
  s->asked[0].from = &s->image[s->read % 4];
  s->asked[0].banks = in->c_bank;
  memcpy(s->asked[0].row, in->c_row, sizeof in->c_row);
}

/* The answer to a read of two cycles before: the words of the consumer's tile. */
static void check_answer(struct pair_environment *s, const struct comm_pair_out *now) {
  assert_int_equal(now->c_rsp, s->asked[1].valid);
  for (unsigned b = 0; s->asked[1].valid && b < BANKS; b++) {
    const unsigned at = row_of(s->asked[1].row, b) * BANKS + b;
    const uint32_t word = get_word(now->c_data, b);
    if ((s->asked[1].banks >> b & 1) == 0)
      assert_int_equal(word, 0);
    else if (s->asked[1].from->known[at]) {
      assert_int_equal(word, s->asked[1].from->word[at]);
      s->compared++;
    }
  }
}

static void next_tile_written(struct pair_environment *s) {
  s->written++;
  memset(s->image[s->written % 4].known, 0, s->rows * BANKS * sizeof(bool));
}

static void take_dones(struct pair_environment *s, const struct comm_pair_out *now) {
  if (now->p_done) {
    assert_true(s->p_waits);
    s->p_waits = false;
    next_tile_written(s);
  }
  if (now->c_done) {
    assert_true(s->c_waits);
    s->c_waits = false;
    s->read += s->some;
    s->some = true;
    /* ahead: the consumer gets what is complete. */
    assert_true(s->read < s->written || s->p_waits);
  }
}

void pair_environment_rates(struct pair_environment *s, struct rng *r) {
  s->write = rng_below(r, 101);
  s->look = rng_below(r, 101);
  s->post = (unsigned[]){100, 50, 5, 1}[rng_below(r, 4)];
  s->take = (unsigned[]){100, 50, 5, 1}[rng_below(r, 4)];
  s->swap = (unsigned[]){100, 30, 5}[rng_below(r, 3)];
}

static struct comm_pair_in drive(struct pair_environment *s, struct rng *r) {
  struct comm_pair_in in = {.mode = s->mode};
  const bool global = s->mode == COMM_PAIR_GLOBAL;
  if (!s->p_waits) {
    if (rng_chance(r, s->write))
      write_some(s, r, &in);
    in.p_post = !global && rng_chance(r, s->post);
  }
  if (!s->c_waits) {
    if (s->some && rng_chance(r, s->look))
      look_at_some(s, r, &in);
    in.c_post = !global && rng_chance(r, s->take);
  }
  in.swap = global && rng_chance(r, s->swap);
  if (in.swap) {
    s->read = s->written;
    s->some = true;
    next_tile_written(s);
  }
  s->p_waits = s->p_waits || in.p_post;
  s->c_waits = s->c_waits || in.c_post;
  return in;
}

void pair_environment_start(struct pair_environment *s, struct rng *r, struct comm_pair_in *in) {
  *s = (struct pair_environment){
      .rows = s->rows, .mode = rng_below(r, 3), .asked[1] = s->asked[1], .compared = s->compared};
  in->kernel_start = 1;
  in->mode = s->mode;
  pair_environment_rates(s, r);
}

struct comm_pair_in pair_environment_step(struct pair_environment *s, struct rng *r,
                                          const struct comm_pair_out *now, bool old) {
  check_answer(s, now);
  if (!old)
    take_dones(s, now);
  s->asked[1] = s->asked[0];
  s->asked[0].valid = false;
  return drive(s, r);
}
