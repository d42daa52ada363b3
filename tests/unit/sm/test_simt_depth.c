/* simt_stack: the outputs about a warp's stack for the roll call, and about a resolve for park. */
#include "csim/ref/sm/simt_stack.h"

#define UNIT simt_stack
/* Outputs about warps that are not live are undefined. */
#define UNIT_UNDEFINED(l) hide_undefined(l)
struct lockstep;
static void hide_undefined(struct lockstep *l);
#include "tests/unit/lockstep.h"

COVER_DEFINE(COVER_NOTHING)

/* Port 1 reads warp 1, which is not live. */
static void hide_undefined(struct lockstep *l) {
  l->ref_out.rd1_pc = l->dut_out.rd1_pc = l->ref_out.rd1_mask = l->dut_out.rd1_mask =
      l->ref_out.rd1_depth = l->dut_out.rd1_depth = 0;
  if (!warpset_has(l->ref_out.live, 2))
    l->ref_out.fetch_pc = l->dut_out.fetch_pc = l->ref_out.rd0_pc = l->dut_out.rd0_pc =
        l->ref_out.rd0_mask = l->dut_out.rd0_mask = l->ref_out.rd0_depth = l->dut_out.rd0_depth = 0;
}

enum { NONE, BRA, EXIT, NO_RPC = 0xffff, W = 2, MET = 32 };
#define READ .fetch_warp = W, .iss0_warp = W, .iss1_warp = 1, .roll0_warp = W, .roll1_warp = 1
#define IDLE() TICK(READ)
#define LAUNCH(at, lanes)                                                                          \
  TICK(READ, .launch_valid = 1, .launch_warp = W, .launch_pc = at, .launch_mask = lanes)
#define ISSUE(class) TICK(READ, .iss0_valid = 1, .iss0_ctl = class)
#define BRANCH(to, meet)                                                                           \
  TICK(READ, .iss0_valid = 1, .iss0_ctl = BRA, .iss0_target = to, .iss0_rpc = meet)
#define RESOLVE(lanes) TICK(READ, .resolve_valid = 1, .resolve_warp = W, .resolve_taken = lanes)

/* Lanes that wait where the top reconverges. */
static void lanes_that_wait(struct lockstep *l) {
  LAUNCH(10, 0xff);
  BRANCH(20, 30);
  EXPECT(rd0_depth, 0);
  RESOLVE(0x0f);
  EXPECT(res_push, 2);
  EXPECT(res_rpc, 30);
  /* Lanes 0 and 1 go to 30 at once; 2 and 3 meet elsewhere meanwhile, which is not there. */
  BRANCH(30, 30);
  EXPECT(rd0_depth, 2);
  RESOLVE(0x03);
  EXPECT(res_push, 0);
  BRANCH(25, 26);
  EXPECT(rd0_depth, MET | 2);
  RESOLVE(0x04);
  EXPECT(res_push, 2);
  BRANCH(26, 26);
  EXPECT(rd0_depth, 4);
  RESOLVE(0xff);
  EXPECT(res_push, 0);
  IDLE();
  EXPECT(rd0_depth, 4);
  /* Lane 3's way to 26 is left, lane 2 waits there. */
  ISSUE(EXIT);
  EXPECT(rd0_depth, MET | 3);
  RESOLVE(0x08);
  EXPECT(res_rpc, NO_RPC);
  EXPECT(res_push, 0);
  IDLE();
  /* That both meet is known of the entry that waited for them: lanes wait at 30. */
  ISSUE(EXIT);
  EXPECT(rd0_pc, 26);
  EXPECT(rd0_depth, MET | 2);
  RESOLVE(0x04);
  IDLE();
  /* The popped entry had no lane, but lanes had been there before. */
  BRANCH(28, 29);
  EXPECT(rd0_pc, 11);
  EXPECT(rd0_depth, MET | 1);
  RESOLVE(0x10);
  IDLE();
  EXPECT(rd0_depth, 3);
}

static void nobody_waits(struct lockstep *l) {
  LAUNCH(10, 0xff);
  BRANCH(20, 30);
  RESOLVE(0x0f);
  ISSUE(EXIT);
  RESOLVE(0x0f);
  IDLE();
  IDLE();
  EXPECT(rd0_pc, 11);
  EXPECT(rd0_depth, 1);
}

UNIT_MAIN(DIRECTED(lanes_that_wait), DIRECTED(nobody_waits))
