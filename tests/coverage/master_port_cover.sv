// Cover points of master_port (docs/models/coverage.md): every packet in every slot, windows and places.
module master_port_cover #(
  parameter int unsigned WarpSize = tandem_pkg::WarpSize,
  parameter int unsigned Warps = 48,
  parameter int unsigned Members = 4,
  parameter int unsigned Delay = 2
) (
  input logic [Delay+1:0]   park_q,
`include "csim/ports/master_port_ports.svh"
);
  logic counts, leads;
  assign counts = rst_ni && !kernel_start_i;
  assign leads  = counts && master_i;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (leads) begin
      inst_even_alone:        cover (iss0_valid_i && !iss1_valid_i && !rs_valid_i);
      inst_odd_alone:         cover (!iss0_valid_i && iss1_valid_i && !rs_valid_i);
      inst_both:              cover (iss0_valid_i && iss1_valid_i);
      mask_alone:             cover (rs_valid_i && !iss0_valid_i && !iss1_valid_i);
      mask_beside_even:       cover (rs_valid_i && iss0_valid_i);
      mask_beside_odd:        cover (rs_valid_i && iss1_valid_i);
      mask_while_windows:     cover (rs_valid_i && verdict_o != '0);
      window_opens_again:     cover (rs_valid_i && verdict_o[rs_warp_i]);
      many_windows:           cover ((verdict_o & (verdict_o - 48'd1)) != '0);
      all_slots_empty:        cover (!iss0_valid_i && !iss1_valid_i && !rs_valid_i);
      both_reach_own_back_end: cover (out0_valid_o && out1_valid_o);
      place_taken_and_returned: cover (take_mem_i && credit_i != '0);
      a_member_has_no_place:  cover (!members_ok_o);
      every_member_returns:   cover (credit_i == '1);
      some_follow:            cover (slaves_i != '1 && slaves_i != '0);
      all_follow:             cover (slaves_i == '1);
    end
    if (counts) begin
      park_packet:            cover (park_q[1]);
      roll_call_in_slot_0:    cover (call0_valid_i && !call1_valid_i);
      roll_call_in_slot_1:    cover (call1_valid_i && !call0_valid_i);
      roll_call_in_both:      cover (call0_valid_i && call1_valid_i);
      end_of_roll:            cover (last_valid_i);
      alone_both_pass:        cover (!master_i && iss0_valid_i && iss1_valid_i && out0_valid_o && out1_valid_o);
      empty:                  cover (empty_o);
      busy:                   cover (!empty_o);
    end
    if (rst_ni) kernel_starts: cover (kernel_start_i);
  end
  for (genvar i = 0; i < 4; i++) begin : g_directions
    if (i > 0) begin : g_some
      always_ff @(posedge clk_i or negedge rst_ni)
        if (leads) sent: cover (rs_valid_i && rs_dirs_i == 2'(i));
    end
  end
  for (genvar k = 0; k < Members - 1; k++) begin : g_slave
    always_ff @(posedge clk_i or negedge rst_ni) if (leads) returns_place: cover (credit_i[k]);
  end
  for (genvar w = 0; w < Warps; w++) begin : g_warp
    always_ff @(posedge clk_i or negedge rst_ni) if (leads) has_window: cover (verdict_o[w]);
  end
endmodule
bind master_port master_port_cover #(.WarpSize(WarpSize), .Members(Members), .Delay(Delay)) u_cover (.*);
