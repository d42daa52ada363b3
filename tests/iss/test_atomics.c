/* Sums over atomics: their results in any order, from several SMs, on words and on pairs. */
#include "csim/iss/atomics.h"
#include "tests/test.h"

static struct isa_uop atomic_uop(enum isa_id id, unsigned mods) {
  struct isa_uop u;
  isa_uop_decode(
      isa_pack((struct isa_inst){
          .unit = isa_ops[id].unit, .op = isa_ops[id].op, .mods = (uint8_t)mods, .guard = ISA_PT}),
      &u);
  assert_int_equal(u.id, id);
  return u;
}

TEST(orders_of_atomics) {
  const struct isa_uop add = atomic_uop(ISA_AADD, 0), max = atomic_uop(ISA_AMAX, 2),
                       swap = atomic_uop(ISA_AEXCH, 0);
  struct iss_atomics a = {0};
  uint64_t final = 0;
  for (uint32_t i = 0; i < 1000; i++)
    assert_non_null(iss_atomics_at(&a, 4 * i));
  assert_int_equal(a.words, 1000);
  struct iss_atomic_word *w = iss_atomics_at(&a, 400);
  assert_int_equal(a.words, 1000);
  iss_atomic_add(w, &add, 12, 5, 0); /* seen in another order than they took effect */
  iss_atomic_add(w, &add, 10, 2, 0);
  assert_true(iss_atomic_final(w, 10, &final));
  assert_int_equal(final, 17);
  assert_true(iss_atomic_chains(w, 10, 17));
  iss_atomic_add(w, &add, 10, 3, 0); /* two found 10 */
  assert_true(iss_atomic_final(w, 10, &final));
  assert_false(iss_atomic_chains(w, 10, final));

  w = iss_atomics_at(&a, 404);
  iss_atomic_add(w, &max, 0xffffffff, 3, 0);
  iss_atomic_add(w, &max, 3, 0xfffffff0, 0);
  assert_true(iss_atomic_final(w, 0xffffffff, &final) && final == 3);
  assert_true(iss_atomic_chains(w, 0xffffffff, 3));

  w = iss_atomics_at(&a, 408);
  iss_atomic_add(w, &swap, 7, 8, 0);
  iss_atomic_add(w, &swap, 8, 9, 0);
  assert_false(iss_atomic_final(w, 7, &final));
  assert_true(iss_atomic_chains(w, 7, 9));
  assert_false(iss_atomic_chains(w, 7, 8));

  struct iss_atomic_word one = {.id = ISA_ILLEGAL}, two = {.id = ISA_ILLEGAL};
  iss_atomic_add(&one, &add, 1, 1, 0);
  iss_atomic_add(&two, &add, 2, 1, 0);
  iss_atomic_merge(&one, &two);
  assert_true(iss_atomic_final(&one, 1, &final) && final == 3 && iss_atomic_chains(&one, 1, 3));
  iss_atomics_clear(&a);
  assert_int_equal(a.words, 0);
  assert_int_equal(iss_atomics_at(&a, 404)->id, ISA_ILLEGAL);
  iss_atomics_free(&a);
}

/* Atomics of 64 bits on the words at 8 and 12, and what keeps them from being judged. */
TEST(atomics_of_pairs) {
  const struct isa_uop add = atomic_uop(ISA_AADD, ISA_MOD_64), narrow = atomic_uop(ISA_AADD, 0),
                       min = atomic_uop(ISA_AMIN, 2 | ISA_MOD_64);
  const uint64_t carry = UINT32_MAX, top = UINT64_C(1) << 63;
  struct iss_shadow s = {.shift = 7, .alone = true};
  struct iss_atomics a = {0};
  uint64_t final = 0;
  assert_true(iss_shadow_room(&s, 4096));
  (void)iss_shadow_write_word(&s, 8, 0, SHADOW_ATOMIC, 0);
  struct iss_atomic_word one = {.address = 8, .id = ISA_ILLEGAL}, two = one;
  iss_atomic_add(&one, &add, carry + 1, 5, 0);
  iss_atomic_add(&two, &add, carry, 1, 0);
  iss_atomics_at(&a, 12)->parts = ISS_ATOMIC_UPPER;
  iss_atomic_merge(iss_atomics_at(&a, 8), &one);
  iss_atomic_merge(iss_atomics_at(&a, 8), &two);
  struct iss_atomic_word *w = iss_atomics_at(&a, 8);
  assert_true(iss_atomic_final(w, carry, &final));
  assert_int_equal(final, carry + 6);
  assert_true(iss_atomic_chains(w, carry, final));
  assert_false(iss_atomic_chains(w, 5, 11)); /* no carry */
  assert_int_equal(iss_atomic_bytes(&a, w, &s), 0);
  (void)iss_shadow_write_word(&s, 12, 0, SHADOW_ATOMIC, 0);
  assert_int_equal(iss_atomic_bytes(&a, w, &s), 8);
  assert_int_equal(iss_atomic_bytes(&a, iss_atomics_at(&a, 12), &s), 0);
  iss_atomic_add(iss_atomics_at(&a, 12), &narrow, 0, 1, 0);
  assert_int_equal(iss_atomic_bytes(&a, w, &s), 0);
  iss_atomic_add(w, &narrow, 0, 1, 0);
  assert_int_equal(iss_atomic_bytes(&a, w, &s), 0);

  w = iss_atomics_at(&a, 16);
  iss_atomic_add(w, &min, carry, top, 0);
  iss_atomic_add(w, &min, top, 7, 0);
  assert_true(iss_atomic_final(w, carry, &final) && final == top);
  assert_true(iss_atomic_chains(w, carry, top));
  iss_atomics_free(&a);
  iss_shadow_free(&s);
}

int main(void) { return test_run(NULL, NULL); }
