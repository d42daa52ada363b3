// simt_stack with its entries in a context Dummy stages away: equal, in every cycle, to one that holds its entries,
// whose pops wait for the end of those of the former.  Such a pop ends Dummy cycles after it began, and one begins as
// soon as a warp waits for it; with Bypass, both are one cycle.  So with Bypass the two are equal as they are.
//
// The warps are 0, whose row is the SM's own, and 3, whose row is borrowed: row 1 of bank 1 of the same context,
// which a neighbour on its right has.
module simt_stack_formal #(
  parameter int unsigned Dummy = 1,
  parameter int unsigned Bypass = 0,
  parameter int unsigned Never = 0,  // claims that a borrowed row is never pushed to and popped
  localparam int unsigned Warps = 4,
  localparam int unsigned Lanes = 2,
  localparam int unsigned StackDepth = 4,
  localparam int unsigned PcW = 16
) (
  input logic             clk_i,
  input logic             launch_valid_i,
  input logic             launch_upper_i,  // warp 3
  input logic [3:0]       launch_pc_i,
  input logic [Lanes-1:0] launch_mask_i,
  input logic             resolve_valid_i,
  input logic             resolve_upper_i,
  input logic [Lanes-1:0] resolve_taken_i,
  input logic             iss0_valid_i,
  input logic [1:0]       iss0_ctl_i,
  input logic [3:0]       iss0_target_i,
  input logic [3:0]       iss0_rpc_i,      // 15: none
  input logic             iss1_valid_i,
  input logic [1:0]       iss1_ctl_i,
  input logic [3:0]       iss1_target_i,
  input logic [3:0]       iss1_rpc_i
);
  logic rst_n;
  initial rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  // PCs of a short program.
  logic [PcW-1:0] target0, target1, rpc0, rpc1;
  assign target0 = {12'd0, iss0_target_i};
  assign target1 = {12'd0, iss1_target_i};
  assign rpc0    = (iss0_rpc_i == 4'd15) ? tandem_pkg::NoRpc : {12'd0, iss0_rpc_i};
  assign rpc1    = (iss1_rpc_i == 4'd15) ? tandem_pkg::NoRpc : {12'd0, iss1_rpc_i};

  logic [5:0] launch_warp, resolve_warp;
  assign launch_warp  = launch_upper_i ? 6'd3 : 6'd0;
  assign resolve_warp = resolve_upper_i ? 6'd3 : 6'd0;

  // Targets on their way.
  logic br0, br1;
  logic [2*PcW-1:0] br0_pcs, br1_pcs;
  flex_edge #(.Width(2*PcW), .Stages(Dummy)) u_br0 (
    .clk_i, .rst_ni(rst_n), .bypass_i(1'(Bypass)), .valid_i(iss0_valid_i && iss0_ctl_i == tandem_pkg::CtlBra),
    .data_i({target0, rpc0}), .valid_o(br0), .data_o(br0_pcs)
  );
  flex_edge #(.Width(2*PcW), .Stages(Dummy)) u_br1 (
    .clk_i, .rst_ni(rst_n), .bypass_i(1'(Bypass)), .valid_i(iss1_valid_i && iss1_ctl_i == tandem_pkg::CtlBra),
    .data_i({target1, rpc1}), .valid_o(br1), .data_o(br1_pcs)
  );

  logic [PcW-1:0]   unused_fetch_pc, pc0, pc1;
  logic [Lanes-1:0] mask0, mask1, push0_mask, push1_mask, own_mask, far_mask;
  logic [Warps-1:0] live, ctrl, settle;
  logic [1:0]       own_push, far_push;
  logic [4:0]       push_row, pop_row;
  logic [2:0]       push_depth, pop_at;
  logic [2*PcW-1:0] push0_pcs, push1_pcs, own_pcs, far_pcs;
  logic             pop_valid, own_pop, far_pop, flush, flush_far, done, trap;
  logic [1:0]       push_valid, unused_late_dirs;
  logic [5:0]       pop_warp, flush_warp, done_warp, trap_warp, unused_late_depth0, unused_late_depth1;
  logic [PcW-1:0]   unused_late_at, unused_late_join;
  simt_stack #(
    .Warps(Warps),
    .WarpSize(Lanes),
    .StackDepth(StackDepth),
    .Stages(Dummy),
    .Outcomes(1'b0)
  ) u_late (
    .clk_i, .rst_ni(rst_n), .kernel_start_i(1'b0), .bypass_i(1'(Bypass)), .launch_valid_i,
    .launch_warp_i(launch_warp), .launch_pc_i({12'd0, launch_pc_i}), .launch_mask_i, .resolve_valid_i,
    .resolve_warp_i(resolve_warp), .resolve_taken_i, .iss0_valid_i, .iss0_warp_i(6'd0), .iss0_ctl_i,
    .iss1_valid_i, .iss1_warp_i(6'd3), .iss1_ctl_i, .br0_valid_i(br0), .br0_warp_i(6'd0),
    .br0_target_i(br0_pcs[2*PcW-1:PcW]), .br0_rpc_i(br0_pcs[PcW-1:0]), .br1_valid_i(br1), .br1_warp_i(6'd3),
    .br1_target_i(br1_pcs[2*PcW-1:PcW]), .br1_rpc_i(br1_pcs[PcW-1:0]), .defer_i('0), .fetch_warp_i(6'd0),
    .fetch_pc_o(unused_fetch_pc), .rd0_pc_o(pc0), .rd0_mask_o(mask0), .rd1_pc_o(pc1), .rd1_mask_o(mask1),
    .depth0_warp_i('0), .depth1_warp_i('0), .depth0_o(unused_late_depth0), .depth1_o(unused_late_depth1),
    .live_o(live), .ctrl_o(ctrl), .settle_o(settle), .push_o(push_valid), .push_depth_o(push_depth),
    .push0_mask_o(push0_mask), .push0_pcs_o(push0_pcs), .push1_mask_o(push1_mask), .push1_pcs_o(push1_pcs),
    .pop_valid_o(pop_valid), .pop_warp_o(pop_warp), .pop_at_o(pop_at),
    .pop_mask_i(flush_far ? far_mask : own_mask), .pop_pcs_i(flush_far ? far_pcs : own_pcs),
    .flush_valid_o(flush), .flush_warp_o(flush_warp), .done_valid_o(done), .done_warp_o(done_warp),
    .trap_valid_o(trap), .trap_warp_o(trap_warp), .res_at_o(unused_late_at), .res_dirs_o(unused_late_dirs),
    .res_rpc_o(unused_late_join)
  );
  flex_row #(.OwnRows(2), .Requests(2)) u_push_row (
    .valid_i(push_valid), .warp_i(resolve_warp), .own_o(own_push), .far_o(far_push), .row_o(push_row)
  );
  flex_row #(.OwnRows(2)) u_pop_row (
    .valid_i(pop_valid), .warp_i(pop_warp), .own_o(own_pop), .far_o(far_pop), .row_o(pop_row)
  );
  assign flush_far = flush_warp >= 6'd2;

  // Requests on their way, and the context.
  localparam int unsigned PushW = 2 + 2 + 3 + 2 * (Lanes + 2 * PcW);
  localparam int unsigned PopW = 2 + 3;
  logic [PushW-1:0] push, own_push_at, far_push_at;
  logic [PopW-1:0]  pop, own_pop_at, far_pop_at;
  logic             own_pushed, far_pushed, own_popped, far_popped;
  assign push = {own_push | far_push, push_row[1:0], push_depth, push0_mask, push0_pcs, push1_mask, push1_pcs};
  assign pop  = {pop_row[1:0], pop_at};
  flex_edge #(.Width(PushW), .Stages(Dummy)) u_own_push (
    .clk_i, .rst_ni(rst_n), .bypass_i(1'(Bypass)), .valid_i(own_push != '0), .data_i(push),
    .valid_o(own_pushed), .data_o(own_push_at)
  );
  flex_edge #(.Width(PushW), .Stages(Dummy)) u_far_push (
    .clk_i, .rst_ni(rst_n), .bypass_i(1'(Bypass)), .valid_i(far_push != '0), .data_i(push),
    .valid_o(far_pushed), .data_o(far_push_at)
  );
  flex_edge #(.Width(PopW), .Stages(Dummy)) u_own_pop (
    .clk_i, .rst_ni(rst_n), .bypass_i(1'(Bypass)), .valid_i(own_pop), .data_i(pop), .valid_o(own_popped),
    .data_o(own_pop_at)
  );
  flex_edge #(.Width(PopW), .Stages(Dummy)) u_far_pop (
    .clk_i, .rst_ni(rst_n), .bypass_i(1'(Bypass)), .valid_i(far_pop), .data_i(pop), .valid_o(far_popped),
    .data_o(far_pop_at)
  );
  logic [1:0]       c_own_push, c_own_row, c_far_push, c_far_row;
  logic [2:0]       c_own_depth, c_far_depth;
  logic [Lanes-1:0] c_own0_mask, c_own1_mask, c_far0_mask, c_far1_mask;
  logic [2*PcW-1:0] c_own0_pcs, c_own1_pcs, c_far0_pcs, c_far1_pcs;
  assign {c_own_push, c_own_row, c_own_depth, c_own0_mask, c_own0_pcs, c_own1_mask, c_own1_pcs} =
      own_push_at & {PushW{own_pushed}};
  assign {c_far_push, c_far_row, c_far_depth, c_far0_mask, c_far0_pcs, c_far1_mask, c_far1_pcs} =
      far_push_at & {PushW{far_pushed}};
  logic [78:0]      unused_own0, unused_own1, unused_left0, unused_left1, unused_far0, unused_far1;
  logic [Lanes-1:0] unused_left_mask;
  logic [2*PcW-1:0] unused_left_pcs;
  flex_context #(
    .Rows(4),
    .Lanes(Lanes),
    .Depth(StackDepth)
  ) u_context (
    .clk_i, .owner_i({2'd2, 2'd0}),
    .own_wr_valid_i(1'b0), .own_wr_row_i('0), .own_wr_two_i(1'b0), .own_wr_inst0_i('0), .own_wr_dec0_i('0),
    .own_wr_inst1_i('0), .own_wr_dec1_i('0), .own_rd0_valid_i(1'b0), .own_rd0_row_i('0), .own_rd0_b_i(1'b0),
    .own_rd1_valid_i(1'b0), .own_rd1_row_i('0), .own_rd1_b_i(1'b0), .own_push_i(c_own_push),
    .own_push_row_i(c_own_row), .own_push_depth_i(c_own_depth), .own_push0_mask_i(c_own0_mask),
    .own_push0_pcs_i(c_own0_pcs), .own_push1_mask_i(c_own1_mask), .own_push1_pcs_i(c_own1_pcs),
    .own_pop_valid_i(own_popped), .own_pop_row_i(own_pop_at[4:3]), .own_pop_at_i(own_pop_at[2:0]),
    .own_rd0_inst_o(unused_own0[63:0]), .own_rd0_dec_o(unused_own0[78:64]), .own_rd1_inst_o(unused_own1[63:0]),
    .own_rd1_dec_o(unused_own1[78:64]), .own_pop_mask_o(own_mask), .own_pop_pcs_o(own_pcs),
    .left_wr_valid_i(1'b0), .left_wr_row_i('0), .left_wr_two_i(1'b0), .left_wr_inst0_i('0),
    .left_wr_dec0_i('0), .left_wr_inst1_i('0), .left_wr_dec1_i('0), .left_rd0_valid_i(1'b0),
    .left_rd0_row_i('0), .left_rd0_b_i(1'b0), .left_rd1_valid_i(1'b0), .left_rd1_row_i('0), .left_rd1_b_i(1'b0),
    .left_push_i('0), .left_push_row_i('0), .left_push_depth_i('0), .left_push0_mask_i('0),
    .left_push0_pcs_i('0), .left_push1_mask_i('0), .left_push1_pcs_i('0), .left_pop_valid_i(1'b0),
    .left_pop_row_i('0), .left_pop_at_i('0), .left_rd0_inst_o(unused_left0[63:0]),
    .left_rd0_dec_o(unused_left0[78:64]), .left_rd1_inst_o(unused_left1[63:0]),
    .left_rd1_dec_o(unused_left1[78:64]), .left_pop_mask_o(unused_left_mask), .left_pop_pcs_o(unused_left_pcs),
    .right_wr_valid_i(1'b0), .right_wr_row_i('0), .right_wr_two_i(1'b0), .right_wr_inst0_i('0),
    .right_wr_dec0_i('0), .right_wr_inst1_i('0), .right_wr_dec1_i('0), .right_rd0_valid_i(1'b0),
    .right_rd0_row_i('0), .right_rd0_b_i(1'b0), .right_rd1_valid_i(1'b0), .right_rd1_row_i('0),
    .right_rd1_b_i(1'b0), .right_push_i(c_far_push), .right_push_row_i(c_far_row),
    .right_push_depth_i(c_far_depth), .right_push0_mask_i(c_far0_mask), .right_push0_pcs_i(c_far0_pcs),
    .right_push1_mask_i(c_far1_mask), .right_push1_pcs_i(c_far1_pcs), .right_pop_valid_i(far_popped),
    .right_pop_row_i(far_pop_at[4:3]), .right_pop_at_i(far_pop_at[2:0]), .right_rd0_inst_o(unused_far0[63:0]),
    .right_rd0_dec_o(unused_far0[78:64]), .right_rd1_inst_o(unused_far1[63:0]),
    .right_rd1_dec_o(unused_far1[78:64]), .right_pop_mask_o(far_mask), .right_pop_pcs_o(far_pcs)
  );

  // The stack that holds its entries, whose pops wait.
  logic             s_br0, s_br1;
  assign s_br0 = iss0_valid_i && iss0_ctl_i == tandem_pkg::CtlBra;
  assign s_br1 = iss1_valid_i && iss1_ctl_i == tandem_pkg::CtlBra;
  logic [PcW-1:0]   s_fetch_pc, s_pc0, s_pc1, unused_at, unused_join;
  logic [Lanes-1:0] s_mask0, s_mask1, unused_push0_mask, unused_push1_mask;
  logic [5:0]       unused_depth0, unused_depth1, unused_pop_warp, s_flush_warp, s_done_warp, s_trap_warp;
  logic [Warps-1:0] s_live, s_ctrl, s_settle, ended;
  logic             s_flush, s_done, s_trap, unused_pop_valid;
  logic [1:0]       unused_dirs, unused_push;
  logic [2:0]       unused_push_depth, unused_pop_at;
  logic [2*PcW-1:0] unused_push0_pcs, unused_push1_pcs;
  assign ended = flush ? Warps'(1) << flush_warp : '0;
  simt_stack #(
    .Warps(Warps),
    .WarpSize(Lanes),
    .StackDepth(StackDepth),
    .Outcomes(1'b0)
  ) u_stack (
    .clk_i, .rst_ni(rst_n), .kernel_start_i(1'b0), .bypass_i(1'b0), .launch_valid_i, .launch_warp_i(launch_warp),
    .launch_pc_i({12'd0, launch_pc_i}), .launch_mask_i, .resolve_valid_i, .resolve_warp_i(resolve_warp),
    .resolve_taken_i, .iss0_valid_i, .iss0_warp_i(6'd0), .iss0_ctl_i, .iss1_valid_i, .iss1_warp_i(6'd3), .iss1_ctl_i,
    .br0_valid_i(s_br0), .br0_warp_i(6'd0), .br0_target_i(target0), .br0_rpc_i(rpc0), .br1_valid_i(s_br1),
    .br1_warp_i(6'd3), .br1_target_i(target1), .br1_rpc_i(rpc1), .defer_i(~ended), .fetch_warp_i(6'd0),
    .fetch_pc_o(s_fetch_pc), .rd0_pc_o(s_pc0), .rd0_mask_o(s_mask0), .rd1_pc_o(s_pc1), .rd1_mask_o(s_mask1),
    .depth0_warp_i('0), .depth1_warp_i('0), .depth0_o(unused_depth0), .depth1_o(unused_depth1), .live_o(s_live),
    .ctrl_o(s_ctrl), .settle_o(s_settle), .push_o(unused_push), .push_depth_o(unused_push_depth),
    .push0_mask_o(unused_push0_mask), .push0_pcs_o(unused_push0_pcs), .push1_mask_o(unused_push1_mask),
    .push1_pcs_o(unused_push1_pcs), .pop_valid_o(unused_pop_valid), .pop_warp_o(unused_pop_warp),
    .pop_at_o(unused_pop_at), .pop_mask_i('0), .pop_pcs_i('0), .flush_valid_o(s_flush),
    .flush_warp_o(s_flush_warp), .done_valid_o(s_done), .done_warp_o(s_done_warp), .trap_valid_o(s_trap),
    .trap_warp_o(s_trap_warp), .res_at_o(unused_at), .res_dirs_o(unused_dirs), .res_rpc_o(unused_join)
  );

  // Legal inputs.  A branch is resolved after its target has come.
  logic [Warps-1:0] due_q, due;
  logic [Warps-1:0] busy;  // in the middle of something
  always_comb begin
    due = due_q;
    if (iss0_valid_i && iss0_ctl_i == tandem_pkg::CtlBra) due[0] = 1'b1;
    if (iss1_valid_i && iss1_ctl_i == tandem_pkg::CtlBra) due[3] = 1'b1;
    if (br0) due[0] = 1'b0;
    if (br1) due[3] = 1'b0;
    busy = ctrl | settle;
    if (!rst_n) assume (!launch_valid_i && !resolve_valid_i && !iss0_valid_i && !iss1_valid_i);
    if (launch_valid_i) assume (!live[launch_warp[1:0]] && launch_mask_i != '0);
    if (iss0_valid_i) assume (live[0] && !busy[0]);
    if (iss1_valid_i) assume (live[3] && !busy[3]);
    if (resolve_valid_i) assume (ctrl[resolve_warp[1:0]] && !due_q[resolve_warp[1:0]]);
  end
  initial due_q = '0;
  always_ff @(posedge clk_i) due_q <= rst_n ? due : '0;

  // Pops that are under way: warps, and those that began so many cycles ago.
  logic [Warps-1:0] popping_q, began1_q, began2_q, waits, begins, ends;
  always_comb begin
    waits  = settle & ~popping_q;
    begins = waits & (~waits + Warps'(1));
    ends   = begins;
    if (Bypass == 0) ends = (Dummy == 1) ? began1_q : began2_q;
  end
  initial {popping_q, began1_q, began2_q} = '0;
  always_ff @(posedge clk_i) begin
    popping_q <= (popping_q | begins) & ~ends;
    began1_q  <= begins;
    began2_q  <= began1_q;
  end

  logic both_q, meets_q;  // two entries went to the borrowed row; its pop ended as one of the own row began
  initial {both_q, meets_q} = '0;
  always_ff @(posedge clk_i) begin
    both_q  <= both_q | (far_push == 2'b11);
    meets_q <= meets_q | (flush && flush_far && own_pop);
  end

  always_comb begin
    if (rst_n) begin
      assert (live == s_live && ctrl == s_ctrl && settle == s_settle);
      if (live[0]) assert (pc0 == s_pc0 && mask0 == s_mask0 && unused_fetch_pc == s_fetch_pc);
      if (live[3]) assert (pc1 == s_pc1 && mask1 == s_mask1);
      assert (flush == s_flush && done == s_done && trap == s_trap);
      if (flush) assert (flush_warp == s_flush_warp);
      if (done) assert (done_warp == s_done_warp);
      if (trap) assert (trap_warp == s_trap_warp);
      assert (ended == ends);
      if (Never != 0) assert (!(both_q && meets_q));
    end
  end
endmodule
