// Cover points of simt_stack (docs/models/coverage.md).
module simt_stack_cover #(
  parameter int unsigned WarpSize = tandem_pkg::WarpSize,
  parameter int unsigned Warps = 48,
  parameter int unsigned StackDepth = 16,
  parameter int unsigned Stages = 0
) (
  input logic             end0,
  input logic             end1,
  input logic             r_exit,
  input logic [4:0]       r_depth,
  input logic [15:0]      r_pc, r_rpc, r_target, r_join,
  input logic [WarpSize-1:0] r_live, r_mask,
  input logic             split,
  input logic [1:0]       res_push,
  input logic [4:0]       res_depth,
  input logic             res_trap, res_done, res_settle,
  input logic [Warps-1:0] waits, begun, popping,
  input logic             begins, ends, again, end_met,
  input logic [5:0]       end_warp,
  input logic [4:0]       end_depth,
  input logic [WarpSize-1:0] end_mask,
`include "csim/ports/simt_stack_ports.svh"
);
  logic counts, pushes;
  assign counts = rst_ni && !kernel_start_i;
  assign pushes = resolve_valid_i && split && !res_trap;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (counts) begin
      branch_all_take:           cover (resolve_valid_i && !r_exit && res_dirs_o == 2'd1);
      branch_none_takes:         cover (resolve_valid_i && !r_exit && res_dirs_o == 2'd2);
      branch_splits:             cover (resolve_valid_i && !r_exit && res_dirs_o == 2'd3);
      branch_to_next_splits:     cover (resolve_valid_i && !r_exit && res_dirs_o == 2'd3 && r_target == r_pc);
      branch_backwards:          cover (resolve_valid_i && !r_exit && res_dirs_o[0] && r_target < r_pc);
      exit_of_all:               cover (resolve_valid_i && r_exit && res_dirs_o == 2'd1);
      exit_of_none:              cover (resolve_valid_i && r_exit && res_dirs_o == 2'd2);
      exit_of_some:              cover (resolve_valid_i && r_exit && res_dirs_o == 2'd3);
      exit_of_all_others_wait:   cover (resolve_valid_i && r_exit && res_dirs_o == 2'd1 && !res_done);
      exit_ends_warp:            cover (res_done);
      split_into_two_paths:      cover (pushes && r_target != r_join && r_pc != r_join && r_join != r_rpc);
      split_reconverging_as_top: cover (pushes && r_target != r_join && r_pc != r_join && r_join == r_rpc);
      split_target_is_join:      cover (pushes && r_target == r_join && r_join != r_rpc);
      split_next_is_join:        cover (pushes && r_pc == r_join && r_target != r_join);
      split_join_is_top:         cover (pushes && r_target == r_join && r_join == r_rpc);
      split_that_never_joins:    cover (pushes && r_join == tandem_pkg::NoRpc);
      pushes_none:               cover (pushes && res_push == 2'd0);
      pushes_one:                cover (pushes && (res_push == 2'd1 || res_push == 2'd2));
      pushes_two:                cover (pushes && res_push == 2'd3);
      traps_at_full_stack:       cover (res_trap && r_depth == 5'(StackDepth));
      traps_one_below:           cover (res_trap && r_depth == 5'(StackDepth - 1));
      branch_settles:            cover (res_settle && !r_exit);
      exit_settles:              cover (res_settle && r_exit);
      some_lanes_gone:           cover (resolve_valid_i && r_live != r_mask && split);
      issue_ends_top_even:       cover (end0);
      issue_ends_top_odd:        cover (end1);
      issue_ends_both:           cover (end0 && end1);
      pop_of_live_lanes:         cover (ends && !again);
      pop_of_dead_lanes:         cover (ends && end_mask == '0);
      pop_at_its_end:            cover (ends && again && end_mask != '0);
      pop_met_others:            cover (ends && end_met);
      pop_deferred:              cover ((settle_o & defer_i) != '0);
      pop_passes_deferred:       cover (begins && (settle_o & defer_i & (begun - Warps'(1))) != '0);
      many_settle:               cover ((waits & ~begun) != '0);
      everything_at_once:        cover (launch_valid_i && iss0_valid_i && iss1_valid_i && resolve_valid_i && ends);
      done_as_another_pops:      cover (done_valid_o && ends);
      push_beside_begin:         cover (push_o != '0 && begins);
      upper_lanes_only:          cover (push_o == 2'b11 && push1_mask_o[WarpSize/2-1:0] == '0);
      lower_lanes_only:          cover (push_o == 2'b11 && push1_mask_o[WarpSize-1:WarpSize/2] == '0);
      two_targets:               cover (br0_valid_i && br1_valid_i);
      every_warp_live:           cover (live_o == '1);
      every_warp_waits:          cover ((ctrl_o | settle_o) == '1);
    end
    if (rst_ni) kernel_starts: cover (kernel_start_i);
  end
  for (genvar d = 0; d <= StackDepth; d++) begin : g_depth
    always_ff @(posedge clk_i or negedge rst_ni)
      if (counts) resolved: cover (resolve_valid_i && r_depth == 5'(d));
    if (d > 0) begin : g_full
      always_ff @(posedge clk_i or negedge rst_ni) if (counts) begin
        reached: cover (pushes && res_push != 2'd0 && res_depth == 5'(d));
        popped:  cover (ends && end_depth == 5'(d - 1));
      end
    end
  end
  for (genvar c = 0; c < 4; c++) begin : g_control
    always_ff @(posedge clk_i or negedge rst_ni) if (counts) begin
      issued_even: cover (iss0_valid_i && iss0_ctl_i == 2'(c));
      issued_odd:  cover (iss1_valid_i && iss1_ctl_i == 2'(c));
    end
  end
  for (genvar w = 0; w < Warps; w++) begin : g_warp
    always_ff @(posedge clk_i or negedge rst_ni) if (counts) begin
      splits: cover (pushes && resolve_warp_i == 6'(w));
      pops:   cover (ends && end_warp == 6'(w));
    end
  end
  if (Stages != 0) begin : g_stages
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (counts) begin
        bypassed_pop:        cover (bypass_i && ends);
        bypassed_pop_again:  cover (bypass_i && ends && again);
        pop_again:           cover (!bypass_i && ends && again);
        one_begins_one_ends: cover (!bypass_i && begins && ends);
        lower_begins_after:  cover (!bypass_i && begins && (popping & ~(begun - Warps'(1)) & ~begun) != '0);
        push_beside_end:     cover (!bypass_i && push_o != '0 && ends);
        target_beside_issue: cover (!bypass_i && br0_valid_i && iss0_valid_i && iss0_ctl_i == 2'd1);
      end
      if (rst_ni && kernel_start_i) start_while_popping: cover (popping != '0);
    end
  end
endmodule
bind simt_stack simt_stack_cover #(
  .Warps(Warps),
  .WarpSize(WarpSize),
  .StackDepth(StackDepth),
  .Stages(Stages)
) u_cover (.split(u_resolve.split), .*);
