/* Large warps on the back end of 32 lanes: slices' launches, queue entries, order, what is gathered
 * for the front end, faults; and random issues, with cycles left out too. */
#include "csim/sm/wide/wide.h"
#include "tests/sm/bench.h"
#include "tests/test.h"

enum { CYCLES = 4000, WARPS = 24 };

struct wide {
  struct bench b;
  struct sm_wide *sm;
  unsigned slices;
  struct sm_frontend_wide_out fe;
  struct sm_frontend_wide_in *log;
};

struct lanes {
  uint64_t low, high;
};

static const struct lanes all = {UINT64_MAX, UINT64_MAX};

static void defaults(struct wide *w, unsigned slices, unsigned threads) {
  memset(w, 0, sizeof *w);
  bench_defaults(&w->b, threads);
  w->b.config.slices = w->slices = slices;
  w->log = calloc(BENCH_CYCLES, sizeof *w->log);
  assert_non_null(w->log);
}

static void begin(struct wide *w) {
  bench_begin(&w->b);
  w->sm = sm_wide_create(w->b.sm, NULL);
  assert_non_null(w->sm);
}

static void close_wide(struct wide *w) {
  sm_wide_destroy(w->sm);
  free(w->log);
  bench_close(&w->b);
}

static unsigned step(struct wide *w) {
  struct bench *b = &w->b;
  assert_true(b->cycle < BENCH_CYCLES);
  b->mem.cycle = b->cycle;
  sm_wide_step(w->sm, b->cycle, &w->fe, &w->log[b->cycle]);
  w->fe = (struct sm_frontend_wide_out){0};
  return b->cycle++;
}

static void run(struct wide *w, unsigned cycles) {
  for (unsigned i = 0; i < cycles; i++)
    step(w);
}

static void cta(struct wide *w, uint32_t x) {
  const uint32_t ctaid[3] = {x, 0, 0};
  assert_true(sm_cta_ready(w->b.sm));
  sm_cta_launch(w->b.sm, ctaid);
  while (w->b.sm->launches != 0)
    step(w);
}

static void start(struct wide *w) {
  begin(w);
  cta(w, 0);
}

static void issue(struct wide *w, unsigned warp, unsigned pc, struct lanes lanes) {
  const uint64_t word = w->b.code[pc] | (uint64_t)warp << 58;
  if (w->slices == 2)
    lanes.high = 0;
  if (warp % 2 == 0) {
    w->fe.iss0_valid = 1;
    w->fe.iss0_inst = word;
    w->fe.iss0_pc = pc;
    w->fe.iss0_mask = lanes.low;
    w->fe.iss0_mask_hi = lanes.high;
  } else {
    w->fe.iss1_valid = 1;
    w->fe.iss1_inst = word;
    w->fe.iss1_pc = pc;
    w->fe.iss1_mask = lanes.low;
    w->fe.iss1_mask_hi = lanes.high;
  }
}

/* The cycle in which a port, or one of a row of ports, had something once, relative to `from`. */
static int when(const struct wide *w, size_t port, unsigned from) {
  int found = -1;
  for (unsigned c = from; c < w->b.cycle; c++) {
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
    struct wide w;
    defaults(&w, cases[i].slices, cases[i].threads);
    begin(&w);
    const unsigned from = w.b.cycle;
    cta(&w, 0);
    cta(&w, 1);
    unsigned n = 0;
    for (unsigned c = from; c < w.b.cycle; c++) {
      const struct sm_frontend_wide_in *in = &w.log[c];
      if (!in->launch_valid)
        continue;
      assert_int_equal(in->launch_warp, n);
      assert_int_equal(in->launch_cta, n / 2);
      assert_int_equal(in->launch_last, n % 2);
      assert_true(in->launch_mask == (n % 2 != 0 ? cases[i].last.low : UINT64_MAX));
      assert_true(in->launch_mask_hi == (n % 2 != 0      ? cases[i].last.high
                                         : w.slices == 4 ? UINT64_MAX
                                                         : 0));
      n++;
    }
    assert_int_equal(n, 4);
    assert_int_equal(sm_place(w.b.sm, cases[i].need)->first, 0);
    assert_int_equal(sm_place(w.b.sm, cases[i].need)->ctaid[0], 1);
    close_wide(&w);
  }
}

/* An add with all its lanes and nothing in its way: a cycle a slice, what an add of 32 lanes takes
 * (docs/models/sm_wide.md) after the last one. */
TEST(a_cycle_a_slice) {
  for (unsigned slices = 2; slices <= 4; slices += 2) {
    struct wide w;
    defaults(&w, slices, 1536);
    const unsigned add = bench_add(&w.b, word(ISA_IADD, 9, 1, 2, 0));
    start(&w);
    issue(&w, 3, add, all);
    const unsigned t = step(&w);
    run(&w, 20);
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
    const unsigned from = w.b.cycle;
    unsigned given = 0, issued = 0;
    while (given < 16) {
      for (unsigned port = 0; port < 2 && issued < given + 8 && issued < 16; port++)
        issue(&w, 2 * (issued++ / 2 % 4) + port, add, all);
      given += (unsigned)w.log[step(&w)].sp_credit;
    }
    assert_int_equal(w.b.cycle - from, 8 * slices + 1);
    close_wide(&w);
  }
}

/* Slices without active lanes take their cycle and nothing else. */
TEST(empty_slices) {
  static const struct {
    struct lanes lanes;
    int collected;
  } cases[] = {{{UINT32_MAX, 0}, 2}, {{0, UINT64_C(1) << 63}, 5}, {{UINT64_C(1) << 40, 1}, 4}};
  for (unsigned i = 0; i < 3; i++) {
    struct wide w;
    defaults(&w, 4, 1536);
    const unsigned add = bench_add(&w.b, word(ISA_IADD, 9, 1, 2, 0));
    start(&w);
    issue(&w, 0, add, cases[i].lanes);
    const unsigned t = step(&w);
    assert_false(sm_wide_idle(w.sm));
    run(&w, 20);
    assert_int_equal(when(&w, SP_CREDIT, t), 4);
    assert_int_equal(when(&w, COLLECTIONS, t), cases[i].collected);
    assert_int_equal(when(&w, WRITES, t), cases[i].collected + 5);
    assert_int_equal(w.b.sm->stats.thread_instructions, i == 0 ? 32 : i == 1 ? 1 : 2);
    assert_int_equal(w.b.sm->stats.warp_instructions, 1);
    close_wide(&w);
  }
}

/* Memory sees all slices of an instruction before those of the next one, of whatever warp, even if
 * it could not take any for a while: what is stored before a barrier is seen behind it. */
TEST(memory_in_order) {
  struct wide w;
  defaults(&w, 2, 1536);
  const unsigned store = bench_add(&w.b, with_mods(word(ISA_STG, 0, 1, 2, 0), 2));
  start(&w);
  w.b.mem.busy = true;
  unsigned credit = 4, n = 0;
  for (unsigned i = 0; i < 200; i++) {
    w.b.mem.busy = i < 60 || i % 7 == 0;
    for (unsigned port = 0; port < 2 && credit > 0 && n < 30; port++, credit--, n++)
      issue(&w, n % WARPS, store, n % 5 == 0 ? (struct lanes){UINT32_MAX, 0} : all);
    credit += (unsigned)w.log[step(&w)].mem_credit;
  }
  assert_int_equal(n, 30);
  unsigned at = 0;
  for (unsigned i = 0; i < n; i++)
    for (unsigned s = 0; s < (i % 5 == 0 ? 1 : 2); s++, at++)
      assert_int_equal(w.b.mem.log[at].warp, i % WARPS * 2 + s);
  assert_int_equal(w.b.mem.accepted, at);
  close_wide(&w);
}

/* An entry whose slices are all gone, or have no lanes, moves though nothing else does. */
TEST(moves) {
  struct wide w;
  defaults(&w, 4, 1536);
  const unsigned store = bench_add(&w.b, with_mods(word(ISA_STG, 0, 1, 2, 0), 2));
  start(&w);
  w.b.mem.busy = true;
  run(&w, 4);
  assert_true(sm_wide_waiting(w.sm));
  issue(&w, 0, store, (struct lanes){UINT32_MAX, 0});
  for (unsigned i = 0; i < 4; i++) {
    assert_int_equal(w.log[step(&w)].mem_credit, 0);
    assert_false(sm_wide_waiting(w.sm));
  }
  assert_int_equal(w.log[step(&w)].mem_credit, 1);
  assert_true(sm_wide_waiting(w.sm));
  close_wide(&w);
}

/* A load is written back when the last of its slices is. */
TEST(loads) {
  struct wide w;
  defaults(&w, 4, 1536);
  const unsigned load = bench_add(&w.b, with_mods(word(ISA_LDG, 24, 2, 0, 0), 2));
  start(&w);
  issue(&w, 5, load, all);
  const unsigned t = step(&w);
  run(&w, 60);
  assert_int_equal(when(&w, WRITES, t), 3 + 3 + 30);
  const struct row_write write = ROWS_WRITE(&w.log[t + 36], ROW_MEM);
  assert_int_equal(write.warp, 5);
  assert_int_equal(write.reg, 24);
  assert_int_equal(when(&w, COLLECTIONS, t), 5);
  close_wide(&w);
}

/* A branch: the lanes of all slices in one answer; one that all lanes take does not diverge. */
TEST(branches) {
  struct wide w;
  defaults(&w, 4, 1536);
  const unsigned bra = bench_add(&w.b, with_guard(with_target(word(ISA_BRA, 0, 0, 0, 0), 0, 3), 1));
  start(&w);
  for (unsigned s = 0; s < 4; s++)
    w.b.sm->preds[4 + s][1] = 0x10101010U << s;
  issue(&w, 1, bra, (struct lanes){UINT64_MAX, UINT64_MAX << 32});
  unsigned t = step(&w);
  run(&w, 20);
  const int cycle = when(&w, RESOLVES, t);
  assert_true(cycle > 0);
  const struct sm_frontend_wide_in *in = &w.log[t + (unsigned)cycle];
  assert_int_equal(in->resolve_warp, 1);
  assert_true(in->resolve_taken == UINT64_C(0x2020202010101010));
  assert_true(in->resolve_taken_hi == UINT64_C(0x8080808000000000));
  assert_int_equal(w.b.sm->stats.branches, 1);
  assert_int_equal(w.b.sm->stats.divergent_branches, 1);
  for (unsigned s = 0; s < 4; s++)
    w.b.sm->preds[4 + s][1] = s == 2 ? 0 : ~0U;
  issue(&w, 1, bra, (struct lanes){UINT64_MAX, UINT64_MAX << 32});
  t = step(&w);
  run(&w, 20);
  assert_true(when(&w, RESOLVES, t) > 0);
  assert_int_equal(w.b.sm->stats.branches, 2);
  assert_int_equal(w.b.sm->stats.divergent_branches, 1);
  close_wide(&w);
}

/* The end of a warp is that of all its slices; CTAs of the next kernel find all warps free. */
TEST(ends) {
  struct wide w;
  defaults(&w, 4, 200);
  const unsigned bar = bench_add(&w.b, word(ISA_BAR, 0, 0, 0, 0));
  const unsigned exit_pc = bench_add(&w.b, word(ISA_EXIT, 0, 0, 0, 0));
  start(&w);
  const struct lanes live[2] = {all, {UINT64_MAX, 0xff}};
  for (unsigned warp = 0; warp < 2; warp++)
    issue(&w, warp, bar, live[warp]);
  step(&w);
  assert_int_equal(w.b.sm->stats.barriers, 2);
  for (unsigned warp = 0; warp < 2; warp++) {
    issue(&w, warp, exit_pc, live[warp]);
    const unsigned t = step(&w);
    run(&w, 20);
    assert_true(when(&w, RESOLVES, t) > 0);
    assert_false(sm_wide_idle(w.sm));
    w.fe.done_valid = 1;
    w.fe.done_warp = warp;
    step(&w);
  }
  run(&w, 2);
  assert_true(sm_wide_idle(w.sm));
  assert_int_equal(w.b.sm->allocated, 0);
  assert_int_equal(sm_fault(w.b.sm)->kind, SM_FAULT_NONE);
  close_wide(&w);
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
      [BEHIND] = {SM_FAULT_PROTOCOL, "large warp 2 issues behind its unresolved branch or exit"},
      [CREDIT] = {SM_FAULT_PROTOCOL, "large warp 2 issues to a queue that is full: no credit"},
      [BARRIER] = {SM_FAULT_BARRIER,
                   "large warp 2 reaches the barrier at pc 1 with 00000000 of its live lanes "
                   "ffffffff from 32 on"},
      [TRAP] = {SM_FAULT_STACK, "SIMT stack overflow of large warp 2"},
      [DONE] = {SM_FAULT_PROTOCOL, "large warp 20 is reported as ended, but is not live"},
  };
  for (unsigned i = 0; i < FAULTS; i++) {
    struct wide w;
    defaults(&w, 2, 512);
    const unsigned add = bench_add(&w.b, word(ISA_IADD, 9, 1, 2, 0));
    const unsigned bar = bench_add(&w.b, word(ISA_BAR, 0, 0, 0, 0));
    const unsigned bra = bench_add(&w.b, with_target(word(ISA_BRA, 0, 0, 0, 0), 0, 3));
    const unsigned store = bench_add(&w.b, with_mods(word(ISA_STG, 0, 1, 2, 0), 2));
    start(&w);
    if (i == TRAP) {
      w.fe.trap_valid = 1;
      w.fe.trap_warp = 2;
    } else if (i == DONE) {
      w.fe.done_valid = 1;
      w.fe.done_warp = 20;
    } else if (i == CREDIT) {
      w.b.mem.busy = true;
      for (unsigned owed = 0, n = 0; owed < 4 || n < 50; n++) { /* until nothing moves */
        if (owed++ < 4)
          issue(&w, 2, store, all);
        else
          owed--;
        owed -= (unsigned)w.log[step(&w)].mem_credit;
        n = owed < 4 ? 0 : n;
      }
      assert_int_equal(sm_fault(w.b.sm)->kind, SM_FAULT_NONE);
      issue(&w, 2, store, all);
    } else if (i == BEHIND) {
      issue(&w, 2, bra, all);
      step(&w);
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
    step(&w);
    assert_int_equal(sm_fault(w.b.sm)->kind, expected[i].kind);
    if (strstr(sm_fault(w.b.sm)->text, expected[i].text) == NULL)
      fail_msg("%s", sm_fault(w.b.sm)->text);
    close_wide(&w);
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

static void program(struct wide *w, unsigned slices, unsigned pc[KINDS]) {
  defaults(w, slices, 1536);
  w->b.mem.latency = 90;
  for (unsigned i = 0; i < ADDS; i++)
    bench_add(&w->b, word(ISA_IADD, i, i * 5 % 16, i * 7 % 16, 0));
  pc[0] = bench_add(&w->b, word(ISA_RCP, 20, 3, 0, 0));
  pc[1] = bench_add(&w->b, with_mods(word(ISA_LDG, 24, 2, 0, 0), 2));
  pc[2] = bench_add(&w->b, with_mods(word(ISA_STG, 0, 1, 28, 0), 2));
  pc[3] = bench_add(&w->b, word(ISA_NOP, 0, 0, 0, 0));
  pc[4] = bench_add(&w->b, with_target(word(ISA_BRA, 0, 0, 0, 0), 0, 3));
  begin(w);
  sm_set_timing_check(w->b.sm, 64, 40);
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
static void choose(struct wide *w, const unsigned pc[KINDS], int credit[4], struct known *known) {
  for (unsigned port = 0; port < 2; port++) {
    const unsigned warp = (unsigned)rand() % (WARPS / w->slices) * 2 + port;
    const unsigned what = (unsigned)rand() % 9;
    const unsigned at = what < 4 ? (unsigned)rand() % ADDS : pc[what - 4];
    const struct isa_uop *u = &w->b.uops[at];
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
    issue(w, warp, at, any_lanes(w->slices));
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

static void record(struct wide *w, struct script *s, unsigned slices, unsigned seed) {
  unsigned pc[KINDS], pause = 0;
  int credit[4] = {8, 4, 4, 1};
  struct known known[WARPS] = {{0}};
  program(w, slices, pc);
  cta(w, 0);
  srand(seed);
  while (w->b.cycle < CYCLES) {
    const unsigned c = w->b.cycle;
    if (pause != 0)
      pause--;
    else if (c < CYCLES - 700)
      choose(w, pc, credit, known);
    if (pause == 0 && rand() % 24 == 0)
      pause = (unsigned)rand() % 300;
    w->b.mem.busy = c % 512 > 300 && c < CYCLES - 700;
    s->fe[c] = w->fe;
    s->busy[c] = w->b.mem.busy;
    take(&w->log[step(w)], credit, known);
  }
  assert_int_equal(sm_fault(w->b.sm)->kind, SM_FAULT_NONE);
  for (unsigned i = 0; i < WARPS; i++)
    assert_true(known[i].pending == 0 && known[i].uncollected == 0 && !known[i].branch);
  assert_true(credit[0] == 8 && credit[1] == 4 && credit[2] == 4);
}

static bool calm(const struct wide *w, const struct script *s) {
  const struct sm_frontend_wide_out *fe = &s->fe[w->b.cycle];
  const struct sm_mem *m = &w->b.mem;
  return (fe->iss0_valid | fe->iss1_valid) == 0 && m->busy == s->busy[w->b.cycle] &&
         (m->count == 0 || m->queue[m->first].due > w->b.cycle) && sm_wide_waiting(w->sm);
}

/* Everything that is issued comes back once, and cycles in which the back end waits may be left
 * out. */
TEST(random_issues) {
  static struct script s;
  for (unsigned seed = 1; seed <= 30; seed++) {
    const unsigned slices = seed % 2 != 0 ? 2 : 4;
    struct wide w, again;
    unsigned pc[KINDS], skipped = 0;
    record(&w, &s, slices, seed);
    program(&again, slices, pc);
    cta(&again, 0);
    while (again.b.cycle < CYCLES) {
      const unsigned c = again.b.cycle;
      again.fe = s.fe[c];
      const bool skip = calm(&again, &s);
      again.b.mem.busy = s.busy[c];
      if (skip) {
        const struct sm_frontend_out fe = {0};
        sm_skip(again.b.sm, again.b.cycle++, 1, &fe);
        skipped++;
      } else {
        step(&again);
      }
      assert_memory_equal(&again.log[c], &w.log[c], sizeof w.log[c]);
    }
    assert_memory_equal(&w.b.sm->stats, &again.b.sm->stats, sizeof w.b.sm->stats);
    assert_memory_equal(w.b.sm->regs, again.b.sm->regs, sizeof w.b.sm->regs);
    assert_true(skipped > 300);
    close_wide(&w);
    close_wide(&again);
  }
}

int main(void) { return test_run(NULL, NULL); }
