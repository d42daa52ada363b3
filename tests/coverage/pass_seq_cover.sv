// Cover points of pass_seq (docs/models/coverage.md): its states and ways, and each role of each kind of unit.
module pass_seq_cover (
  input logic       overlap_q,
  input logic       truncated_q,
  input logic [2:0] kind_q,
  input logic [2:0] state_q,
  input logic [2:0] role,
  input logic       viu,
  input logic       side,
  input logic       advance,
  input logic       moves_x,
  input logic       moves_y,
  input logic       last_x,
  input logic       last_y,
`include "csim/ports/pass_seq_ports.svh"
);
  logic runs;
  assign runs = rst_ni && !kernel_start_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (runs) begin
      seek_finds_role:          cover (state_q == 3'd0 && role != 3'd0);
      seek_passes_by:           cover (state_q == 3'd0 && role == 3'd0 && overlap_q);
      seek_waits_for_others:    cover (state_q == 3'd0 && role == 3'd0 && !overlap_q);
      block_is_offered:         cover (state_q == 3'd1 && role == 3'd1);
      interface_unit_offered:   cover (state_q == 3'd1 && role != 3'd1 && truncated_q);
      engine_runs:              cover (state_q == 3'd1 && role != 3'd1 && !truncated_q);
      offer_waits:              cover (state_q == 3'd2 && !taken_i);
      offer_taken:              cover (state_q == 3'd2 && taken_i);
      ends_and_goes_on:         cover (state_q == 3'd3 && fin_i && overlap_q);
      ends_and_waits:           cover (state_q == 3'd3 && fin_i && !overlap_q);
      all_have_ended:           cover (state_q == 3'd4 && go_i);
      to_next_column:           cover (advance && moves_x);
      to_next_row:              cover (advance && moves_y);
      to_the_end:               cover (advance && !moves_x && !moves_y);
      pass_amid:                cover (state_q == 3'd3 && !last_x && !last_y);
      pass_at_right_end:        cover (state_q == 3'd3 && last_x && !last_y);
      pass_at_lower_end:        cover (state_q == 3'd3 && !last_x && last_y);
      last_pass:                cover (state_q == 3'd3 && last_x && last_y);
    end
  end
  for (genvar s = 0; s < 6; s++) begin : g_state
    always_ff @(posedge clk_i or negedge rst_ni)
      if (rst_ni) kernel_starts_in: cover (kernel_start_i && state_q == 3'(s));
  end
  // A slot is a block, or stores for either side; a lane loads or stores, is virtual or not, or has no role.
  always_ff @(posedge clk_i or negedge rst_ni) if (runs && state_q == 3'd1 && kind_q == 3'd0) begin
    slot_is_block:       cover (role == 3'd1);
    slot_stores_east:    cover (role == 3'd3 && !side);
    slot_stores_south:   cover (role == 3'd3 && side);
  end
  for (genvar k = 1; k < 5; k++) begin : g_lane
    always_ff @(posedge clk_i or negedge rst_ni) if (runs && kind_q == 3'(k)) begin
      with_memory: cover (state_q == 3'd1 && role != 3'd0 && !viu);
      with_spill:  cover (state_q == 3'd1 && role != 3'd0 && viu);
      no_role:     cover (state_q == 3'd0 && role == 3'd0);
    end
  end
  for (genvar k = 0; k < 5; k++) begin : g_kind
    always_ff @(posedge clk_i or negedge rst_ni) if (runs && state_q == 3'd3 && kind_q == 3'(k)) begin
      overlapped: cover (overlap_q && !truncated_q);
      serial:     cover (!overlap_q && !truncated_q);
      truncated:  cover (truncated_q);
    end
  end
endmodule
bind pass_seq pass_seq_cover u_cover (.*);
