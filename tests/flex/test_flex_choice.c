/* The three rules by which a scheme is chosen for a launch. */
#include <math.h>

#include "harness/gpu/flex/choice.h"
#include "tests/flex/table2.h"
#include "tests/test.h"

/* A first launch of 1,000 cycles. */
#define MEASURED(n) (&(struct flex_measured){.cycles = 1000, .thread_instructions = (n)})

/* Many CTAs of so many threads. */
static struct flex_launch launch(uint32_t threads, uint32_t instructions, uint32_t memory) {
  return (struct flex_launch){
      .cta = {threads, 8, 0}, .ctas = 1000, .instructions = instructions, .memory = memory};
}

static void chosen(struct flex_choice c, enum flex_scheme scheme, bool own_memory,
                   const char *why) {
  assert_int_equal(c.scheme, scheme);
  assert_int_equal(c.own_memory, own_memory);
  assert_string_equal(c.why, why);
}

TEST(static_by_the_share_of_memory) {
  struct flex_launch l = launch(192, 100, 19);
  chosen(flex_choose_static(&table2, &l), FLEX_BIGSM, false,
         "19 of 100 instructions use memory, less than a fifth");
  l = launch(192, 100, 20);
  chosen(flex_choose_static(&table2, &l), FLEX_OCC, false,
         "20 of 100 instructions use memory, and bigsm holds no more threads than base");
}

TEST(static_by_the_threads_held) {
  struct flex_launch l = launch(512, 100, 50);
  chosen(flex_choose_static(&table2, &l), FLEX_BIGSM, false,
         "the GPU holds 9216 threads in bigsm, 6144 in base");
  l.ctas = 12; /* that Base holds, too */
  assert_int_equal(flex_choose_static(&table2, &l).scheme, FLEX_OCC);
  l.ctas = 13;
  chosen(flex_choose_static(&table2, &l), FLEX_BIGSM, false,
         "the GPU holds 6656 threads in bigsm, 6144 in base");
}

TEST(first_measures_in_base) {
  struct flex_launch l = launch(192, 100, 50);
  chosen(flex_choose_first(&table2, &l, NULL), FLEX_BASE, false,
         "the first launch of this kernel and shape is measured");
  l = launch(1024, 100, 50); /* does not fit */
  chosen(flex_choose_first(&table2, &l, NULL), FLEX_BIGSM, false,
         "the GPU holds 6144 threads in bigsm, 0 in base");
}

/* An eighth of 12 SMs x 64 lanes x 1,000 cycles is 96,000. */
TEST(first_by_duty) {
  const struct flex_launch l = launch(192, 100, 50);
  chosen(flex_choose_first(&table2, &l, MEASURED(96000)), FLEX_BIGSM, false,
         "the first launch used 12.5 % of the lanes' time");
  chosen(flex_choose_first(&table2, &l, MEASURED(95999)), FLEX_OCC, false,
         "the first launch used 12.5 % of the lanes' time");
  chosen(flex_choose_first(&table2, &l, MEASURED(7680)), FLEX_OCC, false,
         "the first launch used 1.0 % of the lanes' time");
}

/* Six SMs hold 48 CTAs of 192 threads, 18 of these with 4 KB of shared memory each of their own
 * 16 KB: 24. */
TEST(first_leaves_memory_off) {
  const struct flex_measured poor = {.cycles = 1000, .thread_instructions = 1000},
                             busy = {.cycles = 1000, .thread_instructions = 500000};
  struct flex_launch l = launch(192, 100, 50);
  l.ctas = 48;
  chosen(flex_choose_first(&table2, &l, &poor), FLEX_OCC, true,
         "the first launch used 0.1 % of the lanes' time; half of the SMs hold the grid with their "
         "own memory");
  assert_false(flex_choose_first(&table2, &l, &busy).own_memory);
  l.ctas = 49;
  assert_false(flex_choose_first(&table2, &l, &poor).own_memory);
  l.cta.shared_bytes = 4096;
  l.ctas = 24;
  assert_true(flex_choose_first(&table2, &l, &poor).own_memory);
  l.ctas = 25;
  assert_false(flex_choose_first(&table2, &l, &poor).own_memory);
  struct flex_gpu own = table2; /* as configured */
  own.own_memory = true;
  assert_true(flex_choose_first(&own, &l, &poor).own_memory);
}

/* ---- the rule `power` ---- */

/* The sums of table III (docs/models/flex.md), 5 % of what is gated left. */
static struct flex_watts watts(double limit) {
  return (struct flex_watts){limit, {54.44, 35.90, 42.39, 35.92, 36.12}, 1};
}

static enum flex_scheme by_power(const struct flex_gpu *gpu, const struct flex_launch *l,
                                 uint64_t busy, double dynamic, double limit) {
  const struct flex_watts w = watts(limit);
  const struct flex_measured m = {1000, busy, dynamic};
  return flex_choose_power(gpu, l, &m, &w).scheme;
}

/* By hand: 12 SMs x 64 lanes x 1,000 cycles are 768,000; a quarter of them is busy. */
TEST(estimates) {
  const struct flex_launch l = launch(256, 100, 50); /* 36, 36, 32, 36, 48 CTAs in the GPU */
  const struct flex_launch small = {.cta = {64, 8, 0}, .ctas = 40};
  const struct flex_launch large = {.cta = {1024, 8, 0}, .ctas = 40};
  const struct flex_measured m = {1000, 192000, 0};
  static const double lanes[] = {1, 2, 1.5, 1, 1}, held[] = {36, 36, 32, 36, 48};
  for (unsigned s = 0; s < FLEX_SCHEMES; s++) {
    const double time = 0.25 * lanes[s] + 0.75 * 36 / held[s];
    assert_true(fabs(flex_estimate(&table2, (enum flex_scheme)s, &l, &m) - time) < 1e-12);
    /* All schemes hold a small grid. */
    assert_true(fabs(flex_estimate(&table2, (enum flex_scheme)s, &small, &m) -
                     (0.25 * lanes[s] + 0.75)) < 1e-12);
  }
  assert_true(flex_estimate(&table2, FLEX_BASE, &large, &m) == 0);
}

/* The fastest scheme below the limit; of 64 threads a CTA Bal holds more than the other schemes
 * with lenders, Base most. */
TEST(power_limits) {
  const struct flex_launch l = launch(64, 100, 50); /* 96, 48, 64, 48, 48 CTAs in the GPU */
  struct flex_gpu pairs = table2;
  pairs.trios = false;
  assert_int_equal(by_power(&table2, &l, 7680, 6, 70), FLEX_BASE); /* 61.4 W */
  assert_int_equal(by_power(&table2, &l, 7680, 6, 61), FLEX_BAL);  /* 47.4 W, 1.5 times */
  assert_int_equal(by_power(&pairs, &l, 7680, 6, 61), FLEX_BIGSM); /* 39.9 W, 2 times */
  assert_int_equal(by_power(&table2, &l, 7680, 6, 41), FLEX_BIGSM);
  assert_int_equal(by_power(&table2, &l, 7680, 6, 10), FLEX_OCC); /* the least */
  /* Least power among equal times. */
  const struct flex_launch even = launch(192, 100, 50);
  assert_int_equal(by_power(&table2, &even, 7680, 6, 100), FLEX_BIGSM);
  /* With much dynamic power the slower one stays below. */
  assert_int_equal(by_power(&table2, &even, 384000, 60, 80), FLEX_OCC); /* 76.9 W, 1.5 times */
  assert_int_equal(by_power(&table2, &even, 384000, 60, 92), FLEX_BAL); /* 91.4 W, 1.25 times */
  assert_int_equal(by_power(&table2, &even, 384000, 60, 97), FLEX_BIGSM);
}

TEST(power_says_why) {
  const struct flex_launch l = launch(64, 100, 50);
  struct flex_watts w = watts(50);
  const struct flex_measured m = {1000, 7680, 6};
  chosen(flex_choose_power(&table2, &l, NULL, &w), FLEX_BASE, false,
         "the first launch of this kernel and shape is measured");
  chosen(flex_choose_power(&table2, &l, &m, &w), FLEX_BAL, false,
         "about 47.4 W in 1.50 times the time of base: the fastest of at most 50 W; base takes "
         "61.4 W");
  w.limit = 10;
  chosen(flex_choose_power(&table2, &l, &m, &w), FLEX_OCC, false,
         "about 39.9 W in 2.00 times the time of base: the least, but above 10 W; base takes "
         "61.4 W");
}

/* No rule chooses a scheme in which no CTA fits while one fits in another that it may choose.
 */
TEST(what_is_chosen_fits) {
  const struct flex_watts loose = watts(1000), tight = watts(1);
  const struct flex_measured poor = {.cycles = 1000, .thread_instructions = 1000},
                             busy = {.cycles = 1000, .thread_instructions = 500000};
  unsigned cases = 0;
  for (uint32_t threads = 16; threads <= 1024; threads += 16)
    for (uint32_t registers = 8; registers <= 63; registers++)
      for (uint32_t shared = 0; shared <= 36864; shared += 4096) {
        const struct flex_launch l = {{threads, registers, shared}, 100, 10, 5};
        const struct flex_launch compute = {{threads, registers, shared}, 100, 10, 1};
        if (flex_resident(&table2, FLEX_BASE, &l.cta) + flex_resident(&table2, FLEX_OCC, &l.cta) +
                flex_resident(&table2, FLEX_BIGSM, &l.cta) ==
            0)
          continue;
        cases++;
        const struct flex_choice c[] = {flex_choose_static(&table2, &l),
                                        flex_choose_static(&table2, &compute),
                                        flex_choose_first(&table2, &l, NULL),
                                        flex_choose_first(&table2, &l, &poor),
                                        flex_choose_first(&table2, &l, &busy),
                                        flex_choose_power(&table2, &l, &busy, &loose),
                                        flex_choose_power(&table2, &l, &poor, &tight)};
        for (size_t i = 0; i < sizeof c / sizeof c[0]; i++) {
          struct flex_gpu gpu = table2;
          gpu.own_memory = c[i].own_memory;
          assert_true(flex_resident(&gpu, c[i].scheme, &l.cta) > 0);
        }
      }
  assert_true(cases > 1000);
}

int main(void) { return test_run(NULL, NULL); }
