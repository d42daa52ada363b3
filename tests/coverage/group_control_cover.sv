// Cover points of group_control (docs/models/coverage.md): the states of groups, the ways from one to another, and
// pairs of states of two groups.
module group_control_cover #(
  parameter int unsigned Members = 8,
  parameter int unsigned Groups = Members / 2
) (
  input logic [3*Groups-1:0]       state_q,
  input logic [3*Groups-1:0]       state_d,
  input logic [Members*Groups-1:0] mask_q,
  input logic [8*Groups-1:0]       count_q,
  input logic [Members-1:0]        wake_q,
  input logic                      woken_q,
  input logic                      moves,
`include "csim/ports/group_control_ports.svh"
);
  for (genvar g = 0; g < Groups; g++) begin : g_group
    localparam int unsigned Leader = 2 * g;
    logic [2:0]         from, to;
    logic [Members-1:0] mask;
    logic               asks, runs;
    assign from = state_q[3*g+:3];
    assign to   = moves ? state_d[3*g+:3] : from;
    assign mask = mask_q[Members*g+:Members];
    assign asks = (ungroup_i & mask) != '0;
    assign runs = rst_ni && !kernel_start_i;
    always_ff @(posedge clk_i or negedge rst_ni) if (runs) begin
      grouped_to_ramp_by_ungroup:   cover (from == 3'd1 && to == 3'd2 && asks && !split_i[Leader]);
      grouped_to_ramp_by_split:     cover (from == 3'd1 && to == 3'd2 && !asks && split_i[Leader]);
      grouped_to_ramp_by_both:      cover (from == 3'd1 && to == 3'd2 && asks && split_i[Leader]);
      grouped_stays_beside_another: cover (from == 3'd1 && to == 3'd1 && moves);
      ramp_split:                   cover (from == 3'd2 && split_i[Leader]);
      ramp_waits_for_drain:         cover (from == 3'd2 && to == 3'd2 && count_q[8*g+:8] == 8'd0);
      ramp_to_reset:                cover (from == 3'd2 && to == 3'd3);
      reset_to_parking:             cover (from == 3'd3 && to == 3'd5);
      reset_to_solo:                cover (from == 3'd3 && to == 3'd4 && !halfway_i);
      reset_to_solo_for_good:       cover (from == 3'd3 && to == 3'd4 && halfway_i);
      parking_to_call:              cover (from == 3'd5 && to == 3'd6);
      parking_to_solo_by_cancel:    cover (from == 3'd5 && to == 3'd4 && (cancel_i & mask) != '0);
      parking_to_solo_by_split:     cover (from == 3'd5 && to == 3'd4 && split_i[Leader]);
      call_to_parking:              cover (from == 3'd6 && to == 3'd5);
      call_to_window:               cover (from == 3'd6 && to == 3'd7);
      call_to_solo:                 cover (from == 3'd6 && to == 3'd4);
      window_to_grouped:            cover (from == 3'd7 && to == 3'd1);
      window_to_solo_by_ungroup:    cover (from == 3'd7 && to == 3'd4 && asks);
      window_to_solo_by_split:      cover (from == 3'd7 && to == 3'd4 && split_i[Leader]);
      wakes_first:                  cover (from == 3'd1 && wake_q[Leader]);
      ramps_while_it_wakes:         cover (from == 3'd2 && wake_q[Leader]);
    end
    // A kernel starts in any state, with this group or without it.
    for (genvar s = 0; s < 8; s++) begin : g_state
      always_ff @(posedge clk_i or negedge rst_ni) if (rst_ni && kernel_start_i && from == 3'(s)) begin
        kernel_forms_it: cover (state_d[3*g+:3] == 3'd1);
        kernel_without:  cover (state_d[3*g+:3] == 3'd0);
      end
    end
  end

  // Another group's state beside the first's: never one whose first is none.
  if (Groups > 1) begin : g_pairs
    for (genvar a = 1; a < 8; a++) begin : g_first
      for (genvar b = 0; b < 8; b++) begin : g_second
        always_ff @(posedge clk_i or negedge rst_ni)
          if (rst_ni) pair: cover (state_q[2:0] == 3'(a) && state_q[5:3] == 3'(b));
      end
    end
  end

  for (genvar i = 0; i < Members; i++) begin : g_residue
    always_ff @(posedge clk_i or negedge rst_ni)
      if (rst_ni) formed: cover (kernel_start_i && !solo_i && form_i == 3'(i));
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (rst_ni) begin
      all_solo:               cover (kernel_start_i && solo_i);
      leaders_woken:          cover (woken_q);
      kernel_starts_in_wake:  cover (kernel_start_i && wake_q != '0);
      shortest_power_up:      cover (kernel_start_i && power_up_i == 8'd0);
      longest_power_up:       cover (kernel_start_i && power_up_i == 8'd255);
    end
  end
endmodule
bind group_control group_control_cover #(.Members(Members)) u_cover (.*);
