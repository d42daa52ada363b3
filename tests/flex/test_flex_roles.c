/* Roles of members by scheme: a table, and what must hold of any. */
#include <math.h>

#include "harness/gpu/flex/scheme.h"
#include "tests/test.h"

/* A letter a member: a active, and from whom; l and r lends to the left or the right, b a bank to
 * each. */
static void row(enum flex_scheme scheme, const char *expected) {
  char text[FLEX_MEMBERS + 1] = "";
  for (unsigned m = 0; m < FLEX_MEMBERS; m++) {
    const struct flex_role r = flex_role(scheme, m);
    if (r.active)
      text[m] = "a<>"[r.from];
    else
      text[m] = (char)(r.owner[0] == r.owner[1] ? "?lr"[r.owner[0]] : 'b');
  }
  assert_string_equal(text, expected);
}

TEST(roles_are_those_of_the_table) {
  row(FLEX_BASE, "aaaaaa");
  row(FLEX_OCC, ">l>lr<");
  row(FLEX_BIGSM, ">l>lr<");
  row(FLEX_BIGSM_OCC, ">l>lr<");
  row(FLEX_BAL, ">b<>b<");
}

TEST(active_members) {
  static const unsigned six[] = {0x3f, 0x25, 0x2d, 0x25, 0x25};
  for (unsigned s = 0; s < FLEX_SCHEMES; s++) {
    assert_int_equal(flex_active((enum flex_scheme)s, 6), six[s]);
    if (s != FLEX_BAL)
      assert_int_equal(flex_active((enum flex_scheme)s, 2), s == FLEX_BASE ? 3 : 1);
  }
}

/* A borrower's lender is its neighbour and lends to it; an active member lends nothing. */
TEST(borrower_and_lender_agree) {
  unsigned borrowers = 0;
  for (unsigned s = 0; s < FLEX_SCHEMES; s++)
    for (unsigned m = 0; m < FLEX_MEMBERS; m++) {
      const enum flex_scheme scheme = (enum flex_scheme)s;
      const struct flex_role r = flex_role(scheme, m);
      const int lender = flex_lender(scheme, m);
      assert_true(r.active == (r.owner[0] == FLEX_OWN));
      assert_true(r.active == (r.owner[1] == FLEX_OWN));
      assert_true((lender >= 0) == (r.active && s != FLEX_BASE));
      if (lender < 0)
        continue;
      borrowers++;
      const struct flex_role of = flex_role(scheme, (unsigned)lender);
      const enum flex_side me = (unsigned)lender > m ? FLEX_LEFT : FLEX_RIGHT;
      int banks = (of.owner[0] == me) + (of.owner[1] == me);
      assert_int_equal(banks, s == FLEX_BAL ? 1 : 2);
    }
  assert_int_equal(borrowers, 3 * 3 + 4);
}

TEST(power_is_that_of_the_table) {
  const unsigned all = (1U << FLEX_DOMAINS) - 1;
  const unsigned ctx = 1U << FLEX_CTX, rf = 1U << FLEX_RF, simd = 1U << FLEX_SIMD,
                 mem = 1U << FLEX_MEM;
  const unsigned lender[FLEX_SCHEMES] = {[FLEX_OCC] = ctx | rf | mem,
                                         [FLEX_BAL] = ctx | rf | mem,
                                         [FLEX_BIGSM] = rf | simd | mem,
                                         [FLEX_BIGSM_OCC] = ctx | rf | simd | mem};
  for (unsigned s = 0; s < FLEX_SCHEMES; s++)
    for (unsigned m = 0; m < FLEX_MEMBERS; m++) {
      const enum flex_scheme scheme = (enum flex_scheme)s;
      const unsigned expected = flex_role(scheme, m).active ? all : lender[s];
      assert_int_equal(flex_power(scheme, false, m), expected);
      assert_int_equal(flex_power(scheme, true, m),
                       (s == FLEX_OCC || s == FLEX_BAL) && expected != all ? expected & ~mem
                                                                           : expected);
    }
}

/* Leakage of twelve SMs in W, by table III of the paper with nothing left of gated leakage. */
TEST(leakage_of_the_schemes) {
  static const double watt[FLEX_DOMAINS] = {
      [FLEX_FE] = 0.06783 / 2,   [FLEX_CTX] = 0.06783 / 2, [FLEX_RF] = 0.228586,
      [FLEX_SIMD] = 0.038,       [FLEX_MEM] = 0.86,        [FLEX_LSU] = 0.911,
      [FLEX_MISC] = 0.86 + 1.571};
  static const double sums[FLEX_SCHEMES] = {54.44, 34.42, 41.24, 34.44, 34.64};
  for (unsigned s = 0; s < FLEX_SCHEMES; s++) {
    double sum = s != FLEX_BASE ? 12 * 0.0385416 : 0;
    for (unsigned m = 0; m < FLEX_MEMBERS; m++)
      for (unsigned d = 0; d < FLEX_DOMAINS; d++)
        if ((flex_power((enum flex_scheme)s, false, m) >> d & 1) != 0)
          sum += 2 * watt[d];
    assert_true(fabs(sum - sums[s]) < 0.006);
  }
}

TEST(names) {
  static const char *const names[] = {"base", "occ", "bal", "bigsm", "bigsm_occ", "auto"};
  for (unsigned s = 0; s <= FLEX_AUTO; s++)
    assert_string_equal(flex_name((enum flex_scheme)s), names[s]);
}

int main(void) { return test_run(NULL, NULL); }
