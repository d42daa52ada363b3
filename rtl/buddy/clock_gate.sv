// Clock gate: clk_o is clk_i in cycles whose enable was high before their rising edge, else low.
//
// The enable is taken while the clock is low, at its falling edge, so that clk_o has whole pulses
// and rises with clk_i: what both clock sees the same state.  In a library it is one cell.

module clock_gate (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic en_i,   // a function of registers of clk_i
  output logic clk_o
);
  logic en_q;
  always_ff @(negedge clk_i or negedge rst_ni) begin
    if (!rst_ni) en_q <= 1'b1;
    else         en_q <= `FAULT(14, en_i, 1'b1);
  end
  assign clk_o = clk_i & en_q;
endmodule
