/* Table I of the Flex SM paper: the CTA and the limit of each kernel on the Base SM of table II. */
#include "tests/kernels/flex/limits.h"
#include "tests/test.h"

/* Table II, column Base. */
TEST(table_ii) {
  struct tandem_config c;
  struct tandem_error err;
  if (flex_gpu(&c, &err) != 0)
    fail_msg("%s", err.text);
  assert_int_equal(c.sms, 12);
  assert_int_equal(c.sm.warps, 24);
  assert_int_equal(c.sm.threads, 24 * 32);
  assert_int_equal(c.sm.ctas, 8);
  assert_int_equal(c.sm.registers, 16384);
  assert_int_equal(c.sm.banks, 16);
  assert_int_equal(c.sm.shared_bytes, 16384);
  assert_int_equal(c.mem.shared_bytes, 16384);
  assert_int_equal(c.mem.shared_banks, 16);
  assert_int_equal(c.mem.l1d_bytes, 16384);
  assert_int_equal(c.mem.partitions, 4);
  assert_int_equal(c.mem.l2_bytes * c.mem.partitions, 256 * 1024);
  assert_int_equal(c.mem.core_mhz, 700);
}

/* The limits are met, and a CTA fits an SM. */
TEST(table_i) {
  static const char *const resource[FLEX_RESOURCES] = {"threads", "registers", "shared memory"};
  bool met = true;
  for (const struct flex_kernel *k = flex_kernels; k < flex_kernels + flex_kernels_count; k++) {
    struct flex_launch l;
    struct tandem_error err;
    if (flex_launch(k, &l, &err) != 0)
      fail_msg("%s", err.text);
    if (l.threads != k->threads)
      print_error("%s: a CTA has %u threads, not %u\n", k->name, l.threads, k->threads);
    for (unsigned i = 0; i < FLEX_RESOURCES; i++)
      if ((l.limit ^ k->limit) >> i & 1)
        print_error("%s is %slimited by %s: warps by threads %u, %u registers %u, %u bytes of "
                    "shared memory %u\n",
                    k->name, l.limit >> i & 1 ? "" : "not ", resource[i], l.warps[BY_THREADS],
                    l.registers, l.warps[BY_REGISTERS], l.shared, l.warps[BY_SHARED]);
    met = met && l.limit == k->limit && l.threads == k->threads;
  }
  assert_true(met);
}

/* The rule itself, by hand: kernels of each limit, of two, and at the boundaries of a resource. */
TEST(limits_by_hand) {
  static const struct {
    uint32_t threads, registers, shared;
    unsigned limit;
  } cases[] = {
      {256, 20, 0, FLEX_THREADS},                    /* 25 warps by registers */
      {256, 21, 0, FLEX_REGISTERS},                  /* 704 a warp: 23 */
      {128, 34, 0, FLEX_REGISTERS},                  /* 15 */
      {16, 20, 1024, FLEX_SHARED},                   /* 16 CTAs of a warp */
      {16, 20, 640, FLEX_THREADS},                   /* 25 */
      {16, 20, 641, FLEX_SHARED},                    /* 768 bytes: 21 */
      {512, 32, 8193, FLEX_SHARED | FLEX_REGISTERS}, /* 16 and 16 */
      {512, 32, 8192, FLEX_REGISTERS},               /* 32 by shared memory */
      {512, 30, 8193, FLEX_SHARED},                  /* 17 by registers */
      {768, 20, 16384, FLEX_SHARED | FLEX_THREADS},  /* 24 and 24 */
  };
  struct tandem_config c;
  struct tandem_error err;
  if (flex_gpu(&c, &err) != 0)
    fail_msg("%s", err.text);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct flex_launch l = {
        .threads = cases[i].threads, .registers = cases[i].registers, .shared = cases[i].shared};
    flex_find_limit(&c.sm, &l);
    if (l.limit != cases[i].limit)
      fail_msg("case %zu: limits are %x, not %x", i, l.limit, cases[i].limit);
  }
}

int main(void) { return test_run(NULL, NULL); }
