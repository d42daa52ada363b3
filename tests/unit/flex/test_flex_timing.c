/* The delays of a Flex cluster, instruction by instruction (docs/hardware/flex_frontend.md): one
 * warp alone, in each row of a bank's ends, own and borrowed, in each scheme and with each number
 * of stages, against Base. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "csim/isa/core/isa.h"
#include "csim/ports/pipeline_rows.h"
#include "csim/ref/sm/decode.h"
#include "tests/unit/device.h"
#include "tests/unit/flex/flex_lockstep.h"
#include "tests/unit/testing.h"

enum { MEMBERS = 6, BRANCH = 2, OTHER = 3, TARGET = 4, MEET = 6, ISSUES = 9, LIMIT = 2000 };

/* The program, which one half of the lanes leaves at the branch: the PCs in their order, and how
 * many stages each is later than in Base, where a grant, a branch and a pop are one each. */
static const struct {
  uint16_t pc;
  unsigned stages;
} expected[ISSUES] = {{0, 1}, {1, 1}, {2, 1}, {4, 2}, {5, 2}, {3, 3}, {4, 3}, {5, 3}, {6, 4}};

/* A run: the warp, and the cycles from its launch to each of its issues. */
static struct {
  unsigned member, warp;
  unsigned mode, dummy;
  enum { START, WAIT, LAUNCH, RUN } phase;
  uint64_t started, launched, at[ISSUES];
  uint16_t pc[ISSUES];
  unsigned issues;
  bool done;
  uint64_t line, beat; /* of the fill; 8: none */
  struct {
    bool valid, exits;
    uint64_t due; /* cycle in which it resolves */
  } branch;
} run;

static uint64_t word_at(unsigned pc) {
  const struct isa_op *op = &isa_ops[pc == BRANCH ? ISA_BRA : pc == MEET ? ISA_EXIT : ISA_IADD];
  const uint64_t word = isa_pack((struct isa_inst){.unit = op->unit,
                                                   .op = op->op,
                                                   .guard = ISA_PT,
                                                   .src1 = 20,
                                                   .src2 = 21,
                                                   .dst = (uint8_t)(pc & 15)});
  return pc == BRANCH ? (word & ~UINT64_C(0xffff)) | (uint64_t)TARGET << 32 | MEET : word;
}

static void fill(struct flex_sm_in *in, const struct flex_member_out *out) {
  if (out->imiss_valid) {
    run.line = out->imiss_line;
    run.beat = 0;
    return;
  }
  if (run.beat > 7)
    return;
  in->fill_valid = 1;
  in->fill_line = run.line;
  in->fill_beat = run.beat;
  in->fill_data0 = word_at((unsigned)(16 * run.line + 2 * run.beat));
  in->fill_data1 = word_at((unsigned)(16 * run.line + 2 * run.beat + 1));
  run.beat++;
}

/* Collects and writes at once what issues, and resolves branches and exits two cycles later. */
static void execute(const struct flex_lockstep *c, struct flex_sm_in *in, uint64_t word,
                    uint16_t pc) {
  const unsigned dec = decode_ref_word(word), ctl = decode_ctl(dec);
  const bool far = run.warp >= 24 && (run.mode == FLEX_OCC || run.mode == FLEX_BAL);
  assert_int_equal(word >> 58, run.warp);
  assert_true(run.issues < ISSUES);
  run.pc[run.issues] = pc;
  run.at[run.issues++] = c->cycle - run.launched;
  *(far ? &in->sp_credit1 : &in->sp_credit) = 1;
  rows_put_collected((struct sm_frontend_in *)in, ROW_SP0, run.warp);
  if (decode_d_n(dec) != 0)
    rows_put_write((struct sm_frontend_in *)in, ROW_SP0,
                   (struct row_write){run.warp, word & 31, decode_d_n(dec), false});
  if (ctl == DECODE_CTL_BRA || ctl == DECODE_CTL_EXIT) {
    run.branch.valid = true;
    run.branch.exits = ctl == DECODE_CTL_EXIT;
    run.branch.due = c->cycle + 2;
  }
}

static void play(struct flex_lockstep *c) {
  struct flex_sm_in *in = &c->in.sm[run.member];
  const struct flex_member_out *out = &c->out.member[run.member];
  fill(in, out);
  if (out->iss0_valid)
    execute(c, in, out->iss0_inst, (uint16_t)out->iss0_pc);
  if (out->iss1_valid)
    execute(c, in, out->iss1_inst, (uint16_t)out->iss1_pc);
  if (run.branch.valid && run.branch.due == c->cycle) {
    in->resolve_valid = 1;
    in->resolve_warp = run.warp;
    in->resolve_taken = run.branch.exits ? UINT64_MAX : UINT64_C(0xffff);
    run.branch.valid = false;
  }
  run.done = run.done || out->done_valid;
}

static void inputs(struct flex_lockstep *c) {
  struct flex_sm_in *in = &c->in.sm[run.member];
  memset(&c->in, 0, sizeof c->in);
  switch (run.phase) {
  case START:
    c->in.own.kernel_start = 1;
    c->in.own.mode = run.mode;
    run.started = c->cycle;
    run.phase = WAIT;
    break;
  case WAIT:
    run.phase = c->cycle >= run.started + 2 && c->out.own.hold == 0 ? LAUNCH : WAIT;
    break;
  case LAUNCH:
    in->launch_valid = 1;
    in->launch_warp = run.warp;
    in->launch_last = 1;
    in->launch_mask = UINT32_MAX;
    run.launched = c->cycle;
    run.phase = RUN;
    break;
  case RUN:
    play(c);
  }
}

/* Runs the program in a warp; run.at has its cycles. */
static void run_warp(unsigned mode, unsigned dummy, unsigned member, unsigned warp) {
  static struct flex_lockstep c;
  static const struct env_rates none;
  memset(&run, 0, sizeof run);
  run.mode = mode;
  run.dummy = dummy;
  run.member = member;
  run.warp = warp;
  run.beat = 8;
  flex_lockstep_open(&c, MEMBERS, dummy, 1, none, (struct fl_script){0});
  c.inputs = inputs;
  while (!run.done && c.cycle < LIMIT)
    if (!flex_lockstep_step(&c))
      fail_msg("%s", c.wrong);
  flex_lockstep_close(&c);
  assert_int_equal(run.issues, ISSUES);
  for (unsigned i = 0; i < ISSUES; i++)
    assert_int_equal(run.pc[i], expected[i].pc);
}

/* The last own and borrowed rows of either bank, by warp; of a trio a borrower has one bank. */
static void stages_are_where_they_should_be(void **state) {
  (void)state;
  static const unsigned warps[] = {0, 11, 12, 23, 24, 35, 36, 47};
  static const struct {
    unsigned mode, members, warps; /* sets of members; how many of the warps */
  } kinds[] = {
      {FLEX_OCC, 0x25, 8}, {FLEX_BAL, 0x2d, 6}, {FLEX_BIGSM, 0x25, 4}, {FLEX_BIGSM_OCC, 0x25, 8}};
  const unsigned dummy = device_parameter("Dummy", 1);
  uint64_t base[ISSUES];
  run_warp(FLEX_BASE, dummy, 0, 0);
  memcpy(base, run.at, sizeof base);
  for (unsigned k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
    for (unsigned m = 0; m < MEMBERS; m++)
      for (unsigned w = 0; w < kinds[k].warps && (kinds[k].members >> m & 1) != 0; w++) {
        run_warp(kinds[k].mode, dummy, m, warps[w]);
        for (unsigned i = 0; i < ISSUES; i++)
          if (run.at[i] != base[i] + dummy * expected[i].stages)
            fail_msg("scheme %u, member %u, warp %u: instruction %u issues after %" PRIu64
                     " cycles, in Base after %" PRIu64,
                     run.mode, m, run.warp, i, run.at[i], base[i]);
      }
}

int main(int argc, char **argv) {
  const int status = device_choose("flex_cluster", "Members=6 Dummy=1", argc, argv);
  if (status != 0)
    return status;
  const struct CMUnitTest tests[] = {cmocka_unit_test(stages_are_where_they_should_be)};
  return cmocka_run_group_tests_name("flex_timing", tests, NULL, NULL);
}
