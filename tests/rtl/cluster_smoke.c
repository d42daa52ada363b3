/* The verilated cluster against a small environment: warps add, load, branch, meet at a barrier and
 * exit.  While the members are grouped they issue the same in the same cycles; when a slave's
 * branch goes another way than its master's, each goes on by itself, and none loses or repeats
 * anything. */
#include "csim/ports/rows.h"
#include "harness/shim/rtl.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { WARPS = 4, MEMBERS_MAX = 8, LIMIT = 1500, FLIGHTS = 16, LINE_LATENCY = 12, POWER_UP = 24 };
enum { SP_COLLECTS = 3, RESOLVES = 6, WRITES_BACK = 8, LOADS = 20 };
enum { UNIT_CTRL = 0, UNIT_MEM = 13, OP_BRA = 1, OP_EXIT = 2, OP_BAR = 3 };
#define ALL UINT32_C(0xffffffff)

static uint64_t word(unsigned unit, unsigned op, unsigned imm, unsigned mods, unsigned low) {
  return (uint64_t)unit << 54 | (uint64_t)op << 48 | (uint64_t)imm << 32 | (uint64_t)mods << 25 |
         15U << 20 | low;
}

/* 0 add, 1 load, 2 add of what it loads, 3 bra 6 (joins at 6), 4 and 5 add, 6 bar, 7 exit */
static uint64_t code(unsigned pc) {
  switch (pc) {
  case 1:
    return word(UNIT_MEM, 0, 0, 2, 4 | 2 << 5);
  case 2:
    return word(1, 3, 0, 0, 5 | 4 << 5 | 4 << 10);
  case 3:
    return word(UNIT_CTRL, OP_BRA, 6, 0, 6);
  case 6:
    return word(UNIT_CTRL, OP_BAR, 0, 0, 0);
  case 7:
    return word(UNIT_CTRL, OP_EXIT, 0, 0, 0);
  default:
    return word(1, 3, 0, 0, 1 | 1 << 5 | 1 << 10);
  }
}

struct flight {
  bool busy;
  unsigned age, warp;
  uint64_t inst;
};

/* What stands for a member's back end and memory. */
struct member {
  struct flight flight[FLIGHTS];
  uint32_t taken[WARPS]; /* lanes that branch */
  unsigned at[WARPS];    /* instructions that the warp has issued */
  bool done[WARPS];
  bool filling;
  unsigned fill_age, beat, line;
};

struct bench {
  struct rtl_model *c;
  unsigned members, delay, cycle;
  struct member member[MEMBERS_MAX];
  struct cluster_out all;
  bool sent[8]; /* a packet in slot 0, so many cycles ago */
  unsigned grouped, alone, loads;
};

static unsigned unit_of(uint64_t inst) { return inst >> 54 & 15; }
static unsigned op_of(uint64_t inst) { return inst >> 48 & 63; }

/* The n-th instruction of a warp and its lanes; false after the last. */
static bool expected(uint32_t taken, unsigned n, unsigned *pc, uint32_t *mask) {
  static const unsigned by_all[] = {0, 1, 2, 3, 6, 7}, by_some[] = {0, 1, 2, 3, 4, 5, 6, 7};
  const unsigned *path = taken == ALL ? by_all : by_some;
  if (n >= (taken == ALL ? 6U : 8U))
    return false;
  *pc = path[n];
  *mask = *pc == 4 || *pc == 5 ? ~taken : ALL;
  return true;
}

static void issued(struct member *m, uint64_t inst, uint64_t pc, uint64_t mask) {
  unsigned warp = (unsigned)(inst >> 58), want_pc = 0;
  uint32_t want_mask = 0;
  assert_in_range(warp, 0, WARPS - 1);
  assert_true(expected(m->taken[warp], m->at[warp]++, &want_pc, &want_mask));
  assert_int_equal(pc, want_pc);
  assert_int_equal(mask, want_mask);
  assert_int_equal(inst & ~(UINT64_C(63) << 58), code(want_pc));
  if (want_pc == 6)
    return;
  for (unsigned i = 0; i < FLIGHTS; i++)
    if (!m->flight[i].busy) {
      m->flight[i] = (struct flight){.busy = true, .warp = warp, .inst = inst};
      return;
    }
  fail_msg("more in flight than there is room for");
}

/* One register. */
static struct row_write result_of(const struct flight *f) {
  return (struct row_write){f->warp, (unsigned)(f->inst & 31), 1, false};
}

/* An event of one instruction; false if its port is taken, so that it has to wait. */
static bool event(struct bench *b, unsigned i, struct flight *f, struct sm_frontend_in *in) {
  struct member *m = &b->member[i];
  bool mem = unit_of(f->inst) == UNIT_MEM, control = unit_of(f->inst) == UNIT_CTRL;
  unsigned late = mem ? 5 * i : 0; /* memory is slower the farther the member is */
  if (f->age == SP_COLLECTS + late) {
    if (mem) {
      if (row_bit(in->col_valid, ROW_MEM))
        return false;
      rows_put_collected(in, ROW_MEM, f->warp);
      in->mem_credit = 1;
    } else {
      const unsigned port = row_bit(in->col_valid, ROW_SP0) ? ROW_SP1 : ROW_SP0;
      if (row_bit(in->col_valid, port))
        return false;
      rows_put_collected(in, port, f->warp);
      in->sp_credit++;
    }
  }
  if (control && f->age == RESOLVES) {
    if (in->resolve_valid)
      return false;
    in->resolve_valid = 1;
    in->resolve_warp = f->warp;
    in->resolve_taken = op_of(f->inst) == OP_EXIT ? ALL : m->taken[f->warp];
    f->busy = false;
  }
  if (mem && f->age == LOADS + 2 * late) {
    if (row_bit(in->wb_valid, ROW_MEM))
      return false;
    rows_put_write(in, ROW_MEM, result_of(f));
    f->busy = false;
    b->loads++;
  }
  if (!mem && !control && f->age == WRITES_BACK) {
    if (row_bit(in->wb_valid, ROW_SP0))
      return false;
    rows_put_write(in, ROW_SP0, result_of(f));
    f->busy = false;
  }
  return true;
}

static void fill(struct member *m, struct sm_frontend_in *in) {
  if (!m->filling || m->fill_age++ < LINE_LATENCY)
    return;
  in->fill_valid = 1;
  in->fill_line = m->line;
  in->fill_beat = m->beat;
  in->fill_data0 = code(m->line * 16 + 2 * m->beat);
  in->fill_data1 = code(m->line * 16 + 2 * m->beat + 1);
  m->filling = ++m->beat < 8;
}

static void look(struct bench *b) {
  rtl_out(b->c, &b->all);
  for (unsigned i = 0; i < b->members; i++) {
    struct buddy_member_out *o = &b->all.member[i];
    struct member *m = &b->member[i];
    if (o->iss0_valid)
      issued(m, o->iss0_inst, o->iss0_pc, o->iss0_mask);
    if (o->iss1_valid)
      issued(m, o->iss1_inst, o->iss1_pc, o->iss1_mask);
    if (o->done_valid)
      m->done[o->done_warp] = true;
    if (o->imiss_valid) {
      assert_false(m->filling);
      assert_false(b->all.own.slave >> i & 1);
      m->filling = true;
      m->fill_age = m->beat = 0;
      m->line = (unsigned)o->imiss_line;
    }
    assert_false(o->trap_valid);
    b->alone += !(b->all.own.slave >> i & 1) && i != 0 && (o->iss0_valid || o->iss1_valid);
    if (!(b->all.own.slave >> i & 1))
      continue;
    const struct buddy_member_out *lead = &b->all.member[b->all.own.lead >> 3 * i & 7];
    assert_int_equal(o->iss0_valid, lead->iss0_valid);
    assert_int_equal(o->iss1_valid, lead->iss1_valid);
    if (o->iss0_valid)
      assert_int_equal(o->iss0_inst, lead->iss0_inst);
    if (o->iss1_valid)
      assert_int_equal(o->iss1_inst, lead->iss1_inst);
    bool any = o->iss0_valid || o->iss1_valid;
    assert_int_equal(any, b->sent[b->delay - 1]);
    b->grouped += any;
  }
  memmove(b->sent + 1, b->sent, sizeof b->sent - sizeof *b->sent);
  b->sent[0] = b->all.member[0].p0_valid; /* only member 0 leads here */
}

static void cycle(struct bench *b) {
  struct cluster_in in = {.own = {.kernel_start = b->cycle == 0, .power_up = POWER_UP}};
  struct sm_frontend_in *min = in.sm;
  for (unsigned i = 0; i < b->members; i++) {
    struct member *m = &b->member[i];
    if (b->cycle >= 1 && b->cycle <= WARPS) {
      min[i].launch_valid = 1;
      min[i].launch_warp = b->cycle - 1;
      min[i].launch_last = b->cycle == WARPS;
      min[i].launch_mask = ALL;
    }
    for (unsigned k = 0; k < FLIGHTS; k++)
      if (m->flight[k].busy) {
        m->flight[k].age++;
        if (!event(b, i, &m->flight[k], &min[i]))
          m->flight[k].age--;
      }
    fill(m, &min[i]);
  }
  rtl_step(b->c, &in);
  b->cycle++;
  look(b);
}

static bool all_done(const struct bench *b) {
  for (unsigned i = 0; i < b->members; i++)
    for (unsigned w = 0; w < WARPS; w++)
      if (!b->member[i].done[w])
        return false;
  return true;
}

/* Runs until every warp of every member has ended. */
static void run(struct bench *b, const struct rtl_build *build) {
  const char *first;
  unsigned hop;
  assert_int_equal(sscanf(build->parameters, "Members=%u Hop=%u", &b->members, &hop), 2);
  b->delay = (hop * (b->members - 1) + 2) / 2;
  b->c = rtl_create(build, true, 7);
  while (b->cycle < LIMIT && !all_done(b))
    cycle(b);
  for (unsigned i = 0; i < b->members; i++)
    for (unsigned w = 0; w < WARPS; w++) {
      unsigned pc;
      uint32_t mask;
      assert_true(b->member[i].done[w]);
      assert_false(expected(b->member[i].taken[w], b->member[i].at[w], &pc, &mask));
    }
  assert_int_equal(b->loads, WARPS * b->members);
  if (rtl_assertions(b->c, &first) != 0)
    fail_msg("%s", first);
}

static void same_directions(const struct rtl_build *build) {
  struct bench b = {0};
  for (unsigned i = 0; i < MEMBERS_MAX; i++)
    for (unsigned w = 0; w < WARPS; w++)
      b.member[i].taken[w] = w == 0 ? ALL : w == 1 ? 0 : ALL >> (i + w);
  run(&b, build);
  assert_int_equal(b.all.own.state & 7, 1);
  assert_int_equal(b.alone, 0);
  assert_int_equal(b.grouped > 0, 1);
  for (unsigned i = 0; i < 60; i++)
    cycle(&b);
  assert_int_equal(b.all.member[0].drained, 1);
  for (unsigned i = 1; i < b.members; i++) {
    assert_int_equal(b.all.own.power >> i & 1, 0);
    assert_int_equal(b.all.member[i].drained, 1);
  }
  rtl_destroy(b.c);
}

static void one_differs(const struct rtl_build *build) {
  struct bench b = {0};
  const unsigned last = (unsigned)build->parameters[8] - '0' - 1; /* "Members=4 ..." */
  for (unsigned i = 0; i < MEMBERS_MAX; i++)
    for (unsigned w = 0; w < WARPS; w++)
      b.member[i].taken[w] = ALL >> (i + 1);
  b.member[last].taken[2] = ALL;
  run(&b, build);
  assert_int_equal(b.all.own.state & 7, 4);
  assert_int_equal(b.all.own.power, (1U << b.members) - 1);
  assert_true(b.grouped > 0);
  assert_true(b.alone > 0);
  rtl_destroy(b.c);
}

static void each_cluster(void (*test)(const struct rtl_build *build)) {
  for (const struct rtl_build *b = rtl_builds; b->unit != NULL; b++)
    if (strcmp(b->unit, "buddy_cluster") == 0)
      test(b);
}

static void test_same_directions(void **state) {
  (void)state;
  each_cluster(same_directions);
}

static void test_one_differs(void **state) {
  (void)state;
  each_cluster(one_differs);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_directions),
                                     cmocka_unit_test(test_one_differs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
