/* Back ends that share a front end: memory moves nothing that one member reports for all, and a
 * CTA takes the same place in every member. */
#include "tests/sm/bench.h"
#include "tests/test.h"

enum { MEMBERS = 3, CYCLES = 6000, SP_PLACES = 12, PLACES = 8, CTA_WARPS = 2 };

static void memory_instructions(struct bench *b, unsigned *load, unsigned *slow) {
  *load = bench_add(b, with_mods(word(ISA_LDG, 3, 1, 0, 0), 2));
  *slow = bench_add(b, word(ISA_ACAS, 4, 1, 17, 1)); /* one bank: three cycles */
}

/* A place is taken at issue and given back when the instruction is handed over, collected or not
 * before; collections do not wait for that. */
TEST(a_place_is_held_until_memory_takes_it) {
  struct bench b;
  unsigned load, slow;
  bench_defaults(&b, 256);
  b.config.deep_queues = 1;
  memory_instructions(&b, &load, &slow);
  bench_start(&b);
  b.mem.busy = true;
  unsigned t = b.cycle;
  for (unsigned i = 0; i < PLACES; i++)
    bench_one(&b, i, load);
  bench_run(&b, 20);
  assert_int_equal(sm_fault(b.sm)->kind, SM_FAULT_NONE);
  for (unsigned i = 0; i < PLACES; i++)
    assert_int_equal(bench_col(&b, i, t), t + i + 2);
  assert_int_equal(bench_credits(&b, ISA_PIPE_MEM, t, b.cycle), 0);
  b.mem.busy = false;
  unsigned from = b.cycle;
  bench_run(&b, 2);
  assert_int_equal(b.log[from].mem_credit, 1);
  assert_int_equal(b.log[from + 1].mem_credit, 1);
  assert_int_equal(b.mem.log[1].cycle, from + 1);
  b.mem.busy = true;
  bench_one(&b, 0, slow);
  bench_one(&b, 1, load);
  bench_run(&b, 5);
  assert_int_equal(sm_fault(b.sm)->kind, SM_FAULT_NONE);
  bench_one(&b, 2, load);
  assert_int_equal(sm_fault(b.sm)->kind, SM_FAULT_PROTOCOL);
  assert_non_null(strstr(sm_fault(b.sm)->text, "no credit was left"));
  bench_close(&b);
}

/* Collectors, of the replay too. */
static void set_sp_collectors(struct bench *b, unsigned n) {
  b->sm->alu.oc[0].collectors[SM_ALU_SP] = b->sm->replay.alu.oc[0].collectors[SM_ALU_SP] =
      (uint8_t)n;
}

/* The SP queue of a member has twelve entries, of an SM without sharing eight. */
TEST(a_member_queues_more_for_sp) {
  for (unsigned buddy = 0; buddy < 2; buddy++)
    for (unsigned extra = 0; extra < 2; extra++) {
      struct bench b;
      bench_defaults(&b, 64);
      b.config.deep_queues = buddy;
      const unsigned add = bench_add(&b, word(ISA_IADD, 3, 1, 2, 0));
      bench_start(&b);
      set_sp_collectors(&b, 0);
      for (unsigned i = 0; i < (buddy ? SP_PLACES : 8) + extra; i++) {
        assert_int_equal(sm_fault(b.sm)->kind, SM_FAULT_NONE);
        bench_one(&b, i % 2, add);
      }
      assert_int_equal(sm_fault(b.sm)->kind, extra ? SM_FAULT_PROTOCOL : SM_FAULT_NONE);
      if (extra)
        assert_non_null(strstr(sm_fault(b.sm)->text, "the SP queue, which is full"));
      bench_close(&b);
    }
}

/* A full queue is left in the order of issue, two a cycle, wherever in its ring it begins. */
TEST(a_full_queue_keeps_its_order) {
  struct bench b;
  unsigned move[SP_PLACES];
  bench_defaults(&b, 64);
  b.config.deep_queues = 1;
  for (unsigned i = 0; i < SP_PLACES; i++)
    move[i] = bench_add(&b, word(ISA_MOV, 8 + i, 2, 0, 0));
  bench_begin(&b);
  sm_set_timing_check(b.sm, 64, 48);
  bench_cta(&b, 0);
  const unsigned collectors = b.sm->alu.oc[0].collectors[SM_ALU_SP];
  for (unsigned round = 0; round < 20; round++) {
    set_sp_collectors(&b, 0);
    for (unsigned i = 0; i < SP_PLACES; i++)
      bench_one(&b, i % 2, move[i]);
    assert_int_equal(bench_credits(&b, ISA_PIPE_SP, b.cycle - SP_PLACES, b.cycle), 0);
    set_sp_collectors(&b, collectors);
    const unsigned from = b.cycle;
    bench_run(&b, 30);
    assert_int_equal(bench_credits(&b, ISA_PIPE_SP, from, from + SP_PLACES / 2), SP_PLACES);
    for (unsigned i = 1; i < SP_PLACES; i++)
      assert_true(bench_wb(&b, i % 2, 8 + i, from) >= bench_wb(&b, (i - 1) % 2, 7 + i, from));
    bench_one(&b, 0, move[0]);
    bench_run(&b, 10);
  }
  assert_int_equal(sm_fault(b.sm)->kind, SM_FAULT_NONE);
  bench_close(&b);
}

/* A group: what its front end knows, and the words that it issues. */
struct group {
  struct bench m[MEMBERS];
  unsigned alu, rcp, load, store, slow, branch, exit;
  uint64_t live, ctrl, ended[MEMBERS];
  int credit[3][MEMBERS];
  unsigned launched, waits; /* CTAs; cycles in which a member, not all, had room for one */
  bool short_of;            /* a member had no place while another one had all */
};

static void group_begin(struct group *g, bool buddy) {
  static const enum isa_id ids[] = {ISA_IADD, ISA_MAD, ISA_IMIN, ISA_MUL, ISA_FMA, ISA_AND};
  static const uint32_t latency[MEMBERS] = {3, 40, 150};
  *g = (struct group){.alu = 12};
  for (unsigned k = 0; k < MEMBERS; k++) {
    struct bench *b = &g->m[k];
    bench_defaults(b, CTA_WARPS * 32);
    b->config.deep_queues = buddy;
    b->mem.latency = latency[k];
    b->mem.value = 77 * k;
    for (unsigned i = 0; i < g->alu; i++)
      bench_add(b, with_guard(word(ids[i % 6], 8 + i, i, 31 - i, i % 6 % 3 == 1 ? 5 : 0), i % 2));
    g->rcp = bench_add(b, word(ISA_RCP, 22, 6, 0, 0));
    g->store = bench_add(b, with_guard(with_mods(word(ISA_STG, 0, 1, 28, 0), 2 | 2 << 3), 1));
    memory_instructions(b, &g->load, &g->slow);
    g->branch = bench_add(b, with_guard(with_target(word(ISA_BRA, 0, 0, 0, 0), 0, 3), 1));
    g->exit = bench_add(b, word(ISA_EXIT, 0, 0, 0, 0));
    bench_begin(b);
    sm_set_timing_check(b->sm, 64, 48);
    g->credit[ISA_PIPE_SP][k] = buddy ? SP_PLACES : 8;
    g->credit[ISA_PIPE_SFU][k] = 4;
    g->credit[ISA_PIPE_MEM][k] = buddy ? PLACES : 4;
  }
}

/* A credit of the class in every member, if all have one. */
static bool take(struct group *g, enum isa_pipe pipe) {
  for (unsigned k = 0; k < MEMBERS; k++)
    if (g->credit[pipe][k] == 0)
      return false;
  for (unsigned k = 0; k < MEMBERS; k++)
    g->credit[pipe][k]--;
  return true;
}

/* One port: a random instruction of a random warp of its parity. */
static void issue(struct group *g, unsigned port) {
  const unsigned warp = (unsigned)rand() % 8 * 2 + port, what = (unsigned)rand() % 64;
  if ((g->live & ~g->ctrl) >> warp & 1) {
    const bool mem = what >= 44 && what < 61 && g->m[0].fe.iss0_valid == 0, sfu = what / 4 == 10;
    const bool ctl = what >= 61;
    const unsigned of_mem[] = {g->load, g->load, g->store, g->slow};
    const unsigned pc = mem   ? of_mem[what % 4]
                        : sfu ? g->rcp
                        : ctl ? (rand() % 6 == 0 ? g->exit : g->branch)
                              : what % g->alu;
    if (!take(g, mem ? ISA_PIPE_MEM : sfu ? ISA_PIPE_SFU : ISA_PIPE_SP))
      return;
    g->ctrl |= ctl ? SM_BIT(warp) : 0;
    for (unsigned k = 0; k < MEMBERS; k++)
      bench_issue(&g->m[k], warp, pc, ~0U);
  }
}

/* A CTA to all members, as soon as all have room at the same place. */
static void launch(struct group *g) {
  struct sm_room room = SM_ROOM_ANY;
  unsigned ready = 0;
  for (unsigned k = 0; k < MEMBERS; k++) {
    sm_cta_room(g->m[k].sm, &room);
    ready += sm_cta_ready(g->m[k].sm);
  }
  g->waits += ready != 0 && !sm_room_fits(&room);
  if (!sm_room_fits(&room))
    return;
  for (unsigned k = 0; k < MEMBERS; k++)
    sm_cta_launch_in(g->m[k].sm, (const uint32_t[3]){g->launched * MEMBERS + k, 0, 0}, &room);
  g->launched++;
}

/* Takes a cycle's inputs of the front end; those of the first member stand for all. */
static void learn(struct group *g, const struct sm_frontend_wide_in *const in[MEMBERS]) {
  int most = 0, least = PLACES;
  for (unsigned k = 0; k < MEMBERS; k++) {
    g->credit[ISA_PIPE_SP][k] += (int)in[k]->sp_credit;
    g->credit[ISA_PIPE_SFU][k] += (int)in[k]->sfu_credit;
    g->credit[ISA_PIPE_MEM][k] += (int)in[k]->mem_credit;
    const int places = g->credit[ISA_PIPE_MEM][k];
    most = places > most ? places : most;
    least = places < least ? places : least;
  }
  g->short_of |= least == 0 && most == PLACES;
  if (in[0]->launch_valid)
    g->live |= SM_BIT(in[0]->launch_warp);
  if (in[0]->resolve_valid)
    g->ctrl &= ~SM_BIT(in[0]->resolve_warp);
}

/* Predicates differ between members; the ends of warps reach them at different times. */
static void one_cycle(struct group *g) {
  const struct sm_frontend_wide_in *in[MEMBERS];
  const unsigned c = g->m[0].cycle;
  launch(g);
  for (unsigned port = 0; port < 2; port++)
    issue(g, port);
  for (unsigned k = 0; k < MEMBERS; k++) {
    struct bench *b = &g->m[k];
    b->mem.busy = (unsigned)rand() % 16 < k * 5 || c / (100 + 70 * k) % 4 == 0;
    if (g->ended[k] != 0 && rand() % 4 == 0) {
      bench_done(b, (unsigned)__builtin_ctzll(g->ended[k]));
      g->ended[k] &= g->ended[k] - 1;
    }
    b->sm->preds[rand() % 16][rand() % 2] = (uint32_t)rand() * 3;
    in[k] = &b->log[bench_step(b)];
  }
  learn(g, in);
  for (unsigned k = 0; k < MEMBERS; k++)
    for (unsigned w = 0; w < 16; w++)
      if (in[k]->resolve_valid && in[k]->resolve_warp == w && g->m[k].sm->warp[w].lanes == 0) {
        g->ended[k] |= SM_BIT(w);
        g->live &= ~SM_BIT(w);
      }
}

/* Returns the inputs without those in which memory and values may make members differ. */
static struct sm_frontend_wide_in alike(struct sm_frontend_wide_in in) {
  bench_drop_write(&in, ROW_MEM);
  in.mem_credit = in.resolve_taken = 0;
  return in;
}

static bool same_cycle(const struct group *g, unsigned c) {
  const struct sm_frontend_wide_in first = alike(g->m[0].log[c]);
  for (unsigned k = 1; k < MEMBERS; k++) {
    const struct sm_frontend_wide_in other = alike(g->m[k].log[c]);
    if (memcmp(&first, &other, sizeof first) != 0)
      return false;
  }
  return true;
}

/* The cycles in which all members were alike, from the first on. */
static unsigned run_group(struct group *g, unsigned seed, bool buddy) {
  group_begin(g, buddy);
  srand(seed);
  while (g->m[0].cycle < CYCLES) {
    const unsigned c = g->m[0].cycle;
    one_cycle(g);
    if (!same_cycle(g, c))
      return c;
  }
  return CYCLES;
}

static void close_group(struct group *g) {
  for (unsigned k = 0; k < MEMBERS; k++)
    bench_close(&g->m[k]);
}

TEST(members_are_alike_whatever_memory_does) {
  static struct group g;
  for (unsigned seed = 1; seed < 5; seed++) {
    const unsigned same = run_group(&g, seed, true);
    for (unsigned k = 0; k < MEMBERS; k++)
      if (sm_fault(g.m[k].sm)->kind != SM_FAULT_NONE)
        fail_msg("seed %u, member %u: %s", seed, k, sm_fault(g.m[k].sm)->text);
    if (same != CYCLES)
      fail_msg("seed %u: members differ in cycle %u", seed, same);
    for (unsigned k = 0; k < MEMBERS; k++)
      assert_in_range(g.m[k].mem.accepted, 400, CYCLES);
    assert_in_range(g.launched, 20, CYCLES);
    assert_in_range(g.waits, 100, CYCLES);
    assert_true(g.short_of);
    close_group(&g);
  }
}

/* The same members with queues and collectors as without sharing. */
TEST(without_places_memory_shows) {
  static struct group g;
  assert_in_range(run_group(&g, 1, false), 20, CYCLES - 1);
  close_group(&g);
}

/* The first fault of a random member, with something that interferes: in all, so that they stay
 * alike and resolve their branches together, or in it alone. */
static void expect_timing(bool mem_first, unsigned collectors, const char *text) {
  static struct group g;
  group_begin(&g, true);
  srand(5);
  while (g.m[1].cycle < CYCLES && sm_fault(g.m[1].sm)->kind == SM_FAULT_NONE) {
    for (unsigned k = 0; k < MEMBERS; k++)
      g.m[k].sm->mem_first = mem_first;
    if (collectors != 0)
      g.m[1].sm->memq[0].collectors[0] = (uint8_t)collectors;
    one_cycle(&g);
  }
  assert_int_equal(sm_fault(g.m[1].sm)->kind, SM_FAULT_TIMING);
  if (strstr(sm_fault(g.m[1].sm)->text, text) == NULL)
    fail_msg("%s", sm_fault(g.m[1].sm)->text);
  close_group(&g);
}

TEST(the_replay_sees_memory_in_collections) {
  expect_timing(false, 3, "ALU and MEM instructions without memory");
  expect_timing(true, 0, "differs from that of the same ");
}

static void end_cta(struct bench *b, unsigned first, unsigned warps, unsigned exit_pc) {
  for (unsigned w = first; w < first + warps; w++) {
    bench_one(b, w, exit_pc);
    bench_run(b, 10);
    bench_done(b, w);
    bench_step(b);
  }
  bench_step(b);
}

static struct sm_room room_of(struct bench m[2]) {
  struct sm_room room = SM_ROOM_ANY;
  for (unsigned k = 0; k < 2; k++)
    sm_cta_room(m[k].sm, &room);
  return room;
}

/* Two SMs of three CTAs each, which end in different orders. */
TEST(a_group_takes_what_is_free_in_all) {
  struct bench m[2];
  unsigned exit_pc = 0;
  for (unsigned k = 0; k < 2; k++) {
    bench_defaults(&m[k], 512);
    m[k].config.deep_queues = 1;
    exit_pc = bench_add(&m[k], word(ISA_EXIT, 0, 0, 0, 0));
    bench_begin(&m[k]);
  }
  for (unsigned i = 0; i < 3; i++) {
    const struct sm_room room = room_of(m);
    assert_true(sm_room_fits(&room));
    for (unsigned k = 0; k < 2; k++) {
      sm_cta_launch_in(m[k].sm, (const uint32_t[3]){2 * i + k, 0, 0}, &room);
      assert_false(sm_settled(m[k].sm));
      bench_run(&m[k], 16);
      assert_true(sm_settled(m[k].sm));
    }
  }
  struct sm_room room = room_of(m);
  assert_false(sm_room_fits(&room));
  end_cta(&m[0], 0, 16, exit_pc);
  end_cta(&m[1], 16, 16, exit_pc);
  assert_true(sm_cta_ready(m[0].sm) && sm_cta_ready(m[1].sm));
  room = room_of(m);
  assert_false(sm_room_fits(&room));
  end_cta(&m[0], 16, 16, exit_pc);
  room = room_of(m);
  assert_true(sm_room_fits(&room));
  for (unsigned k = 0; k < 2; k++) {
    sm_cta_launch_in(m[k].sm, (const uint32_t[3]){6 + k, 0, 0}, &room);
    const unsigned c = bench_step(&m[k]);
    assert_int_equal(m[k].log[c].launch_warp, 16);
    assert_int_equal(m[k].log[c].launch_cta, 1);
    assert_int_equal(sm_place(m[k].sm, 31)->ctaid[0], 6 + k);
    assert_int_equal(sm_fault(m[k].sm)->kind, SM_FAULT_NONE);
  }
  /* No room, and a room that the SM has not narrowed. */
  sm_cta_launch_in(m[1].sm, (const uint32_t[3]){8, 0, 0}, &room);
  assert_int_equal(sm_fault(m[1].sm)->kind, SM_FAULT_PROTOCOL);
  room = SM_ROOM_ANY;
  sm_cta_room(m[0].sm, &room);
  assert_true(sm_room_fits(&room));
  sm_cta_launch_in(m[0].sm, (const uint32_t[3]){8, 0, 0}, &SM_ROOM_ANY);
  assert_int_equal(sm_fault(m[0].sm)->kind, SM_FAULT_PROTOCOL);
  sm_cta_room(m[0].sm, &room);
  assert_false(sm_room_fits(&room)); /* it has stopped */
  for (unsigned k = 0; k < 2; k++)
    bench_close(&m[k]);
}

/* Settled is what nothing of is under way but in memory, or collected for it. */
TEST(settled_does_not_look_at_memory) {
  struct bench b;
  unsigned load, slow;
  bench_defaults(&b, 64);
  b.config.deep_queues = 1;
  memory_instructions(&b, &load, &slow);
  const unsigned add = bench_add(&b, word(ISA_IADD, 3, 1, 2, 0));
  const unsigned bra = bench_add(&b, with_target(word(ISA_BRA, 0, 0, 0, 0), 0, ISA_NO_RPC));
  bench_start(&b);
  const struct {
    unsigned pc, cycles; /* from the issue on in which it is not settled */
  } cases[] = {{add, 3 + 4}, {load, 2}, {slow, 4}, {bra, 2}};
  b.mem.busy = true;
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    bench_one(&b, 0, cases[i].pc);
    for (unsigned c = 0; c < cases[i].cycles; c++) {
      assert_false(sm_settled(b.sm));
      bench_step(&b);
    }
    assert_true(sm_settled(b.sm));
  }
  bench_issue(&b, 0, bra, ~0U); /* two: one waits for the port */
  bench_issue(&b, 1, bra, ~0U);
  bench_step(&b);
  bench_run(&b, 2);
  assert_false(sm_settled(b.sm));
  bench_step(&b);
  assert_true(sm_settled(b.sm));
  bench_close(&b);
}

TEST(causes_have_four_bits) {
  struct bench b;
  struct sm_stats stats;
  bench_defaults(&b, 32);
  bench_add(&b, word(ISA_EXIT, 0, 0, 0, 0));
  bench_begin(&b);
  for (unsigned code = 0; code < 16; code++) {
    b.fe.stall0 = code;
    b.fe.stall1 = 15 - code;
    bench_step(&b);
  }
  sm_stats(b.sm, &stats);
  for (unsigned code = 0; code < 16; code++)
    assert_int_equal(stats.stalls[code], 2);
  bench_close(&b);
}

TEST(what_a_cluster_cannot_have_is_refused) {
  for (unsigned k = 0; k < 3; k++) {
    struct sm_config c;
    struct sm_mem mem = {0};
    struct tandem_error err = {{0}};
    sm_config_default(&c);
    assert_int_equal(c.deep_queues, 0);
    c.deep_queues = 1;
    uint32_t *const field[] = {&c.deep_queues, &c.collectors_mem, &c.lat[ISA_L_DP_CMP].interval};
    static const uint32_t value[] = {2, 6, 20};
    static const char *const text[] = {"deep_queues is 2",
                                       "collectors_mem must be 8 in a buddy cluster, not 6",
                                       "sm.latency.dp_cmp must have an interval"};
    *field[k] = value[k];
    assert_null(sm_create(&c, 0, &mem, NULL, &err));
    if (strstr(err.text, text[k]) == NULL)
      fail_msg("%s", err.text);
  }
}

int main(void) { return test_run(NULL, NULL); }
