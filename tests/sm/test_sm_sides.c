/* An SM that borrows a neighbour's registers, collectors and queues: exact cycles of both sides. */
#include "tests/sm/bench.h"
#include "tests/test.h"

enum { QUEUE = 1, COLLECT = 2, START = 3 }; /* cycles after the issue */
enum { OWN = 0, FAR = SM_SIDE1 };           /* first warps of the sides */

/* A back end of 48 warps, all live, with a shape. */
struct rig {
  struct bench b;
  struct sm_shape shape;
};

static void rig_defaults(struct rig *r, unsigned delay, enum sm_far far) {
  bench_defaults(&r->b, 48 * 32);
  r->shape = (struct sm_shape){.warps = SM_BIT(48) - 1,
                               .threads = 48 * 32,
                               .delay = (uint8_t)delay,
                               .far = (uint8_t)far,
                               .operand_planes = 3,
                               .memory_planes = 1};
  r->b.shape = &r->shape;
}

static int latency(const struct rig *r, enum isa_lat lat) {
  return (int)r->b.config.lat[lat].latency;
}

static const unsigned warps[] = {0, 1, 22, 23, FAR, FAR + 1, 46, 47};
#define COUNT(array) (sizeof array / sizeof array[0])

/* Each path of SP and SFU: own credits and reports at once, those of side 1 `delay` cycles later;
 * operands and results `delay` cycles later on both sides. */
TEST(each_path_of_the_alus_has_its_delay) {
  static const struct {
    enum isa_id id;
    enum isa_lat lat;
    enum isa_pipe pipe;
    int port;
  } cases[] = {{ISA_IADD, ISA_L_INT_ADD, ISA_PIPE_SP, 0},
               {ISA_MOVI, ISA_L_LOGIC, ISA_PIPE_SP, 0},
               {ISA_RCP, ISA_L_SFU, ISA_PIPE_SFU, 2},
               {ISA_FDIV, ISA_L_FDIV, ISA_PIPE_SFU, 2}};
  for (unsigned delay = 0; delay <= 2; delay++) {
    struct rig r;
    rig_defaults(&r, delay, SM_FAR_WHOLE);
    for (unsigned i = 0; i < COUNT(cases); i++)
      bench_add(&r.b, word(cases[i].id, 8, 1, cases[i].pipe == ISA_PIPE_SP ? 2 : 0, 0));
    bench_start(&r.b);
    for (unsigned i = 0; i < COUNT(cases); i++)
      for (unsigned w = 0; w < COUNT(warps); w++) {
        const unsigned far = warps[w] >= FAR, t = bench_one(&r.b, warps[w], i);
        const unsigned lag = far * delay;
        bench_run(&r.b, 160);
        const struct sm_frontend_wide_in *own = &r.b.log[t + QUEUE];
        const struct sm_credits *credits = &r.b.far[t + QUEUE + delay];
        const bool sp = cases[i].pipe == ISA_PIPE_SP;
        assert_int_equal(sp ? own->sp_credit : own->sfu_credit, !far);
        assert_int_equal(sp ? credits->sp : credits->sfu, far);
        assert_int_equal(bench_credits(&r.b, cases[i].pipe, t, r.b.cycle), !far);
        assert_int_equal(bench_col(&r.b, warps[w], t), t + COLLECT + lag);
        assert_int_equal(bench_wb_port(&r.b, warps[w], 8, t),
                         ((int)(t + START + 2 * delay) + latency(&r, cases[i].lat)) * ROW_PORTS +
                             cases[i].port);
      }
    bench_close(&r.b);
  }
}

/* Credits of side 1 are returned once, and never through the ports of side 0. */
TEST(credits_return_to_their_side) {
  struct rig r;
  rig_defaults(&r, 1, SM_FAR_WHOLE);
  unsigned add = bench_add(&r.b, word(ISA_IADD, 8, 1, 2, 0));
  unsigned load = bench_add(&r.b, with_mods(word(ISA_LDG, 9, 1, 0, 0), 2));
  bench_start(&r.b);
  unsigned t = r.b.cycle, own[2] = {0, 0}, far[2] = {0, 0};
  for (unsigned i = 0; i < 6; i++) {
    bench_issue(&r.b, 2 * i, i % 3 == 0 ? load : add, ~0U);
    bench_issue(&r.b, FAR + 1 + 2 * i, i % 3 == 1 ? load : add, ~0U);
    bench_run(&r.b, 1 + i % 2);
  }
  bench_run(&r.b, 80);
  for (; t < r.b.cycle; t++) {
    own[0] += (unsigned)r.b.log[t].sp_credit, own[1] += (unsigned)r.b.log[t].mem_credit;
    far[0] += r.b.far[t].sp, far[1] += r.b.far[t].mem;
  }
  assert_int_equal(own[0], 4);
  assert_int_equal(own[1], 2);
  assert_int_equal(far[0], 4);
  assert_int_equal(far[1], 2);
  bench_close(&r.b);
}

/* Operands of side 1 take the link for k cycles; those of side 0 do not, nor do instructions
 * without operands. */
TEST(operands_cross_in_k_cycles) {
  static const struct {
    enum isa_id id;
    enum isa_lat lat;
    unsigned planes;
  } cases[] = {{ISA_MOVI, ISA_L_LOGIC, 0},    {ISA_I2F, ISA_L_CVT, 1},
               {ISA_IADD, ISA_L_INT_ADD, 2},  {ISA_MAD, ISA_L_INT_MAD, 3},
               {ISA_LADD, ISA_L_LONG_ADD, 4}, {ISA_DFMA, ISA_L_DP_FMA, 6}};
  for (unsigned width = 1; width <= SM_LINK_MOST; width++)
    for (unsigned delay = 0; delay <= 2; delay++) {
      struct rig r;
      rig_defaults(&r, delay, SM_FAR_WHOLE);
      r.shape.operand_planes = (uint8_t)width;
      for (unsigned i = 0; i < COUNT(cases); i++)
        bench_add(&r.b, cases[i].planes == 0
                            ? movi(10, 7)
                            : word(cases[i].id, 10, 2, cases[i].planes > 1 ? 4 : 0,
                                   cases[i].planes == 3 || cases[i].planes == 6 ? 8 : 0));
      bench_start(&r.b);
      for (unsigned i = 0; i < COUNT(cases); i++)
        for (unsigned far = 0; far < 2; far++) {
          unsigned k = cases[i].planes == 0 ? 1 : (cases[i].planes + width - 1) / width;
          const struct sm_links before = *sm_links(r.b.sm);
          unsigned t = bench_one(&r.b, far * FAR, i);
          bench_run(&r.b, 120);
          assert_int_equal(bench_wb(&r.b, far * FAR, 10, t),
                           (int)(t + START + 2 * delay + far * (k - 1)) +
                               latency(&r, cases[i].lat));
          assert_int_equal(sm_links(r.b.sm)->operand_planes - before.operand_planes,
                           far * cases[i].planes);
          assert_int_equal(sm_links(r.b.sm)->result_planes - before.result_planes,
                           far * (cases[i].planes >= 4 ? 2 : 1));
        }
      bench_close(&r.b);
    }
}

/* Two instructions of side 1 at once: the older one takes the link for k cycles.  One of side 0
 * passes them. */
TEST(the_operand_link_is_taken_by_the_older) {
  for (unsigned width = 1; width <= 3; width++) {
    struct rig r;
    rig_defaults(&r, 1, SM_FAR_WHOLE);
    r.shape.operand_planes = (uint8_t)width;
    unsigned mad = bench_add(&r.b, word(ISA_MAD, 8, 1, 2, 3));
    bench_start(&r.b);
    const unsigned k = (3 + width - 1) / width;
    const int base = START + 2 + latency(&r, ISA_L_INT_MAD);
    bench_issue(&r.b, FAR + 8, mad, ~0U); /* banks apart from those of the other warp */
    bench_issue(&r.b, FAR + 1, mad, ~0U);
    unsigned t = bench_step(&r.b);
    bench_step(&r.b); /* the two reports take both ports */
    bench_one(&r.b, OWN, mad);
    bench_run(&r.b, 60);
    assert_int_equal(bench_wb(&r.b, FAR + 8, 8, t), (int)(t + k - 1) + base);
    assert_int_equal(bench_wb(&r.b, FAR + 1, 8, t), (int)(t + 2 * k - 1) + base);
    assert_int_equal(bench_wb(&r.b, OWN, 8, t), (int)(t + 2) + base);
    assert_int_equal(sm_links(r.b.sm)->waits, k);
    bench_close(&r.b);
  }
}

/* The pipe of an instruction whose operands still cross takes no other one. */
TEST(a_pipe_waits_for_operands_that_cross) {
  struct rig r;
  rig_defaults(&r, 1, SM_FAR_WHOLE);
  r.b.config.sp_pipes = 1;
  r.shape.operand_planes = 1;
  unsigned mad = bench_add(&r.b, word(ISA_MAD, 8, 1, 2, 3));
  bench_start(&r.b);
  unsigned t = bench_one(&r.b, FAR, mad);
  bench_one(&r.b, OWN, mad);
  bench_run(&r.b, 60);
  const int base = START + 2 + latency(&r, ISA_L_INT_MAD);
  assert_int_equal(bench_wb(&r.b, FAR, 8, t), (int)t + 2 + base);
  assert_int_equal(bench_wb(&r.b, OWN, 8, t), (int)t + 3 + base);
  bench_close(&r.b);
}

/* One result of side 1 a cycle comes back: two moves without operands start one after the other,
 * those of side 0 together. */
TEST(one_result_crosses_in_a_cycle) {
  for (unsigned far = 0; far < 2; far++) {
    struct rig r;
    rig_defaults(&r, 1, SM_FAR_WHOLE);
    unsigned move = bench_add(&r.b, movi(8, 5));
    bench_start(&r.b);
    bench_issue(&r.b, far * FAR, move, ~0U);
    bench_issue(&r.b, far * FAR + 3, move, ~0U);
    unsigned t = bench_step(&r.b);
    bench_run(&r.b, 40);
    const int due = (int)t + START + 2 + latency(&r, ISA_L_LOGIC);
    assert_int_equal(bench_wb(&r.b, far * FAR, 8, t), due);
    assert_int_equal(bench_wb(&r.b, far * FAR + 3, 8, t), due + (int)far);
    assert_int_equal(sm_links(r.b.sm)->waits, far);
    bench_close(&r.b);
  }
}

/* Branches and exits are resolved `delay` cycles after their collection, on both sides. */
TEST(branches_resolve_a_delay_later) {
  for (unsigned delay = 0; delay <= 2; delay++) {
    struct rig r;
    rig_defaults(&r, delay, SM_FAR_WHOLE);
    bench_add(&r.b, with_target(word(ISA_BRA, 0, 0, 0, 0), 1, 1));
    unsigned exit = bench_add(&r.b, word(ISA_EXIT, 0, 0, 0, 0));
    bench_start(&r.b);
    for (unsigned pc = 0; pc <= exit; pc++)
      for (unsigned w = 0; w < COUNT(warps); w++) {
        unsigned t = bench_one(&r.b, warps[w], pc);
        bench_run(&r.b, 12);
        assert_int_equal(bench_resolved(&r.b, warps[w], t), t + COLLECT + delay);
        assert_int_equal(bench_col(&r.b, warps[w], t), t + COLLECT + (warps[w] >= FAR ? delay : 0));
      }
    bench_close(&r.b);
  }
}

/* A branch of side 1 has retired when its report takes a port, and gives it back. */
TEST(a_branch_gives_its_port_back) {
  for (unsigned delay = 0; delay <= 2; delay++) {
    struct rig r;
    rig_defaults(&r, delay, SM_FAR_WHOLE);
    unsigned branch = bench_add(&r.b, with_target(word(ISA_BRA, 0, 0, 0, 0), 1, 1));
    unsigned add = bench_add(&r.b, word(ISA_IADD, 8, 1, 2, 0));
    bench_start(&r.b);
    unsigned t = bench_one(&r.b, FAR, branch);
    bench_run(&r.b, 2 * SM_LAG + delay - 1);
    assert_int_equal(r.b.cycle, t + 2 * SM_LAG + delay);
    bench_issue(&r.b, OWN, add, ~0U);
    bench_issue(&r.b, OWN + 5, add, ~0U);
    t = bench_step(&r.b);
    bench_run(&r.b, 20);
    assert_int_equal(bench_col(&r.b, OWN, t), t + COLLECT);
    assert_int_equal(bench_col(&r.b, OWN + 5, t), t + COLLECT);
    bench_close(&r.b);
  }
}

/* MEM: operands reach the load-store unit after the stages and the link, results come back so. */
TEST(each_path_of_memory_has_its_delay) {
  static const struct {
    unsigned elements, mods;
  } loads[] = {{1, 2}, {2, 2 | 1 << 3}, {4, 2 | 2 << 3}};
  for (unsigned width = 1; width <= 4; width++)
    for (unsigned delay = 0; delay <= 2; delay++) {
      struct rig r;
      rig_defaults(&r, delay, SM_FAR_WHOLE);
      r.shape.memory_planes = (uint8_t)width;
      for (unsigned i = 0; i < COUNT(loads); i++)
        bench_add(&r.b, with_mods(word(ISA_LDG, 8, 1, 0, 0), loads[i].mods));
      for (unsigned i = 0; i < COUNT(loads); i++)
        bench_add(&r.b, with_mods(word(ISA_STG, 0, 1, 12, 0), loads[i].mods));
      bench_start(&r.b);
      for (unsigned pc = 0; pc < 6; pc++)
        for (unsigned w = 0; w < COUNT(warps); w++) {
          const unsigned far = warps[w] >= FAR, words = loads[pc % 3].elements;
          const unsigned there = far * ((1 + (pc < 3 ? 0 : words) + width - 1) / width - 1);
          const unsigned back = far * ((words + width - 1) / width - 1);
          const unsigned t = bench_one(&r.b, warps[w], pc), n = r.b.mem.accepted;
          bench_run(&r.b, 60);
          const unsigned arrives = t + START + delay + there;
          assert_int_equal(r.b.mem.log[n].cycle, arrives);
          assert_int_equal(bench_col(&r.b, warps[w], t), t + COLLECT + far * delay);
          if (pc < 3)
            assert_int_equal(bench_wb_port(&r.b, warps[w], 8, t),
                             (arrives + r.b.mem.latency + delay + back) * ROW_PORTS + ROW_MEM);
        }
      bench_close(&r.b);
    }
}

/* MEM instructions reach memory in order of issue over both sides, whatever crosses. */
TEST(memory_order_is_over_both_sides) {
  struct rig r;
  rig_defaults(&r, 1, SM_FAR_WHOLE);
  unsigned store = bench_add(&r.b, with_mods(word(ISA_STG, 0, 1, 12, 0), 2 | 2 << 3));
  unsigned load = bench_add(&r.b, with_mods(word(ISA_LDG, 8, 1, 0, 0), 2));
  unsigned twice = bench_add(&r.b, with_mods(word(ISA_STG, 0, 1, 17, 0), 2)); /* reads one bank */
  bench_start(&r.b);
  unsigned n = r.b.mem.accepted;
  bench_issue(&r.b, FAR, store, ~0U); /* five planes */
  unsigned t = bench_step(&r.b);
  bench_issue(&r.b, OWN, load, ~0U);
  bench_issue(&r.b, FAR + 1, load, ~0U);
  bench_step(&r.b);
  bench_one(&r.b, OWN + 2, load);
  bench_run(&r.b, 80);
  const unsigned first = t + START + 1 + 4;
  const struct {
    unsigned warp, cycle;
  } expect[] = {{FAR, first}, {OWN, first + 1}, {FAR + 1, first + 2}, {OWN + 2, first + 3}};
  for (unsigned i = 0; i < COUNT(expect); i++) {
    assert_int_equal(r.b.mem.log[n + i].warp, expect[i].warp);
    assert_int_equal(r.b.mem.log[n + i].cycle, expect[i].cycle);
  }
  assert_int_equal(sm_links(r.b.sm)->address_planes, 6);
  assert_int_equal(sm_links(r.b.sm)->data_planes, 1);
  bench_issue(&r.b, FAR, twice, ~0U);
  bench_one(&r.b, OWN + 1, load);
  bench_run(&r.b, 80);
  assert_int_equal(r.b.mem.log[n + 4].warp, FAR);
  bench_close(&r.b);
}

/* Results leave memory in order: one of four planes of side 1 holds up those behind it. */
TEST(results_wait_for_the_link) {
  struct rig r;
  rig_defaults(&r, 1, SM_FAR_WHOLE);
  unsigned quad = bench_add(&r.b, with_mods(word(ISA_LDG, 8, 1, 0, 0), 2 | 2 << 3));
  unsigned load = bench_add(&r.b, with_mods(word(ISA_LDG, 8, 1, 0, 0), 2));
  bench_start(&r.b);
  unsigned t = bench_one(&r.b, FAR, quad);
  bench_one(&r.b, OWN, load);
  bench_run(&r.b, 80);
  const unsigned done = t + START + 1 + r.b.mem.latency;
  assert_int_equal(bench_wb(&r.b, FAR, 8, t), done + 3 + 1);
  assert_int_equal(bench_wb(&r.b, OWN, 8, t), done + 4 + 1);
  bench_close(&r.b);
}

/* Two accesses of side 1 are apart by the cycles that the older one takes on the link. */
TEST(a_memory_link_moves_one_access_at_a_time) {
  for (unsigned delay = 0; delay <= 2; delay++) {
    struct rig r;
    rig_defaults(&r, delay, SM_FAR_WHOLE);
    unsigned quad = bench_add(&r.b, with_mods(word(ISA_LDG, 8, 1, 0, 0), 2 | 2 << 3));
    unsigned store = bench_add(&r.b, with_mods(word(ISA_STG, 0, 1, 12, 0), 2 | 2 << 3));
    bench_start(&r.b);
    const unsigned n = r.b.mem.accepted;
    for (unsigned i = 0; i < 3; i++)
      bench_one(&r.b, FAR + i, store);
    bench_run(&r.b, 80);
    for (unsigned i = 0; i < 3; i++)
      assert_int_equal(r.b.mem.log[n + i].cycle - r.b.mem.log[n].cycle, 5 * i);
    const unsigned t = r.b.cycle;
    for (unsigned i = 0; i < 3; i++)
      bench_one(&r.b, FAR + i, quad);
    bench_run(&r.b, 80);
    for (unsigned i = 0; i < 3; i++)
      assert_int_equal(bench_wb(&r.b, FAR + i, 8, t) - bench_wb(&r.b, FAR, 8, t), 4 * i);
    bench_close(&r.b);
  }
}

/* Returns how many of a far warp's loads are issued before a queue is full, memory taking none. */
static unsigned held(enum sm_far far, unsigned delay, unsigned warp) {
  struct rig r;
  rig_defaults(&r, delay, far);
  unsigned load = bench_add(&r.b, with_mods(word(ISA_LDG, 8, 1, 0, 0), 2));
  bench_start(&r.b);
  r.b.mem.busy = true;
  unsigned n = 0;
  while (sm_fault(r.b.sm)->kind == SM_FAULT_NONE && n < 64) {
    bench_one(&r.b, warp, load);
    bench_run(&r.b, 6);
    n++;
  }
  assert_int_equal(sm_fault(r.b.sm)->kind, SM_FAULT_PROTOCOL);
  bench_close(&r.b);
  return n - 1;
}

/* Entries and collectors of a side, and the stages of the path to memory. */
TEST(a_side_holds_what_its_part_has) {
  for (unsigned delay = 0; delay <= 2; delay++) {
    assert_int_equal(held(SM_FAR_WHOLE, delay, OWN), 8 + 4 + delay);
    assert_int_equal(held(SM_FAR_WHOLE, delay, FAR), 8 + 4 + delay);
    assert_int_equal(held(SM_FAR_HALF, delay, FAR), 4 + 2 + delay);
  }
  for (unsigned half = 0; half < 2; half++) {
    struct rig r;
    rig_defaults(&r, 1, half ? SM_FAR_HALF : SM_FAR_WHOLE);
    bench_add(&r.b, word(ISA_EXIT, 0, 0, 0, 0));
    bench_start(&r.b);
    const struct sm_collect *own = &r.b.sm->alu.oc[0], *far = &r.b.sm->alu.oc[1];
    assert_int_equal(own->queue_max[SM_ALU_SP], 12);
    assert_int_equal(own->queue_max[SM_ALU_SFU], 4);
    assert_int_equal(far->queue_max[SM_ALU_SP], 12 >> half);
    assert_int_equal(far->queue_max[SM_ALU_SFU], 4 >> half);
    assert_int_equal(far->collectors[SM_ALU_SP], 6 >> half);
    assert_int_equal(far->collectors[SM_ALU_SFU], 8 >> half);
    bench_close(&r.b);
  }
}

/* Banks: those of the sides are different ones; side 1 counts its warps from 0, and half of it has
 * half of the banks. */
TEST(each_side_has_its_banks) {
  static const struct {
    enum sm_far far;
    unsigned warp, other, s1, s2; /* registers of the second warp, or 0 */
    unsigned conflicts;
  } cases[] = {
      {SM_FAR_WHOLE, OWN, 0, 1, 17, 1},
      {SM_FAR_WHOLE, FAR, 0, 1, 17, 1},
      {SM_FAR_WHOLE, FAR, 0, 1, 9, 0},
      {SM_FAR_HALF, FAR, 0, 1, 9, 1},
      {SM_FAR_HALF, OWN, 0, 1, 9, 0},
      {SM_FAR_WHOLE, OWN, FAR + 1, 1, 2, 0},
      {SM_FAR_WHOLE, FAR, FAR + 1, 1, 2, 1},
      {SM_FAR_HALF, FAR + 8, FAR + 1, 1, 2, 1},
      {SM_FAR_WHOLE, FAR + 8, FAR + 1, 1, 2, 0},
  };
  for (unsigned i = 0; i < COUNT(cases); i++) {
    struct rig r;
    rig_defaults(&r, 1, cases[i].far);
    unsigned add = bench_add(&r.b, word(ISA_IADD, 8, cases[i].s1, cases[i].s2, 0));
    bench_start(&r.b);
    bench_issue(&r.b, cases[i].warp, add, ~0U);
    if (cases[i].other != 0)
      bench_issue(&r.b, cases[i].other, add, ~0U);
    bench_step(&r.b);
    bench_run(&r.b, 20);
    struct sm_stats stats;
    sm_stats(r.b.sm, &stats);
    assert_int_equal(stats.bank_conflicts, cases[i].conflicts);
    bench_close(&r.b);
  }
}

/* A result that is written takes a bank of its own side alone. */
TEST(a_write_back_takes_a_bank_of_its_side) {
  for (unsigned reader = 0; reader < 2; reader++)
    for (unsigned writer = 0; writer < 2; writer++) {
      struct rig r;
      rig_defaults(&r, 1, SM_FAR_WHOLE);
      unsigned write = bench_add(&r.b, word(ISA_IADD, 3, 1, 2, 0));
      unsigned read = bench_add(&r.b, word(ISA_IADD, 5, 19, 4, 0)); /* bank 3 */
      bench_start(&r.b);
      unsigned t = bench_one(&r.b, writer * FAR, write);
      const unsigned due = t + START + 2 + (unsigned)latency(&r, ISA_L_INT_ADD);
      bench_run(&r.b, due - COLLECT - r.b.cycle);
      bench_one(&r.b, reader * FAR, read);
      bench_run(&r.b, 20);
      assert_int_equal(bench_wb(&r.b, writer * FAR, 3, t), due);
      assert_int_equal(bench_col(&r.b, reader * FAR, due), due + (reader == writer) + reader * 1);
      bench_close(&r.b);
    }
}

/* The sides share report ports.  A report of side 1 takes the port of `delay` cycles later, which
 * side 0 then finds taken; without delay the older instruction is first. */
TEST(reports_share_their_ports) {
  for (unsigned delay = 0; delay <= 2; delay++)
    for (unsigned far_first = 0; far_first < 2; far_first++) {
      struct rig r;
      rig_defaults(&r, delay, SM_FAR_WHOLE);
      unsigned rcp = bench_add(&r.b, word(ISA_RCP, 8, 1, 0, 0));
      bench_start(&r.b);
      const unsigned t = r.b.cycle, own = OWN + far_first, far = FAR + !far_first;
      if (delay == 0) { /* the even warp is the older one */
        bench_issue(&r.b, own, rcp, ~0U);
        bench_issue(&r.b, far, rcp, ~0U);
        bench_step(&r.b);
      } else {
        bench_one(&r.b, far, rcp);
        bench_run(&r.b, delay - 1);
        bench_one(&r.b, own, rcp);
      }
      bench_run(&r.b, 60);
      const unsigned port = t + COLLECT + delay;
      const unsigned own_first = delay == 0 && !far_first;
      assert_int_equal(bench_col(&r.b, far, t), port + own_first);
      assert_int_equal(bench_col(&r.b, own, t), port + !own_first);
      bench_close(&r.b);
    }
}

/* Dispatch is oldest first over both sides: two divides keep both pipes, then the older of a far
 * and an own instruction starts. */
TEST(dispatch_is_oldest_first_over_both_sides) {
  for (unsigned far_first = 0; far_first < 2; far_first++) {
    struct rig r;
    rig_defaults(&r, 1, SM_FAR_WHOLE);
    r.b.config.sp_pipes = 1;
    unsigned div = bench_add(&r.b, word(ISA_IDIV, 5, 1, 3, 0));
    bench_start(&r.b);
    unsigned t = bench_one(&r.b, OWN + 4, div);
    bench_one(&r.b, far_first ? FAR : OWN, div);
    bench_one(&r.b, far_first ? OWN : FAR, div);
    bench_run(&r.b, 400);
    const int lat = latency(&r, ISA_L_INT_DIV);
    const int gap = (int)r.b.config.lat[ISA_L_INT_DIV].interval;
    const int base = (int)t + START + 2 + lat;
    assert_int_equal(bench_wb(&r.b, far_first ? FAR : OWN, 5, t), base + gap);
    assert_int_equal(bench_wb(&r.b, far_first ? OWN : FAR, 5, t), base + 2 * gap);
    bench_close(&r.b);
  }
}

/* Values: registers of both sides are read at collection and written at write-back, to the warp. */
TEST(values_belong_to_their_warp) {
  struct rig r;
  rig_defaults(&r, 2, SM_FAR_HALF);
  unsigned set = bench_add(&r.b, movi(1, 40));
  unsigned add = bench_add(&r.b, with_imm(word(ISA_IADD, 2, 1, 0, 0), 2));
  bench_start(&r.b);
  bench_one(&r.b, FAR, set);
  bench_run(&r.b, 30);
  bench_issue(&r.b, FAR, add, 0xffff0000);
  unsigned t = bench_step(&r.b);
  const unsigned due = t + START + 4 + (unsigned)latency(&r, ISA_L_INT_ADD);
  while (r.b.cycle < due)
    bench_step(&r.b);
  assert_int_equal(r.b.sm->regs[FAR][2][31], 0);
  bench_step(&r.b);
  assert_int_equal(r.b.sm->regs[FAR][2][31], 42);
  assert_int_equal(r.b.sm->regs[FAR][2][15], 0);
  assert_int_equal(r.b.sm->regs[OWN][2][31], 0);
  bench_close(&r.b);
}

/* Random instructions on both sides, with memory that takes and gives irregularly. */
static void random_traffic(struct rig *r, unsigned seed, bool traffic, unsigned first_side) {
  static const enum isa_id ids[] = {ISA_IADD, ISA_MAD, ISA_IMIN, ISA_MUL, ISA_FMA, ISA_AND};
  struct bench *b = &r->b;
  for (unsigned i = 0; i < 12; i++)
    bench_add(b, word(ids[i % 6], 8 + i, i, 31 - i, i % 6 == 1 || i % 6 == 4 ? 5 : 0));
  unsigned rcp = bench_add(b, word(ISA_RCP, 22, 6, 0, 0));
  unsigned load = bench_add(b, with_mods(word(ISA_LDG, 24, 1, 0, 0), 2 | 2 << 3));
  unsigned store = bench_add(b, with_mods(word(ISA_STG, 0, 1, 28, 0), 2 | 2 << 3));
  b->mem.latency = 9;
  bench_begin(b);
  sm_set_timing_check(b->sm, 64, 48);
  bench_cta(b, 0);
  b->sm->mem_first = first_side != 2;
  srand(seed);
  const unsigned part = r->shape.far == SM_FAR_HALF ? 2 : 1;
  int credit[2][3] = {{12, 4, 4}, {12 / (int)part, 4 / (int)part, 4 / (int)part}};
  for (unsigned i = 0; i < 4000 && sm_fault(b->sm)->kind == SM_FAULT_NONE; i++) {
    for (unsigned port = 0; port < 2; port++) {
      unsigned side = (unsigned)rand() % 2, what = (unsigned)rand() % 16;
      unsigned warp = side * FAR + (unsigned)rand() % 8 * 2 + port;
      unsigned cls = what < 12 ? ISA_PIPE_SP : what == 12 ? ISA_PIPE_SFU : ISA_PIPE_MEM;
      if (credit[side][cls] == 0 ||
          (cls == ISA_PIPE_MEM && (!traffic || (first_side != 2 && side != first_side))))
        continue;
      credit[side][cls]--;
      bench_issue(b, warp, what <= 12 ? what : what == 13 ? load : store, ~0U);
    }
    b->mem.busy = i / 37 % 3 == 0;
    const unsigned c = bench_step(b);
    credit[0][0] += (int)b->log[c].sp_credit, credit[1][0] += b->far[c].sp;
    credit[0][1] += (int)b->log[c].sfu_credit, credit[1][1] += b->far[c].sfu;
    credit[0][2] += (int)b->log[c].mem_credit, credit[1][2] += b->far[c].mem;
  }
  assert_int_equal(rcp, 12);
}

/* Memory does not influence SP and SFU: all their events are those of the same issues alone. */
TEST(alu_timing_does_not_depend_on_memory) {
  for (unsigned delay = 0; delay <= 2; delay++)
    for (unsigned far = SM_FAR_HALF; far <= SM_FAR_WHOLE; far++) {
      struct rig r;
      rig_defaults(&r, delay, (enum sm_far)far);
      random_traffic(&r, 3 + delay, true, 2);
      if (sm_fault(r.b.sm)->kind != SM_FAULT_NONE)
        fail_msg("%s", sm_fault(r.b.sm)->text);
      struct sm_stats stats;
      sm_stats(r.b.sm, &stats);
      assert_true(stats.warp_instructions > 3000);
      assert_true(r.b.mem.accepted > 200);
      bench_close(&r.b);
    }
}

/* The replay sees memory that takes banks first, on either side alone. */
TEST(the_replay_covers_both_sides) {
  for (unsigned side = 0; side < 2; side++) {
    struct rig r;
    rig_defaults(&r, 1, SM_FAR_WHOLE);
    random_traffic(&r, 11, true, side);
    const struct sm_fault *f = sm_fault(r.b.sm);
    assert_int_equal(f->kind, SM_FAULT_TIMING);
    bench_close(&r.b);
  }
}

/* The back end is not idle, and does not wait, while a report of side 1 is on its way. */
TEST(reports_on_their_way_are_work) {
  struct rig r;
  rig_defaults(&r, 2, SM_FAR_WHOLE);
  unsigned load = bench_add(&r.b, with_mods(word(ISA_LDG, 8, 1, 0, 0), 2));
  bench_start(&r.b);
  assert_true(sm_waiting(r.b.sm));
  unsigned t = bench_one(&r.b, FAR, load);
  const unsigned arrives = t + START + 2, back = arrives + r.b.mem.latency;
  for (; r.b.cycle <= back + 3; bench_step(&r.b))
    assert_int_equal(sm_waiting(r.b.sm),
                     (r.b.cycle > arrives && r.b.cycle <= back) || r.b.cycle > back + 2);
  r.b.mem.busy = true; /* the path holds the load */
  for (t = bench_one(&r.b, FAR, load); r.b.cycle <= t + 6; bench_step(&r.b))
    assert_int_equal(sm_waiting(r.b.sm), r.b.cycle > t + COLLECT + 2);
  bench_close(&r.b);
}

int main(void) { return test_run(NULL, NULL); }
