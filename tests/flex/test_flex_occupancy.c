/* CTAs that an SM and a GPU hold by scheme. */
#include "harness/gpu/flex/occupancy.h"
#include "tests/flex/table2.h"
#include "tests/test.h"

static unsigned sm_holds(const struct flex_gpu *gpu, enum flex_scheme scheme, uint32_t threads,
                         uint32_t registers, uint32_t shared) {
  enum flex_limit limit;
  return flex_occupancy(gpu, scheme, &(struct flex_cta){threads, registers, shared}, &limit);
}
static unsigned holds(uint32_t threads, uint32_t registers, enum flex_scheme scheme) {
  return flex_resident(&table2, scheme, &(struct flex_cta){threads, registers, 0});
}

/* CTAs in the GPU where threads alone limit. */
TEST(table_of_threads) {
  static const struct {
    uint32_t threads;
    unsigned ctas[FLEX_SCHEMES];
  } rows[] = {{64, {96, 48, 64, 48, 48}},  {128, {72, 48, 64, 48, 48}}, {192, {48, 48, 48, 48, 48}},
              {256, {36, 36, 32, 36, 48}}, {512, {12, 18, 16, 18, 36}}, {768, {12, 12, 8, 12, 24}}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    for (unsigned s = 0; s < FLEX_SCHEMES; s++)
      assert_int_equal(holds(rows[i].threads, 1, (enum flex_scheme)s), rows[i].ctas[s]);
}

/* CFD2, CTAs of 192 threads: with 33 and 34 registers a thread the paper's three statements hold,
 * with 32 and 35 one fails. */
TEST(cfd2) {
  static const unsigned ctas[] = {24, 30, 24, 30};
  for (unsigned s = FLEX_BASE; s <= FLEX_BIGSM; s++) {
    assert_int_equal(holds(192, 33, (enum flex_scheme)s), ctas[s]);
    assert_int_equal(holds(192, 34, (enum flex_scheme)s), ctas[s]);
  }
  assert_true(holds(192, 32, FLEX_BAL) != holds(192, 32, FLEX_BASE));
  assert_true(holds(192, 35, FLEX_OCC) == holds(192, 35, FLEX_BASE));
}

/* A CTA that stays on one side takes Occ its gain. */
TEST(placement_by_sides) {
  struct flex_gpu sides = table2;
  sides.sides = true;
  assert_int_equal(sm_holds(&table2, FLEX_OCC, 512, 1, 0), 3);
  assert_int_equal(sm_holds(&sides, FLEX_OCC, 512, 1, 0), 2);
  assert_int_equal(sm_holds(&table2, FLEX_OCC, 192, 34, 0), 5);
  assert_int_equal(sm_holds(&sides, FLEX_OCC, 192, 34, 0), 4);
  for (uint32_t threads = 32; threads <= 768; threads += 32)
    for (unsigned s = 0; s < FLEX_SCHEMES; s++) {
      const unsigned with = sm_holds(&sides, (enum flex_scheme)s, threads, 1, 0),
                     without = sm_holds(&table2, (enum flex_scheme)s, threads, 1, 0);
      assert_true(with <= without);
      if (s == FLEX_BASE || flex_wide((enum flex_scheme)s))
        assert_int_equal(with, without);
      if (s == FLEX_OCC && 2 * sm_holds(&table2, FLEX_BASE, threads, 1, 0) <= 8)
        assert_int_equal(with, 2 * sm_holds(&table2, FLEX_BASE, threads, 1, 0));
    }
}

/* Usable warps are the lowest ones of each side. */
TEST(usable_warps) {
  struct flex_shape s = flex_shape(&table2, FLEX_OCC, 34);
  assert_true(s.warps[0] == 0x7fff);
  assert_true(s.warps[1] == UINT64_C(0x7fff) << 24);
  s = flex_shape(&table2, FLEX_BAL, 34);
  assert_true(s.warps[0] == 0x7fff);
  assert_true(s.warps[1] == UINT64_C(0x7f) << 24);
  s = flex_shape(&table2, FLEX_BAL, 1);
  assert_true(s.warps[0] == 0xffffff);
  assert_true(s.warps[1] == UINT64_C(0xfff) << 24);
  s = flex_shape(&table2, FLEX_BIGSM_OCC, 10);
  assert_true(s.warps[0] == (UINT64_C(1) << 48) - 1);
  s = flex_shape(&table2, FLEX_BIGSM_OCC, 11); /* 352, rounded up to 384 */
  assert_true(s.warps[0] == (UINT64_C(1) << 42) - 1);
  assert_true(s.warps[1] == 0);
}

/* Table II: threads and shared memory of an active SM. */
TEST(configuration) {
  static const uint32_t threads[] = {768, 1536, 1152, 1536, 3072},
                        shared[] = {16384, 32768, 24576, 32768, 32768};
  struct flex_gpu own = table2;
  own.own_memory = true;
  for (unsigned i = 0; i < FLEX_SCHEMES; i++) {
    const struct flex_shape s = flex_shape(&table2, (enum flex_scheme)i, 1),
                            o = flex_shape(&own, (enum flex_scheme)i, 1);
    assert_int_equal(s.threads, threads[i]);
    assert_int_equal(s.shared_bytes, shared[i]);
    assert_int_equal(s.warp, i < FLEX_BIGSM ? 32 : 64);
    assert_int_equal(o.threads, threads[i]);
    assert_int_equal(o.shared_bytes, i == FLEX_OCC || i == FLEX_BAL ? 16384 : shared[i]);
  }
}

TEST(limits) {
  static const struct {
    struct flex_cta cta;
    enum flex_scheme scheme;
    enum flex_limit limit;
    unsigned ctas;
  } cases[] = {{{64, 1, 0}, FLEX_BASE, FLEX_LIMIT_CTAS, 8},
               {{256, 1, 0}, FLEX_BASE, FLEX_LIMIT_WARPS, 3},
               {{256, 32, 0}, FLEX_BASE, FLEX_LIMIT_WARPS, 2},
               {{64, 1, 4097}, FLEX_BASE, FLEX_LIMIT_SHARED, 3},
               {{64, 1, 4096}, FLEX_BASE, FLEX_LIMIT_SHARED, 4},
               {{64, 1, 4096}, FLEX_BAL, FLEX_LIMIT_SHARED, 6},
               {{768, 1, 0}, FLEX_BAL, FLEX_LIMIT_WARPS, 1},
               {{800, 1, 0}, FLEX_BASE, FLEX_LIMIT_WARPS, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    enum flex_limit limit;
    assert_int_equal(flex_occupancy(&table2, cases[i].scheme, &cases[i].cta, &limit),
                     cases[i].ctas);
    assert_int_equal(limit, cases[i].limit);
  }
  /* Threads limit alone where the configuration has fewer than the warps have lanes. */
  struct flex_gpu few = table2;
  few.threads = 384;
  enum flex_limit limit;
  assert_int_equal(flex_occupancy(&few, FLEX_OCC, &(struct flex_cta){256, 1, 0}, &limit), 3);
  assert_int_equal(limit, FLEX_LIMIT_THREADS);
}

/* An error names the resource, the scheme, and the schemes that would do. */
TEST(refusals) {
  static const struct {
    struct flex_cta cta;
    enum flex_scheme scheme;
    unsigned members;
    const char *text;
  } cases[] = {
      {{1024, 8, 0},
       FLEX_BASE,
       6,
       "a CTA needs 1024 threads, an SM has 768 in scheme base; it fits in occ, bal, bigsm, "
       "bigsm_occ"},
      {{1024, 8, 0},
       FLEX_BASE,
       2,
       "a CTA needs 1024 threads, an SM has 768 in scheme base; it fits in occ, bigsm, bigsm_occ"},
      {{64, 8, 20480},
       FLEX_BASE,
       6,
       "a CTA needs 20480 bytes of shared memory, an SM has 16384 in scheme base; it fits in occ, "
       "bal, bigsm, bigsm_occ"},
      {{64, 8, 28000},
       FLEX_BAL,
       6,
       "a CTA needs 28032 bytes of shared memory, an SM has 24576 in scheme bal; it fits in occ, "
       "bigsm, bigsm_occ"},
      {{768, 32, 0},
       FLEX_BASE,
       6,
       "a CTA needs 24 warps with 32 registers a thread, an SM has registers for 16 in scheme "
       "base; it fits in occ, bal, bigsm, bigsm_occ"},
      {{64, 8, 40000},
       FLEX_BIGSM,
       6,
       "a CTA needs 40064 bytes of shared memory, an SM has 32768 in scheme bigsm; it fits in no "
       "scheme"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[256];
    flex_refusal(&table2, cases[i].scheme, &cases[i].cta, cases[i].members, text, sizeof text);
    assert_string_equal(text, cases[i].text);
  }
}

int main(void) { return test_run(NULL, NULL); }
