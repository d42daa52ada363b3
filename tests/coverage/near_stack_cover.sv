// Cover points of near_stack (docs/models/coverage.md).
module near_stack_cover #(
  parameter int unsigned Warps = 48,
  parameter int unsigned Lanes = 64,
  parameter int unsigned StackDepth = 16
) (
  input logic [Warps-1:0] popping_q, begun, waits,
  input logic             begins, ends, again,
  input logic [4:0]       r_depth,
`include "csim/ports/near_stack_ports.svh"
);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni && !kernel_start_i) begin
      pop_in_base:             cover (bypass_i && ends);
      pop_again_in_base:       cover (bypass_i && again);
      pop_again:               cover (!bypass_i && again);
      one_begins_one_ends:     cover (!bypass_i && begins && ends);
      lower_begins_behind:     cover (!bypass_i && begins && (popping_q & ~(begun - Warps'(1)) & ~begun) != '0);
      waits_for_another:       cover (!bypass_i && (waits & ~begun) != '0);
      own_and_borrowed_pops:   cover (!bypass_i && own_pop_o && ends && flush_far_o);
      two_pushed_own:          cover (own_push_o == 2'b11);
      two_pushed_borrowed:     cover (far_push_o == 2'b11);
      one_pushed_own:          cover (own_push_o == 2'b01);
      one_pushed_borrowed:     cover (far_push_o == 2'b01);
      push_beside_pop:         cover (far_push_o != '0 && far_pop_o);
      push_beside_entry:       cover (own_push_o != '0 && ends && !flush_far_o);
      trap_of_own:             cover (trap_valid_o && trap_warp_o < 6'd24);
      trap_of_borrowed:        cover (trap_valid_o && trap_warp_o >= 6'd24);
      done_as_another_pops:    cover (done_valid_o && ends);
      target_beside_issue:     cover (!bypass_i && br0_valid_i && iss0_valid_i && iss0_ctl_i == 2'd1);
      two_targets:             cover (br0_valid_i && br1_valid_i);
      upper_lanes_alone:       cover (resolve_valid_i && own_push_o == 2'b11 && push1_mask_o[Lanes/2-1:0] == '0);
      lower_lanes_alone:       cover (resolve_valid_i && own_push_o == 2'b11 && push1_mask_o[Lanes-1:Lanes/2] == '0);
    end
    if (rst_ni && kernel_start_i) start_while_popping: cover (popping_q != '0);
  end
  for (genvar d = 0; d < StackDepth; d++) begin : g_depth
    always_ff @(posedge clk_i or negedge rst_ni) if (rst_ni && !kernel_start_i) begin
      own_pushed: cover (own_push_o != '0 && r_depth == 5'(d));
      far_pushed: cover (far_push_o != '0 && r_depth == 5'(d));
      own_popped: cover (own_pop_o && pop_at_o == 5'(d + 1));
      far_popped: cover (far_pop_o && pop_at_o == 5'(d + 1));
    end
  end
endmodule
bind near_stack near_stack_cover u_cover (.*);
