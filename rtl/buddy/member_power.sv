// Power of a member's front end: whether it is on, and its clock, which runs while it is.  After its
// power returns it stays off until reset_fe_i.
//
// A kernel may start while a slave comes up: its front end is as cold as before, until the reset_fe that
// is then still on its way.  Power that is off wins over reset_fe.

module member_power (
  input  logic       clk_i,
  input  logic       rst_ni,
`ifdef TANDEM_BUGS
  input  logic [7:0] bug_i,
`endif
  input  logic       power_i,
  input  logic       reset_fe_i,

  output logic       on_o,
  output logic       units_clk_o
);
  logic cold_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)         cold_q <= 1'b0;
    else if (!power_i)   cold_q <= 1'b1;
    else if (reset_fe_i) cold_q <= 1'b0;
  end
  assign on_o = power_i & (~cold_q | reset_fe_i);

  clock_gate u_clock_gate (
    .clk_i,
    .rst_ni,
`ifdef TANDEM_BUGS
    .bug_i,
`endif
    .en_i(on_o),
    .clk_o(units_clk_o)
  );
endmodule
