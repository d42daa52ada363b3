/* A whole Flex cluster in random environments against its reference, in kernels of all schemes, one
 * after the other; and in Base each member against the front end of an SM alone.  Without a device
 * the reference alone, of both sizes. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "csim/isa/core/isa.h"
#include "csim/ports/stalls.h"
#include "csim/ref/sm/decode.h"
#include "csim/ref/sm/ref.h"
#include "tests/unit/device.h"
#include "tests/unit/flex/flex_lockstep.h"
#include "tests/unit/testing.h"

#define COVERAGE(F)                                                                                \
  F(two_issues)                                                                                    \
  F(two_words_from_borrowed_rows)                                                                  \
  F(word_from_own_and_borrowed_row)                                                                \
  F(write_to_borrowed_row)                                                                         \
  F(push_to_borrowed_row)                                                                          \
  F(two_pushes_to_borrowed_row)                                                                    \
  F(pop_from_borrowed_row)                                                                         \
  F(barrier)                                                                                       \
  F(structural)                                                                                    \
  F(held)                                                                                          \
  F(upper_lanes_alone)                                                                             \
  F(all_lanes)                                                                                     \
  F(done_in_borrowed_row)                                                                          \
  F(trap)                                                                                          \
  F(trap_in_borrowed_row)                                                                          \
  F(wakes)                                                                                         \
  F(wakes_at_once)                                                                                 \
  F(wakes_late)                                                                                    \
  F(starts_again_while_held)                                                                       \
  F(reset_twice)                                                                                   \
  F(first_and_last_rows_of_bank_0)                                                                 \
  F(first_and_last_rows_of_bank_1)                                                                 \
  F(warp_issues_in_cycles_running)                                                                 \
  F(push_and_pop_in_cycles_running)                                                                \
  F(each_warp_waits_while_each_register_pends)                                                     \
  F(each_warp_asks_for_a_line_as_it_comes)                                                         \
  F(each_warp_issues_greedily)                                                                     \
  F(each_warp_issues_in_turn)                                                                      \
  F(two_borrowers_in_a_cycle)                                                                      \
  F(two_borrowers_of_equal_rows)
COVER_DEFINE(COVERAGE)

enum { LIMIT = 400000, SIX = 6 };
/* Points that two members cannot show come last. */
enum { OF_TWO = COVER_two_borrowers_in_a_cycle };

static struct {
  uint64_t seed, fresh, cycles;
  unsigned members, dummy;
  bool passed[FLEX_MODES][FLEX_MODES]; /* from scheme to scheme */
} run;

/*                                              collect write resolve credit fill beat launch nest
 */
static const struct env_rates at_once = {100, 100, 100, 100, 100, 100, 100, 4, 0, false, false};
static const struct env_rates brisk = {80, 60, 60, 80, 40, 80, 60, 4, 0, false, false};
static const struct env_rates slow_memory = {60, 10, 40, 60, 4, 100, 30, 4, 0, false, false};
static const struct env_rates starved = {20, 20, 10, 15, 20, 60, 40, 3, 0, false, false};
static const struct env_rates lonely = {100, 100, 100, 100, 100, 100, 5, 1, 0, false, false};
static const struct env_rates quick = {100, 100, 100, 100, 100, 100, 100, 1, 0, false, false};
static const struct env_rates overrunning = {90, 90, 90, 90, 90, 90, 90, 2, 95, false, false};
static const struct env_rates waking = {100, 100, 100, 100, 40, 40, 100, 1, 0, false, false};
static const struct env_rates collecting = {70, 60, 100, 35, 100, 100, 100, 1, 0, false, false};
static const struct env_rates pending = {90, 30, 100, 100, 100, 100, 100, 1, 0, false, false};

static const struct fl_script any = {-1, -1, 12, false, FL_ANY};
static const struct fl_script brief = {-1, -1, 2, false, FL_ANY};
static const struct fl_script single = {-1, -1, 1, false, FL_ANY};
static const struct fl_script late = {-1, 255, 1, false, FL_ANY};
static const struct fl_script restless = {-1, -1, 2, true, FL_ANY};

/* The doings of a member in the cycle before. */
struct last {
  unsigned warp[2]; /* that issued, 64: none */
  bool push, pop;   /* on borrowed rows */
};

static unsigned issued(uint64_t valid, uint64_t inst) {
  return valid ? (unsigned)(inst >> 58) : 64;
}

static void cover_rows(const struct flex_lockstep *c, unsigned m) {
  static struct last members[FL_MEMBERS];
  const struct flex_member_out *o = &c->out.member[m];
  struct last *last = &members[m];
  const struct last now = {
      {issued(o->iss0_valid, o->iss0_inst), issued(o->iss1_valid, o->iss1_inst)},
      o->far_push != 0,
      o->far_pop != 0};
  cover(COVER_first_and_last_rows_of_bank_0, now.warp[0] == 24 && now.warp[1] == 35);
  cover(COVER_first_and_last_rows_of_bank_1, now.warp[0] == 36 && now.warp[1] == 47);
  cover(COVER_warp_issues_in_cycles_running,
        c->out.own.mode != FLEX_BASE && now.warp[0] != 64 && now.warp[0] == last->warp[0]);
  cover(COVER_push_and_pop_in_cycles_running, (now.push && last->pop) || (now.pop && last->push));
  *last = now;
}

/* Notes the warps that issue by a policy, of the first borrower and the first lender. */
static void cover_warps(const struct flex_lockstep *c, unsigned m) {
  static uint64_t members[2][2];
  const struct flex_member_out *o = &c->out.member[m];
  const bool in_turn = c->e[0].lrr;
  uint64_t *seen = members[in_turn];
  if (m > 1)
    return;
  seen[m] |= (uint64_t)(o->iss0_valid != 0) << (o->iss0_inst >> 58);
  seen[m] |= (uint64_t)(o->iss1_valid != 0) << (o->iss1_inst >> 58);
  const bool all = seen[0] == (UINT64_C(1) << 48) - 1 && seen[1] == (UINT64_C(1) << 24) - 1;
  cover(in_turn ? COVER_each_warp_issues_in_turn : COVER_each_warp_issues_greedily, all);
}

static void cover_member(const struct flex_lockstep *c, unsigned m) {
  const struct flex_member_out *o = &c->out.member[m];
  cover_rows(c, m);
  cover_warps(c, m);
  const bool two = o->iss0_valid && o->iss1_valid;
  cover(COVER_two_issues, two);
  cover(COVER_two_words_from_borrowed_rows, o->far_rd == 3);
  cover(COVER_word_from_own_and_borrowed_row,
        two && (o->iss0_inst >> 58 < 24) != (o->iss1_inst >> 58 < 24));
  cover(COVER_write_to_borrowed_row, o->far_wr);
  cover(COVER_push_to_borrowed_row, o->far_push == 1);
  cover(COVER_two_pushes_to_borrowed_row, o->far_push == 3);
  cover(COVER_pop_from_borrowed_row, o->far_pop);
  cover(COVER_barrier, o->stall0 == STALL_BARRIER);
  cover(COVER_structural, o->stall1 == STALL_STRUCTURAL);
  cover(COVER_upper_lanes_alone, o->iss0_valid && (uint32_t)o->iss0_mask == 0);
  cover(COVER_all_lanes, o->iss1_valid && o->iss1_mask == UINT64_MAX);
  cover(COVER_done_in_borrowed_row, o->done_valid && o->done_warp >= 24);
  cover(COVER_trap, o->trap_valid);
  cover(COVER_trap_in_borrowed_row, o->trap_valid && o->trap_warp >= 24);
}

/* The borrowers of a trio issue other instructions from rows of the same number in their banks. */
static bool equal_rows(const struct flex_lockstep *c) {
  const struct flex_member_out *left = &c->out.member[0], *right = &c->out.member[2];
  return left->iss0_valid && right->iss0_valid && left->iss0_inst >> 58 >= 24 &&
         left->iss0_inst >> 58 == right->iss0_inst >> 58 && left->iss0_inst != right->iss0_inst;
}

static void cover_cycle(const struct flex_lockstep *c) {
  static bool started; /* the registered kernel_start */
  const struct flex_cluster_out *o = &c->out.own;
  for (unsigned m = 0; m < c->members; m++)
    cover_member(c, m);
  cover(COVER_held, o->hold != 0);
  cover(COVER_wakes, o->reset_fe != 0);
  cover(COVER_wakes_at_once, o->reset_fe != 0 && c->power_up == 0);
  cover(COVER_wakes_late, o->reset_fe != 0 && c->power_up == 255);
  cover(COVER_starts_again_while_held, c->in.own.kernel_start && o->hold != 0);
  cover(COVER_reset_twice, started && o->reset_fe != 0 && c->mode == FLEX_BASE);
  started = c->in.own.kernel_start != 0;
  cover(COVER_two_borrowers_in_a_cycle,
        o->mode == FLEX_BAL && c->out.member[0].far_rd != 0 && c->out.member[2].far_rd != 0);
  cover(COVER_two_borrowers_of_equal_rows, o->mode == FLEX_BAL && equal_rows(c));
}

static void cycle(struct flex_lockstep *c) {
  const unsigned was = c->mode;
  if (!flex_lockstep_step(c))
    fail_msg("%s, seed %" PRIu64, c->wrong, run.seed);
  if (c->in.own.kernel_start)
    run.passed[was][c->mode] = true;
  cover_cycle(c);
}

static void close_run(struct flex_lockstep *c, const char *what) {
  print_message("%u members, %u stages, %s: %" PRIu64 " cycles, %u kernels, %u instructions\n",
                c->members, c->dummy, what, c->cycle, c->kernels, c->issued);
  flex_lockstep_close(c);
}

static struct flex_lockstep *open_run(uint64_t seed, struct env_rates rates,
                                      struct fl_script script) {
  static struct flex_lockstep c;
  flex_lockstep_open(&c, run.members, run.dummy, seed, rates, script);
  return &c;
}

static void run_programs(uint64_t seed) {
  static const struct {
    const char *name;
    const struct env_rates *rates;
    const struct fl_script *script;
  } kinds[] = {{"at once", &at_once, &any},           {"brisk", &brisk, &any},
               {"slow memory", &slow_memory, &brief}, {"starved", &starved, &brief},
               {"lonely", &lonely, &brief},           {"late", &quick, &late}};
  for (unsigned i = 0; i < 2 * (sizeof kinds / sizeof kinds[0]); i++) {
    struct fl_script script = *kinds[i / 2].script;
    script.policy = i % 2 == 0 ? FL_GREEDY : FL_IN_TURN;
    struct flex_lockstep *c = open_run(seed + i, *kinds[i / 2].rates, script);
    while (c->cycle < run.cycles)
      cycle(c);
    close_run(c, kinds[i / 2].name);
  }
}

/* Kernels that start while members come up; by each policy, and until one starts with the reset. */
static void run_restless(uint64_t seed) {
  for (unsigned i = 0; i < 2 || (i < 40 && covered[COVER_reset_twice] == 0); i++) {
    struct fl_script script = restless;
    script.policy = i % 2 == 0 ? FL_GREEDY : FL_IN_TURN;
    struct flex_lockstep *c = open_run(seed + 50 + i, at_once, script);
    while (c->cycle < run.cycles)
      cycle(c);
    close_run(c, "restless");
  }
}

/* A trap ends a run some cycles later. */
static void run_traps(uint64_t seed) {
  for (unsigned i = 0; i < 40 && covered[COVER_trap_in_borrowed_row] == 0; i++) {
    struct fl_script script = brief;
    script.mode = FLEX_OCC;
    struct flex_lockstep *c = open_run(seed + 100 + i, overrunning, script);
    for (unsigned after = 0; after < 200 && c->cycle < run.cycles; after += c->trapped)
      cycle(c);
    close_run(c, "overrunning");
  }
}

static void random_kernels(void **state) {
  (void)state;
  run_programs(run.seed);
  run_restless(run.seed);
  run_traps(run.seed);
}

/* All schemes follow each other. */
static void all_pairs_of_schemes(void **state) {
  (void)state;
  struct flex_lockstep *c = open_run(run.seed + 300, quick, single);
  unsigned missing = 1;
  while (missing != 0 && c->cycle < LIMIT) {
    cycle(c);
    missing = 0;
    for (unsigned from = 0; from < FLEX_MODES; from++)
      for (unsigned to = 0; to < FLEX_MODES; to++)
        missing +=
            !run.passed[from][to] && (run.members == SIX || (from != FLEX_BAL && to != FLEX_BAL));
  }
  close_run(c, "pairs of schemes");
  assert_int_equal(missing, 0);
}

static uint64_t control(enum isa_id id, unsigned imm, unsigned rpc) {
  return isa_pack((struct isa_inst){.unit = isa_ops[id].unit,
                                    .op = isa_ops[id].op,
                                    .imm = (uint16_t)imm,
                                    .guard = ISA_PT}) |
         rpc;
}

/* Things that an instruction writes. */
enum written { REGISTERS, REGISTER, PREDICATE };

static bool writes(unsigned dec, enum written what) {
  if (what == PREDICATE)
    return decode_d_p(dec);
  return decode_d_n(dec) != 0 &&
         (what == REGISTERS || (decode_d_n(dec) == 1 && decode_s1_n(dec) < 2 &&
                                decode_s2_n(dec) < 2 && decode_s3_n(dec) < 2));
}

/* An instruction all of whose operands have the number `field`. */
static uint64_t writer(struct rng *r, enum written what, unsigned field) {
  for (;;) {
    const struct isa_op *op = &isa_ops[rng_below(r, ISA_OPS)];
    const uint8_t f = (uint8_t)field;
    const uint64_t word = isa_pack((struct isa_inst){.unit = op->unit,
                                                     .op = op->op,
                                                     .guard = ISA_PT,
                                                     .src3 = f,
                                                     .src2 = f,
                                                     .src1 = f,
                                                     .dst = f});
    if (op->unit != ISA_U_CTRL && writes(decode_ref_word(word), what))
      return word;
  }
}

/* An instruction with any operands. */
static uint64_t reader(struct rng *r) {
  const uint64_t fields = 0x1ffffff;
  return (writer(r, REGISTERS, 0) & ~fields) | (rng_next(r) & fields);
}

/* The program, which begins at 0, ends all lanes at pc. */
static void end_program(struct environment *e, unsigned pc) {
  e->code[pc] = control(ISA_EXIT, ENV_LAST_EXIT, 0);
  e->entries = 1;
  e->entry[0] = 0;
}

/* The kernel has CTAs for all warps, so many times, if it has any. */
static void fill_with_warps(struct environment *e, unsigned times) {
  e->cta_least = e->cta_most = e->warps / ENV_CTAS;
  if (e->ctas != 0)
    e->ctas = times * ENV_CTAS;
}

/* For each register and predicate: readers, which wait for some of the writers before them while
 * others pend; and an instruction that waits for this register alone. */
static void write_waits(struct rng *r, struct environment *e) {
  unsigned pc = 0;
  for (unsigned i = 0; i < 48; i++) {
    for (unsigned k = 0; k < 6; k++)
      e->code[pc++] =
          k % 3 == 2 ? reader(r) : writer(r, k == 0 ? PREDICATE : REGISTERS, rng_below(r, 32));
    for (unsigned k = 0; k < 2; k++)
      e->code[pc++] = writer(r, i < 32 ? REGISTER : PREDICATE, i % 32);
  }
  end_program(e, pc);
  fill_with_warps(e, 1);
}

/* Notes what pends while a head waits. */
static void cover_waits(const struct flex_lockstep *c, uint64_t seen[ENV_WARPS]) {
  static struct flex_member_state state;
  if (!flex_cluster_ref_state(c->ref, 0, &state))
    return;
  bool all = true;
  for (unsigned w = 0; w < ENV_WARPS; w++) {
    if (state.scoreboard.hazard[0] >> w & 1)
      seen[w] |= state.scoreboard.wpend[w];
    all &= seen[w] == (UINT64_C(1) << 48) - 1;
  }
  cover(COVER_each_warp_waits_while_each_register_pends, all);
}

/* Kernels of a scheme in which the head of each warp waits with all fields, and is looked at again
 * while it waits: a write-back of its warp comes. */
static void run_waits(uint64_t seed, struct fl_script script, uint64_t seen[ENV_WARPS]) {
  const unsigned kernels = 1 + (unsigned)(run.cycles / 5000);
  struct flex_lockstep *c = open_run(seed, pending, script);
  while (c->kernels <= kernels) {
    cycle(c);
    if (c->in.own.kernel_start)
      for (unsigned m = 0; m < c->members; m++)
        write_waits(&c->rng, &c->e[m]);
    cover_waits(c, seen);
  }
  close_run(c, "waits");
}

static void heads_wait(void **state) {
  (void)state;
  uint64_t seen[ENV_WARPS] = {0};
  struct fl_script script = single;
  for (unsigned i = 0; i < 4; i++) {
    script.mode = i % 2 == 0 ? FLEX_BASE : FLEX_OCC;
    script.policy = i / 2 == 0 ? FL_GREEDY : FL_IN_TURN;
    run_waits(run.seed + 500 + i, script, seen);
  }
}

/* Each code of a unit and an operation, defined or not, but of control: each field of a register is
 * one of 0 to 3 where the others are not; as the first and as the second word of a fetch. */
static void write_codes(struct rng *r, struct environment *e) {
  enum { OPERATIONS = 64, UNITS = 16, FIELDS = 4 };
  unsigned pc = 0;
  for (unsigned pass = 0; pass < 2 * FIELDS; pass++) {
    const uint64_t others = UINT64_C(8) << 15 | 8 << 10 | 8 << 5 | 8;
    const uint64_t low = UINT64_C(28) << 5 * (pass % FIELDS), one = UINT64_C(8)
                                                                    << 5 * (pass % FIELDS);
    for (unsigned code = 0; code < UNITS * OPERATIONS; code++)
      if (code / OPERATIONS != ISA_U_CTRL)
        e->code[pc++] = (uint64_t)code << 48 | (uint64_t)ISA_PT << 20 |
                        (((rng_next(r) & 0xfffff) | (others & ~one)) & ~low);
    if (pass % FIELDS == FIELDS - 1)
      e->code[pc++] = control(ISA_NOP, 0, 0);
  }
  end_program(e, pc);
  e->cta_least = e->cta_most = ENV_CTAS;
  e->ctas = 1;
}

/* Runs one kernel of a program, in Base: all members work. */
static void run_program(uint64_t seed, void write(struct rng *r, struct environment *e)) {
  struct fl_script script = single;
  script.mode = FLEX_BASE;
  struct flex_lockstep *c = open_run(seed, collecting, script);
  c->closely = true; /* operands are collected soon */
  while (c->kernels < 2) {
    cycle(c);
    if (c->in.own.kernel_start)
      for (unsigned m = 0; m < c->members; m++)
        write(&c->rng, &c->e[m]);
  }
  close_run(c, "program");
}

static void all_codes(void **state) {
  (void)state;
  run_program(run.seed + 700, write_codes);
}

/* Warps that end at once, and begin in lines that nobody has asked for yet. */
static void write_ends(struct environment *e) {
  enum { WORDS = 16 };
  e->entries = ENV_ENTRIES;
  for (unsigned i = 0; i < ENV_ENTRIES; i++) {
    e->entry[i] = (uint16_t)(i * WORDS);
    e->code[i * WORDS] = control(ISA_EXIT, ENV_LAST_EXIT, 0);
  }
  fill_with_warps(e, 1);
}

/* Notes the warps of the first member that join those that wait for a line in the cycle in which it
 * has come. */
static void cover_lines(const struct flex_lockstep *c) {
  static struct flex_member_state now;
  static struct icache_view before;
  static uint64_t seen;
  flex_cluster_ref_state(c->ref, 0, &now);
  for (unsigned i = 0; i < 4; i++)
    if (((before.mshr_valid[0] & ~now.icache.mshr_valid[0]) >> i & 1) != 0)
      seen |= now.icache.mshr_waiters[i] & ~before.mshr_waiters[i];
  before = now.icache;
  cover(COVER_each_warp_asks_for_a_line_as_it_comes, seen == (UINT64_C(1) << ENV_WARPS) - 1);
}

static void lines_come(void **state) {
  (void)state;
  struct fl_script script = single;
  script.mode = FLEX_OCC;
  script.policy = FL_IN_TURN;
  struct flex_lockstep *c = open_run(run.seed + 800, waking, script);
  while (covered[COVER_each_warp_asks_for_a_line_as_it_comes] == 0 && c->cycle < LIMIT) {
    cycle(c);
    if (c->in.own.kernel_start)
      for (unsigned m = 0; m < c->members; m++)
        write_ends(&c->e[m]);
    cover_lines(c);
  }
  close_run(c, "lines");
}

/* All warps are there, by each policy and in schemes of 24 and 48 warps; with queues that are empty
 * most of the time, and full. */
static void crowds(void **state) {
  static const int modes[] = {FLEX_BASE, FLEX_OCC, FLEX_BIGSM, FLEX_BIGSM_OCC};
  (void)state;
  for (unsigned i = 0; i < 16; i++) {
    struct fl_script script = any;
    script.mode = modes[i % 4];
    script.policy = i / 4 % 2 == 0 ? FL_GREEDY : FL_IN_TURN;
    struct flex_lockstep *c = open_run(run.seed + 600 + i, i < 8 ? brisk : starved, script);
    while (c->cycle < run.cycles / 4) {
      cycle(c);
      if (c->in.own.kernel_start)
        for (unsigned m = 0; m < c->members; m++)
          fill_with_warps(&c->e[m], 4);
    }
    close_run(c, "crowd");
  }
}

/* In Base each member does in each cycle what an SM alone with 24 warps does. */
static void base_is_an_sm_alone(void **state) {
  (void)state;
  const struct env_rates *const rates[] = {&at_once, &brisk, &slow_memory};
  for (unsigned i = 0; i < sizeof rates / sizeof rates[0]; i++) {
    struct fl_script script = any;
    struct frontend_ref *sm[FL_MEMBERS];
    script.mode = FLEX_BASE;
    struct flex_lockstep *c = open_run(run.seed + 400 + i, *rates[i], script);
    for (unsigned m = 0; m < c->members; m++)
      assert_non_null(sm[m] = frontend_ref_create_with(24));
    while (c->cycle < run.cycles && c->kernels < 100) {
      cycle(c);
      for (unsigned m = 0; m < c->members; m++) {
        struct sm_frontend_in in;
        memcpy(&in, &c->in.sm[m], sizeof in);
        const struct sm_frontend_out *out = frontend_ref_peek(sm[m]);
        if (memcmp(&out->stall0, &c->out.member[m].stall0, 2 * sizeof out->stall0) != 0 ||
            out->iss0_valid != c->out.member[m].iss0_valid ||
            out->iss1_valid != c->out.member[m].iss1_valid ||
            (out->iss0_valid && (out->iss0_inst != c->out.member[m].iss0_inst ||
                                 out->iss0_mask != c->out.member[m].iss0_mask)) ||
            (out->iss1_valid && (out->iss1_pc != c->out.member[m].iss1_pc ||
                                 out->iss1_inst != c->out.member[m].iss1_inst)) ||
            out->done_valid != c->out.member[m].done_valid ||
            out->imiss_valid != c->out.member[m].imiss_valid)
          fail_msg("member %u is no SM alone in cycle %" PRIu64, m, c->cycle - 1);
        in.cfg_lrr = c->in.own.cfg_lrr;
        in.kernel_start = c->in.own.kernel_start;
        frontend_ref_step(sm[m], &in);
      }
    }
    for (unsigned m = 0; m < c->members; m++)
      frontend_ref_destroy(sm[m]);
    close_run(c, "Base");
  }
}

static void everything_is_reached(void **state) {
  (void)state;
  const unsigned count = run.members == SIX ? COVER_COUNT : OF_TWO;
  for (unsigned round = 1; testing_goes_on(cover_names, covered, count, round); round++) {
    run_programs(run.seed + 10000 * round);
    run_restless(run.seed + 10000 * round);
    run_traps(run.seed + 10000 * round);
  }
  testing_check_coverage(cover_names, covered, count);
}

/* A fresh seed, with which nothing has to be reached. */
static void fresh_programs(void **state) {
  (void)state;
  if (run.fresh == 0)
    return;
  run.cycles /= 4;
  run_programs(run.fresh);
}

int main(int argc, char **argv) {
  const int status = device_choose("flex_cluster", "Members=2", argc, argv);
  if (status != 0)
    return status;
  run.seed = device.seed;
  run.fresh = device.fresh;
  run.members = device_parameter("Members", SIX);
  run.dummy = device_parameter("Dummy", 1);
  run.cycles = device.cycles != 0 ? device.cycles : 20000;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(heads_wait),          cmocka_unit_test(crowds),
      cmocka_unit_test(all_codes),           cmocka_unit_test(lines_come),
      cmocka_unit_test(random_kernels),      cmocka_unit_test(all_pairs_of_schemes),
      cmocka_unit_test(base_is_an_sm_alone), cmocka_unit_test(everything_is_reached),
      cmocka_unit_test(fresh_programs)};
  return cmocka_run_group_tests_name("flex_cluster", tests, NULL, NULL);
}
