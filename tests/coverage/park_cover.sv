// Cover points of park (docs/models/coverage.md).
module park_cover #(
  parameter int unsigned Warps = 48
) (
  input logic [15:0]      park_pc_q,
  input logic [Warps-1:0] stays,
  input logic [Warps-1:0] parked_q,
`include "csim/ports/park_ports.svh"
);
  logic counts;
  assign counts = rst_ni && !kernel_start_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (counts) begin
      even_parks:              cover (stop0_o && !stop1_o);
      odd_parks:               cover (stop1_o && !stop0_o);
      both_park:               cover (stop0_o && stop1_o);
      pick_at_another_pc:      cover (park_i && pick0_valid_i && pick0_pc_i != park_pc_q);
      pick_above_its_level:    cover (park_i && ((pick0_valid_i && pick0_pc_i == park_pc_q && (stays & (Warps'(1) << pick0_warp_i)) == '0) ||
                                                 (pick1_valid_i && pick1_pc_i == park_pc_q && (stays & (Warps'(1) << pick1_warp_i)) == '0)));
      pick_while_not_parking:  cover (!park_i && pick0_valid_i && pick0_pc_i == park_pc_q);
      parks_where_no_branch_ends: cover ((stop0_o || stop1_o) && park_pc_q == 16'hffff);
      all_parked:              cover (park_i && all_o && parked_q == live_i && live_i != '0);
      every_warp_parked:       cover (parked_q == '1);
      all_of_none_live:        cover (park_i && all_o && live_i == '0);
      parked_and_dead:         cover ((parked_q & ~live_i) != '0);
      cancels:                 cover (cancel_o);
      push_one:                cover (!together_i && res_valid_i && res_push_i == 2'd1);
      push_two:                cover (!together_i && res_valid_i && res_push_i == 2'd2);
      push_pop_and_launch:     cover (!together_i && res_valid_i && res_push_i != 2'd0 && pop_valid_i && launch_valid_i);
      new_park_pc:             cover (set_valid_i);
      parking_ends:            cover (!park_i && parked_q != '0);
      calls_one:               cover (call0_valid_o != call1_valid_o);
      calls_two:               cover (call0_valid_o && call1_valid_o);
      call_ends:               cover (last_valid_o && last_count_o != '0);
      call_of_nobody:          cover (last_valid_o && last_count_o == '0);
      call_breaks_off:         cover (call_i && !last_valid_o && parked_q != '0);
      hears_one:               cover (called0_valid_i != called1_valid_i);
      hears_two:               cover (called0_valid_i && called1_valid_i);
      hears_end:               cover (end_valid_i);
      answers_that_it_differs: cover (differs_o);
      hears_and_agrees:        cover (end_valid_i && !differs_o);
    end
    if (rst_ni) kernel_starts_while_parked: cover (kernel_start_i && parked_q != '0);
  end
  for (genvar w = 0; w < Warps; w++) begin : g_warp
    always_ff @(posedge clk_i or negedge rst_ni) if (counts) parks: cover (parked_q[w]);
  end
endmodule
bind park park_cover u_cover (.*);
