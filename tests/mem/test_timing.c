/* Latencies, computed by hand for an idle machine.
 *
 * With bench_figures, an instruction accepted in cycle 0 is in the load-store unit in cycle 1.  A
 * read that misses there leaves at crossbar tick 2, its one flit arrives after 4 ticks at tick 6:
 * the partition has it in cycle 4, L2 looks after the 120 cycles of the ROP, in 124.  A hit's
 * four flits leave at ticks 248 to 251 and have arrived after tick 255: the SM has them in cycle
 * 128, and the load is written back 35 cycles later, counted as those of a hit, in 162.
 * A miss is at the DRAM controller in cycle 224, command tick 296: activate 296, reads 308 and
 * (same bank group) 311, the last data end at 311 + 12 + 2 = 325, L2 has them in cycle 246, which
 * is 122 later than a hit: 284. */
#include "tests/mem/bench.h"

enum { L1_HIT = 35, L2_HIT = 162, DRAM = 284 };

TEST(loads_of_each_level) {
  struct bench b;
  struct isa_uop u;
  struct sm_inst i;
  bench_open(&b, NULL, 2);
  uint32_t a = bench_alloc(&b, 4096);
  bench_access(&i, &u, ISA_LDG, M32, 0, a, 4);
  assert_int_equal(bench_run(&b, 0, &i), DRAM);
  assert_int_equal(bench_run(&b, 0, &i), L1_HIT);
  assert_int_equal(bench_run(&b, 1, &i), L2_HIT);
  struct mem_stats s = bench_stats(&b);
  assert_int_equal(s.l1d_hits, 1);
  assert_int_equal(s.l1d_misses, 2);
  assert_int_equal(s.l2_hits, 1);
  assert_int_equal(s.l2_misses, 1);
  assert_int_equal(s.dram_reads, 1);
  assert_int_equal(s.dram_busy, 4);
  assert_int_equal(s.dram_row_hits, 0);
  assert_int_equal(s.xbar_flits, 2 * (1 + 4));
  assert_int_equal(s.load_latency_count, 3);
  assert_int_equal(s.load_latency_sum, DRAM + L1_HIT + L2_HIT);
  assert_int_equal(s.load_latency_max, DRAM);
  assert_int_equal(s.transactions, 3);
  bench_close(&b);
}

TEST(a_launch_flushes_l1_and_keeps_l2) {
  struct bench b;
  struct isa_uop load;
  struct isa_uop param;
  struct sm_inst i;
  bench_open(&b, NULL, 1);
  uint32_t a = bench_alloc(&b, 4096);
  bench_uop(&param, ISA_LDP, M32 | MABS, 0);
  bench_access(&i, &load, ISA_LDG, M32, 0, a, 4);
  for (unsigned k = 0; k < 3; k++) {
    i.uop = &load;
    unsigned data = bench_run(&b, 0, &i);
    i.uop = &param;
    unsigned constant = bench_run(&b, 0, &i);
    if (k > 0)
      assert_int_equal(data, L2_HIT);
    if (k > 0)
      assert_int_equal(constant, L2_HIT - 35 + 26 - 1);
    gpu_mem_begin(b.m, &b.grid);
  }
  bench_close(&b);
}

TEST(a_second_transaction_is_a_cycle_later) {
  struct bench b;
  struct isa_uop u;
  struct sm_inst i;
  bench_open(&b, NULL, 1);
  uint32_t a = bench_alloc(&b, 4096);
  bench_access(&i, &u, ISA_LDG, M32, 0, a, 8);
  bench_run(&b, 0, &i);
  assert_int_equal(bench_run(&b, 0, &i), L1_HIT + 1);
  bench_address(&i, a, 128);
  bench_run(&b, 0, &i);
  assert_int_equal(bench_run(&b, 0, &i), L1_HIT + 31);
  bench_close(&b);
}

TEST(stores_evict_and_complete_at_once) {
  struct bench b;
  struct isa_uop load;
  struct isa_uop store;
  struct sm_inst i;
  bench_open(&b, NULL, 1);
  uint32_t a = bench_alloc(&b, 4096);
  bench_uop(&store, ISA_STG, M32, 0);
  bench_access(&i, &load, ISA_LDG, M32, 0, a, 4);
  bench_run(&b, 0, &i);
  i.uop = &store;
  assert_int_equal(bench_run(&b, 0, &i), 2);
  bench_drain(&b);
  i.uop = &load;
  assert_int_equal(bench_run(&b, 0, &i), L2_HIT); /* L2 kept the line */
  assert_int_equal(bench_stats(&b).xbar_flits, 2 * (1 + 4) + 1 + 4);
  /* A store allocates in L2 without reading memory, and no line in L1D. */
  i.uop = &store;
  bench_address(&i, a + 1024, 4);
  bench_run(&b, 0, &i);
  bench_drain(&b);
  assert_int_equal(bench_stats(&b).dram_reads, 1);
  i.uop = &load;
  assert_int_equal(bench_run(&b, 0, &i), L2_HIT);
  /* Part of a line is not enough for a load: it is fetched. */
  i.uop = &store;
  i.exec = 0xffff;
  bench_address(&i, a + 2048, 4);
  bench_run(&b, 0, &i);
  bench_drain(&b);
  i.uop = &load;
  assert_true(bench_run(&b, 0, &i) > L2_HIT);
  bench_close(&b);
}

TEST(atomics_at_l2) {
  struct bench b;
  struct isa_uop u;
  struct sm_inst i;
  bench_open(&b, NULL, 1);
  uint32_t a = bench_alloc(&b, 4096);
  bench_access(&i, &u, ISA_AADD, 0, 0, a, 4);
  bench_run(&b, 0, &i);
  /* Five flits there: partition in cycle 6, lookup in 126, answer in 130. */
  assert_int_equal(bench_run(&b, 0, &i), 130);
  /* One lane: two flits there (tick 7, lookup 124), one back (tick 252, SM in 127). */
  i.exec = 1;
  assert_int_equal(bench_run(&b, 0, &i), 127);
  /* 32 lanes at one address: two flits there, 32 updates, four flits back. */
  i.exec = UINT32_MAX;
  bench_address(&i, a, 0);
  assert_int_equal(bench_run(&b, 0, &i), 128 + 31);
  assert_int_equal(bench_stats(&b).atomics, 4);
  /* On 64 bits, 16 lanes at one address: two flits there, 16 updates, four flits back; swap data
   * take none.  The second half warp is looked up when the first one's updates are over. */
  bench_access(&i, &u, ISA_ACAS, A64, 0, a, 0);
  i.exec = 0xffff;
  assert_int_equal(bench_run(&b, 0, &i), 128 + 15);
  i.exec = UINT32_MAX;
  assert_int_equal(bench_run(&b, 0, &i), 128 + 31);
  bench_close(&b);
}

TEST(constants_serialise_distinct_addresses) {
  struct bench b;
  struct isa_uop u;
  struct sm_inst i;
  bench_open(&b, NULL, 1);
  bench_uop(&u, ISA_LDP, M32 | MABS, 8);
  bench_inst(&i, &u, 0);
  /* Two flits back: ticks 0 and 1 of the cycle, two ticks earlier than a line: one cycle. */
  assert_int_equal(bench_run(&b, 0, &i), DRAM - 35 + 26 - 1);
  assert_int_equal(bench_run(&b, 0, &i), 26);
  bench_uop(&u, ISA_LDP, M32, 0);
  bench_inst(&i, &u, 0);
  for (uint32_t k = 1; k <= 16; k *= 2) {
    for (unsigned l = 0; l < ISA_WARP_SIZE; l++)
      i.a[0][l] = l % k * 4;
    assert_int_equal(bench_run(&b, 0, &i), 26 + k - 1);
  }
  struct mem_stats s = bench_stats(&b);
  assert_int_equal(s.const_misses, 1);
  assert_int_equal(s.const_hits, 1 + 1 + 2 + 4 + 8 + 16);
  assert_int_equal(s.const_accesses, 7);
  assert_int_equal(s.transactions, 0);
  /* The next line of 64 bytes is in L2. */
  i.exec = 1;
  bench_address(&i, 64, 0);
  assert_int_equal(bench_run(&b, 0, &i), L2_HIT - 35 + 26 - 1);
  bench_close(&b);
}

TEST(misses_to_one_line_merge) {
  struct bench b;
  struct isa_uop u;
  struct sm_inst i[10];
  bench_open(&b, NULL, 1);
  uint32_t a = bench_alloc(&b, 4096);
  bench_uop(&u, ISA_LDG, M32, 0);
  unsigned next = 0;
  unsigned out = 0;
  while (out < 10) {
    bool give = next < 10 && sm_mem_ready(gpu_mem_sm(b.m, 0));
    if (give) {
      bench_inst(&i[next], &u, next);
      bench_address(&i[next], a, 4);
    }
    struct sm_inst *d = bench_step(&b, 0, give ? &i[next++] : NULL);
    assert_null(sm_mem_completed(gpu_mem_sm(b.m, 0)));
    if (d == NULL)
      continue;
    assert_ptr_equal(d, &i[out]);
    /* One a cycle is written back: those of the line, then hits that waited for an MSHR slot. */
    assert_int_equal(b.cycle - 1, out < 8 ? DRAM + out : DRAM + out);
    out++;
  }
  struct mem_stats s = bench_stats(&b);
  assert_int_equal(s.l1d_misses, 8);
  assert_int_equal(s.l1d_hits, 2);
  assert_true(s.l1d_reserved_fails > 200);
  assert_int_equal(s.l2_misses, 1);
  assert_int_equal(s.xbar_flits, 5);
  bench_close(&b);
}

/* One partition of eight sets and two ways: lines 1024 bytes apart share a set. */
TEST(l2_replaces_the_least_recent_and_writes_back) {
  struct mem_config c;
  bench_figures(&c);
  c.partitions = 1;
  c.l2_bytes = 2048;
  c.l2_ways = 2;
  struct bench b;
  struct isa_uop load;
  struct isa_uop store;
  struct sm_inst i;
  bench_open(&b, &c, 4);
  uint32_t a = bench_alloc(&b, 8192);
  bench_uop(&load, ISA_LDG, M32, 0);
  bench_uop(&store, ISA_STG, M32, 0);
  bench_inst(&i, &load, 0);
  /* Line and SM of each load; SMs that have not seen the line ask L2. */
  static const struct {
    uint32_t line;
    unsigned sm, hits;
  } loads[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 1}, {2, 0, 1}, {0, 2, 2}, {1, 3, 2}, {0, 3, 3}};
  for (unsigned k = 0; k < 7; k++) {
    bench_address(&i, a + 1024 * loads[k].line, 4);
    bench_run(&b, loads[k].sm, &i);
    assert_int_equal(bench_stats(&b).l2_hits, loads[k].hits);
  }
  assert_int_equal(bench_stats(&b).dram_writes, 0);
  /* A whole line and one word of another are dirty; two loads push them out: two bursts and one. */
  i.uop = &store;
  bench_address(&i, a + 1024 * 3, 4);
  bench_run(&b, 0, &i);
  i.exec = 1;
  bench_address(&i, a + 1024 * 4 + 96, 4);
  bench_run(&b, 0, &i);
  bench_drain(&b);
  struct mem_stats before = bench_stats(&b);
  i.uop = &load;
  bench_address(&i, a + 1024 * 5, 4);
  bench_run(&b, 0, &i);
  bench_address(&i, a + 1024 * 6, 4);
  bench_run(&b, 0, &i);
  bench_drain(&b);
  struct mem_stats s = bench_stats(&b);
  assert_int_equal(s.dram_writes - before.dram_writes, 2);
  assert_int_equal(s.dram_busy - before.dram_busy, 2 * (2 + 1 + 2 + 2));
  bench_close(&b);
}

TEST(instruction_lines) {
  struct bench b;
  bench_open(&b, NULL, 2);
  for (unsigned sm = 0; sm < 2; sm++) {
    struct sm_mem *s = gpu_mem_sm(b.m, sm);
    uint64_t start = b.cycle;
    unsigned got = 0;
    uint64_t first = 0;
    while (b.cycle < start + 400) {
      struct mem_fill f;
      sm_mem_step(s, b.cycle);
      if (b.cycle == start)
        sm_mem_ifetch(s, 2);
      if (b.cycle == start + 1)
        sm_mem_ifetch(s, 3); /* the kernel's last */
      if (sm_mem_fill(s, &f)) {
        assert_int_equal(f.line, 2 + got / 8);
        assert_int_equal(f.beat, got % 8);
        for (unsigned k = 0; k < 2; k++)
          assert_int_equal(f.data[k], b.code[f.line * 16U + 2U * f.beat + k]);
        if (got == 0)
          first = b.cycle;
        assert_int_equal(b.cycle, first + got); /* one beat a cycle */
        got++;
      }
      gpu_mem_step(b.m, b.cycle++);
    }
    assert_int_equal(got, 16U);
    assert_int_equal(first - start, sm == 0 ? DRAM - 34 : L2_HIT - 34);
  }
  assert_int_equal(bench_stats(&b).icache_fills, 4);
  assert_true(gpu_mem_idle(b.m));
  /* Words behind the program's end are 0. */
  struct sm_mem *s = gpu_mem_sm(b.m, 0);
  struct mem_fill f;
  sm_mem_ifetch(s, BENCH_CODE / 16);
  do {
    sm_mem_step(s, b.cycle);
    gpu_mem_step(b.m, b.cycle++);
  } while (!sm_mem_fill(s, &f));
  assert_int_equal(f.data[0] | f.data[1], 0);
  bench_close(&b);
}

TEST(stores_do_not_keep_instruction_lines_out) {
  struct bench b;
  struct isa_uop u;
  struct sm_inst i[3];
  bench_open(&b, NULL, 1);
  uint32_t a = bench_alloc(&b, 1 << 20);
  bench_uop(&u, ISA_STG, M32, 0);
  struct sm_mem *s = gpu_mem_sm(b.m, 0);
  unsigned given = 0;
  unsigned stores = 0;
  struct mem_fill f = {.line = 99};
  while (f.line == 99) {
    assert_true(b.cycle < 2500);
    sm_mem_step(s, b.cycle);
    sm_mem_completed(s);
    if (sm_mem_ready(s)) {
      struct sm_inst *next = &i[given++ % 3]; /* two are held at most */
      bench_inst(next, &u, 0);
      bench_address(next, a + given * 128 % 65536, 4);
      sm_mem_accept(s, next);
    }
    if (b.cycle == 1000)
      sm_mem_ifetch(s, 1);
    if (sm_mem_fill(s, &f))
      stores = given;
    gpu_mem_step(b.m, b.cycle++);
  }
  assert_int_equal(f.line, 1);
  assert_true(stores > 10);
  bench_close(&b);
}

TEST(local_memory_is_written_back) {
  struct bench b;
  struct isa_uop load;
  struct isa_uop store;
  struct sm_inst i;
  bench_open(&b, NULL, 1);
  bench_uop(&load, ISA_LDL, M32, 0);
  bench_access(&i, &store, ISA_STL, M32, 0, 8, 0);
  assert_int_equal(bench_run(&b, 0, &i), 2);
  i.uop = &load;
  assert_int_equal(bench_run(&b, 0, &i), L1_HIT); /* allocated without a fetch: a whole line */
  assert_int_equal(bench_stats(&b).xbar_flits, 0);
  /* Two words are two segments, the same that single words are in. */
  bench_uop(&load, ISA_LDL, M64, 0);
  i.uop = &load;
  bench_address(&i, 16, 0);
  bench_run(&b, 0, &i);
  assert_int_equal(bench_stats(&b).xbar_flits, 10);
  bench_uop(&load, ISA_LDL, M32, 0);
  bench_address(&i, 20, 0);
  assert_int_equal(bench_run(&b, 0, &i), L1_HIT);
  /* Half a line is fetched in the background; a load of it waits. */
  i.uop = &store;
  i.exec = 0xffff;
  bench_address(&i, 12, 0);
  assert_int_equal(bench_run(&b, 0, &i), 2);
  assert_false(gpu_mem_idle(b.m));
  i.uop = &load;
  assert_true(bench_run(&b, 0, &i) > 200);
  assert_int_equal(bench_stats(&b).xbar_flits, 15);
  /* 64 sets: the warps 4, 8, ... use the same set (a warp's 16 words are 16 lines), four ways. */
  i.uop = &store;
  i.exec = UINT32_MAX;
  bench_address(&i, 8, 0);
  for (unsigned w = 4; w <= 16; w += 4) {
    i.warp = (uint8_t)w;
    assert_int_equal(bench_stats(&b).xbar_flits, 15);
    bench_run(&b, 0, &i);
  }
  bench_drain(&b);
  assert_int_equal(bench_stats(&b).xbar_flits, 15 + 5); /* the first line went to L2 */
  i.uop = &load;
  i.warp = 20;
  bench_run(&b, 0, &i);
  bench_drain(&b);
  assert_int_equal(bench_stats(&b).xbar_flits, 15 + 5 + 5 + 5); /* a load evicts the next */
  bench_close(&b);
}

TEST(local_memory_of_every_warp_is_its_own) {
  struct bench b;
  struct isa_uop u;
  struct sm_inst i;
  bench_open(&b, NULL, 3);
  bench_uop(&u, ISA_LDL, M32, 0);
  for (unsigned n = 0; n < 3 * 4 * 16; n++) {
    bench_inst(&i, &u, n / 3 % 4);
    bench_address(&i, n / 12 * 4, 0);
    bench_run(&b, n % 3, &i);
  }
  assert_int_equal(bench_stats(&b).l1d_misses, 3 * 4 * 16);
  assert_int_equal(bench_stats(&b).l2_misses, 3 * 4 * 16);
  bench_close(&b);
}

int main(void) { return test_run(NULL, NULL); }
