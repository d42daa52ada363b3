/* Two SMs as one with warps of 64 threads: cycles, values, halves without lanes, equality. */
#include "tests/sm/bench.h"
#include "tests/test.h"

enum { COLLECT = 2, START = 3 }; /* cycles after the issue */

struct rig {
  struct bench b;
  struct sm_shape shape;
};

static void rig_defaults(struct rig *r, unsigned threads, unsigned delay) {
  memset(r, 0, sizeof *r);
  bench_defaults(&r->b, threads);
  r->shape = (struct sm_shape){.warps = SM_BIT(48) - 1,
                               .threads = 48 * 64,
                               .shared_bytes = 32768,
                               .delay = (uint8_t)delay,
                               .operand_planes = 3,
                               .memory_planes = 1,
                               .pair = true};
}

/* Both replay the timing of their ALUs. */
static void begin(struct rig *r) {
  r->b.shape = &r->shape;
  bench_begin(&r->b);
  sm_set_timing_check(r->b.sm, 64, 48);
  sm_set_timing_check(r->b.high, 64, 48);
}

static void start(struct rig *r) {
  begin(r);
  bench_cta(&r->b, 0);
}

static unsigned one(struct rig *r, unsigned warp, unsigned pc, uint64_t lanes) {
  bench_issue(&r->b, warp, pc, lanes);
  return bench_step(&r->b);
}

static const uint64_t masks[] = {UINT64_MAX, 0xffffffff, UINT64_C(0xffffffff) << 32, 1,
                                 UINT64_C(1) << 63};
#define COUNT(array) (sizeof array / sizeof array[0])

/* SP and SFU are fed locally: cycles of one SM, whatever lanes are active and whatever the delay.
 */
TEST(alus_have_no_delay) {
  for (unsigned delay = 0; delay <= 2; delay++) {
    struct rig r;
    rig_defaults(&r, 128, delay);
    unsigned add = bench_add(&r.b, word(ISA_IADD, 8, 1, 2, 0));
    unsigned rcp = bench_add(&r.b, word(ISA_RCP, 8, 1, 0, 0));
    start(&r);
    for (unsigned i = 0; i < COUNT(masks); i++)
      for (unsigned pc = add; pc <= rcp; pc++) {
        const enum isa_lat lat = pc == add ? ISA_L_INT_ADD : ISA_L_SFU;
        unsigned t = one(&r, i % 2, pc, masks[i]);
        bench_run(&r.b, 100);
        assert_int_equal(pc == add ? r.b.log[t + 1].sp_credit : r.b.log[t + 1].sfu_credit, 1);
        assert_int_equal(bench_col(&r.b, i % 2, t), t + COLLECT);
        assert_int_equal(bench_wb(&r.b, i % 2, 8, t),
                         (int)(t + START) + (int)r.b.config.lat[lat].latency);
        assert_int_equal(r.b.sm->in_flight + r.b.high->in_flight, 0);
      }
    assert_int_equal(sm_fault(r.b.sm)->kind, SM_FAULT_NONE);
    bench_close(&r.b);
  }
}

/* Taken lanes of both halves come together, `delay` cycles after their guards are read. */
TEST(branches_resolve_a_delay_later) {
  for (unsigned delay = 0; delay <= 2; delay++) {
    struct rig r;
    rig_defaults(&r, 64, delay);
    unsigned bra = bench_add(&r.b, with_target(word(ISA_BRA, 0, 0, 0, 0), 1, 1));
    unsigned exit = bench_add(&r.b, word(ISA_EXIT, 0, 0, 0, 0));
    start(&r);
    for (unsigned i = 0; i < COUNT(masks); i++) {
      unsigned t = one(&r, 0, bra, masks[i]);
      bench_run(&r.b, 10);
      assert_int_equal(bench_resolved(&r.b, 0, t), t + COLLECT + delay);
      assert_true(r.b.log[t + COLLECT + delay].resolve_taken == masks[i]);
    }
    struct sm_stats stats;
    sm_stats(r.b.sm, &stats);
    assert_int_equal(stats.branches, COUNT(masks));
    assert_int_equal(stats.divergent_branches, 0);
    unsigned t = one(&r, 0, exit, UINT64_C(0xffff) << 24);
    bench_run(&r.b, 10);
    assert_true(r.b.log[t + COLLECT + delay].resolve_taken == UINT64_C(0xffff) << 24);
    assert_int_equal(r.b.sm->warp[0].lanes, 0x00ffffff);
    assert_int_equal(r.b.high->warp[0].lanes, 0xffffff00);
    bench_close(&r.b);
  }
}

/* A branch that lanes of one half alone take diverges; its outcome is that of both halves. */
TEST(a_branch_diverges_over_both_halves) {
  struct rig r;
  rig_defaults(&r, 64, 1);
  unsigned bra = bench_add(&r.b, with_guard(with_target(word(ISA_BRA, 0, 0, 0, 0), 2, 2), 3));
  bench_add(&r.b, word(ISA_EXIT, 0, 0, 0, 0));
  bench_add(&r.b, word(ISA_EXIT, 0, 0, 0, 0));
  start(&r);
  r.b.high->preds[0][3] = ~0U;
  unsigned t = one(&r, 0, bra, UINT64_MAX);
  bench_run(&r.b, 10);
  assert_true(r.b.log[t + COLLECT + 1].resolve_taken == UINT64_C(0xffffffff) << 32);
  struct sm_stats stats;
  sm_stats(r.b.sm, &stats);
  assert_int_equal(stats.branches, 1);
  assert_int_equal(stats.divergent_branches, 1);
  bench_close(&r.b);
}

/* One hand-over for both halves; the upper one's operands, and its results, cross a link. */
TEST(memory_has_one_hand_over) {
  static const struct {
    enum isa_id id;
    unsigned s2, mods, operands, results;
  } cases[] = {{ISA_LDG, 0, 2, 1, 1},
               {ISA_LDG, 0, 2 | 2 << 3, 1, 4},
               {ISA_STG, 12, 2, 2, 0},
               {ISA_STG, 12, 2 | 2 << 3, 5, 0}};
  for (unsigned width = 1; width <= 3; width++)
    for (unsigned delay = 0; delay <= 2; delay++) {
      struct rig r;
      rig_defaults(&r, 128, delay);
      r.shape.memory_planes = (uint8_t)width;
      for (unsigned i = 0; i < COUNT(cases); i++)
        bench_add(&r.b,
                  with_mods(word(cases[i].id, cases[i].results != 0 ? 8 : 0, 1, cases[i].s2, 0),
                            cases[i].mods));
      start(&r);
      for (unsigned i = 0; i < COUNT(cases); i++)
        for (unsigned m = 0; m < COUNT(masks); m++) {
          const unsigned n = r.b.mem.accepted, t = one(&r, m % 2, i, masks[m]);
          bench_run(&r.b, 60);
          const unsigned k = (cases[i].operands + width - 1) / width;
          const unsigned back = cases[i].results != 0 ? (cases[i].results + width - 1) / width : 1;
          const unsigned arrives = t + START + delay + k - 1;
          assert_int_equal(r.b.mem.accepted, n + 1);
          assert_int_equal(r.b.mem.log[n].cycle, arrives);
          assert_int_equal(r.b.mem.log[n].warp, m % 2);
          assert_true(r.b.mem.log[n].wide);
          assert_int_equal(r.b.unused.accepted, 0);
          if (cases[i].results != 0)
            assert_int_equal(bench_wb_port(&r.b, m % 2, 8, t),
                             (arrives + r.b.mem.latency + delay + back - 1) * ROW_PORTS + ROW_MEM);
          for (unsigned l = 0; cases[i].results != 0 && l < 64; l++) {
            const struct sm *sm = l < 32 ? r.b.sm : r.b.high;
            if ((masks[m] >> l & 1) != 0)
              assert_int_equal(sm->regs[m % 2][8][l % 32], 1000 + l);
          }
          assert_int_equal(r.b.sm->in_flight + r.b.high->in_flight, 0);
        }
      bench_close(&r.b);
    }
}

/* Accesses reach memory in order of issue; the link moves one at a time. */
TEST(memory_keeps_its_order) {
  for (unsigned delay = 0; delay <= 2; delay++) {
    struct rig r;
    rig_defaults(&r, 256, delay);
    unsigned store = bench_add(&r.b, with_mods(word(ISA_STG, 0, 1, 12, 0), 2 | 2 << 3));
    unsigned load = bench_add(&r.b, with_mods(word(ISA_LDG, 8, 1, 0, 0), 2));
    start(&r);
    (void)one(&r, 0, store, UINT64_MAX);
    (void)one(&r, 1, store, 0xff);
    bench_issue(&r.b, 2, load, UINT64_MAX);
    bench_issue(&r.b, 3, load, UINT64_MAX);
    (void)bench_step(&r.b);
    bench_run(&r.b, 60);
    static const unsigned at[] = {0, 5, 6, 7};
    for (unsigned i = 0; i < 4; i++) {
      assert_int_equal(r.b.mem.log[i].warp, i);
      assert_int_equal(r.b.mem.log[i].cycle - r.b.mem.log[0].cycle, at[i]);
    }
    assert_int_equal(sm_links(r.b.sm)->address_planes, 12);
    assert_int_equal(sm_links(r.b.sm)->data_planes, 2);
    bench_close(&r.b);
  }
}

/* An instruction that changes memory ends the spinning of both halves. */
TEST(a_change_of_memory_is_of_both_halves) {
  struct rig r;
  rig_defaults(&r, 64, 1);
  unsigned load = bench_add(&r.b, with_mods(word(ISA_LDG, 8, 1, 0, 0), 2));
  start(&r);
  struct sm *const sm[] = {r.b.sm, r.b.high};
  unsigned t = one(&r, 0, load, UINT64_MAX);
  bench_run(&r.b, 10);
  struct sm_inst *inst = r.b.mem.queue[r.b.mem.first].inst;
  inst->mem.changed = inst->mem.other->mem.changed = true;
  for (unsigned h = 0; h < 2; h++)
    sm[h]->spin[0].changed = false;
  bench_run(&r.b, 60);
  for (unsigned h = 0; h < 2; h++) {
    assert_true(sm[h]->spin[0].changed);
    assert_int_equal(sm[h]->changed, bench_wb(&r.b, 0, 8, t));
  }
  bench_close(&r.b);
}

/* Halves have their threads and registers, and the number of the lower SM. */
TEST(values_of_both_halves) {
  struct rig r;
  rig_defaults(&r, 128, 1);
  unsigned tid = bench_add(&r.b, word(ISA_MOVS, 1, 0, 0, 0) | (uint64_t)ISA_SR_TID_X << 32);
  unsigned smid = bench_add(&r.b, word(ISA_MOVS, 2, 0, 0, 0) | (uint64_t)ISA_SR_SMID << 32);
  unsigned add = bench_add(&r.b, with_imm(word(ISA_IADD, 3, 1, 0, 0), 100));
  start(&r);
  for (unsigned warp = 0; warp < 2; warp++)
    for (unsigned pc = 0; pc < 3; pc++) {
      (void)one(&r, warp, pc == 0 ? tid : pc == 1 ? smid : add, UINT64_MAX);
      bench_run(&r.b, 20);
    }
  for (unsigned t = 0; t < 128; t++) {
    const struct sm *sm = t / 32 % 2 == 0 ? r.b.sm : r.b.high;
    assert_int_equal(sm->regs[t / 64][1][t % 32], t);
    assert_int_equal(sm->regs[t / 64][2][t % 32], 3);
    assert_int_equal(sm->regs[t / 64][3][t % 32], t + 100);
  }
  bench_close(&r.b);
}

/* Launch: both halves in one cycle, and a half without threads keeps its turn. */
TEST(halves_start_together) {
  static const unsigned threads[] = {1, 32, 33, 64, 96, 100, 128};
  for (unsigned i = 0; i < COUNT(threads); i++) {
    struct rig r;
    rig_defaults(&r, threads[i], 1);
    bench_add(&r.b, word(ISA_EXIT, 0, 0, 0, 0));
    begin(&r);
    for (unsigned c = 0; c < 2; c++) {
      const unsigned from = r.b.cycle, wide = (threads[i] + 63) / 64;
      bench_cta(&r.b, c);
      bench_run(&r.b, 2);
      for (unsigned w = 0; w < wide; w++) {
        const struct sm_frontend_wide_in *in = &r.b.log[from + w];
        const unsigned left = threads[i] - 64 * w;
        assert_int_equal(in->launch_valid, 1);
        assert_int_equal(in->launch_warp, c * wide + w);
        assert_int_equal(in->launch_cta, c);
        assert_int_equal(in->launch_last, w + 1 == wide);
        assert_true(in->launch_mask == (left >= 64 ? UINT64_MAX : (UINT64_C(1) << left) - 1));
        const bool upper = left > 32;
        assert_int_equal(r.b.high->live >> (c * wide + w) & 1, upper);
        assert_int_equal(sm_place(r.b.sm, c * wide + w)->first, 64 * w);
        if (upper)
          assert_int_equal(sm_place(r.b.high, c * wide + w)->first, 64 * w + 32);
      }
      assert_int_equal(r.b.log[from + wide].launch_valid, 0);
    }
    struct sm_stats low, high;
    sm_stats(r.b.sm, &low);
    sm_stats(r.b.high, &high);
    assert_int_equal(low.ctas, 2);
    assert_int_equal(high.ctas, 0);
    bench_close(&r.b);
  }
}

/* End: a CTA leaves both SMs, also when the upper one has none of its threads; then they are idle.
 */
TEST(ctas_leave_both_sms) {
  static const unsigned threads[] = {20, 64, 70, 128};
  for (unsigned i = 0; i < COUNT(threads); i++) {
    struct rig r;
    rig_defaults(&r, threads[i], 2);
    unsigned exit = bench_add(&r.b, word(ISA_EXIT, 0, 0, 0, 0));
    start(&r);
    for (unsigned w = 0; w < (threads[i] + 63) / 64; w++) {
      assert_false(sm_lanes_idle(r.b.lanes));
      const unsigned left = threads[i] - 64 * w;
      (void)one(&r, w, exit, left >= 64 ? UINT64_MAX : (UINT64_C(1) << left) - 1);
      bench_run(&r.b, 10);
      bench_done(&r.b, w);
      bench_run(&r.b, 1);
    }
    bench_run(&r.b, 3);
    assert_int_equal(sm_fault(r.b.sm)->kind, SM_FAULT_NONE);
    assert_int_equal(r.b.sm->resident | r.b.high->resident, 0);
    assert_int_equal(r.b.sm->allocated | r.b.high->allocated, 0);
    assert_true(sm_lanes_idle(r.b.lanes));
    bench_close(&r.b);
  }
}

/* A half without an active lane passes all stages, on no record for the check. */
TEST(an_empty_half_leaves_no_record) {
  struct rig r;
  rig_defaults(&r, 64, 1);
  unsigned add = bench_add(&r.b, word(ISA_IADD, 8, 1, 2, 0));
  start(&r);
  sm_set_checked(r.b.sm, true);
  sm_set_checked(r.b.high, true);
  (void)one(&r, 0, add, UINT64_C(3) << 40);
  assert_int_equal(r.b.sm->in_flight, 1);
  assert_int_equal(r.b.high->in_flight, 1);
  bench_run(&r.b, 20);
  assert_null(sm_oldest(r.b.sm, 0));
  assert_non_null(sm_oldest(r.b.high, 0));
  assert_int_equal(sm_oldest(r.b.high, 0)->number, 1);
  assert_int_equal(sm_oldest(r.b.high, 0)->active, 3 << 8);
  struct sm_stats stats;
  sm_stats(r.b.sm, &stats);
  assert_int_equal(stats.warp_instructions, 1);
  sm_take(r.b.high, 0);
  for (unsigned i = 0; i < 3 * SM_CHUNK; i++) { /* their records are used again */
    (void)one(&r, 0, add, 1);
    bench_run(&r.b, 10);
    sm_take(r.b.sm, 0);
  }
  assert_int_equal(r.b.high->chunks, 1);
  bench_close(&r.b);
}

/* The kinds of faults of a wide warp as a whole. */
TEST(wrong_issues_are_faults) {
  enum { BAR, EXIT, BRA };
  static const struct {
    unsigned warp, pc;
    uint64_t lanes;
    enum sm_fault_kind kind;
  } cases[] = {{0, BAR, UINT64_MAX, SM_FAULT_NONE},
               {0, BAR, 0xffffffff, SM_FAULT_BARRIER},
               {0, BAR, UINT64_C(0xffffffff) << 32, SM_FAULT_BARRIER},
               {1, BAR, 0xffffffff, SM_FAULT_NONE}, /* it has no upper threads */
               {1, BRA, UINT64_C(1) << 32, SM_FAULT_PROTOCOL},
               {2, BRA, 1, SM_FAULT_PROTOCOL},
               {0, BRA, 0, SM_FAULT_PROTOCOL}};
  for (unsigned i = 0; i < COUNT(cases); i++) {
    struct rig r;
    rig_defaults(&r, 96, 1);
    bench_add(&r.b, word(ISA_BAR, 0, 0, 0, 0));
    bench_add(&r.b, word(ISA_EXIT, 0, 0, 0, 0));
    bench_add(&r.b, with_target(word(ISA_BRA, 0, 0, 0, 0), 1, 1));
    start(&r);
    (void)one(&r, cases[i].warp, cases[i].pc, cases[i].lanes);
    assert_int_equal(sm_fault(r.b.sm)->kind, cases[i].kind);
    struct sm_stats low, high;
    sm_stats(r.b.sm, &low);
    sm_stats(r.b.high, &high);
    assert_int_equal(low.barriers, cases[i].kind == SM_FAULT_NONE);
    assert_int_equal(high.barriers, 0);
    bench_close(&r.b);
  }
  struct rig r;
  rig_defaults(&r, 64, 2);
  bench_add(&r.b, with_target(word(ISA_BRA, 0, 0, 0, 0), 1, 1));
  bench_add(&r.b, word(ISA_EXIT, 0, 0, 0, 0));
  start(&r);
  (void)one(&r, 0, 0, 1);
  (void)one(&r, 0, 0, UINT64_C(1) << 40); /* the other half's lanes do not make it another warp */
  assert_int_equal(sm_fault(r.b.sm)->kind, SM_FAULT_PROTOCOL);
  bench_close(&r.b);
}

/* Random instructions with random lanes.  `spoil` makes the halves unequal. */
static void random_run(struct rig *r, unsigned seed, void (*spoil)(struct rig *r)) {
  static const enum isa_id ids[] = {ISA_IADD, ISA_MAD, ISA_IMIN, ISA_MUL, ISA_FMA, ISA_AND};
  struct bench *b = &r->b;
  rig_defaults(r, 512, seed % 3);
  for (unsigned i = 0; i < 12; i++)
    bench_add(b, word(ids[i % 6], 8 + i, i, 31 - i, i % 6 == 1 || i % 6 == 4 ? 5 : 0));
  bench_add(b, word(ISA_RCP, 22, 6, 0, 0));
  bench_add(b, with_mods(word(ISA_LDG, 24, 1, 0, 0), 2 | 2 << 3));
  bench_add(b, with_mods(word(ISA_STG, 0, 1, 28, 0), 2 | 2 << 3));
  start(r);
  if (spoil != NULL)
    spoil(r);
  srand(seed);
  int credit[] = {12, 4, 4};
  for (unsigned i = 0; i < 3000 && sm_fault(b->sm)->kind == SM_FAULT_NONE; i++) {
    for (unsigned port = 0; port < 2; port++) {
      const unsigned what = (unsigned)rand() % 15, warp = (unsigned)rand() % 4 * 2 + port;
      const unsigned cls = what < 12 ? 0 : what == 12 ? 1 : 2;
      if (credit[cls] == 0)
        continue;
      credit[cls]--;
      bench_issue(b, warp, what, masks[(unsigned)rand() % COUNT(masks)]);
    }
    b->mem.busy = i / 37 % 3 == 0;
    const struct sm_frontend_wide_in *in = &b->log[bench_step(&r->b)];
    credit[0] += (int)in->sp_credit;
    credit[1] += (int)in->sfu_credit;
    credit[2] += (int)in->mem_credit;
  }
}

TEST(halves_stay_equal) {
  for (unsigned seed = 0; seed < 6; seed++) {
    struct rig r;
    random_run(&r, seed, NULL);
    if (sm_fault(r.b.sm)->kind != SM_FAULT_NONE)
      fail_msg("%s", sm_fault(r.b.sm)->text);
    assert_true(r.b.mem.accepted > 100);
    bench_close(&r.b);
  }
}

static void fewer_sp(struct rig *r) { r->b.high->alu.oc[0].collectors[SM_ALU_SP] = 5; }
static void fewer_mem(struct rig *r) { r->b.high->memq[0].collectors[0] = 2; }
static void other_latency(struct rig *r) { r->b.high->alu.latency[ISA_L_LOGIC]++; }
static void lower_latency(struct rig *r) { r->b.sm->alu.latency[ISA_L_SFU]++; }
static void other_delay(struct rig *r) { r->b.high->memq[0].bank_mask = 7; }

/* A half that differs is found, whatever makes it differ. */
TEST(unequal_halves_are_a_fault) {
  void (*const spoil[])(struct rig *) = {fewer_sp, fewer_mem, other_latency, lower_latency,
                                         other_delay};
  for (unsigned i = 0; i < COUNT(spoil); i++) {
    struct rig r;
    random_run(&r, 3, spoil[i]);
    assert_int_equal(sm_fault(r.b.sm)->kind, SM_FAULT_TIMING);
    bench_close(&r.b);
  }
}

/* The resolve of one half alone, later than the other's, is found too. */
TEST(unequal_resolves_are_a_fault) {
  struct rig r;
  rig_defaults(&r, 64, 1);
  unsigned bra = bench_add(&r.b, with_target(word(ISA_BRA, 0, 0, 0, 0), 1, 1));
  bench_add(&r.b, word(ISA_EXIT, 0, 0, 0, 0));
  start(&r);
  r.b.high->resolve_delay++;
  (void)one(&r, 0, bra, UINT64_MAX);
  bench_run(&r.b, 5);
  assert_int_equal(sm_fault(r.b.sm)->kind, SM_FAULT_TIMING);
  bench_close(&r.b);
}

/* The pair waits while its instruction is in memory, and for nothing else. */
TEST(the_pair_waits_for_memory) {
  struct rig r;
  rig_defaults(&r, 64, 2);
  unsigned load = bench_add(&r.b, with_mods(word(ISA_LDG, 8, 1, 0, 0), 2));
  start(&r);
  assert_true(sm_lanes_waiting(r.b.lanes));
  unsigned t = one(&r, 0, load, UINT64_MAX);
  const unsigned arrives = t + START + 2, back = arrives + r.b.mem.latency;
  for (; r.b.cycle <= back + 3; (void)bench_step(&r.b))
    assert_int_equal(sm_lanes_waiting(r.b.lanes),
                     (r.b.cycle > arrives && r.b.cycle <= back) || r.b.cycle > back + 2);
  r.b.mem.busy = true;
  (void)one(&r, 0, load, UINT64_MAX);
  bench_run(&r.b, 10);
  assert_true(sm_lanes_waiting(r.b.lanes)); /* on the path, and memory takes nothing */
  r.b.mem.busy = false;
  assert_false(sm_lanes_waiting(r.b.lanes));
  bench_close(&r.b);
}

int main(void) { return test_run(NULL, NULL); }
