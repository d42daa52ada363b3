/* Exact cycles: latency, interval, banks, queues, ports; and that memory changes none of them. */
#include "tests/sm/bench.h"
#include "tests/test.h"

enum { QUEUE = 1, COLLECT = 2, START = 3 }; /* cycles after the issue */

static int latency(const struct bench *b, enum isa_lat lat) {
  return (int)b->config.lat[lat].latency;
}

TEST(an_add_takes_its_stages) {
  struct bench b;
  bench_defaults(&b, 64);
  unsigned add = bench_add(&b, word(ISA_IADD, 3, 1, 2, 0));
  bench_start(&b);
  unsigned t = bench_one(&b, 0, add);
  bench_run(&b, 20);
  assert_int_equal(bench_credits(&b, ISA_PIPE_SP, t, t + QUEUE), 0);
  assert_int_equal(b.log[t + QUEUE].sp_credit, 1);
  assert_int_equal(bench_col(&b, 0, t), t + COLLECT);
  assert_int_equal(bench_wb_port(&b, 0, 3, t), (t + START + 4) * ROW_PORTS + ROW_SP0);
  const struct row_write write = ROWS_WRITE(&b.log[t + START + 4], ROW_SP0);
  assert_int_equal(write.size, ISA_N_ONE);
  assert_false(write.pred);
  bench_close(&b);
}

/* Every class: write-back at start + latency, on the port of its pipeline. */
TEST(each_class_has_its_latency) {
  static const struct {
    enum isa_id id;
    unsigned dst, s1, s2, s3;
    enum isa_lat lat;
    int port;
  } cases[] = {
      {ISA_IADD, 8, 1, 2, 0, ISA_L_INT_ADD, 0},    {ISA_AND, 8, 1, 2, 0, ISA_L_LOGIC, 0},
      {ISA_MOVI, 8, 0, 0, 0, ISA_L_LOGIC, 0},      {ISA_I2F, 8, 1, 0, 0, ISA_L_CVT, 0},
      {ISA_LAND, 8, 2, 4, 0, ISA_L_LONG_LOGIC, 0}, {ISA_FDIV, 8, 1, 2, 0, ISA_L_FDIV, 2},
      {ISA_LMUL, 8, 2, 4, 0, ISA_L_LONG_MUL, 0},   {ISA_IMIN, 8, 1, 2, 0, ISA_L_INT_CMP, 0},
      {ISA_MUL, 8, 1, 2, 0, ISA_L_INT_MUL, 0},     {ISA_MAD, 8, 1, 2, 3, ISA_L_INT_MAD, 0},
      {ISA_IDIV, 8, 1, 2, 0, ISA_L_INT_DIV, 0},    {ISA_FADD, 8, 1, 2, 0, ISA_L_FP_ADD, 0},
      {ISA_FMIN, 8, 1, 2, 0, ISA_L_FP_CMP, 0},     {ISA_FMUL, 8, 1, 2, 0, ISA_L_FP_MUL, 0},
      {ISA_FMA, 8, 1, 2, 3, ISA_L_FP_FMA, 0},      {ISA_RCP, 8, 1, 0, 0, ISA_L_SFU, 2},
      {ISA_DADD, 8, 2, 4, 0, ISA_L_DP_ADD, 2},     {ISA_DDIV, 8, 2, 4, 0, ISA_L_DP_DIV, 2},
      {ISA_LADD, 8, 2, 4, 0, ISA_L_LONG_ADD, 0},   {ISA_LDIV, 8, 2, 4, 0, ISA_L_LONG_DIV, 0},
  };
  struct bench b;
  bench_defaults(&b, 32);
  for (unsigned i = 0; i < ISA_L_MEM; i++) /* each class a latency of its own, from 1 on */
    b.config.lat[i].latency = 1 + 7 * i;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    bench_add(&b, word(cases[i].id, cases[i].dst, cases[i].s1, cases[i].s2, cases[i].s3));
  bench_start(&b);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    unsigned t = bench_one(&b, 0, (unsigned)i);
    bench_run(&b, 400);
    int due = (int)t + START + latency(&b, cases[i].lat);
    assert_int_equal(bench_wb_port(&b, 0, cases[i].dst, t), due * 4 + cases[i].port);
  }
  bench_close(&b);
}

/* Divides on three warps: two pipes take one each, the third waits for the interval. */
TEST(the_interval_blocks_a_pipe) {
  struct bench b;
  bench_defaults(&b, 128);
  unsigned div = bench_add(&b, word(ISA_IDIV, 5, 1, 3, 0));
  bench_start(&b);
  bench_issue(&b, 0, div, ~0U);
  bench_issue(&b, 1, div, ~0U);
  unsigned t = bench_step(&b);
  bench_one(&b, 2, div);
  bench_run(&b, 200);
  int lat = latency(&b, ISA_L_INT_DIV), interval = (int)b.config.lat[ISA_L_INT_DIV].interval;
  assert_int_equal(bench_wb_port(&b, 0, 5, t), ((int)t + START + lat) * 4);
  assert_int_equal(bench_wb_port(&b, 1, 5, t), ((int)t + START + lat) * 4 + 1);
  assert_int_equal(bench_wb_port(&b, 2, 5, t), ((int)t + START + interval + lat) * 4);
  bench_close(&b);
}

/* One SP pipe: a multiply-add's result is due when a later add's would be, so the add starts a
 * cycle later. */
TEST(a_result_port_is_reserved) {
  struct bench b;
  bench_defaults(&b, 64);
  b.config.sp_pipes = 1;
  unsigned mad = bench_add(&b, word(ISA_MAD, 3, 1, 2, 4));
  unsigned add = bench_add(&b, word(ISA_IADD, 3, 1, 2, 0));
  bench_start(&b);
  unsigned t = bench_one(&b, 0, mad);
  bench_one(&b, 1, add); /* would be due at t + 1 + START + 4, as the multiply-add */
  bench_run(&b, 20);
  assert_int_equal(bench_wb(&b, 0, 3, t), t + START + 5);
  assert_int_equal(bench_wb(&b, 1, 3, t), t + START + 6);
  bench_close(&b);
}

TEST(one_bank_serves_one_read) {
  struct bench b;
  bench_defaults(&b, 96);
  unsigned same = bench_add(&b, word(ISA_IADD, 3, 1, 17, 0)); /* both in bank 1 */
  unsigned apart = bench_add(&b, word(ISA_IADD, 3, 1, 2, 0));
  unsigned triple = bench_add(&b, word(ISA_MAD, 3, 1, 17, 1));
  bench_start(&b);
  struct sm_stats stats;
  unsigned t = bench_one(&b, 0, same);
  bench_run(&b, 10);
  assert_int_equal(bench_wb(&b, 0, 3, t), t + START + 1 + 4);
  sm_stats(b.sm, &stats);
  assert_int_equal(stats.bank_conflicts, 1);
  t = bench_one(&b, 0, triple);
  bench_run(&b, 12);
  assert_int_equal(bench_wb(&b, 0, 3, t), t + START + 2 + 5);
  /* Warp 0's r1, r2 and warp 1's r1, r2 share bank 2: the older first. */
  bench_issue(&b, 0, apart, ~0U);
  bench_issue(&b, 1, apart, ~0U);
  t = bench_step(&b);
  bench_run(&b, 10);
  assert_int_equal(bench_wb(&b, 0, 3, t), t + START + 4);
  assert_int_equal(bench_wb(&b, 1, 3, t), t + START + 1 + 4);
  /* Warp 0 and warp 2 (banks 1, 2 and 3, 4) do not meet. */
  t = bench_one(&b, 0, apart);
  bench_one(&b, 2, apart);
  bench_run(&b, 10);
  assert_int_equal(bench_wb(&b, 2, 3, t), t + 1 + START + 4);
  bench_close(&b);
}

/* A write-back takes its bank: a read of it in that cycle waits. */
TEST(a_write_back_takes_its_bank) {
  struct bench b;
  bench_defaults(&b, 32);
  unsigned writer = bench_add(&b, word(ISA_IADD, 3, 1, 2, 0));
  unsigned reader = bench_add(&b, word(ISA_IADD, 5, 19, 4, 0)); /* r19: bank 3 */
  bench_start(&b);
  unsigned t = bench_one(&b, 0, writer); /* written at t + 7 */
  bench_run(&b, 4);
  unsigned r = bench_one(&b, 0, reader); /* reads at r + 2 = t + 7 */
  assert_int_equal(r + COLLECT, t + START + 4);
  bench_run(&b, 10);
  assert_int_equal(bench_wb(&b, 0, 5, r), r + START + 1 + 4);
  bench_close(&b);
}

/* A collector that has read one of its two planes holds only the other one's bank. */
TEST(what_is_read_is_not_read_again) {
  struct bench b;
  bench_defaults(&b, 192);
  unsigned first = bench_add(&b, word(ISA_MOV, 5, 2, 0, 0));
  unsigned both = bench_add(&b, word(ISA_IADD, 5, 1, 3, 0));
  unsigned late = bench_add(&b, word(ISA_MOV, 5, 0, 0, 0));
  bench_start(&b);
  bench_issue(&b, 0, first, ~0U); /* bank 2 */
  bench_issue(&b, 1, both, ~0U);  /* bank 4 now, bank 2 a cycle later */
  unsigned t = bench_step(&b);
  bench_one(&b, 4, late); /* bank 4 */
  bench_run(&b, 12);
  assert_int_equal(bench_wb(&b, 1, 5, t), t + 1 + START + 4);
  assert_int_equal(bench_wb(&b, 4, 5, t), (int)t + 1 + START + latency(&b, ISA_L_LOGIC));
  bench_close(&b);
}

/* SFU and MEM take one instruction a cycle from their queues. */
TEST(one_credit_a_cycle) {
  for (unsigned k = 0; k < 2; k++) {
    struct bench b;
    bench_defaults(&b, 64);
    unsigned pc =
        bench_add(&b, k == 0 ? word(ISA_RCP, 3, 1, 0, 0) : with_mods(word(ISA_LDG, 3, 1, 0, 0), 2));
    bench_start(&b);
    bench_issue(&b, 0, pc, ~0U);
    bench_issue(&b, 1, pc, ~0U);
    unsigned t = bench_step(&b);
    bench_run(&b, 10);
    enum isa_pipe pipe = k == 0 ? ISA_PIPE_SFU : ISA_PIPE_MEM;
    assert_int_equal(bench_credits(&b, pipe, t + 1, t + 2), 1);
    assert_int_equal(bench_credits(&b, pipe, t + 2, t + 3), 1);
    assert_int_equal(bench_col(&b, 0, t), t + COLLECT);
    assert_int_equal(bench_col(&b, 1, t), t + COLLECT + 1);
    bench_close(&b);
  }
}

/* Three SP collections complete in one cycle: the youngest is reported, and starts, a cycle later;
 * while it waits it takes no bank. */
TEST(two_collections_are_reported_a_cycle) {
  struct bench b;
  bench_defaults(&b, 256);
  unsigned one = bench_add(&b, word(ISA_MOV, 5, 1, 0, 0));   /* bank warp + 1 */
  unsigned zero = bench_add(&b, word(ISA_MOV, 5, 0, 0, 0));  /* bank warp */
  unsigned third = bench_add(&b, word(ISA_MOV, 5, 3, 0, 0)); /* bank warp + 3 */
  bench_start(&b);
  bench_issue(&b, 0, one, ~0U);
  bench_issue(&b, 1, zero, ~0U); /* the same bank: a cycle later */
  unsigned t = bench_step(&b);
  bench_issue(&b, 2, third, ~0U);
  bench_issue(&b, 3, third, ~0U); /* bank 6 */
  bench_step(&b);
  bench_issue(&b, 6, zero, ~0U); /* bank 6, read while warp 3 waits for its report */
  bench_step(&b);
  bench_run(&b, 20);
  const int written = (int)t + START + latency(&b, ISA_L_LOGIC);
  assert_int_equal(bench_wb(&b, 0, 5, t), written);
  assert_int_equal(bench_wb(&b, 1, 5, t), written + 1);
  assert_int_equal(bench_wb(&b, 2, 5, t), written + 1);
  assert_int_equal(bench_wb(&b, 3, 5, t), written + 2);
  assert_int_equal(bench_wb(&b, 6, 5, t), written + 2);
  assert_int_equal(bench_col(&b, 3, t), t + COLLECT + 2);
  bench_close(&b);
}

/* With one collector the queue holds the rest; a credit comes back for each that leaves it. */
TEST(credits_return_as_the_queue_drains) {
  struct bench b;
  bench_defaults(&b, 64);
  b.config.collectors_sp = 1;
  unsigned add = bench_add(&b, word(ISA_IADD, 3, 1, 2, 0));
  bench_start(&b);
  unsigned t = b.cycle;
  for (unsigned i = 0; i < 4; i++) {
    bench_issue(&b, 0, add, ~0U);
    bench_issue(&b, 1, add, ~0U);
    bench_step(&b);
  }
  bench_run(&b, 40);
  /* A collector is taken at t+1, read at t+2, free again when it starts at t+3. */
  for (unsigned i = 0; i < 8; i++) {
    assert_int_equal(b.log[t + 1 + 2 * i].sp_credit, 1);
    assert_int_equal(b.log[t + 2 + 2 * i].sp_credit, 0);
  }
  assert_int_equal(bench_credits(&b, ISA_PIPE_SP, t, b.cycle), 8);
  struct sm_stats stats;
  sm_stats(b.sm, &stats);
  assert_true(stats.collector_full_sp > 0);
  assert_int_equal(sm_fault(b.sm)->kind, SM_FAULT_NONE);
  bench_close(&b);
}

TEST(a_full_queue_is_a_fault) {
  static const struct {
    enum isa_id id;
    unsigned entries;
  } cases[] = {{ISA_IADD, 8}, {ISA_RCP, 4}, {ISA_LDG, 4}};
  for (unsigned k = 0; k < 3; k++)
    for (unsigned extra = 0; extra < 2; extra++) {
      struct bench b;
      bench_defaults(&b, 64);
      b.config.collectors_sp = b.config.collectors_sfu = b.config.collectors_mem = 1;
      b.mem.busy = true;
      unsigned pc = bench_add(
          &b, cases[k].id == ISA_LDG ? with_mods(word(ISA_LDG, 3, 1, 0, 0), 2)
                                     : word(cases[k].id, 3, 1, cases[k].id == ISA_RCP ? 0 : 17, 0));
      bench_start(&b);
      b.sm->memq[0].collectors[0] = b.sm->alu.oc[0].collectors[0] = b.sm->alu.oc[0].collectors[1] =
          0;
      for (unsigned i = 0; i < cases[k].entries + extra; i++)
        bench_one(&b, i % 2, pc);
      assert_int_equal(sm_fault(b.sm)->kind, extra ? SM_FAULT_PROTOCOL : SM_FAULT_NONE);
      bench_close(&b);
    }
}

/* Two branches of one cycle: one is resolved when it is collected, the other in the next cycle. */
TEST(branches_share_the_resolve_port) {
  struct bench b;
  bench_defaults(&b, 128);
  unsigned bra = bench_add(&b, with_target(word(ISA_BRA, 0, 0, 0, 0), 0, ISA_NO_RPC));
  bench_start(&b);
  bench_issue(&b, 2, bra, ~0U);
  bench_issue(&b, 1, bra, 0xff);
  unsigned t = bench_step(&b);
  bench_run(&b, 20);
  const unsigned due = t + COLLECT;
  assert_int_equal(bench_col(&b, 2, t), due);
  assert_int_equal(bench_col(&b, 1, t), due);
  assert_int_equal(bench_resolved(&b, 2, t), due);
  assert_int_equal(bench_resolved(&b, 1, t), due + 1);
  assert_int_equal(b.log[due].resolve_taken, ~0U);
  assert_int_equal(b.log[due + 1].resolve_taken, 0xff);
  for (unsigned c = t; c < b.cycle; c++)
    assert_int_equal(b.log[c].wb_valid, 0);
  bench_close(&b);
}

/* Divisions hold both pipelines and all collectors but one: branches need no pipeline, and leave
 * the collector in the cycle in which they are collected. */
TEST(a_branch_takes_no_pipeline) {
  struct bench b;
  bench_defaults(&b, 256);
  b.config.collectors_sp = 4;
  b.config.lat[ISA_L_INT_DIV].interval = 60;
  unsigned div = bench_add(&b, word(ISA_IDIV, 5, 1, 3, 0));
  unsigned bra = bench_add(&b, with_target(word(ISA_BRA, 0, 0, 0, 0), 0, ISA_NO_RPC));
  bench_start(&b);
  for (unsigned w = 0; w < 5; w++) /* two start, three wait for a pipeline */
    bench_one(&b, w, div);
  unsigned t = bench_one(&b, 5, bra);
  bench_one(&b, 6, bra);
  bench_one(&b, 7, bra);
  assert_true(b.sm->alu.free_at[0] > t + COLLECT + 4 && b.sm->alu.free_at[1] > t + COLLECT + 4);
  bench_run(&b, 6);
  for (unsigned k = 0; k < 3; k++) /* the collector is free again in the cycle of the report */
    assert_int_equal(bench_resolved(&b, 5 + k, t), t + COLLECT + k);
  bench_close(&b);
}

/* A predicate that is written in the cycle of the collection is read with its new value. */
TEST(a_branch_reads_its_guard_when_collected) {
  struct bench b;
  bench_defaults(&b, 32);
  unsigned bra =
      bench_add(&b, with_guard(with_target(word(ISA_BRA, 0, 0, 0, 0), 0, ISA_NO_RPC), 1));
  bench_start(&b);
  for (unsigned when = 0; when < COLLECT + 2; when++) {
    b.sm->preds[0][1] = 0xf0;
    unsigned t = bench_one(&b, 0, bra);
    for (unsigned c = 0; c < when; c++)
      bench_step(&b);
    b.sm->preds[0][1] = 0x0f;
    bench_run(&b, 8);
    assert_int_equal(b.log[bench_resolved(&b, 0, t)].resolve_taken, when < COLLECT ? 0x0f : 0xf0);
  }
  bench_close(&b);
}

TEST(warps_launch_one_a_cycle) {
  struct bench b;
  bench_defaults(&b, 80);
  bench_add(&b, word(ISA_EXIT, 0, 0, 0, 0));
  bench_begin(&b);
  unsigned t = b.cycle;
  bench_cta(&b, 7);
  assert_int_equal(b.cycle, t + 3);
  for (unsigned i = 0; i < 3; i++) {
    const struct sm_frontend_wide_in *in = &b.log[t + i];
    assert_int_equal(in->launch_valid, 1);
    assert_int_equal(in->launch_warp, i);
    assert_int_equal(in->launch_cta, 0);
    assert_int_equal(in->launch_last, i == 2);
    assert_int_equal(in->launch_pc, 0);
    assert_int_equal(in->launch_mask, i == 2 ? 0xffff : ~0U);
  }
  bench_close(&b);
}

/* Instruction misses go out, beats come in. */
TEST(fetches_pass_through) {
  struct bench b;
  bench_defaults(&b, 32);
  bench_add(&b, word(ISA_EXIT, 0, 0, 0, 0));
  bench_begin(&b);
  b.fe.imiss_valid = 1;
  b.fe.imiss_line = 0x123;
  bench_step(&b);
  assert_int_equal(b.mem.asked, 0x123);
  b.mem.fill = true;
  b.mem.beat = (struct mem_fill){.line = 0x123, .beat = 5, .data = {7, 8}};
  assert_false(sm_idle(b.sm));
  unsigned t = bench_step(&b);
  assert_int_equal(b.log[t].fill_valid, 1);
  assert_int_equal(b.log[t].fill_line, 0x123);
  assert_int_equal(b.log[t].fill_beat, 5);
  assert_int_equal(b.log[t].fill_data0, 7);
  assert_int_equal(b.log[t].fill_data1, 8);
  assert_true(sm_idle(b.sm));
  bench_close(&b);
}

/* Accesses leave in the order of issue, although the first has to collect longer. */
TEST(memory_is_reached_in_order) {
  struct bench b;
  bench_defaults(&b, 64);
  unsigned slow = bench_add(&b, word(ISA_ACAS, 4, 1, 17, 1)); /* one bank: three cycles */
  unsigned fast = bench_add(&b, with_mods(word(ISA_LDG, 3, 2, 0, 0), 2));
  bench_start(&b);
  unsigned t = bench_one(&b, 0, slow);
  bench_one(&b, 1, fast);
  bench_run(&b, 60);
  assert_int_equal(bench_col(&b, 1, t), t + 1 + COLLECT);
  assert_int_equal(bench_col(&b, 0, t), t + COLLECT + 2);
  assert_int_equal(b.mem.accepted, 2);
  assert_int_equal(b.mem.log[0].pc, slow);
  assert_int_equal(b.mem.log[0].cycle, t + START + 2);
  assert_int_equal(b.mem.log[1].pc, fast);
  assert_int_equal(b.mem.log[1].cycle, t + START + 3);
  assert_int_equal(bench_wb_port(&b, 1, 3, t), (int)(t + START + 3 + b.mem.latency) * 4 + 3);
  bench_close(&b);
}

/* A random sequence of ALU issues with, or without, memory traffic in between. */
static void random_traffic(struct bench *b, unsigned seed, bool traffic, bool mem_first) {
  bench_defaults(b, 256);
  static const enum isa_id ids[] = {ISA_IADD, ISA_MAD, ISA_IMIN, ISA_MUL, ISA_FMA, ISA_AND};
  for (unsigned i = 0; i < 12; i++)
    bench_add(b, word(ids[i % 6], 8 + i, i, 31 - i,
                      ids[i % 6] == ISA_MAD || ids[i % 6] == ISA_FMA ? 5 : 0));
  unsigned rcp = bench_add(b, word(ISA_RCP, 22, 6, 0, 0));
  unsigned load = bench_add(b, with_mods(word(ISA_LDG, 24, 1, 0, 0), 2 | 2 << 3));
  unsigned store = bench_add(b, with_mods(word(ISA_STG, 0, 1, 28, 0), 2 | 2 << 3));
  b->mem.latency = 9;
  bench_begin(b);
  b->sm->mem_first = mem_first;
  sm_set_timing_check(b->sm, 64, 48);
  bench_cta(b, 0);
  srand(seed);
  int sp = 8, sfu = 4, mem = 4;
  for (unsigned i = 0; i < 4000 && sm_fault(b->sm)->kind == SM_FAULT_NONE; i++) {
    for (unsigned port = 0; port < 2; port++) {
      unsigned warp = (unsigned)rand() % 4 * 2 + port, what = (unsigned)rand() % 16;
      if (what < 12 && sp > 0) {
        bench_issue(b, warp, what, ~0U);
        sp--;
      } else if (what == 12 && sfu > 0) {
        bench_issue(b, warp, rcp, ~0U);
        sfu--;
      } else if (what > 12 && traffic && mem > 0) {
        bench_issue(b, warp, what == 13 ? load : store, ~0U);
        mem--;
      }
    }
    b->mem.busy = traffic && i / 37 % 3 == 0;
    const struct sm_frontend_wide_in *in = &b->log[bench_step(b)];
    sp += (int)in->sp_credit;
    sfu += (int)in->sfu_credit;
    mem += (int)in->mem_credit;
  }
}

TEST(memory_does_not_move_the_alus) {
  for (unsigned seed = 1; seed < 5; seed++) {
    struct bench with, without;
    random_traffic(&with, seed, true, false);
    random_traffic(&without, seed, false, false);
    assert_int_equal(sm_fault(with.sm)->kind, SM_FAULT_NONE);
    assert_true(with.mem.accepted > 100);
    assert_int_equal(with.cycle, without.cycle);
    for (unsigned c = 0; c < with.cycle; c++) {
      struct sm_frontend_wide_in in = with.log[c];
      bench_drop_write(&in, ROW_MEM);
      bench_drop_collected(&in, ROW_MEM);
      in.mem_credit = 0;
      assert_memory_equal(&in, &without.log[c], sizeof in);
    }
    bench_close(&with);
    bench_close(&without);
  }
}

/* The same back end with the priority turned round must be found out. */
TEST(the_replay_sees_interference) {
  struct bench b;
  random_traffic(&b, 1, true, true);
  assert_int_equal(sm_fault(b.sm)->kind, SM_FAULT_TIMING);
  assert_true(b.cycle < 1000);
  bench_close(&b);
}

int main(void) { return test_run(NULL, NULL); }
