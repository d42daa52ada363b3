// Cover points of downlink (docs/models/coverage.md).
module downlink_cover (
`include "csim/ports/downlink_ports.svh"
);
  for (genvar i = 0; i < 4; i++) begin : g_slots
    logic last_q;  // these slots in the cycle before
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) last_q <= 1'b0;
      else         last_q <= {p1_valid_i, p0_valid_i} == 2'(i);
    end
    always_ff @(posedge clk_i or negedge rst_ni) if (rst_ni) begin
      sent:       cover ({p1_valid_i, p0_valid_i} == 2'(i));
      arrived:    cover ({d1_valid_o, d0_valid_o} == 2'(i));
      then_none:  cover (last_q && {p1_valid_i, p0_valid_i} == 2'd0);
      then_slot0: cover (last_q && {p1_valid_i, p0_valid_i} == 2'd1);
      then_slot1: cover (last_q && {p1_valid_i, p0_valid_i} == 2'd2);
      then_both:  cover (last_q && {p1_valid_i, p0_valid_i} == 2'd3);
    end
  end
endmodule
bind downlink downlink_cover u_cover (.*);
