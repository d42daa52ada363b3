/* The two rules by which a scheme is chosen for a launch. */
#include "harness/gpu/flex/choice.h"
#include "tests/flex/table2.h"
#include "tests/test.h"

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

/* A quarter of 12 SMs x 64 lanes x 1,000 cycles is 192,000. */
TEST(first_by_duty) {
  const struct flex_launch l = launch(192, 100, 50);
  chosen(flex_choose_first(&table2, &l, &(struct flex_measured){1000, 192000}), FLEX_BIGSM, false,
         "the first launch used 25.0 % of the lanes' time");
  chosen(flex_choose_first(&table2, &l, &(struct flex_measured){1000, 191999}), FLEX_OCC, false,
         "the first launch used 25.0 % of the lanes' time");
  chosen(flex_choose_first(&table2, &l, &(struct flex_measured){1000, 7680}), FLEX_OCC, false,
         "the first launch used 1.0 % of the lanes' time");
}

/* Six SMs hold 48 CTAs of 192 threads, 18 of these with 4 KB of shared memory each of their own
 * 16 KB: 24. */
TEST(first_leaves_memory_off) {
  const struct flex_measured poor = {1000, 1000}, busy = {1000, 500000};
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

/* Neither rule chooses a scheme in which no CTA fits while one fits in another that it may choose.
 */
TEST(what_is_chosen_fits) {
  const struct flex_measured poor = {1000, 1000}, busy = {1000, 500000};
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
        const struct flex_choice c[] = {
            flex_choose_static(&table2, &l), flex_choose_static(&table2, &compute),
            flex_choose_first(&table2, &l, NULL), flex_choose_first(&table2, &l, &poor),
            flex_choose_first(&table2, &l, &busy)};
        for (size_t i = 0; i < sizeof c / sizeof c[0]; i++) {
          struct flex_gpu gpu = table2;
          gpu.own_memory = c[i].own_memory;
          assert_true(flex_resident(&gpu, c[i].scheme, &l.cta) > 0);
        }
      }
  assert_true(cases > 1000);
}

int main(void) { return test_run(NULL, NULL); }
