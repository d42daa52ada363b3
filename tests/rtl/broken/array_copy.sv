module array_copy (input logic clk_i);
  logic [3:0] here_q [4];
  logic [3:0] there_q [4];
  always_ff @(posedge clk_i) begin
    here_q <= there_q;
  end
endmodule
