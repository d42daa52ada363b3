/* Shared memory and L1D of which a part is borrowed: ways and sets, banks and passes, delays. */
#include "tests/mem/bench.h"

enum { OWN = 16384, OWN_WAYS = 4, SETS = 32, LINE = 128 };

/* An SM alone has 16 KB of shared memory in 16 banks, and an L1D of 16 KB with 4 ways. */
static void open(struct bench *b) {
  struct mem_config c;
  bench_figures(&c);
  c.shared_bytes = OWN;
  c.shared_banks = 16;
  c.l1d_bytes = OWN;
  c.l1d_ways = OWN_WAYS;
  bench_open(b, &c, 1);
}

/* All (1) or half (2) of a neighbour's. */
static struct sm_mem_shape shape_of(unsigned part, unsigned delay) {
  return (struct sm_mem_shape){.shared_bytes = OWN + OWN / part,
                               .shared_own = OWN,
                               .shared_far_banks = 16 / part,
                               .l1d_far_ways = OWN_WAYS / part,
                               .delay = delay};
}

static void begin(struct bench *b, const struct sm_mem_shape *shape, uint32_t shared) {
  struct tandem_error err = {{0}};
  if (sm_mem_set_shape(gpu_mem_sm(b->m, 0), shape, &err) != 0)
    fail_msg("%s", err.text);
  b->grid.shared_bytes = shared;
  gpu_mem_begin(b->m, &b->grid);
  for (unsigned slot = 0; slot < 2; slot++)
    sm_mem_cta(gpu_mem_sm(b->m, 0), slot);
}

static unsigned run(struct bench *b, enum isa_id id, unsigned mods, uint32_t first,
                    uint32_t stride) {
  struct isa_uop u;
  struct sm_inst i;
  bench_access(&i, &u, id, mods, 0, first, stride);
  return bench_run(b, 0, &i);
}

/* Loads a line; returns whether it hits. */
static bool hits(struct bench *b, uint32_t address) {
  const uint64_t before = bench_stats(b).l1d_hits;
  (void)run(b, ISA_LDG, M32, address, 4);
  return bench_stats(b).l1d_hits != before;
}

/* Each set holds so many lines, and then loses the one that was used longest ago. */
static void check_ways(const struct sm_mem_shape *shape, unsigned ways) {
  struct bench b;
  open(&b);
  const uint32_t data = bench_alloc(&b, 16 * SETS * LINE);
  begin(&b, shape, 0);
  for (unsigned set = 0; set < SETS; set++) {
    const uint32_t first = data + set * LINE;
    for (unsigned w = 0; w < ways; w++)
      assert_false(hits(&b, first + w * SETS * LINE));
    assert_true(hits(&b, first));                       /* the newest now */
    assert_false(hits(&b, first + ways * SETS * LINE)); /* in the place of line 1 */
    for (unsigned w = ways; w >= 2; w--)
      assert_true(hits(&b, first + w * SETS * LINE));
    assert_true(hits(&b, first));
    assert_false(hits(&b, first + 1 * SETS * LINE));
  }
  bench_close(&b);
}

TEST(borrowed_memory_adds_ways) {
  const struct sm_mem_shape whole = shape_of(1, 0), half = shape_of(2, 0);
  struct sm_mem_shape none = shape_of(1, 1);
  none.l1d_far_ways = 0;
  check_ways(NULL, 4);
  check_ways(&whole, 8);
  check_ways(&half, 6);
  check_ways(&none, 4);
}

/* Each line of tags has a place of its own in the neighbour's cache.  A half has 16 sets of 4 ways:
 * bit 4 of the set selects among the ways. */
TEST(each_line_has_its_place) {
  for (unsigned part = 1; part <= 2; part++) {
    struct bench b;
    open(&b);
    const struct sm_mem_shape shape = shape_of(part, 1);
    begin(&b, &shape, 0);
    const unsigned ways = OWN_WAYS + OWN_WAYS / part;
    bool taken[2][SETS][OWN_WAYS] = {{{false}}};
    for (unsigned set = 0; set < SETS; set++)
      for (unsigned way = 0; way < ways; way++) {
        const struct l1d_place p = shape_line(gpu_mem_sm(b.m, 0), (int)(set * ways + way));
        const bool far = way >= OWN_WAYS;
        assert_int_equal(p.side, far);
        assert_int_equal(p.set, far && part == 2 ? set & 15 : set);
        assert_int_equal(p.way, !far        ? way
                                : part == 2 ? (way - OWN_WAYS) | (set >> 4 & 1) << 1
                                            : way - OWN_WAYS);
        assert_false(taken[p.side][p.set][p.way]);
        taken[p.side][p.set][p.way] = true;
      }
    bench_close(&b);
  }
}

/* Shared memory and L1D take 2 D cycles longer, own or borrowed; what is not lent does not. */
TEST(shared_memory_and_l1d_take_two_delays) {
  unsigned miss[3], atomic[3];
  for (unsigned delay = 0; delay <= 2; delay++) {
    struct bench b;
    open(&b);
    const struct sm_mem_shape shape = shape_of(1, delay);
    const uint32_t data = bench_alloc(&b, 4096);
    begin(&b, &shape, 2 * OWN);
    miss[delay] = run(&b, ISA_LDG, M32, data, 4);
    assert_int_equal(run(&b, ISA_LDG, M32, data, 4), 35 + 2 * delay);
    assert_int_equal(run(&b, ISA_LDS, M32, 0, 0), 26 + 2 * delay);
    assert_int_equal(run(&b, ISA_LDS, M32, OWN, 0), 26 + 2 * delay);
    assert_int_equal(run(&b, ISA_STS, M32, OWN, 0), 26 + 2 * delay);
    assert_int_equal(run(&b, ISA_STG, M32, data, 4), 2);
    (void)run(&b, ISA_LDP, M32 | MABS, 0, 0);
    assert_int_equal(run(&b, ISA_LDP, M32 | MABS, 0, 0), b.config.const_latency);
    (void)run(&b, ISA_AADD, 0, data, 4);
    atomic[delay] = run(&b, ISA_AADD, 0, data, 4);
    bench_drain(&b);
    bench_close(&b);
  }
  for (unsigned delay = 1; delay <= 2; delay++) {
    assert_int_equal(miss[delay], miss[0] + 2 * delay);
    assert_in_range(atomic[delay], atomic[0] - 1, atomic[0] + 1); /* the phase of a clock */
  }
}

/* Passes of a load whose lower lanes access words from `low` on, and the others from `high`. */
static void check_passes(unsigned part, unsigned lower, uint32_t low, uint32_t high,
                         uint32_t stride, unsigned passes, unsigned crossing) {
  struct bench b;
  struct isa_uop u;
  struct sm_inst i;
  open(&b);
  const struct sm_mem_shape shape = shape_of(part, 1);
  begin(&b, &shape, OWN + OWN / part);
  bench_access(&i, &u, ISA_LDS, M32, 0, low, stride);
  for (unsigned l = lower; l < ISA_WARP_SIZE; l++)
    i.a[0][l] = high + (l - lower) * stride;
  assert_int_equal(bench_run(&b, 0, &i), 26 + 2 + passes - 1);
  assert_int_equal(bench_stats(&b).shared_conflict_cycles, passes - 1);
  assert_int_equal(sm_mem_far_lines(gpu_mem_sm(b.m, 0)), crossing);
  bench_close(&b);
}

TEST(a_pass_serves_the_banks_of_both_sides) {
  check_passes(1, 32, 0, 0, 4, 2, 0);          /* 32 words of 16 banks */
  check_passes(1, 32, OWN, 0, 4, 2, 2);        /* those of side 1 */
  check_passes(1, 16, 0, OWN, 4, 1, 1);        /* 16 of each */
  check_passes(1, 16, OWN - 64, OWN, 4, 1, 1); /* across the border */
  check_passes(1, 24, 0, OWN, 4, 2, 1);
  check_passes(1, 8, 0, OWN, 4, 2, 2);
  check_passes(1, 16, 0, OWN, 64, 16, 16); /* all of a side in one bank */
  check_passes(1, 16, 0, OWN, 0, 1, 1);    /* broadcasts */
  check_passes(2, 32, OWN, 0, 4, 4, 4);    /* 8 banks */
  check_passes(2, 24, 0, OWN, 4, 2, 1);
  check_passes(2, 16, 0, OWN, 4, 2, 2);
  check_passes(2, 16, 0, OWN, 32, 16, 16);
  check_passes(2, 32, 0, 0, 32, 16, 0); /* side 0 keeps 16 banks: two are used */
}

/* A CTA may have all bytes of both sides, or two CTAs may share them across the border. */
TEST(values_across_both_sides) {
  struct bench b;
  struct isa_uop store, load, beyond;
  struct sm_inst i;
  open(&b);
  const struct sm_mem_shape shape = shape_of(1, 1);
  begin(&b, &shape, 20000);
  bench_uop(&store, ISA_STS, M32, 0);
  bench_uop(&load, ISA_LDS, M32, 0);
  bench_uop(&beyond, ISA_LDS, M32, 0);
  for (unsigned slot = 0; slot < 2; slot++)
    for (uint32_t at = 0; at < 20000 - 128; at += 9984) {
      bench_inst(&i, &store, slot);
      bench_address(&i, at, 4);
      for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
        i.b[0][l] = 1000 * slot + at + l;
      (void)bench_run(&b, 0, &i);
    }
  for (unsigned slot = 0; slot < 2; slot++)
    for (uint32_t at = 0; at < 20000 - 128; at += 9984) {
      bench_inst(&i, &load, slot);
      bench_address(&i, at, 4);
      (void)bench_run(&b, 0, &i);
      for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
        assert_int_equal(i.d[0][l], 1000 * slot + at + l);
    }
  assert_int_equal(gpu_mem_fault(b.m)->kind, INST_FAULT_NONE);
  bench_inst(&i, &beyond, 0);
  bench_address(&i, 20000 - 124, 4);
  (void)bench_run(&b, 0, &i);
  assert_int_equal(gpu_mem_fault(b.m)->kind, INST_FAULT_BOUNDS);
  bench_close(&b);
}

/* A new geometry begins with an empty L1D, and NULL gives back that of the configuration. */
TEST(a_geometry_is_taken_back) {
  struct bench b;
  open(&b);
  const uint32_t data = bench_alloc(&b, 8 * SETS * LINE);
  for (unsigned launch = 0; launch < 4; launch++) {
    const struct sm_mem_shape shape = shape_of(launch < 2 ? 1 : 2, launch);
    const bool shaped = launch != 3;
    begin(&b, shaped ? &shape : NULL, OWN);
    const unsigned ways = !shaped ? 4 : launch < 2 ? 8 : 6;
    for (unsigned turn = 0; turn < 2; turn++)
      for (unsigned w = 0; w < ways; w++)
        assert_int_equal(hits(&b, data + w * SETS * LINE), turn);
    assert_int_equal(run(&b, ISA_LDG, M32, data, 4), 35 + (shaped ? 2 * launch : 0));
    assert_int_equal(run(&b, ISA_LDS, M32, 0, 0), 26 + (shaped ? 2 * launch : 0));
    bench_drain(&b);
  }
  bench_close(&b);
}

/* Lines cross when they are filled into, read from or written in a way of side 1. */
TEST(lines_of_side_1_are_counted) {
  struct bench b;
  open(&b);
  const uint32_t data = bench_alloc(&b, 8 * SETS * LINE);
  const struct sm_mem_shape shape = shape_of(1, 1);
  begin(&b, &shape, 0);
  const struct sm_mem *s = gpu_mem_sm(b.m, 0);
  for (unsigned w = 0; w < 8; w++)
    assert_false(hits(&b, data + w * SETS * LINE));
  assert_int_equal(sm_mem_far_lines(s), 4);
  for (unsigned w = 0; w < 8; w++)
    assert_true(hits(&b, data + w * SETS * LINE));
  assert_int_equal(sm_mem_far_lines(s), 8);
  bench_close(&b);
}

TEST(a_wrong_geometry_is_refused) {
  struct bench b;
  open(&b);
  for (unsigned k = 0; k < 5; k++) {
    struct sm_mem_shape shape = shape_of(1, 1);
    struct tandem_error err = {{0}};
    if (k == 0)
      shape.shared_own = 2 * OWN + 1;
    else if (k == 1)
      shape.shared_bytes = 9 * OWN;
    else if (k == 2)
      shape.shared_far_banks = 12;
    else if (k == 3)
      shape.shared_far_banks = 0;
    else
      shape.l1d_far_ways = 3;
    assert_int_equal(sm_mem_set_shape(gpu_mem_sm(b.m, 0), &shape, &err), -22);
    assert_non_null(strstr(err.text, k == 4 ? "3 borrowed ways" : "shared memory"));
  }
  bench_close(&b);
}

int main(void) { return test_run(NULL, NULL); }
