// Power of a member's front end: whether it is on, and its clock, which runs while it is.  After its
// power returns it stays off until reset_fe.
//
// A register holds on, since much of the front end waits for that: its inputs are the values of
// power and reset_fe in the next cycle.  A front end is cold in the cycle after one in which it was off.
//
// A kernel may start while a slave comes up: its front end is as cold as before, until the reset_fe that
// is then still on its way.  Power that is off wins over reset_fe.

module member_power (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       power_next_i,
  input  logic       reset_fe_next_i,

  output logic       on_o,
  output logic       units_clk_o
);
  logic on_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) on_q <= 1'b1;
    else         on_q <= power_next_i & (on_q | reset_fe_next_i);
  end
  assign on_o = on_q;

  clock_gate u_clock_gate (
    .clk_i,
    .rst_ni,
    .en_i(on_o),
    .clk_o(units_clk_o)
  );
endmodule
