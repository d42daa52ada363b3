/* Large warps on the back end of 32 lanes: slices' launches, queue entries, order, what is gathered
 * for the front end, faults; and random issues, with cycles left out too. */
#include "tests/sm/bench.h"
#include "tests/test.h"

enum { CYCLES = 4000, WARPS = 24 };

struct lanes {
  uint64_t low, high;
};

static const struct lanes all = {UINT64_MAX, UINT64_MAX};

static void defaults(struct bench *b, unsigned slices, unsigned threads) {
  bench_defaults(b, threads);
  b->config.slices = slices;
}

static void issue(struct bench *b, unsigned warp, unsigned pc, struct lanes lanes) {
  bench_issue_wide(b, warp, pc, lanes.low, b->config.slices == 2 ? 0 : lanes.high);
}

/* The cycle in which a port, or one of a row of ports, had something once, relative to `from`. */
static int when(const struct bench *w, size_t port, unsigned from) {
  int found = -1;
  for (unsigned c = from; c < w->cycle; c++) {
    uint64_t v;
    memcpy(&v, (const char *)&w->log[c] + port, sizeof v);
    if (v == 0)
      continue;
    assert_int_equal(v & (v - 1), 0);
    assert_int_equal(found, -1);
    found = (int)(c - from);
  }
  return found;
}
#define PORT(name) offsetof(struct sm_frontend_wide_in, name)
enum {
  COLLECTIONS = PORT(col_valid),
  WRITES = PORT(wb_valid),
  SP_CREDIT = PORT(sp_credit),
  RESOLVES = PORT(resolve_valid)
};

/* A warp starts with its last slice; a last slice may be missing; the next CTA begins with a whole
 * warp. */
TEST(launches) {
  static const struct {
    unsigned slices, threads, need;
    struct lanes last;
  } cases[] = {{2, 96, 4, {UINT32_MAX, 0}}, {4, 200, 8, {UINT64_MAX, 0xff}}};
  for (unsigned i = 0; i < 2; i++) {
    struct bench w;
    defaults(&w, cases[i].slices, cases[i].threads);
    bench_begin(&w);
    const unsigned from = w.cycle;
    bench_cta(&w, 0);
    bench_cta(&w, 1);
    unsigned n = 0;
    for (unsigned c = from; c < w.cycle; c++) {
      const struct sm_frontend_wide_in *in = &w.log[c];
      if (!in->launch_valid)
        continue;
      assert_int_equal(in->launch_warp, n);
      assert_int_equal(in->launch_cta, n / 2);
      assert_int_equal(in->launch_last, n % 2);
      assert_true(in->launch_mask == (n % 2 != 0 ? cases[i].last.low : UINT64_MAX));
      assert_true(in->launch_mask_hi == (n % 2 != 0             ? cases[i].last.high
                                         : w.config.slices == 4 ? UINT64_MAX
                                                                : 0));
      n++;
    }
    assert_int_equal(n, 4);
    assert_int_equal(sm_place(w.sm, cases[i].need)->first, 0);
    assert_int_equal(sm_place(w.sm, cases[i].need)->ctaid[0], 1);
    bench_close(&w);
  }
}

/* An add with all its lanes and nothing in its way: a cycle a slice, what an add of 32 lanes takes
 * (docs/models/sm_wide.md) after the last one. */
TEST(a_cycle_a_slice) {
  for (unsigned slices = 2; slices <= 4; slices += 2) {
    struct bench w;
    defaults(&w, slices, 1536);
    const unsigned add = bench_add(&w, word(ISA_IADD, 9, 1, 2, 0));
    bench_start(&w);
    issue(&w, 3, add, all);
    const unsigned t = bench_step(&w);
    bench_run(&w, 20);
    const int last = (int)slices - 1;
    assert_int_equal(when(&w, SP_CREDIT, t), last + 1);
    assert_int_equal(when(&w, COLLECTIONS, t), last + 2);
    assert_int_equal(when(&w, WRITES, t), last + 7);
    const struct sm_frontend_wide_in *in = &w.log[t + slices + 6];
    const struct row_write write =
        ROWS_WRITE(in, row_bit(in->wb_valid, ROW_SP0) ? ROW_SP0 : ROW_SP1);
    assert_int_equal(write.warp, 3);
    assert_int_equal(write.reg, 9);
    /* Two at once take no longer than one, as the pipelines are two; sixteen take eight times as
     * long. */
    const unsigned from = w.cycle;
    unsigned given = 0, issued = 0;
    while (given < 16) {
      for (unsigned port = 0; port < 2 && issued < given + 8 && issued < 16; port++)
        issue(&w, 2 * (issued++ / 2 % 4) + port, add, all);
      given += (unsigned)w.log[bench_step(&w)].sp_credit;
    }
    assert_int_equal(w.cycle - from, 8 * slices + 1);
    bench_close(&w);
  }
}

/* Slices without active lanes take their cycle and nothing else. */
TEST(empty_slices) {
  static const struct {
    struct lanes lanes;
    int collected;
  } cases[] = {{{UINT32_MAX, 0}, 2}, {{0, UINT64_C(1) << 63}, 5}, {{UINT64_C(1) << 40, 1}, 4}};
  for (unsigned i = 0; i < 3; i++) {
    struct bench w;
    defaults(&w, 4, 1536);
    const unsigned add = bench_add(&w, word(ISA_IADD, 9, 1, 2, 0));
    bench_start(&w);
    issue(&w, 0, add, cases[i].lanes);
    const unsigned t = bench_step(&w);
    assert_false(sm_lanes_idle(w.lanes));
    bench_run(&w, 20);
    assert_int_equal(when(&w, SP_CREDIT, t), 4);
    assert_int_equal(when(&w, COLLECTIONS, t), cases[i].collected);
    assert_int_equal(when(&w, WRITES, t), cases[i].collected + 5);
    assert_int_equal(w.sm->stats.thread_instructions, i == 0 ? 32 : i == 1 ? 1 : 2);
    assert_int_equal(w.sm->stats.warp_instructions, 1);
    bench_close(&w);
  }
}

/* Memory sees all slices of an instruction before those of the next one, of whatever warp, even if
 * it could not take any for a while: what is stored before a barrier is seen behind it. */
TEST(memory_in_order) {
  struct bench w;
  defaults(&w, 2, 1536);
  const unsigned store = bench_add(&w, with_mods(word(ISA_STG, 0, 1, 2, 0), 2));
  bench_start(&w);
  w.mem.busy = true;
  unsigned credit = 4, n = 0;
  for (unsigned i = 0; i < 200; i++) {
    w.mem.busy = i < 60 || i % 7 == 0;
    for (unsigned port = 0; port < 2 && credit > 0 && n < 30; port++, credit--, n++)
      issue(&w, n % WARPS, store, n % 5 == 0 ? (struct lanes){UINT32_MAX, 0} : all);
    credit += (unsigned)w.log[bench_step(&w)].mem_credit;
  }
  assert_int_equal(n, 30);
  unsigned at = 0;
  for (unsigned i = 0; i < n; i++)
    for (unsigned s = 0; s < (i % 5 == 0 ? 1 : 2); s++, at++)
      assert_int_equal(w.mem.log[at].warp, i % WARPS * 2 + s);
  assert_int_equal(w.mem.accepted, at);
  bench_close(&w);
}

/* An entry whose slices are all gone, or have no lanes, moves though nothing else does. */
TEST(moves) {
  struct bench w;
  defaults(&w, 4, 1536);
  const unsigned store = bench_add(&w, with_mods(word(ISA_STG, 0, 1, 2, 0), 2));
  bench_start(&w);
  w.mem.busy = true;
  bench_run(&w, 4);
  assert_true(sm_lanes_waiting(w.lanes));
  issue(&w, 0, store, (struct lanes){UINT32_MAX, 0});
  for (unsigned i = 0; i < 4; i++) {
    assert_int_equal(w.log[bench_step(&w)].mem_credit, 0);
    assert_false(sm_lanes_waiting(w.lanes));
  }
  assert_int_equal(w.log[bench_step(&w)].mem_credit, 1);
  assert_true(sm_lanes_waiting(w.lanes));
  bench_close(&w);
}

/* A load is written back when the last of its slices is. */
TEST(loads) {
  struct bench w;
  defaults(&w, 4, 1536);
  const unsigned load = bench_add(&w, with_mods(word(ISA_LDG, 24, 2, 0, 0), 2));
  bench_start(&w);
  issue(&w, 5, load, all);
  const unsigned t = bench_step(&w);
  bench_run(&w, 60);
  assert_int_equal(when(&w, WRITES, t), 3 + 3 + 30);
  const struct row_write write = ROWS_WRITE(&w.log[t + 36], ROW_MEM);
  assert_int_equal(write.warp, 5);
  assert_int_equal(write.reg, 24);
  assert_int_equal(when(&w, COLLECTIONS, t), 5);
  bench_close(&w);
}

/* A branch: the lanes of all slices in one answer; one that all lanes take does not diverge. */
TEST(branches) {
  struct bench w;
  defaults(&w, 4, 1536);
  const unsigned bra = bench_add(&w, with_guard(with_target(word(ISA_BRA, 0, 0, 0, 0), 0, 3), 1));
  bench_start(&w);
  for (unsigned s = 0; s < 4; s++)
    w.sm->preds[4 + s][1] = 0x10101010U << s;
  issue(&w, 1, bra, (struct lanes){UINT64_MAX, UINT64_MAX << 32});
  unsigned t = bench_step(&w);
  bench_run(&w, 20);
  const int cycle = when(&w, RESOLVES, t);
  assert_true(cycle > 0);
  const struct sm_frontend_wide_in *in = &w.log[t + (unsigned)cycle];
  assert_int_equal(in->resolve_warp, 1);
  assert_true(in->resolve_taken == UINT64_C(0x2020202010101010));
  assert_true(in->resolve_taken_hi == UINT64_C(0x8080808000000000));
  assert_int_equal(w.sm->stats.branches, 1);
  assert_int_equal(w.sm->stats.divergent_branches, 1);
  for (unsigned s = 0; s < 4; s++)
    w.sm->preds[4 + s][1] = s == 2 ? 0 : ~0U;
  issue(&w, 1, bra, (struct lanes){UINT64_MAX, UINT64_MAX << 32});
  t = bench_step(&w);
  bench_run(&w, 20);
  assert_true(when(&w, RESOLVES, t) > 0);
  assert_int_equal(w.sm->stats.branches, 2);
  assert_int_equal(w.sm->stats.divergent_branches, 1);
  bench_close(&w);
}

/* The end of a warp is that of all its slices; CTAs of the next kernel find all warps free. */
TEST(ends) {
  struct bench w;
  defaults(&w, 4, 200);
  const unsigned bar = bench_add(&w, word(ISA_BAR, 0, 0, 0, 0));
  const unsigned exit_pc = bench_add(&w, word(ISA_EXIT, 0, 0, 0, 0));
  bench_start(&w);
  const struct lanes live[2] = {all, {UINT64_MAX, 0xff}};
  for (unsigned warp = 0; warp < 2; warp++)
    issue(&w, warp, bar, live[warp]);
  bench_step(&w);
  assert_int_equal(w.sm->stats.barriers, 2);
  for (unsigned warp = 0; warp < 2; warp++) {
    issue(&w, warp, exit_pc, live[warp]);
    const unsigned t = bench_step(&w);
    bench_run(&w, 20);
    assert_true(when(&w, RESOLVES, t) > 0);
    assert_false(sm_lanes_idle(w.lanes));
    w.fe.done_valid = 1;
    w.fe.done_warp = warp;
    bench_step(&w);
  }
  bench_run(&w, 2);
  assert_true(sm_lanes_idle(w.lanes));
  assert_int_equal(w.sm->allocated, 0);
  assert_int_equal(sm_fault(w.sm)->kind, SM_FAULT_NONE);
  bench_close(&w);
}

/* Faults of a large warp as a whole. */
TEST(faults) {
  enum { DEAD, PORT_OF, NO_LANE, BEHIND, CREDIT, BARRIER, TRAP, DONE, FAULTS };
  static const struct {
    enum sm_fault_kind kind;
    const char *text;
  } expected[FAULTS] = {
      [DEAD] = {SM_FAULT_PROTOCOL, "large warp 20 issues, but it is not live"},
      [PORT_OF] = {SM_FAULT_PROTOCOL, "issue port 1 issues large warp 2"},
      [NO_LANE] = {SM_FAULT_PROTOCOL, "large warp 2 issues without an active lane"},
      [BEHIND] = {SM_FAULT_PROTOCOL, "large warp 2 issues after its unresolved branch or exit"},
      [CREDIT] = {SM_FAULT_PROTOCOL, "large warp 2 issues to a queue that is full: no credit"},
      [BARRIER] = {SM_FAULT_BARRIER,
                   "large warp 2 reaches the barrier at pc 1 with 00000000 of its live lanes "
                   "ffffffff from 32 on"},
      [TRAP] = {SM_FAULT_STACK, "SIMT stack overflow of large warp 2"},
      [DONE] = {SM_FAULT_PROTOCOL, "large warp 20 is reported as ended, but is not live"},
  };
  for (unsigned i = 0; i < FAULTS; i++) {
    struct bench w;
    defaults(&w, 2, 512);
    const unsigned add = bench_add(&w, word(ISA_IADD, 9, 1, 2, 0));
    const unsigned bar = bench_add(&w, word(ISA_BAR, 0, 0, 0, 0));
    const unsigned bra = bench_add(&w, with_target(word(ISA_BRA, 0, 0, 0, 0), 0, 3));
    const unsigned store = bench_add(&w, with_mods(word(ISA_STG, 0, 1, 2, 0), 2));
    bench_start(&w);
    if (i == TRAP) {
      w.fe.trap_valid = 1;
      w.fe.trap_warp = 2;
    } else if (i == DONE) {
      w.fe.done_valid = 1;
      w.fe.done_warp = 20;
    } else if (i == CREDIT) {
      w.mem.busy = true;
      for (unsigned owed = 0, n = 0; owed < 4 || n < 50; n++) { /* until nothing moves */
        if (owed++ < 4)
          issue(&w, 2, store, all);
        else
          owed--;
        owed -= (unsigned)w.log[bench_step(&w)].mem_credit;
        n = owed < 4 ? 0 : n;
      }
      assert_int_equal(sm_fault(w.sm)->kind, SM_FAULT_NONE);
      issue(&w, 2, store, all);
    } else if (i == BEHIND) {
      issue(&w, 2, bra, all);
      bench_step(&w);
      issue(&w, 2, add, all);
    } else {
      issue(&w, i == DEAD ? 20 : 2, i == BARRIER ? bar : add,
            i == NO_LANE   ? (struct lanes){0, 0}
            : i == BARRIER ? (struct lanes){UINT32_MAX, 0}
                           : all);
    }
    if (i == PORT_OF) {
      w.fe.iss1_valid = 1;
      w.fe.iss1_inst = w.fe.iss0_inst;
      w.fe.iss1_mask = w.fe.iss0_mask;
      w.fe.iss0_valid = 0;
    }
    bench_step(&w);
    assert_int_equal(sm_fault(w.sm)->kind, expected[i].kind);
    if (strstr(sm_fault(w.sm)->text, expected[i].text) == NULL)
      fail_msg("%s", sm_fault(w.sm)->text);
    bench_close(&w);
  }
}

/* ---- random issues ---- */

enum { ADDS = 12, KINDS = 5 };

struct script {
  struct sm_frontend_wide_out fe[CYCLES];
  bool busy[CYCLES];
};

/* The front end's record of a warp. */
struct known {
  uint64_t pending; /* registers */
  int uncollected;
  bool branch;
};

static void program(struct bench *w, unsigned slices, unsigned pc[KINDS]) {
  defaults(w, slices, 1536);
  w->mem.latency = 90;
  for (unsigned i = 0; i < ADDS; i++)
    bench_add(w, word(ISA_IADD, i, i * 5 % 16, i * 7 % 16, 0));
  pc[0] = bench_add(w, word(ISA_RCP, 20, 3, 0, 0));
  pc[1] = bench_add(w, with_mods(word(ISA_LDG, 24, 2, 0, 0), 2));
  pc[2] = bench_add(w, with_mods(word(ISA_STG, 0, 1, 28, 0), 2));
  pc[3] = bench_add(w, word(ISA_NOP, 0, 0, 0, 0));
  pc[4] = bench_add(w, with_target(word(ISA_BRA, 0, 0, 0, 0), 0, 3));
  bench_begin(w);
  sm_set_timing_check(w->sm, 64, 40);
}

static struct lanes any_lanes(unsigned slices) {
  struct lanes l = {0, 0};
  for (unsigned s = 0; s < slices; s++) {
    const uint64_t mask = rand() % 3 == 0 ? 0 : rand() % 2 == 0 ? UINT32_MAX : 1U << rand() % 32;
    *(s < 2 ? &l.low : &l.high) |= mask << 32 * (s % 2);
  }
  if ((l.low | l.high) == 0)
    l.low = 1;
  return l;
}

/* Issues what the front end could, by its credits and its scoreboard's writes. */
static void choose(struct bench *w, const unsigned pc[KINDS], int credit[4], struct known *known) {
  for (unsigned port = 0; port < 2; port++) {
    const unsigned warp = (unsigned)rand() % (WARPS / w->config.slices) * 2 + port;
    const unsigned what = (unsigned)rand() % 9;
    const unsigned at = what < 4 ? (unsigned)rand() % ADDS : pc[what - 4];
    const struct isa_uop *u = &w->uops[at];
    const uint64_t target = u->o.d != ISA_N_NONE ? UINT64_C(1) << u->f.dst : 0;
    struct known *k = &known[warp];
    if (credit[u->pipe] == 0 || (k->pending & target) != 0 || k->branch)
      continue;
    if (u->pipe != ISA_PIPE_NONE) {
      credit[u->pipe]--;
      k->uncollected++;
    }
    k->pending |= target;
    k->branch = u->id == ISA_BRA;
    issue(w, warp, at, any_lanes(w->config.slices));
  }
}

/* Takes the inputs; nothing that was not owed may come. */
static void take(const struct sm_frontend_wide_in *in, int credit[4], struct known *known) {
  assert_true(in->sp_credit <= 2 && in->sfu_credit <= 1 && in->mem_credit <= 1);
  credit[ISA_PIPE_SP] += (int)in->sp_credit;
  credit[ISA_PIPE_SFU] += (int)in->sfu_credit;
  credit[ISA_PIPE_MEM] += (int)in->mem_credit;
  for (unsigned port = 0; port < ROW_PORTS; port++) {
    if (row_bit(in->col_valid, port))
      assert_true(--known[ROWS_COLLECTED(in, port)].uncollected >= 0);
    if (!row_bit(in->wb_valid, port))
      continue;
    const struct row_write write = ROWS_WRITE(in, port);
    struct known *k = &known[write.warp];
    assert_true((k->pending >> write.reg & 1) != 0);
    k->pending &= ~(UINT64_C(1) << write.reg);
  }
  if (in->resolve_valid) {
    assert_true(known[in->resolve_warp].branch);
    known[in->resolve_warp].branch = false;
  }
}

static void record(struct bench *w, struct script *s, unsigned slices, unsigned seed) {
  unsigned pc[KINDS], pause = 0;
  int credit[4] = {8, 4, 4, 1};
  struct known known[WARPS] = {{0}};
  program(w, slices, pc);
  bench_cta(w, 0);
  srand(seed);
  while (w->cycle < CYCLES) {
    const unsigned c = w->cycle;
    if (pause != 0)
      pause--;
    else if (c < CYCLES - 700)
      choose(w, pc, credit, known);
    if (pause == 0 && rand() % 24 == 0)
      pause = (unsigned)rand() % 300;
    w->mem.busy = c % 512 > 300 && c < CYCLES - 700;
    s->fe[c] = w->fe;
    s->busy[c] = w->mem.busy;
    take(&w->log[bench_step(w)], credit, known);
  }
  assert_int_equal(sm_fault(w->sm)->kind, SM_FAULT_NONE);
  for (unsigned i = 0; i < WARPS; i++)
    assert_true(known[i].pending == 0 && known[i].uncollected == 0 && !known[i].branch);
  assert_true(credit[0] == 8 && credit[1] == 4 && credit[2] == 4);
}

static bool calm(const struct bench *w, const struct script *s) {
  const struct sm_frontend_wide_out *fe = &s->fe[w->cycle];
  const struct sm_mem *m = &w->mem;
  return (fe->iss0_valid | fe->iss1_valid) == 0 && m->busy == s->busy[w->cycle] &&
         (m->count == 0 || m->queue[m->first].due > w->cycle) && sm_lanes_waiting(w->lanes);
}

/* Everything that is issued comes back once, and cycles in which the back end waits may be left
 * out. */
TEST(random_issues) {
  static struct script s;
  for (unsigned seed = 1; seed <= 30; seed++) {
    const unsigned slices = seed % 2 != 0 ? 2 : 4;
    struct bench w, again;
    unsigned pc[KINDS], skipped = 0;
    record(&w, &s, slices, seed);
    program(&again, slices, pc);
    bench_cta(&again, 0);
    while (again.cycle < CYCLES) {
      const unsigned c = again.cycle;
      again.fe = s.fe[c];
      const bool skip = calm(&again, &s);
      again.mem.busy = s.busy[c];
      if (skip) {
        const struct sm_frontend_out fe = {0};
        sm_skip(again.sm, again.cycle++, 1, &fe);
        skipped++;
      } else {
        bench_step(&again);
      }
      assert_memory_equal(&again.log[c], &w.log[c], sizeof w.log[c]);
    }
    assert_memory_equal(&w.sm->stats, &again.sm->stats, sizeof w.sm->stats);
    assert_memory_equal(w.sm->regs, again.sm->regs, sizeof w.sm->regs);
    assert_true(skipped > 300);
    bench_close(&w);
    bench_close(&again);
  }
}

int main(void) { return test_run(NULL, NULL); }
