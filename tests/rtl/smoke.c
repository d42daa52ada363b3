/* The verilated front end against a small environment of its own: warps run a few adds, a divergent
 * branch and an exit; what issues must be what was in memory, in order, with the right lanes. */
#include "csim/ports/rows.h"
#include "harness/shim/rtl.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { WARPS = 4, LIMIT = 3000, TAKEN = 0x0000ffff };

static uint64_t word(unsigned unit, unsigned op, unsigned imm, unsigned low) {
  return (uint64_t)unit << 54 | (uint64_t)op << 48 | (uint64_t)imm << 32 | 15U << 20 | low;
}

/* 0 add, 1 add of its result, 2 bra 5 (joins at 6), 3 add, 4 bra 6 by all, 5 add, 6 add, 7 exit */
static uint64_t code(unsigned pc) {
  switch (pc) {
  case 2:
    return word(0, 1, 5, 6);
  case 4:
    return word(0, 1, 6, 6);
  case 7:
    return word(0, 2, 0, 0);
  default:
    return word(1, 3, 0, 1 | 1 << 5 | 1 << 10); /* iadd r1, r1, r1 */
  }
}

struct step {
  unsigned pc, mask;
};
static const struct step expected[] = {{0, ~0U},       {1, ~0U},       {2, ~0U}, {5, TAKEN},
                                       {3, ~0U << 16}, {4, ~0U << 16}, {6, ~0U}, {7, ~0U}};
enum { STEPS = sizeof expected / sizeof *expected };

struct bench {
  unsigned at[WARPS], done;
  struct {
    uint64_t inst;
    unsigned warp;
    int age; /* 0: free */
  } flight[8];
  unsigned line_age, beat;
  bool filling;
};

static void issue(struct bench *b, uint64_t inst, uint64_t pc, uint64_t mask) {
  unsigned warp = (unsigned)(inst >> 58);
  assert_in_range(warp, 0, WARPS - 1);
  assert_in_range(b->at[warp], 0, STEPS - 1);
  const struct step *e = &expected[b->at[warp]++];
  assert_int_equal(pc, e->pc);
  assert_int_equal(mask, e->mask);
  assert_int_equal(inst & ~(UINT64_C(63) << 58), code(e->pc));
  for (unsigned i = 0; i < 8; i++)
    if (b->flight[i].age == 0) {
      b->flight[i].inst = inst;
      b->flight[i].warp = warp;
      b->flight[i].age = 1;
      return;
    }
  fail_msg("more in flight than there are slots");
}

/* One instruction collects, resolves or writes back in a cycle, the oldest first. */
static void back_end(struct bench *b, struct sm_frontend_in *in) {
  for (unsigned i = 0; i < 8; i++)
    if (b->flight[i].age)
      b->flight[i].age++;
  for (unsigned i = 0; i < 8; i++) {
    uint64_t inst = b->flight[i].inst;
    unsigned pc = (unsigned)(inst >> 48 & 63);
    bool control = (inst >> 54 & 15) == 0;
    if (b->flight[i].age == 4 && in->col_valid == 0) {
      rows_put_collected(in, ROW_SP0, b->flight[i].warp);
      in->sp_credit = 1;
    } else if (b->flight[i].age == 4) {
      b->flight[i].age--; /* the port is taken: again in the next cycle */
    } else if (b->flight[i].age > 8 && control && !in->resolve_valid) {
      in->resolve_valid = 1;
      in->resolve_warp = b->flight[i].warp;
      in->resolve_taken = pc == 1 && (inst >> 32 & 0xffff) == 5 ? TAKEN : ~0U;
      b->flight[i].age = 0;
    } else if (b->flight[i].age > 8 && !control && in->wb_valid == 0) {
      rows_put_write(in, ROW_SP0, (struct row_write){b->flight[i].warp, 1, 1, false});
      b->flight[i].age = 0;
    }
  }
}

static struct rtl_model *create(bool full, uint64_t seed) {
  const struct rtl_build *build = rtl_find("sm_frontend", "WarpSize=32");
  assert_non_null(build);
  return rtl_create(build, full, seed);
}

static void run(bool full, const char *trace) {
  struct rtl_model *f = create(full, 7);
  struct bench b = {0};
  if (trace)
    assert_int_equal(rtl_trace_open(f, trace), 0);
  for (unsigned t = 0; t < LIMIT && b.done < WARPS; t++) {
    struct sm_frontend_out o;
    struct sm_frontend_in in = {0};
    rtl_out(f, &o);
    if (o.iss0_valid)
      issue(&b, o.iss0_inst, o.iss0_pc, o.iss0_mask);
    if (o.iss1_valid)
      issue(&b, o.iss1_inst, o.iss1_pc, o.iss1_mask);
    b.done += (unsigned)o.done_valid;
    assert_int_equal(o.trap_valid, 0);
    in.kernel_start = t == 0;
    if (t >= 1 && t <= WARPS) {
      in.launch_valid = 1;
      in.launch_warp = t - 1;
      in.launch_last = t == WARPS;
      in.launch_mask = ~0U;
    }
    if (o.imiss_valid) {
      assert_int_equal(o.imiss_line, 0);
      b.filling = true;
    }
    if (b.filling) {
      in.fill_valid = 1;
      in.fill_beat = b.beat;
      in.fill_data0 = code(2 * b.beat);
      in.fill_data1 = code(2 * b.beat + 1);
      b.filling = ++b.beat < 8;
    }
    back_end(&b, &in);
    if (trace)
      rtl_trace_time(f, (uint64_t)t * 1428, 1428);
    rtl_step(f, &in);
  }
  assert_int_equal(b.done, WARPS);
  for (unsigned w = 0; w < WARPS; w++)
    assert_int_equal(b.at[w], STEPS);
  if (trace)
    rtl_trace_close(f);
  const char *first = NULL;
  if (rtl_assertions(f, &first))
    fail_msg("assertion: %s", first);

  struct sm_frontend_state state;
  memset(&state, 0xff, sizeof state);
  rtl_view(f, 0, &state);
  assert_int_equal(state.simt_stack.live[0], 0);
  assert_int_equal(state.scoreboard.wpend[0], 0);
  assert_int_equal(state.icache.valid[0], 1);
  rtl_destroy(f);
}

static void plain(void **state) {
  (void)state;
  run(false, NULL);
}

static void full(void **state) {
  (void)state;
  run(true, NULL);
}

static void traced(void **state) {
  (void)state;
  run(true, "smoke.fst");
  FILE *file = fopen("smoke.fst", "rb");
  assert_non_null(file);
  fseek(file, 0, SEEK_END);
  assert_true(ftell(file) > 1000);
  fclose(file);
  unlink("smoke.fst");
}

static void bad_path(void **state) {
  (void)state;
  struct rtl_model *f = create(true, 1);
  assert_true(rtl_trace_open(f, "/nonexistent/x.fst") < 0);
  rtl_destroy(f);
}

/* A credit that nobody took breaks the contract: the assertion is counted, and named. */
static void assertion(void **state) {
  (void)state;
  struct rtl_model *f = create(true, 1);
  struct sm_frontend_in in = {.mem_credit = 1};
  rtl_step(f, &in);
  in.mem_credit = 0;
  for (int i = 0; i < 3; i++)
    rtl_step(f, &in);
  const char *first = NULL;
  assert_true(rtl_assertions(f, &first) > 0);
  assert_non_null(strstr(first, "issue.sv"));
  rtl_destroy(f);
}

static void faults(void **state) {
  (void)state;
  struct rtl_model *f = create(false, 1);
  assert_int_equal(rtl_bug(f, 1), -1);
  rtl_destroy(f);
  f = create(true, 1);
  assert_int_equal(rtl_bug(f, 1), 0);
  rtl_destroy(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain),    cmocka_unit_test(full),      cmocka_unit_test(traced),
      cmocka_unit_test(bad_path), cmocka_unit_test(assertion), cmocka_unit_test(faults),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
