// one_clock: assumes one clock, and a reset that lasts for the first cycle.
module one_clock (
  input logic clk_i,
  input logic rst_ni
);
  logic run_q;
  initial run_q = 1'b0;
  always_ff @(posedge clk_i) run_q <= 1'b1;
  always_comb begin
    assume (clk_i);
    assume (rst_ni == run_q);
  end
endmodule
